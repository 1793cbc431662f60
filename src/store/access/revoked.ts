/** What is kept of revoked API keys and access tokens to be shown. Their secrets are gone. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { LIMITS } from "../../domain/limits.ts";
import { pick } from "../../lib/pick.ts";
import { type License } from "../core/commit.ts";
import { getAuditKind, type Writer } from "../core/writer.ts";
import { paginateById, toPage, type Paged, type PageQuery } from "../core/paging.ts";
import { joinAnd, builder, insertWhere, queryRows, type Statement } from "../core/sql.ts";
import { selectActorName } from "./audit.ts";
import { credentials, revokedCredentials as revoked } from "../../schema/access.ts";

const REVOCATION = {
  _id: revoked.credentialId,
  kind: revoked.kind,
  name: revoked.name,
  hint: revoked.hint,
  creationTime: revoked.creationTime,
  lastUsedTime: revoked.lastUsedTime,
  revokeTime: revoked.revokeTime,
  actorKind: revoked.actorKind,
  actorId: revoked.actorId,
};

export type RevocationRecord = SelectResultFields<typeof REVOCATION> & { readonly actorName: string | null };

/** Returns a page of the organization's revoked credentials, last revoked first. Throws `invalid_cursor`. */
export async function listRevocations(writer: Writer, query: PageQuery): Promise<Paged<RevocationRecord>> {
  const page = paginateById(query, revoked.id);
  const columns = Object.entries({ ...REVOCATION, id: revoked.id, actorName: selectActorName(revoked) });
  // Drizzle's builder leaves out table names, which the columns of the subqueries need.
  const selected = sql.join(
    columns.map(([name, column]) => sql`${column} as ${sql.identifier(name)}`),
    sql`, `,
  );
  const found = await queryRows<RevocationRecord & { readonly id: string }>(
    writer.db,
    sql`select ${selected} from ${revoked}
      where ${joinAnd(sql`${revoked.organizationId} = ${writer.organizationId}`, page.from)}
      order by ${page.order} limit ${page.limit} offset ${page.offset}`,
  );
  return toPage(
    query,
    found,
    (row) => row,
    ({ revokeTime, id }) => ({ time: revokeTime, id }),
  );
}

/** Keeps what is shown of a credential before it is deleted; only the newest `LIMITS.revokedCredentials` stay. */
export function keepRevoked(writer: Writer, target: SQL | undefined, { id, time, held }: License): Statement[] {
  const { organizationId, actor } = writer;
  const row = {
    id,
    organizationId,
    credentialId: credentials.id,
    ...pick(credentials, ["kind", "name", "hint", "creationTime", "lastUsedTime"]),
    revokeTime: time,
    actorKind: getAuditKind(actor),
    actorId: actor.id,
  };
  const oldestKept = sql`(select ${revoked.id} from ${revoked} where ${revoked.organizationId} = ${organizationId}
    order by ${revoked.id} desc limit 1 offset ${LIMITS.revokedCredentials - 1})`;
  return [
    insertWhere(revoked, row, sql`from ${credentials} where ${joinAnd(target, held)}`),
    builder
      .delete(revoked)
      .where(and(eq(revoked.organizationId, organizationId), sql`${revoked.id} < ${oldestKept}`, held)),
  ];
}
