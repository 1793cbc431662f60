/** The redirects of a blog's site (contract 21.8). */
import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { DomainError } from "../../domain/errors.ts";
import { pick } from "../../lib/pick.ts";
import { articles } from "../../schema/articles.ts";
import { buildSiteEvent, requestBlogPurge, SITE_CHANGES } from "../blogs/sites.ts";
import { blogs } from "../../schema/blogs.ts";
import { commit, makeLicense, type License } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { paginateById, toPage, type Page, type PageQuery } from "../core/paging.ts";
import { redirectsFit } from "../core/quota.ts";
import { isOwnBlog } from "../core/reach.ts";
import { defineResource, type RecordOf } from "../core/resource.ts";
import { joinAnd, builder, insertWhere, jsonBoolean, jsonObject, runTransaction, type Statement } from "../core/sql.ts";
import { readBlog, readKnown, toRedirectedBlog, type RedirectedBlog, type ServicePlaces } from "./known.ts";
import { planRedirects, type Outcome, type Stored, type Wanted } from "./plan.ts";
import { redirects } from "../../schema/redirects.ts";

/** A redirect's target may change without a write of its own, when a later redirect begins at it. */
const REDIRECT = defineResource(
  {
    _id: redirects.id,
    blogId: redirects.blogId,
    from: redirects.source,
    to: redirects.target,
    articleId: redirects.articleId,
    creationTime: redirects.creationTime,
  },
  sql`${redirects.id} || coalesce(${redirects.target}, ${redirects.articleId})`,
);

export type RedirectRecord = RecordOf<typeof REDIRECT>;

/** `article` is what its article is called now; null if it leads to an address. */
export type ListedRedirect = RedirectRecord & {
  readonly article: { readonly slug: string; readonly locale: string; readonly published: boolean } | null;
};

const ARTICLE = sql<string | null>`iif(${articles.id} is null, null,
  ${jsonObject({ slug: articles.slug, locale: articles.locale, published: jsonBoolean(articles.published) })})`;

export type RedirectsQuery = PageQuery & { readonly blogId: string; readonly query?: string | undefined };

/** Returns a page of redirects, newest first, with `query` in a field. Throws `blog_forbidden`, `invalid_cursor`. */
export async function listRedirects(writer: Writer, query: RedirectsQuery): Promise<Page<ListedRedirect>> {
  const page = paginateById(query, redirects.id);
  const text = query.query;
  const has =
    text &&
    sql`(instr(lower(${redirects.source}), lower(${text})) > 0 or instr(lower(${redirects.target}), lower(${text})) > 0)`;
  const { reach, found } = await runTransaction(writer.db, {
    reach: sql`select 1 from ${blogs} where ${isOwnBlog(writer, query.blogId)}`,
    found: builder
      .select({ ...REDIRECT.fields, article: ARTICLE.as("article") })
      .from(redirects)
      .leftJoin(articles, eq(articles.id, redirects.articleId))
      .where(
        and(
          eq(redirects.blogId, query.blogId),
          eq(redirects.organizationId, writer.organizationId),
          has || undefined,
          page.from,
        ),
      )
      .orderBy(page.order)
      .limit(page.limit)
      .offset(page.offset),
  });
  if (reach.length === 0) throw new DomainError("blog_forbidden");
  return toPage(query, found, ({ article, ...row }) => {
    const { value, version } = REDIRECT.toRecord(row);
    return {
      value: { ...value, article: article === null ? null : (JSON.parse(article) as ListedRedirect["article"]) },
      version: `${version}${article ?? ""}`,
    };
  });
}

/** Returns each wanted redirect, or why it cannot be, once the URLs of the blog's site are known. */
export type Asked = (blog: RedirectedBlog) => readonly (Wanted | DomainError)[];

/** How often adding is planned again because others have added redirects meanwhile. */
const MOST_TRIES = 20;

/**
 * Adds redirects, and returns the outcome of each, in their order, and whether anything was written. Redirects that
 * others add meanwhile are taken into account, so that two writers never make a loop. Throws `blog_forbidden`, and
 * `not_ready` if others keep adding.
 */
