/** Where the front page of a blog is (contract 20.2). */
import { sql } from "drizzle-orm";
import { blogs } from "../../schema/blogs.ts";

/**
 * An SQL expression, on a row of `blogs`, for where its front page is: absolute, or a path of the service. Without a site, that
 * is its llms.txt, which everybody may read all the same.
 */
export const FRONT = sql<string>`case when ${blogs.siteUrl} <> '' then ${blogs.siteUrl}
  when ${blogs.siteEnabled} then '/' || ${blogs.vanityId} else '/blogs/' || ${blogs.id} || '/llms.txt' end`;
