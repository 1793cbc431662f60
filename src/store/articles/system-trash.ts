/**
 * Deletes for good what has expired in the trash, and the oldest of organizations whose trash exceeds their quota for
 * articles. Of such an article nothing is left then: its images wait for the sweep of files, and its events lose its texts.
 * What suspended organizations have in the trash stays, because they cannot restore it meanwhile.
 */
import { and, inArray, sql, type SQL } from "drizzle-orm";
import type { Quota } from "../../domain/quotas.ts";
import { media } from "../../schema/media.ts";
import { organizations } from "../../schema/core.ts";
import { trash, trashedRows } from "../../schema/trash.ts";
import { events } from "../../schema/webhooks.ts";
import {
  builder,
  isAmong,
  queryRows,
  runTransaction,
  toColumnName,
  type Database,
  type Statement,
} from "../core/sql.ts";
import { selectQuota } from "../core/quota.ts";
import { isActive } from "../core/suspension.ts";
import { putBack } from "./restoring.ts";
import { takeFitting } from "./system-waiting.ts";

/** The most articles and bytes of one transaction, and the most transactions of a run. A single article may have more. */
const AT_ONCE = 50;
const MOST_BYTES = 16 * 1024 * 1024;
const ROUNDS = 40;
/** The most organizations above their quota in a run, and articles of each. */
const ORGANIZATIONS = 20;
const MOST = 500;

type Bound = Pick<Quota, "articles" | "articleBytes">;

export async function emptyTrash(db: Database, now: Date, most: Bound): Promise<void> {
  const time = now.toISOString();
  await expireExcess(db, time, most);
  for (let round = 0; round < ROUNDS; round++) {
    const expired = takeFitting(await queryRows<Expired>(db, selectExpired(time)), MOST_BYTES);
    if (expired.length === 0) break;
    await runTransaction(db, { removed: remove(expired, time) });
  }
}

async function expireExcess(db: Database, time: string, quota: Bound): Promise<void> {
  const most = { articles: selectQuota(quota, "articles"), bytes: selectQuota(quota, "articleBytes") };
  const found = await queryRows<{ id: string }>(
    db,
    sql`select ${organizations.id} from ${organizations} where (${organizations.trashArticles} > ${most.articles}
      or ${organizations.trashBytes} > ${most.bytes}) and ${isActive(organizations.id)} limit ${ORGANIZATIONS}`,
  );
  if (found.length === 0) return;
  const expire = ({ id }: { id: string }): SQL => {
    const oldest = sql`select ${trash.articleId}, ${trash.bytes}, ${trash.dueTime} from ${trash}
      where ${trash.organizationId} = ${id} order by ${trash.dueTime}, ${trash.articleId} limit ${MOST}`;
    return sql`update ${trash} set ${toColumnName(trash.dueTime)} = ${time} where ${trash.dueTime} > ${time}
      and ${trash.articleId} in (select article_id from (
        select article_id, row_number() over oldest as nth, sum(bytes) over oldest - bytes as before
        from (${oldest}) window oldest as (order by due_time, article_id))
      cross join ${organizations} on ${organizations.id} = ${id}
      where nth <= ${organizations.trashArticles} - ${most.articles} or before < ${organizations.trashBytes} - ${most.bytes})`;
  };
  await runTransaction(db, { expired: found.map(expire) });
}

type Expired = {
  readonly id: string;
  readonly organizationId: string;
  readonly version: string;
  readonly bytes: number;
};

/** Looks at the oldest of each organization. An index over all organizations would cost a row per deletion. */
const selectExpired = (time: string): SQL =>
  sql`select ${trash.articleId} as "id", ${trash.organizationId} as "organizationId", ${trash.version}, ${trash.bytes}
    from ${organizations} cross join ${trash} indexed by trash_list
    where ${trash.organizationId} = ${organizations.id} and ${trash.dueTime} <= ${time} and ${isActive(organizations.id)} limit ${AT_ONCE}`;

/** What events say of an article, emptied. */
const TEXTLESS = JSON.stringify({ title: "", description: "", slug: "", coverUrl: "" });

/** Each statement checks again that the article is still in the trash: it may have been restored, and deleted again. */
function remove(expired: readonly Expired[], time: string): Statement[] {
  const ids = expired.map(({ id }) => id);
  const isExpired = sql`${trash.dueTime} <= ${time}`;
  const gone = sql`(select ${trash.articleId} from ${trash} where ${isAmong(trash.articleId, ids)} and ${isExpired})`;
  const stillThere = sql`${trashedRows.articleId} in ${gone}`;
  const isShownByOthers = sql`exists (select 1 from ${trashedRows} o
    where o.key = ${trashedRows.key} and o.kind = 'media' and o.article_id not in ${gone})`;
  return [
    ...[...new Set(expired.map(({ organizationId }) => organizationId))].map((id) => eraseEvents(id, ids, time)),
    putBack(media, ids, sql`${stillThere} and not ${isShownByOthers}`, { articleId: sql`null` }).onConflictDoNothing(),
    builder.delete(trashedRows).where(stillThere),
    builder.delete(trash).where(and(isAmong(trash.articleId, ids), isExpired)),
  ];
}

/**
 * Empties the texts in the events of these articles that are still kept. It reads the organization's events from before the
 * last of these deletions: none, unless they went for good early or events are kept for longer.
 */
function eraseEvents(organizationId: string, ids: readonly string[], time: string): SQL {
  const known = sql`select ${trash.articleId} from ${trash} where ${isAmong(trash.articleId, ids)} and ${trash.dueTime} <= ${time}`;
  const last = sql`select max(deletion.seq) from ${trash} join ${events} deletion on deletion.id = ${trash.version}
    where ${isAmong(trash.articleId, ids)}`;
  return sql`update ${events} indexed by events_feed set ${toColumnName(events.data)} = json_patch(${events.data}, ${TEXTLESS})
    where ${events.organizationId} = ${organizationId} and ${events.kind} <> 'ping' and ${events.seq} <= (${last})
      and ${inArray(events.kind, ["article.created", "article.updated", "article.deleted"])}
      and ${events.data} ->> '_id' in (${known})`;
}
