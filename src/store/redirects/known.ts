/** What adding redirects to a blog needs to know of it. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { parseAddresses, isSitePage, type SitePaths } from "../../domain/redirects.ts";
import { DomainError } from "../../domain/errors.ts";
import { newId } from "../../lib/ids.ts";
import { articles, movedSlugs } from "../../schema/articles.ts";
import { blogs, siteHosts } from "../../schema/blogs.ts";
import type { Writer } from "../core/writer.ts";
import { isOwnBlog } from "../core/reach.ts";
import { organizations } from "../../schema/core.ts";
import { builder, isAmong, queryRows, runTransaction } from "../core/sql.ts";
import type { Known, Wanted } from "./plan.ts";
import { redirects } from "../../schema/redirects.ts";

/** The paths of a blog, and the URLs of its site. */
export type RedirectedBlog = SitePaths & { readonly roots: readonly string[] };

/** The addresses of the service at which a blog's site may be. */
export type ServicePlaces = { readonly baseUrl: string; readonly siteDomain: string };

type BlogRow = {
  readonly locales: string;
  readonly articlePath: string;
  readonly siteUrl: string;
  readonly vanityId: string;
  readonly version: string | null;
  readonly hosts: string;
  readonly used: number;
};

/** Returns the blog. Throws `blog_forbidden`. */
export async function readBlog(writer: Writer, blogId: string): Promise<BlogRow> {
  const [blog] = await queryRows<BlogRow>(
    writer.db,
    sql`select ${blogs.locales}, ${blogs.articlePath} as "articlePath", ${blogs.siteUrl} as "siteUrl", ${blogs.vanityId} as "vanityId",
        ${blogs.redirectsVersion} as "version",
        (select json_group_array(${siteHosts.host}) from ${siteHosts}
          where ${siteHosts.blogId} = ${blogs.id} and ${siteHosts.verifiedTime} is not null) as "hosts",
        (select ${organizations.redirects} from ${organizations} where ${organizations.id} = ${blogs.organizationId}) as "used"
      from ${blogs} where ${isOwnBlog(writer, blogId)}`,
  );
  if (blog === undefined) throw new DomainError("blog_forbidden");
  return blog;
}

/** Returns the paths and site URLs of a blog. */
export function toRedirectedBlog(blog: BlogRow, { baseUrl, siteDomain }: ServicePlaces): RedirectedBlog {
  const hosts = JSON.parse(blog.hosts) as string[];
  const names = siteDomain === "" ? hosts : [...hosts, `${blog.vanityId}.${siteDomain}`];
  const roots = [
    blog.siteUrl.replace(/^http:/, "https:"),
    `${baseUrl}/${blog.vanityId}`,
    ...names.map((name) => `https://${name}`),
  ];
  return {
    locales: JSON.parse(blog.locales) as string[],
    articlePath: blog.articlePath,
    roots: roots.filter((root) => root !== ""),
  };
}

type Asking = {
  readonly blogId: string;
  readonly blog: RedirectedBlog;
  readonly wanted: readonly (Wanted | DomainError)[];
  readonly used: number;
  readonly now: string;
};

/** Reads what a plan needs to know. */
export async function readKnown(writer: Writer, { blogId, blog, wanted: given, used, now }: Asking): Promise<Known> {
  const wanted = given.filter((each): each is Wanted => !(each instanceof DomainError));
  const keys = [...new Set(wanted.flatMap(({ source, goal }) => [source, ...(goal.key === null ? [] : [goal.key])]))];
  const names = keys.flatMap((key) =>
    parseAddresses(key, blog).map(({ slug, locale }, nth) => ({ key, nth, slug, locale })),
  );
  const ids = wanted.flatMap(({ goal }) => goal.articleId ?? []);
  const { stored, addressed, owned } = await runTransaction(writer.db, {
    stored: builder
      .select({
        id: redirects.id,
        source: redirects.source,
        articleId: redirects.articleId,
        to: redirects.target,
        key: redirects.targetKey,
        creationTime: redirects.creationTime,
      })
      .from(redirects)
      .where(and(eq(redirects.blogId, blogId), isAmong(redirects.source, keys))),
    addressed: selectAddressed(blogId, blog, names),
    owned: sql<{ id: string }>`select ${articles.id} from json_each(${JSON.stringify(ids)}) named
      cross join ${articles} on ${articles.id} = named.value and ${articles.blogId} = ${blogId}`,
  });
  const at = new Map(addressed.toReversed().map(({ key, id, former }) => [key, { id, former: former === 1 }]));
  return {
    stored: stored.map(({ id, source, articleId, to, key, creationTime }) => ({
      id,
      source,
      goal: { articleId, to, key },
      creationTime,
    })),
    articles: new Set(owned.map(({ id }) => id)),
    findArticleAt: (key) => at.get(key),
    isPage: (key) => isSitePage(key, blog),
    used,
    now,
    newId,
  };
}

type Addressed = { readonly key: string; readonly id: string; readonly former: number };

const getField = (name: string): SQL => sql.raw(`n.value ->> '$.${name}'`);

/** Returns the query of the published articles with these names, now or before; the best of each key first. */
const selectAddressed = (
  blogId: string,
  { locales }: RedirectedBlog,
  names: readonly {
    readonly key: string;
    readonly nth: number;
    readonly slug: string;
    readonly locale?: string | undefined;
  }[],
): SQL<Addressed> => {
  const main = locales[0] ?? "en";
  return sql<Addressed>`select ${getField("key")} as "key", a.id, 0 as "former", ${getField("nth")} as "nth"
    from json_each(${JSON.stringify(names)}) n cross join ${articles} a indexed by articles_slug
      on a.blog_id = ${blogId} and a.slug = ${getField("slug")} and a.locale = coalesce(${getField("locale")}, ${main}) and a.published = 1
    union all
    select ${getField("key")}, m.article_id, 1, ${getField("nth")}
    from json_each(${JSON.stringify(names)}) n cross join ${movedSlugs} m indexed by moved_slugs_slug
      on m.blog_id = ${blogId} and m.slug = ${getField("slug")} and m.locale = coalesce(${getField("locale")}, ${main}) and m.live = 1
    order by "former", "nth"`;
};
