/** Reads the audit log: who changed what, and when, with the current names of both. */
import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { encodeCursor } from "../../domain/cursor.ts";
import { LIMITS } from "../../domain/limits.ts";
import { getIdRange, getIdTime } from "../../lib/ids.ts";
import { articles, previews } from "../../schema/articles.ts";
import { blogs, contacts } from "../../schema/blogs.ts";
import type { Writer } from "../core/writer.ts";
import { parseBounds, type Page, type PageQuery, type Versioned } from "../core/paging.ts";
import { audit, organizations } from "../../schema/core.ts";
import { joinAnd, compileFragment, runTransaction } from "../core/sql.ts";
import { imports } from "../../schema/imports.ts";
import { media } from "../../schema/media.ts";
import { invitations, members, users } from "../../schema/people.ts";
import { terms } from "../../schema/terms.ts";
import { topics } from "../../schema/topics.ts";
import { events, webhookSubscriptions } from "../../schema/webhooks.ts";
import { connectedApps, credentials } from "../../schema/access.ts";

export type AuditQuery = PageQuery & {
  readonly actor?: string | undefined;
  /** The kind of resource, such as `articles`: the first part of an action. */
  readonly kind?: string | undefined;
  /** From is included, to is not. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};

const OF = audit.organizationId;

/**
 * Returns SQL for the name of a row's actor: a member, a credential, "App (person)", or, if it is the organization itself, the operator
 * of the service (system-administration.ts). NULL once they are gone.
 */
export function selectActorName(row: { readonly organizationId: SQLiteColumn; readonly actorId: SQLiteColumn }) {
  const { organizationId: of, actorId: id } = row;
  return sql<string | null>`coalesce(
  (select ${users.name} from ${members} join ${users} on ${users.id} = ${members.userId}
    where ${members.organizationId} = ${of} and ${members.userId} = ${id}),
  (select ${credentials.name} from ${credentials}
    where ${credentials.id} = ${id} and ${credentials.organizationId} = ${of}),
  (select ${connectedApps.clientName} || ' (' || ${users.name} || ')' from ${connectedApps}
    join ${users} on ${users.id} = ${connectedApps.userId}
    where ${connectedApps.id} = ${id} and ${connectedApps.organizationId} = ${of}),
  iif(${id} = ${of}, 'The operator of the service', null))`;
}

const ACTOR_NAME = selectActorName(audit);

const selectTitle = (id: SQL): SQL =>
  sql`(select ${articles.title} from ${articles} where ${articles.id} = ${id} and ${articles.organizationId} = ${OF})`;

/** The name of each kind of resource, on a row of `audit`. Each is looked up by its key. */
const NAMES: Readonly<Record<string, SQL>> = {
  // The event of a deletion has the title. Its id is that of the entry. It is kept for `KEPT_EVENT_DAYS`.
  articles: sql`iif(${audit.action} = 'articles.delete', (select nullif(${events.data} ->> 'title', '') from ${events}
    where ${events.id} = ${audit.id} and ${events.organizationId} = ${OF}), ${selectTitle(sql`${audit.resourceId}`)})`,
  schedules: selectTitle(sql`${audit.resourceId}`),
  deletions: selectTitle(sql`${audit.resourceId}`),
  trash: selectTitle(sql`${audit.resourceId}`),
  approvals: selectTitle(sql`${audit.resourceId}`),
  previews: selectTitle(
    sql`(select ${previews.articleId} from ${previews} where ${previews.id} = ${audit.resourceId})`,
  ),
  blogs: sql`(select ${blogs.name} from ${blogs} where ${blogs.id} = ${audit.resourceId} and ${blogs.organizationId} = ${OF})`,
  // A host or redirect is its own name, even once it is gone.
  hosts: sql`${audit.resourceId}`,
  redirects: sql`${audit.resourceId}`,
  imports: sql`(select nullif(${imports.fileName}, '') from ${imports}
    where ${imports.id} = ${audit.resourceId} and ${imports.organizationId} = ${OF})`,
  // A deleted image keeps its row until the sweep deletes its file.
  media: sql`(select nullif(${media.name}, '') from ${media}
    where ${media.id} = ${audit.resourceId} and ${media.organizationId} = ${OF} and ${media.library} = 1)`,
  contacts: sql`(select ${contacts.email} from ${contacts}
    where ${contacts.id} = ${audit.resourceId} and ${contacts.organizationId} = ${OF})`,
  topics: sql`(select ${topics.title} from ${topics}
    where ${topics.id} = ${audit.resourceId} and ${topics.organizationId} = ${OF})`,
  webhooksubscriptions: sql`(select coalesce(nullif(${webhookSubscriptions.name}, ''), ${webhookSubscriptions.url}) from ${webhookSubscriptions}
    where ${webhookSubscriptions.id} = ${audit.resourceId} and ${webhookSubscriptions.organizationId} = ${OF})`,
  apikeys: selectCredentialName(),
  accesstokens: selectCredentialName(),
  members: sql`(select ${users.name} from ${members} join ${users} on ${users.id} = ${members.userId}
    where ${members.id} = ${audit.resourceId} and ${members.organizationId} = ${OF})`,
  invitations: sql`(select ${invitations.email} from ${invitations}
    where ${invitations.id} = ${audit.resourceId} and ${invitations.organizationId} = ${OF})`,
  organization: sql`(select ${organizations.name} from ${organizations} where ${organizations.id} = ${OF})`,
  tags: selectTermName(),
  authors: selectTermName(),
  apps: sql`(select ${connectedApps.clientName} from ${connectedApps}
    where ${connectedApps.id} = ${audit.resourceId} and ${connectedApps.organizationId} = ${OF})`,
};

function selectCredentialName(): SQL {
  return sql`(select ${credentials.name} from ${credentials}
    where ${credentials.id} = ${audit.resourceId} and ${credentials.organizationId} = ${OF})`;
}

function selectTermName(): SQL {
  return sql`(select ${terms.name} from ${terms}
    where ${terms.id} = ${audit.resourceId} and ${terms.organizationId} = ${OF})`;
}

const KIND = sql`substr(${audit.action}, 1, instr(${audit.action}, '.') - 1)`;

const RESOURCE_NAME = sql<string | null>`case ${KIND} ${sql.join(
  Object.entries(NAMES).map(([kind, name]) => sql`when ${sql.raw(`'${kind}'`)} then ${name}`),
  sql` `,
)} end`;

export type AuditRecord = {
  _id: string;
  actor: { kind: string; id: string; name: string | null };
  action: string;
  resourceId: string;
  resourceName: string | null;
  blogId: string | null;
  requestId: string;
  creationTime: string;
};

type Row = Omit<AuditRecord, "actor"> & { actorKind: string; actorId: string; actorName: string | null };

// Drizzle's builder leaves out table names, which the columns of the subqueries need.
const COLUMNS =
  compileFragment(sql`${audit.id} as "_id", ${audit.actorKind} as "actorKind", ${audit.actorId} as "actorId",
  ${ACTOR_NAME} as "actorName", ${audit.action} as "action", ${audit.resourceId} as "resourceId",
  ${RESOURCE_NAME} as "resourceName", ${audit.blogId} as "blogId", ${audit.requestId} as "requestId",
  ${audit.creationTime} as "creationTime"`);

/**
 * Returns a page of the organization's audit log, newest first. Throws `invalid_cursor`.
 *
 * No index has the entries of an actor or a kind, because it would make every write more expensive. So a page that is
 * narrowed by them reads at most `LIMITS.auditScanned` entries, and ends early, with a cursor, if these have too few.
 */
export async function listAudit(writer: Writer, query: AuditQuery): Promise<Page<AuditRecord>> {
  const { actor, kind, from, to, limit } = query;
  const bounds = parseBounds(query);
  const within = joinAnd(
    sql`${OF} = ${writer.organizationId}`,
    bounds.id !== undefined && sql`${audit.id} <= ${bounds.id}`,
    from && sql`${audit.id} >= ${getIdRange(from).from} and ${audit.creationTime} >= ${from.toISOString()}`,
    to && sql`${audit.id} < ${getIdRange(to).to} and ${audit.creationTime} < ${to.toISOString()}`,
  );
  const isNarrowed = actor !== undefined || kind !== undefined;
  const edge = sql<{ id: string }>`select ${audit.id} from ${audit} where ${within}
    order by ${audit.id} desc limit 1 offset ${LIMITS.auditScanned}`;
  const where = joinAnd(
    within,
    isNarrowed && sql`${audit.id} > coalesce((${edge}), '')`,
    actor !== undefined && sql`${audit.actorId} = ${actor}`,
    kind !== undefined && sql`${KIND} = ${kind}`,
  );
  const { found, beyond } = await runTransaction(writer.db, {
    found: sql<Row>`select ${COLUMNS} from ${audit} where ${where}
      order by ${audit.id} desc limit ${bounds.rows} offset ${bounds.skipped}`,
    beyond: isNarrowed ? edge : sql<{ id: string }>`select 1 where false`,
  });
  const next = found[limit]?._id ?? beyond[0]?.id;
  return {
    items: found.slice(0, limit).map(toEntry),
    next: next && encodeCursor({ time: getIdTime(next), id: next }),
  };
}

function toEntry({ actorKind, actorId, actorName, ...rest }: Row): Versioned<AuditRecord> {
  const { _id, ...more } = rest;
  return { value: { _id, actor: { kind: actorKind, id: actorId, name: actorName }, ...more }, version: _id };
}
