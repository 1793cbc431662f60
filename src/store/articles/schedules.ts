/** When articles are to be published and unpublished (contract 18.3 to 18.6). system-schedules.ts carries it out. */
import { and, eq, gte, isNotNull, isNull, lt, sql, type SQL } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import type { IfMatch } from "../../domain/preconditions.ts";
import { DomainError, invalidField } from "../../domain/errors.ts";
import { commit, makeLicense, type License } from "../core/commit.ts";
import { getAuditKind, type Writer } from "../core/writer.ts";
import { paginate, toPage, type Page, type PageQuery, type Versioned } from "../core/paging.ts";
import { matchPartVersion, matchVersion } from "../core/preconditions.ts";
import { joinAnd, builder, insertWhere, jsonBoolean, jsonObject, orm } from "../core/sql.ts";
import { isShown } from "../blogs/names.ts";
import { schedules } from "../../schema/schedules.ts";
import { articles } from "../../schema/articles.ts";
import { PLAN, PLAN_MEMBERS } from "./rows.ts";
import { endApproval, isOwnArticle, turns } from "./conditions.ts";
import { isReachableArticle } from "../core/reach.ts";

const ABOUT = {
  articleId: schedules.articleId,
  blogId: schedules.blogId,
  title: articles.title,
  slug: articles.slug,
  locale: articles.locale,
};

const SCHEDULE = {
  ...ABOUT,
  published: articles.published,
  /** JSON text of the plan. `dueTime` is the time that orders lists. */
  plan: PLAN.as("plan"),
  dueTime: schedules.dueTime,
};

export type ScheduleRecord = SelectResultFields<typeof SCHEDULE>;

const selectSchedules = ({ db }: Writer) =>
  orm(db)
    .select({ value: SCHEDULE, version: sql<string>`${schedules.version}`.as("scheduleVersion") })
    .from(schedules)
    .innerJoin(articles, eq(articles.id, schedules.articleId));

/** Returns the schedule of an article that the writer may touch, or null if there is none. */
export async function findSchedule(writer: Writer, articleId: string): Promise<Versioned<ScheduleRecord> | null> {
  const [row] = await selectSchedules(writer).where(
    and(eq(schedules.articleId, articleId), isReachableArticle(writer)),
  );
  return row ?? null;
}

export type ScheduleQuery = PageQuery & {
  readonly blogId?: string | undefined;
  /** Only schedules whose next time, or whose `unpublishTime`, is in this range (without its end). */
  readonly time?: "next" | "unpublish" | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly state?: "waiting" | "failed" | undefined;
};

/** Returns a page of schedules within reach, the next one first. Throws `invalid_cursor`. */
export async function listSchedules(writer: Writer, query: ScheduleQuery): Promise<Page<ScheduleRecord>> {
  const page = paginate(query, schedules.dueTime, schedules.articleId, "oldest");
  const { blogId, state } = query;
  const { organizationId, pinnedBlogId } = writer;
  const blogs = [blogId, pinnedBlogId ?? undefined].filter((id) => id !== undefined);
  // With `+`, SQLite uses the index of the blog, which has fewer rows, instead of that of the organization.
  const organization = blogs.length > 0 ? sql`+${schedules.organizationId}` : sql`${schedules.organizationId}`;
  const found = await selectSchedules(writer)
    .where(
      and(
        sql`${organization} = ${organizationId}`,
        isShown(schedules.blogId),
        ...blogs.map((id) => eq(schedules.blogId, id)),
        ...matchRange(query),
        state && (state === "failed" ? isNotNull(schedules.failureCode) : isNull(schedules.failureCode)),
        page.from,
      ),
    )
    .orderBy(...page.order)
    .limit(page.limit)
    .offset(page.offset);
  return toPage(
    query,
    found,
    (row) => row,
    ({ value }) => ({ time: value.dueTime, id: value.articleId }),
  );
}

function matchRange({ from, to, time }: ScheduleQuery) {
  const column = time === "unpublish" ? schedules.unpublishTime : schedules.dueTime;
  return [
    from === undefined ? undefined : gte(column, from),
    to === undefined ? undefined : lt(column, to),
    // `dueTime` is never after `unpublishTime`, and it is in the index, so this bounds how many rows are read.
    to === undefined || column === schedules.dueTime ? undefined : lt(schedules.dueTime, to),
  ];
}

export type NewSchedule = {
  readonly publishTime: string | null;
  readonly unpublishTime: string | null;
  readonly timeZone: string;
};

/**
 * Stores the schedule of an article in place of an existing one, and returns it. Throws `not_found`,
 * `precondition_failed` (`ifMatch` is about the schedule, or the article if it has none), and an error on the field
 * that does not fit the article: only a draft can be published, and without that only a published article can be
 * unpublished.
 */
export async function setSchedule(
  writer: Writer,
  articleId: string,
  { plan, ifMatch }: { readonly plan: NewSchedule; readonly ifMatch: IfMatch | undefined },
): Promise<Versioned<ScheduleRecord>> {
  const outcome = await storeSchedule(writer, articleId, { plan, ifMatch, same: sql`false` });
  if (outcome.refused) throw explainRefusal(outcome.diagnosis[0]);
  return outcome.row;
}

