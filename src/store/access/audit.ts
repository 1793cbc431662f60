import { and, eq } from "drizzle-orm";
import type { Writer } from "../core/commit.ts";
import { pageOfIds, toPage, type PageQuery } from "../core/paging.ts";
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
 * Returns a page of the organization's audit log: who changed what, and when. Newest first. Throws `invalid_cursor`.
 */
export async function listAudit(writer: Writer, query: PageQuery) {
  const page = pageOfIds(query, audit.id);
  const found = await orm(writer.db)
    .select(ENTRY)
    .from(audit)
    .where(and(eq(audit.organizationId, writer.organizationId), page.from))
    .orderBy(page.order)
    .limit(page.limit)
    .offset(page.offset);
  return toPage(query, found, (entry) => ({ value: entry, version: entry._id }));
}
