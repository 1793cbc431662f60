/** The rows of a refresh: one of its own, and one for each source. */
import { sql, type SQL } from "drizzle-orm";
import { topicRefreshes as refreshes, topicRefreshSources as sources } from "./schema.ts";
import { blogs } from "../blogs/schema.ts";

/** The rows of a new refresh of the blog for which `where` holds, with its sources as the blog has them now. */
export function beginRefresh(id: string, where: SQL, time: string): [SQL, SQL] {
  return [
    sql`insert into ${refreshes} (id, organization_id, blog_id, state, creation_time)
      select ${id}, ${blogs.organizationId}, ${blogs.id}, 'running', ${time} from ${blogs} where ${where}`,
    sql`insert into ${sources} (refresh_id, position, organization_id, source, state, enqueue_time)
      select r.id, s.key, r.organization_id, s.value, 'open', ${time}
      from ${refreshes} r join ${blogs} on ${blogs.id} = r.blog_id join json_each(${blogs.topicSources}) s
      where r.id = ${id}`,
  ];
}
