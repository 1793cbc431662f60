import { sql } from "drizzle-orm";
import type { Writer } from "../core/commit.ts";
import { pageClause, toPage, type Page, type PageQuery } from "../core/paging.ts";
import { audit } from "../core/schema.ts";
import { rows } from "../core/sql.ts";

/** Who changed what, and when. */
export type AuditRecord = {
  _id: string;
  actor: { kind: string; id: string };
  action: string;
  resourceId: string;
  blogId: string | null;
  requestId: string;
  creationTime: string;
};

type AuditRow = Omit<AuditRecord, "actor"> & { actorKind: string; actorId: string };

/** A page of the organization's writes, newest first. */
export async function listAudit(writer: Writer, query: PageQuery): Promise<Page<AuditRecord>> {
  const found = await rows<AuditRow>(
    writer.db,
    sql`select id as "_id", actor_kind as "actorKind", actor_id as "actorId", action, resource_id as "resourceId",
        blog_id as "blogId", request_id as "requestId", creation_time as "creationTime"
      from ${audit} where organization_id = ${writer.organizationId}
      ${pageClause(query, audit.creationTime, audit.id)}`,
  );
  return toPage(query, found, ({ actorKind, actorId, _id, ...rest }) => ({
    value: { _id, actor: { kind: actorKind, id: actorId }, ...rest },
    version: _id,
  }));
}
