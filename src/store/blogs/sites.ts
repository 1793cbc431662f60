/** How readers find an organization's blogs: the settings of their sites, feeds and URLs (contract 20.1). */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { blogTag } from "../../domain/cache-tags.ts";
import type { FeedContent, MenuEntry, SiteFont } from "../../domain/site.ts";
import type { IfMatch } from "../../domain/preconditions.ts";
import { DomainError } from "../../domain/errors.ts";
import { differsFrom, listChanged } from "../core/changed.ts";
import { commit, makeLicense, type License, type NewEvent } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import type { Versioned } from "../core/paging.ts";
import { matchVersion, type Optional } from "../core/preconditions.ts";
import { isOwnBlog } from "../core/reach.ts";
import { joinAnd, builder, jsonBoolean, jsonObject, orm } from "../core/sql.ts";
import { requestPurges } from "../edge/purges.ts";
import { FRONT } from "./shown.ts";
import { blogs } from "../../schema/blogs.ts";

export type SiteRecord = {
  blogId: string;
  /** The URL of its front page. */
  url: string;
  enabled: boolean;
  description: string;
  siteUrl: string;
  articlePath: string;
  feedContent: FeedContent;
  accentColor: string;
  font: SiteFont;
  logoUrl: string;
  menu: MenuEntry[];
  newsletter: string;
  lastEditTime: string | null;
};

export type SiteFields = Optional<Omit<SiteRecord, "blogId" | "url" | "lastEditTime">>;

/** The version of settings that nobody has changed is the blog's id. */
const VERSION = sql<string>`coalesce(${blogs.siteVersion}, ${blogs.id})`;

const COLUMNS = {
  enabled: blogs.siteEnabled,
  description: blogs.siteDescription,
  siteUrl: blogs.siteUrl,
  articlePath: blogs.articlePath,
  feedContent: blogs.feedContent,
  accentColor: blogs.accentColor,
  font: blogs.siteFont,
  logoUrl: blogs.logoUrl,
  menu: blogs.menu,
  newsletter: blogs.newsletter,
};

/** Returns the members of a site by their columns. `baseUrl` is the service's own URL. */
const buildMembers = (baseUrl: string) => ({
  blogId: blogs.id,
  url: sql<string>`case ${blogs.siteUrl} when '' then ${baseUrl} else '' end || ${FRONT}`,
  ...COLUMNS,
  lastEditTime: blogs.siteEditTime,
});

const buildFields = (baseUrl: string) => ({ ...buildMembers(baseUrl), rowVersion: VERSION.as("rowVersion") });

type Row = SiteRecord & { readonly rowVersion: string };

const toSite = ({ rowVersion, ...value }: Row): Versioned<SiteRecord> => ({ value, version: rowVersion });

/** Returns the settings of a blog's site. Throws `blog_forbidden` if the writer may not touch the blog. */
export async function findSite(writer: Writer, blogId: string, baseUrl: string): Promise<Versioned<SiteRecord>> {
  const [row] = await orm(writer.db).select(buildFields(baseUrl)).from(blogs).where(isOwnBlog(writer, blogId));
  if (row === undefined) throw new DomainError("blog_forbidden");
  return toSite(row);
}

export type SiteChange = {
  readonly blogId: string;
  readonly fields: SiteFields;
  readonly ifMatch: IfMatch | undefined;
  readonly baseUrl: string;
};

/**
 * Changes a site's settings, without a new version of the blog, and stores its event `site.updated`. Throws `blog_forbidden`
 * and `precondition_failed`.
 */
export async function updateSite(writer: Writer, change: SiteChange): Promise<Versioned<SiteRecord>> {
  const license = makeLicense(writer);
  const { blogId, ifMatch, baseUrl } = change;
  const { enabled, description, font, ...rest } = change.fields;
  const isIt = eq(blogs.id, blogId);
  const target = isOwnBlog(writer, blogId);
  const outcome = await commit<Row, { rowVersion: string }>(writer, license, {
    action: "blogs.updateSite",
    resourceId: blogId,
    blogId,
    where: sql`from ${blogs} where ${joinAnd(target, ...matchVersion(VERSION, ifMatch))}`,
    change: ({ held }) => ({
      returning: builder
        .update(blogs)
        .set({
          ...rest,
          siteEnabled: enabled,
          siteDescription: description,
          siteFont: font,
          siteVersion: license.id,
          siteEditTime: license.time,
        })
        .where(and(isIt, held))
        .returning(buildFields(baseUrl)),
      again: () => builder.select(buildFields(baseUrl)).from(blogs).where(isIt),
      after: [requestBlogPurge(writer, blogId, license, enabled === false)],
    }),
    changed: listChanged(
      Object.fromEntries(
        Object.entries(change.fields).map(([name, value]) => [
          name,
          differsFrom(COLUMNS[name as keyof SiteFields], value),
        ]),
      ),
    ),
    event: buildSiteEvent(blogId, baseUrl),
    answer: sql`(select ${buildAnswer(baseUrl)} from ${blogs} where ${isIt})`,
    diagnose: sql<{ rowVersion: string }>`select ${VERSION} as "rowVersion" from ${blogs} where ${target}`,
  });
  if (!outcome.refused) return toSite(outcome.row);
  throw new DomainError(outcome.diagnosis.length > 0 ? "precondition_failed" : "blog_forbidden");
}

const buildAnswer = (baseUrl: string): SQL => jsonObject({ value: buildJson(baseUrl), version: VERSION });

const buildJson = (baseUrl: string): SQL =>
  jsonObject({
    ...buildMembers(baseUrl),
    enabled: jsonBoolean(blogs.siteEnabled),
    menu: sql`json(${blogs.menu})`,
  });

/** Returns the event `site.updated` of a blog: the settings of its site. */
export const buildSiteEvent = (blogId: string | SQL, baseUrl: string): NewEvent => ({
  kind: "site.updated",
  blogId: sql`${blogs.id}`,
  data: buildJson(baseUrl),
  from: sql`from ${blogs} where ${blogs.id} = ${blogId}`,
});

/** `changed` of a write of something that belongs to a site but has its own operations. */
export const SITE_CHANGES = { hosts: sql`'["hosts"]'`, redirects: sql`'["redirects"]'` } as const;

/** Returns the statement that requests a purge of everything that is public of a blog. `isGone`: nobody may see it any more. */
export const requestBlogPurge = (
  { organizationId }: Writer,
  blogId: string,
  { held, time }: License,
  isGone = false,
): SQL =>
  requestPurges(
    sql`select ${blogTag(blogId)} as tag, ${organizationId} as organization_id, ${Number(isGone)} as urgent where ${held}`,
    time,
  );
