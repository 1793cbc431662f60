/**
 * Deletes revisions that are too old, and the oldest of organizations above their quota. Each statement checks again
 * whether a revision may go, so that a save at the same moment loses nothing. An index has the oldest of each kind
 * first, so a run reads only the rows that it deletes, and a few of each organization.
 */
import { sql, type SQL } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import type { Quota } from "../../domain/quotas.ts";
import { DAY_MS } from "../../lib/time.ts";
import { organizations } from "../../schema/core.ts";
import { toColumnName, queryRows, runTransaction, type Database } from "../core/sql.ts";
import { selectQuota } from "../core/quota.ts";
import { isFree, KEYS } from "./revisions.ts";
import { revisions } from "../../schema/articles.ts";

/**
 * The most revisions of one statement, organizations of a turn, and turns of a run. An invocation may make 1,000
 * queries: a turn of old revisions makes 2, a turn of organizations {@link ORGANIZATIONS} + 1.
 */
const MOST = 200;
const ORGANIZATIONS = 20;
const ROUNDS = 40;

type RevisionQuota = Pick<Quota, "revisionBytes">;

/** Deletes revisions that are too old or too many; `quota` is that of the deployment. */
export async function removeRevisions(db: Database, now: Date, quota: RevisionQuota): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    if (!(await removeOld(db, now))) break;
  }
  await removeExcess(db, quota);
}

/** Deletes up to {@link MOST} outdated revisions of each kind. Returns whether there may be more. */
async function removeOld(db: Database, now: Date): Promise<boolean> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  const { drafts, published } = await runTransaction(db, {
    drafts: deleteOld(0, before(LIMITS.keptDays.draftRevisions)),
    published: deleteOld(1, before(LIMITS.keptDays.publishedRevisions)),
  });
  return drafts.length === MOST || published.length === MOST;
}

/** Looks at the oldest revisions of each organization. An index over all organizations would cost a row per write. */
const deleteOld = (lasting: 0 | 1, before: string): SQL =>
  sql`delete from ${revisions} where ${KEYS} in (
    select ${revisions.articleId}, ${revisions.number} from ${organizations} cross join ${revisions} indexed by revisions_oldest
    where ${revisions.organizationId} = ${organizations.id} and ${revisions.lasting} = ${lasting}
      and ${revisions.endTime} < ${before} and ${isFree} limit ${MOST}) returning 1`;

/** Drafts first. The organizations take turns. */
async function removeExcess(db: Database, quota: RevisionQuota): Promise<void> {
  let after = "";
  for (let round = 0; round < ROUNDS; round++) {
    const found = await listOrganizationsAbove(db, quota, after);
    if (found.length === 0 && after === "") break;
    after = found.length < ORGANIZATIONS ? "" : (found.at(-1) ?? "");
    if (found.length === 0) continue;
    const { gone } = await runTransaction(db, { gone: found.map((id) => deleteExcess(id, quota)) });
    if (gone.flat().length === 0) break;
  }
}

async function listOrganizationsAbove(db: Database, quota: RevisionQuota, after: string): Promise<string[]> {
  const found = await queryRows<{ id: string }>(
    db,
    sql`select ${organizations.id} from ${organizations} where ${organizations.revisionBytes} > ${selectQuota(quota, "revisionBytes")}
      and ${organizations.id} > ${after} order by ${organizations.id} limit ${ORGANIZATIONS}`,
  );
  return found.map(({ id }) => id);
}

const OLDEST_FIRST = sql`${toColumnName(revisions.lasting)}, ${toColumnName(revisions.endTime)}, ${toColumnName(revisions.articleId)}, ${toColumnName(revisions.number)}`;

/** Deletes the oldest revisions of an organization until it is within the quota: at most {@link MOST}. */
const deleteExcess = (organizationId: string, quota: RevisionQuota): SQL =>
  sql`delete from ${revisions} where ${KEYS} in (
    select article_id, number from (
      select article_id, number, sum(bytes) over (order by ${OLDEST_FIRST}) - bytes as before from (
        select ${revisions.articleId}, ${revisions.number}, ${revisions.lasting}, ${revisions.endTime},
          octet_length(${revisions.members}) + coalesce(octet_length(${revisions.content}), 0) as bytes
        from ${revisions} indexed by revisions_oldest
        where ${revisions.organizationId} = ${organizationId} and ${isFree} order by ${OLDEST_FIRST} limit ${MOST}))
    where before < (select ${organizations.revisionBytes} - ${selectQuota(quota, "revisionBytes")} from ${organizations}
      where ${organizations.id} = ${organizationId})) returning 1`;