export async function addRedirects(
  writer: Writer,
  { blogId, asked, places }: { readonly blogId: string; readonly asked: Asked; readonly places: ServicePlaces },
  buildAnswer: (outcomes: readonly Outcome[]) => unknown,
): Promise<{ readonly outcomes: readonly Outcome[]; readonly written: boolean }> {
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const row = await readBlog(writer, blogId);
    const blog = toRedirectedBlog(row, places);
    const license = makeLicense(writer);
    const wanted = asked(blog);
    const known = await readKnown(writer, { blogId, blog, wanted, used: row.used, now: license.time });
    const { outcomes, added } = planRedirects(wanted, known);
    const [first] = added;
    if (first === undefined) return { outcomes, written: false };
    const written = await commit(writer, license, {
      action: "redirects.add",
      resourceId: added.length === 1 ? first.source : `${added.length} redirects`,
      blogId,
      where: sql`from ${blogs} where ${joinAnd(isOwnBlog(writer, blogId), sql`${blogs.redirectsVersion} is ${row.version}`, redirectsFit(writer, added.length))}`,
      change: (held) => insertRedirects(writer, blogId, added, held),
      changed: SITE_CHANGES.redirects,
      event: buildSiteEvent(blogId, places.baseUrl),
      answer: sql`${JSON.stringify({ value: buildAnswer(outcomes) })}`,
    });
    if (!written.refused) return { outcomes, written: true };
  }
  throw new DomainError("not_ready", "Others are adding redirects to this blog. Send the request again.", {
    retryAfterSeconds: 5,
  });
}

const led = alias(redirects, "led");

const getField = (name: string) => sql.raw(`given.value ->> '$.${name}'`);

/** Returns the statements that store new redirects, and give their targets to redirects that led to their sources. */
function insertRedirects(writer: Writer, blogId: string, added: readonly Stored[], license: License): Statement[] {
  const given = JSON.stringify(
    added.map(({ id, source, goal: { articleId, to, key }, creationTime }) => ({
      id,
      source,
      articleId,
      to,
      key,
      creationTime,
    })),
  );
  const goal = { articleId: getField("articleId"), target: getField("to"), targetKey: getField("key") };
  return [
    // An UPDATE … FROM would go through all redirects for each new one.
    insertWhere(
      redirects,
      { ...pick(led, ["id", "organizationId", "blogId", "source", "creationTime"]), ...goal },
      sql`from json_each(${given}) given cross join ${redirects} ${led} indexed by redirects_by_target
        on ${led.blogId} = ${blogId} and ${led.targetKey} = ${getField("source")} where ${license.held}`,
    ).onConflictDoUpdate({
      target: redirects.id,
      set: {
        articleId: sql`excluded.article_id`,
        target: sql`excluded.target`,
        targetKey: sql`excluded.target_key`,
      },
    }),
    // Leaves out redirects whose article has been deleted since.
    insertWhere(
      redirects,
      {
        id: getField("id"),
        organizationId: writer.organizationId,
        blogId,
        source: getField("source"),
        creationTime: getField("creationTime"),
        ...goal,
      },
      sql`from json_each(${given}) given where ${license.held} and (${getField("articleId")} is null
        or exists (select 1 from ${articles} where ${articles.id} = ${getField("articleId")}))`,
    ).onConflictDoNothing({ target: [redirects.blogId, redirects.source] }),
    builder
      .update(blogs)
      .set({ redirectsVersion: license.id })
      .where(and(eq(blogs.id, blogId), license.held)),
    requestBlogPurge(writer, blogId, license),
  ];
}

/** Removes a redirect. Throws `blog_forbidden` and `not_found`. */
export async function removeRedirect(
  writer: Writer,
  { blogId, id, baseUrl }: { readonly blogId: string; readonly id: string; readonly baseUrl: string },
): Promise<void> {
  const license = makeLicense(writer);
  const isIt = joinAnd(eq(redirects.id, id), eq(redirects.blogId, blogId));
  const outcome = await commit(writer, license, {
    action: "redirects.remove",
    resourceId: sql`${redirects.source}`,
    blogId,
    where: sql`from ${redirects} where ${isIt} and exists (select 1 from ${blogs} where ${isOwnBlog(writer, blogId)})`,
    change: ({ held }) => [builder.delete(redirects).where(and(isIt, held)), requestBlogPurge(writer, blogId, license)],
    changed: SITE_CHANGES.redirects,
    event: buildSiteEvent(blogId, baseUrl),
    answer: sql`json_object('value', json_object('_id', ${id}))`,
    diagnose: sql`select 1 from ${blogs} where ${isOwnBlog(writer, blogId)}`,
  });
  if (!outcome.refused) return;
  throw outcome.diagnosis.length === 0
    ? new DomainError("blog_forbidden")
    : new DomainError("not_found", "The blog has no such redirect.");
}
