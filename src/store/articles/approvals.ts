/** Requests that somebody with the right publishes, unpublishes or deletes an article (contract 18.29). */
import { and, eq, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { DomainError, invalidField } from "../../domain/errors.ts";
import { isStale, type IfMatch } from "../../domain/preconditions.ts";
import { toShortHash } from "../../lib/hash.ts";
import { commit, makeLicense, type License } from "../core/commit.ts";
import { paginate, toPage, type Page, type PageQuery, type Versioned } from "../core/paging.ts";
import { matchPartVersion } from "../core/preconditions.ts";
import { isReachableArticle } from "../core/reach.ts";
import { builder, insertWhere, joinAnd, jsonBoolean, jsonObject, orm, type Statement } from "../core/sql.ts";
import { getAuditKind, type Writer } from "../core/writer.ts";
import { articles, workingCopies } from "../../schema/articles.ts";
import { approvals } from "../../schema/schedules.ts";
import { AUTHORS, TAGS } from "../terms/assigning.ts";
import { deleteArticle } from "./articles.ts";
import { endApproval, isOwnArticle, makeArticleNotFoundError } from "./conditions.ts";
import { COPY_VERSION } from "./deletions.ts";
import { publishWorkingCopy } from "./publishing-copies.ts";
import { setSchedule, type NewSchedule } from "./schedules.ts";
import { updateArticle } from "./updating.ts";

/** On a row of `approvals` and its article: whether the article, or its working copy, is not as it was when it was asked. */
const CHANGED = sql<number>`(${articles.version} <> ${approvals.articleVersion} or ${COPY_VERSION} is not ${approvals.copyVersion})`;

const ABOUT = {
  articleId: approvals.articleId,
  blogId: articles.blogId,
  title: articles.title,
  slug: articles.slug,
  locale: articles.locale,
  action: approvals.action,
  publishTime: approvals.publishTime,
  unpublishTime: approvals.unpublishTime,
  timeZone: approvals.timeZone,
  note: approvals.note,
  creationTime: approvals.creationTime,
};

const APPROVAL = {
  ...ABOUT,
  published: articles.published,
  changed: CHANGED.as("changed"),
  declineTime: approvals.declineTime,
  declineReason: approvals.declineReason,
  actorKind: approvals.actorKind,
  actorId: approvals.actorId,
};

/** A waiting request as JSON, as the operation returns it. */
const WAITING = jsonObject({
  ...ABOUT,
  published: jsonBoolean(articles.published),
  changed: sql`json('false')`,
  state: sql`'waiting'`,
  declined: sql`null`,
  requestedBy: jsonObject({ kind: approvals.actorKind, id: approvals.actorId }),
});

export type ApprovalRecord = SelectResultFields<typeof APPROVAL>;

/** What whoever approves must have seen: the request, the article, its working copy, its tags and its authors. */
const SEEN = {
  version: approvals.version,
  article: articles.version,
  copy: sql<string | null>`${COPY_VERSION}`,
  // Its tags and authors can be renamed without a new version.
  members: sql<
    string | null
  >`(select ${workingCopies.members} from ${workingCopies} where ${workingCopies.articleId} = ${articles.id})`,
  declined: approvals.declineTime,
  tags: TAGS,
  authors: AUTHORS,
} as const;

type Seen = { readonly [Name in keyof typeof SEEN]: string | null };

/** The same as columns: each has a name of its own, so that none stands for another. */
const SEEN_COLUMNS = Object.fromEntries(
  Object.entries(SEEN).map(([name, of]) => [name, sql<string | null>`${of}`.as(`seen_${name}`)]),
) as { readonly [Name in keyof Seen]: SQL.Aliased<string | null> };

const isSeen = (seen: Seen): SQL =>
  joinAnd(...(Object.keys(SEEN) as (keyof Seen)[]).map((name) => sql`(${SEEN[name]}) is ${seen[name]}`));

const selectApprovals = ({ db }: Writer) =>
  orm(db)
    .select({ value: APPROVAL, approvalVersion: sql<string>`${approvals.version}`.as("approvalVersion") })
    .from(approvals)
    .innerJoin(articles, eq(articles.id, approvals.articleId));

export type ApprovalQuery = PageQuery & {
  readonly blogId?: string | undefined;
  readonly state?: "waiting" | "declined" | undefined;
};

/** Returns a page of the requests within reach, newest first. Throws `invalid_cursor`. */
export async function listApprovals(writer: Writer, query: ApprovalQuery): Promise<Page<ApprovalRecord>> {
  const page = paginate(query, approvals.creationTime, approvals.articleId);
  const { blogId, state } = query;
  const found = await selectApprovals(writer)
    .where(
      and(
        eq(approvals.organizationId, writer.organizationId),
        isReachableArticle(writer),
        blogId === undefined ? undefined : eq(articles.blogId, blogId),
        state && (state === "waiting" ? isNull(approvals.declineTime) : isNotNull(approvals.declineTime)),
        page.from,
      ),
    )
    .orderBy(...page.order)
    .limit(page.limit)
    .offset(page.offset);
  return toPage(
    query,
    found,
    ({ value, approvalVersion }) => ({ value, version: approvalVersion }),
    ({ value }) => ({ time: value.creationTime, id: value.articleId }),
  );
}

/** A request, and what somebody who approves it has seen. */
type Found = Versioned<ApprovalRecord> & { readonly seen: Seen };

/**
 * Returns the request about an article within reach, or null. Its version changes with the article, its working copy, its tags and
 * its authors, so that it stands for what was shown.
 */
export async function findApproval(writer: Writer, articleId: string): Promise<Found | null> {
  const [row] = await orm(writer.db)
    .select({ value: APPROVAL, seen: SEEN_COLUMNS })
    .from(approvals)
    .innerJoin(articles, eq(articles.id, approvals.articleId))
    .where(and(eq(approvals.articleId, articleId), isReachableArticle(writer)));
  return row === undefined ? null : { ...row, version: await toShortHash(JSON.stringify(Object.values(row.seen))) };
}

export type ApprovalWish = {
  readonly action: ApprovalRecord["action"];
  readonly plan: NewSchedule;
  readonly note: string;
};

type Asked = ApprovalWish & { readonly ifMatch: IfMatch | undefined };

/**
 * Stores a request in place of an earlier one about the article, and returns it. `ifMatch` is about the working copy, or the article if it
 * has none. Throws `not_found`, `precondition_failed`, and an error on the field that does not fit the article.
 */
export async function requestApproval(writer: Writer, articleId: string, asked: Asked): Promise<ApprovalRecord> {
  const { action, ifMatch } = asked;
  const license = makeLicense(writer);
  const target = isOwnArticle(writer, articleId);
  const isDraft = sql`${articles.published} = 0`;
  const hasCopy = sql`${COPY_VERSION} is not null`;
  const matches = matchPartVersion(COPY_VERSION, articles.version, ifMatch)[0] ?? sql`true`;
  const stored = selectApprovals(writer).where(eq(approvals.articleId, articleId));
  const outcome = await commit<{ value: ApprovalRecord }, Refusal>(writer, license, {
    action: "approvals.request",
    resourceId: articleId,
    blogId: sql`${articles.blogId}`,
    where: sql`from ${articles} where ${joinAnd(target, matches, fits(asked, { isDraft, hasCopy }))}`,
    change: ({ held }) => {
      const row = makeRow(writer, articleId, asked, license);
      return {
        before: [
          insertWhere(approvals, row, sql`from ${articles} where ${joinAnd(target, held)}`).onConflictDoUpdate({
            target: approvals.articleId,
            set: { ...row, articleVersion: sql`excluded.article_version`, copyVersion: sql`excluded.copy_version` },
          }),
        ],
        returning: stored,
        again: () => stored,
      };
    },
    answer: sql`(select ${jsonObject({ value: WAITING })}
      from ${approvals} join ${articles} on ${articles.id} = ${approvals.articleId} where ${approvals.articleId} = ${articleId})`,
    diagnose: sql<Refusal>`select ${isDraft} as "draft", ${hasCopy} as "copied", ${matches} as "matches" from ${articles} where ${target}`,
  });
  if (outcome.refused) throw explainRefusal(articleId, action, outcome.diagnosis[0]);
  return outcome.row.value;
}

/** Returns the condition that what is asked for would change something: a draft is not unpublished, and only a draft has a time to be published. */
function fits({ action, plan }: ApprovalWish, { isDraft, hasCopy }: { isDraft: SQL; hasCopy: SQL }): SQL | undefined {
  if (action === "delete") return undefined;
  if (action === "unpublish") return sql`not ${isDraft}`;
  return plan.publishTime === null ? sql`(${isDraft} or ${hasCopy})` : isDraft;
}

type Refusal = { readonly draft: number; readonly copied: number; readonly matches: number };

function explainRefusal(articleId: string, action: ApprovalRecord["action"], found: Refusal | undefined): DomainError {
  if (found === undefined) return makeArticleNotFoundError(articleId);
  if (found.matches === 0) return new DomainError("precondition_failed");
  if (action === "unpublish") return invalidField("action", "does not fit: the article is not published");
  return found.copied === 0
    ? invalidField("action", "does not fit: the article is published, and has no unpublished changes")
    : invalidField("publishTime", "must be left out: changes of a published article are published at once");
}

/** The row of a waiting request. It also resets a declined one. */
const makeRow = (writer: Writer, articleId: string, { action, plan, note }: Asked, { id, time }: License) => ({
  articleId,
  organizationId: writer.organizationId,
  action,
  ...plan,
  note,
  articleVersion: sql`${articles.version}`,
  copyVersion: COPY_VERSION,
  actorKind: getAuditKind(writer.actor),
  actorId: writer.actor.id,
  declineTime: null,
  declineReason: null,
  version: id,
  creationTime: time,
});

const makeNotFoundError = (): DomainError =>
  new DomainError("not_found", "There is no such article, or nobody has asked for its approval.");

export type Approving = {
  /** The version of {@link findApproval}, as it was shown. Without it, the article must be as it was when it was asked. */
  readonly ifMatch: IfMatch | undefined;
  readonly action: ApprovalRecord["action"];
  /** Whether a working copy is published although the article has changed since it was begun. */
  readonly overwrite: boolean;
};

/**
 * Does what a request asks for, in the writer's name, and ends it. Returns what was requested. Throws `precondition_failed` if anything that it
 * stands for has changed, or the request was declined; `not_found`; and the errors of the write itself. Then nothing has changed.
 */
export async function approve(
  writer: Writer,
  articleId: string,
  { ifMatch, action, overwrite }: Approving,
): Promise<ApprovalRecord> {
  const found = await findApproval(writer, articleId);
  if (found === null) throw makeNotFoundError();
  const { value, seen } = found;
  const isUnseen = ifMatch === undefined || ifMatch === "*" ? value.changed === 1 : isStale(ifMatch, found.version);
  if (isUnseen || action !== value.action || value.declineTime !== null) throw makeUnseenError();
  const holds = sql`exists (select 1 from ${approvals} join ${articles} on ${articles.id} = ${approvals.articleId}
    where ${joinAnd(eq(approvals.articleId, articleId), isSeen(seen))})`;
  try {
    const answer = { articleId, action: value.action };
    const done = await carryOut({ ...writer, within: { holds, answer } }, value, overwrite);
    if (done?.uncommitted) throw makeUnseenError();
  } catch (error) {
    const now = error instanceof DomainError ? await findApproval(writer, articleId) : found;
    throw now?.version === found.version ? error : makeUnseenError();
  }
  return value;
}

const makeUnseenError = (): DomainError =>
  new DomainError(
    "precondition_failed",
    "The article or the request has changed since it was shown. Look at it again.",
    {
      worded: true,
    },
  );

async function carryOut(
  writer: Writer,
  { articleId: id, ...asked }: ApprovalRecord,
  overwrite: boolean,
): Promise<{ readonly uncommitted?: true } | undefined> {
  const { action, publishTime, unpublishTime, timeZone } = asked;
  if (action === "delete") {
    await deleteArticle(writer, id, undefined);
    return undefined;
  }
  if (publishTime !== null || unpublishTime !== null) {
    const plan = { publishTime: action === "publish" ? publishTime : null, unpublishTime, timeZone };
    await setSchedule(writer, id, { plan, ifMatch: undefined });
    return undefined;
  }
  if (action === "publish" && asked.published === 1)
    return publishWorkingCopy(writer, { articleId: id, ifMatch: undefined, overwrite });
  return updateArticle(writer, { id, fields: { published: action === "publish" }, ifMatch: undefined });
}

/** Marks a request as declined, with the reason. Throws `not_found`, and `precondition_failed` if it is another than `ifMatch` says. */
export async function declineApproval(
  writer: Writer,
  articleId: string,
  { reason, ifMatch }: { readonly reason: string; readonly ifMatch: IfMatch | undefined },
): Promise<void> {
  const found = await findApproval(writer, articleId);
  if (found !== null && isStale(ifMatch, found.version)) throw makeUnseenError();
  await change(writer, articleId, "approvals.decline", ({ held, time }) =>
    builder
      .update(approvals)
      .set({ declineTime: time, declineReason: reason })
      .where(and(eq(approvals.articleId, articleId), held)),
  );
}

/** Removes a request. Throws `not_found`. */
export const withdrawApproval = (writer: Writer, articleId: string): Promise<void> =>
  change(writer, articleId, "approvals.withdraw", (license) => endApproval(articleId, license));

async function change(
  writer: Writer,
  articleId: string,
  action: string,
  build: (license: License) => Statement,
): Promise<void> {
  const license = makeLicense(writer);
  const outcome = await commit(writer, license, {
    action,
    resourceId: articleId,
    blogId: sql`${articles.blogId}`,
    where: sql`from ${approvals} join ${articles} on ${articles.id} = ${approvals.articleId}
      where ${joinAnd(eq(approvals.articleId, articleId), isReachableArticle(writer))}`,
    change: () => [build(license)],
    answer: sql`json_object('value', json_object('_id', ${articleId}))`,
  });
  if (outcome.refused) throw makeNotFoundError();
}
