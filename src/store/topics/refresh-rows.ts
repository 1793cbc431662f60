/** The rows of a refresh: one for the refresh, and one for each of its sources. */
import { sql, type SQL } from "drizzle-orm";
import { topicRefreshes as refreshes, topicRefreshSources as sources } from "../../schema/topics.ts";
import { blogs } from "../../schema/blogs.ts";
import { insertInto, insertWhere, type Database, type Statement } from "../core/sql.ts";

/**
 * Returns the statements that insert a new refresh of the blog that meets `where`, and a copy of each of the blog's
 * sources. They insert nothing if no blog meets it.
 */
export function beginRefresh(db: Database, id: string, where: SQL, time: string): Statement[] {
  const refresh = {
    id,
    organizationId: sql`${blogs.organizationId}`,
    blogId: sql`${blogs.id}`,
    state: "running" as const,
    creationTime: time,
  };
  return [
    insertWhere(db, refreshes, refresh, sql`from ${blogs} where ${where}`),
    sql`${INTO_SOURCES} select ${refreshes.id}, s.key, ${refreshes.organizationId}, s.value, 'open', ${time}
      from ${refreshes} join ${blogs} on ${blogs.id} = ${refreshes.blogId} join json_each(${blogs.topicSources}) s
      where ${refreshes.id} = ${id}`,
  ];
}

const INTO_SOURCES = insertInto(sources, ["refreshId", "position", "organizationId", "source", "state", "enqueueTime"]);
