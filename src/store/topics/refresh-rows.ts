import { sql, type SQL } from "drizzle-orm";
import { topicRefreshes as refreshes, topicRefreshSources as sources } from "../../schema/topics.ts";
import { blogs } from "../../schema/blogs.ts";
import { insertWhere, type Statement } from "../core/sql.ts";

/** Inserts a refresh of the blog that meets `where`, if any, with a copy of each of its sources. */
export function beginRefresh(id: string, where: SQL, time: string): Statement[] {
  const refresh = {
    id,
    organizationId: sql`${blogs.organizationId}`,
    blogId: sql`${blogs.id}`,
    state: "running" as const,
    creationTime: time,
  };
  return [
    insertWhere(refreshes, refresh, sql`from ${blogs} where ${where}`),
    insertWhere(
      sources,
      {
        refreshId: refreshes.id,
        position: sql`s.key`,
        organizationId: refreshes.organizationId,
        source: sql`s.value`,
        state: "open",
        enqueueTime: time,
      },
      sql`from ${refreshes} join ${blogs} on ${blogs.id} = ${refreshes.blogId} join json_each(${blogs.topicSources}) s
        where ${refreshes.id} = ${id}`,
    ),
  ];
}
