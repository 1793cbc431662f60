/** What feeds and sites show of a blog. */
import { sql } from "drizzle-orm";
import type { MenuEntry, SiteFont } from "../../domain/site.ts";
import { jsonObject } from "../core/sql.ts";
import { blogs } from "../../schema/blogs.ts";

/**
 * An SQL expression, on a row of `blogs`, for the URL of its front page: absolute, or a path of the service. Without a
 * site, that is its llms.txt, which everybody may read.
 */
export const FRONT = sql<string>`case when ${blogs.siteUrl} <> '' then ${blogs.siteUrl}
  when ${blogs.siteEnabled} then '/' || ${blogs.vanityId} else '/blogs/' || ${blogs.id} || '/llms.txt' end`;

/** What feeds and sites both show, on a row of `blogs`. */
export const SHOWN_BLOG = {
  _id: blogs.id,
  name: blogs.name,
  vanityId: blogs.vanityId,
  description: blogs.siteDescription,
  coverUrl: blogs.coverUrl,
  logoUrl: blogs.logoUrl,
  locales: sql`json(${blogs.locales})`,
  place: FRONT,
};

/** A blog as its site shows it. `place` is the URL of its front page: absolute, or a path of the service. */
export type SiteBlog = {
  readonly _id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly vanityId: string;
  readonly description: string;
  readonly coverUrl: string;
  readonly logoUrl: string;
  readonly accentColor: string;
  readonly font: SiteFont;
  readonly menu: readonly MenuEntry[];
  /** What subscribers get by email; "" if the site has no subscription form. */
  readonly newsletter: string;
  readonly locales: readonly string[];
  readonly place: string;
};

export const SITE_BLOG = jsonObject({
  ...SHOWN_BLOG,
  organizationId: blogs.organizationId,
  accentColor: blogs.accentColor,
  font: blogs.siteFont,
  menu: sql`json(${blogs.menu})`,
  newsletter: blogs.newsletter,
});