/** Like {@link setSchedule}, but returns false if the writer has already scheduled it for the same times. */
export async function setScheduleIfChanged(writer: Writer, articleId: string, plan: NewSchedule): Promise<boolean> {
  const { actor } = writer;
  const same = sql`exists (select 1 from ${schedules} where ${joinAnd(
    sql`${schedules.articleId} = ${articleId} and ${schedules.failureCode} is null`,
    sql`${schedules.publishTime} is ${plan.publishTime} and ${schedules.unpublishTime} is ${plan.unpublishTime}`,
    sql`${schedules.timeZone} = ${plan.timeZone}`,
    sql`${schedules.actorKind} = ${getAuditKind(actor)} and ${schedules.actorId} = ${actor.id}`,
  )})`;
  const outcome = await storeSchedule(writer, articleId, { plan, ifMatch: undefined, same });
  if (!outcome.refused) return true;
  const [found] = outcome.diagnosis;
  if (found?.same === 1) return false;
  throw explainRefusal(found);
}

type Asked = {
  readonly plan: NewSchedule;
  readonly ifMatch: IfMatch | undefined;
  readonly same: SQL;
};

function storeSchedule(writer: Writer, articleId: string, { plan, ifMatch, same }: Asked) {
  const license = makeLicense(writer);
  const target = isOwnArticle(writer, articleId);
  const isDraft = sql`${articles.published} = 0`;
  const stored = selectSchedules(writer).where(eq(schedules.articleId, articleId));
  const row = makeRow(writer, articleId, plan, license);
  return commit(writer, license, {
    action: "schedules.set",
    resourceId: articleId,
    blogId: sql`${articles.blogId}`,
    where: sql`from ${articles} where ${joinAnd(target, plan.publishTime === null ? sql`not ${isDraft}` : isDraft, sql`not ${same}`, matchScheduleVersion(articleId, ifMatch))}`,
    change: ({ held }) => ({
      before: [
        endApproval(articleId, license),
        insertWhere(schedules, row, sql`from ${articles} where ${joinAnd(target, held)}`).onConflictDoUpdate({
          target: schedules.articleId,
          set: { ...row, blogId: undefined },
        }),
      ],
      returning: stored,
      again: () => stored,
    }),
    answer: sql`(select ${jsonObject({ value: jsonObject({ ...ABOUT, published: jsonBoolean(articles.published), ...PLAN_MEMBERS }), version: sql`${schedules.version}` })}
      from ${schedules} join ${articles} on ${articles.id} = ${schedules.articleId} where ${schedules.articleId} = ${articleId})`,
    diagnose: sql<{
      draft: number;
      matches: number;
      same: number;
    }>`select ${isDraft} as "draft", ${matchScheduleVersion(articleId, ifMatch) ?? sql`true`} as "matches", ${same} as "same"
      from ${articles} where ${target}`,
  });
}

/** The row of a waiting schedule. It also resets a failed one. */
const makeRow = (writer: Writer, articleId: string, plan: NewSchedule, { id, time }: License) => ({
  articleId,
  organizationId: writer.organizationId,
  blogId: sql`${articles.blogId}`,
  ...plan,
  dueTime: plan.publishTime ?? plan.unpublishTime ?? "",
  actorKind: getAuditKind(writer.actor),
  actorId: writer.actor.id,
  failureCode: null,
  failureDetail: null,
  failureTime: null,
  version: id,
  creationTime: time,
});

function explainRefusal(found: { readonly draft: number; readonly matches: number } | undefined): DomainError {
  if (found === undefined) return new DomainError("not_found");
  if (found.matches === 0) return new DomainError("precondition_failed");
  return found.draft === 1
    ? invalidField("unpublishTime", "requires a publishTime before it, because the article is a draft")
    : invalidField("publishTime", "must be left out, because the article is already published");
}

/**
 * Returns the condition, on a row of `articles`, that its schedule has one of these versions, or the article itself if
 * it has no schedule; undefined if there is nothing to check. `*` requires a schedule.
 */
function matchScheduleVersion(articleId: string, ifMatch: IfMatch | undefined): SQL | undefined {
  const version = sql`(select ${schedules.version} from ${schedules} where ${schedules.articleId} = ${articleId})`;
  return matchPartVersion(version, articles.version, ifMatch)[0];
}

/** Deletes the schedule of an article. Throws `not_found` if it has none, and `precondition_failed`. */
export async function deleteSchedule(writer: Writer, articleId: string, ifMatch: IfMatch | undefined): Promise<void> {
  const license = makeLicense(writer);
  const from = sql`from ${schedules} join ${articles} on ${articles.id} = ${schedules.articleId}
    where ${joinAnd(sql`${schedules.articleId} = ${articleId}`, isReachableArticle(writer))}`;
  const outcome = await commit(writer, license, {
    action: "schedules.delete",
    resourceId: articleId,
    blogId: sql`${articles.blogId}`,
    where: sql`${from} and ${joinAnd(...matchVersion(schedules.version, ifMatch))}`,
    change: ({ held }) => [builder.delete(schedules).where(and(eq(schedules.articleId, articleId), held))],
    answer: sql`json_object('value', json_object('_id', ${articleId}))`,
    diagnose: sql`select 1 ${from}`,
  });
  if (!outcome.refused) return;
  if (outcome.diagnosis.length > 0) throw new DomainError("precondition_failed");
  throw new DomainError("not_found", "There is no such article, or it has no schedule.");
}

/**
 * Returns the statement that ends the schedule of an article which an update publishes or unpublishes. It must run
 * before the change, because it compares with the old row: an update that does not change `published` keeps the
 * schedule.
 */
export const endSchedule = (articleId: string, published: boolean, { held }: License) =>
  builder.delete(schedules).where(and(eq(schedules.articleId, articleId), turns(articleId, published), held));
