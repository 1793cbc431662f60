import { and, desc, eq, lte } from "drizzle-orm";
import type { Writer } from "../core/commit.ts";
import { boundsOf, toPage, type PageQuery } from "../core/paging.ts";
import { audit } from "../core/schema.ts";
import { orm } from "../core/sql.ts";

const ENTRY = {
  _id: audit.id,
  actor: { kind: audit.actorKind, id: audit.actorId },
  action: audit.action,
  resourceId: audit.resourceId,
  blogId: audit.blogId,
  requestId: audit.requestId,
  creationTime: audit.creationTime,
};

/**
 * Returns a page of the organization's audit log: who changed what, and when. Newest first, in the order of the ids,
 * which are UUIDv7 and so in the order of time. Throws `invalid_cursor`.
 */
export async function listAudit(writer: Writer, query: PageQuery) {
  const bounds = boundsOf(query);
  const found = await orm(writer.db)
    .select(ENTRY)
    .from(audit)
    .where(
      and(
        eq(audit.organizationId, writer.organizationId),
        bounds.id === undefined ? undefined : lte(audit.id, bounds.id),
      ),
    )
    .orderBy(desc(audit.id))
    .limit(bounds.rows)
    .offset(bounds.skipped);
  return toPage(query, found, (entry) => ({ value: entry, version: entry._id }));
}
