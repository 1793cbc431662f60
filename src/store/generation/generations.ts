/** The ledger of generations: rows that the limits count, with the cost of each generation in tokens. */
import { and, eq, inArray, sql } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { DomainError, type ErrorCode } from "../../domain/errors.ts";
import { newId } from "../../lib/ids.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/time.ts";
import { getAuditKind, type Writer } from "../core/writer.ts";
import { storeReliably } from "../core/lost-answers.ts";
import { paginate, toPage, type Page, type PageQuery } from "../core/paging.ts";
import { generations } from "../../schema/generation.ts";
import { findUnauthorizedError, isAuthorized } from "../core/standing.ts";
import { insertWhere, orm, runTransaction } from "../core/sql.ts";

/** How many generations an organization may begin in a minute and in a day. */
export type GenerationQuota = { readonly perMinute: number; readonly perDay: number };

export type NewGeneration = { readonly blogId: string; readonly provider: string; readonly model: string };

/**
 * Records that a generation begins, and returns its id. Throws `generation_limit`, with the seconds until the next one
 * may begin, if the organization has begun too many in the last minute or day. One transaction counts and inserts, so
 * the limits are exact even if many generations begin at the same time.
 */
export async function beginGeneration(
  writer: Writer,
  { blogId, provider, model }: NewGeneration,
  quota: GenerationQuota,
): Promise<string> {
  const id = newId();
  const now = writer.now();
  const window = (name: string, most: number, ms: number): Window => ({
    name,
    most,
    ms,
    since: new Date(now.getTime() - ms).toISOString(),
  });
  const minute = window("minute", quota.perMinute, MINUTE_MS);
  const day = window("day", quota.perDay, DAY_MS);
  const begun = (since: string) =>
    sql`from ${generations}
      where ${generations.organizationId} = ${writer.organizationId} and ${generations.creationTime} > ${since}`;
  const free = ({ most, since }: Window) => sql`(select count(*) ${begun(since)}) < ${most}`;
  // Selects the generation that must leave the window before another one may begin.
  const blocking = ({ most, since }: Window) => sql<{
    time: string;
  }>`select ${generations.creationTime} as "time" ${begun(since)}
    order by ${generations.creationTime} desc limit 1 offset ${Math.max(most - 1, 0)}`;
  const generation = {
    id,
    organizationId: writer.organizationId,
    blogId,
    actorKind: getAuditKind(writer.actor),
    actorId: writer.actor.id,
    provider,
    model,
    state: "running" as const,
    creationTime: now.toISOString(),
  };
  // If the row exists, an earlier attempt was stored and its response lost: it counts once.
  const mayBegin = sql`where (${free(minute)} and ${free(day)})
    or exists (select 1 from ${generations} known where known.id = ${id})`;
  const statements = {
    inserted: insertWhere(generations, generation, mayBegin)
      .onConflictDoUpdate({ target: generations.id, set: { state: "running" } })
      .returning({ id: generations.id }),
    minute: blocking(minute),
    day: blocking(day),
  };
  const { inserted, ...blocked } = await storeReliably(() => runTransaction(writer.db, statements));
  if (inserted.length > 0) return id;
  const full = ({ name, most, ms }: Window, found: readonly { time: string }[]) =>
    found.map(({ time }) => ({ most, name, wait: Math.ceil((Date.parse(time) + ms - now.getTime()) / 1000) }));
  throw makeLimitError([...full(minute, blocked.minute), ...full(day, blocked.day)], quota);
}

/** A window of time that ends now: its length in milliseconds, its start, and how many generations may begin in it. */
type Window = { readonly name: string; readonly most: number; readonly ms: number; readonly since: string };

/** A window whose limit is reached. `wait` is the number of seconds until there is room again. */
type Full = { readonly most: number; readonly name: string; readonly wait: number };

function makeLimitError(full: readonly Full[], quota: GenerationQuota): DomainError {
  const reached = full.map(({ most, name }) => `${most} a ${name}`).join(" and ");
  const detail =
    reached === ""
      ? "This deployment does not allow generations."
      : `The organization has reached its limit of ${reached}.`;
  return new DomainError("generation_limit", detail, {
    retryAfterSeconds: Math.max(1, ...full.map(({ wait }) => wait)),
    limits: [
      { name: "minute", quota: quota.perMinute, seconds: 60 },
      { name: "day", quota: quota.perDay, seconds: 86_400 },
    ],
  });
}

/** The cost of a generation: tokens, and millionths of a US dollar if the settings have a price for the model. */
export type Spent = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly microdollars: number | null;
};

/** Records that a running generation failed, with the error code and its cost. */
export async function failGeneration(
  writer: Writer,
  id: string,
  { code, ...spent }: Spent & { readonly code: ErrorCode },
): Promise<void> {
  await orm(writer.db)
    .update(generations)
    .set({ state: "failed", code, ...spent, finishTime: writer.now().toISOString() })
    .where(
      and(
        eq(generations.id, id),
        eq(generations.organizationId, writer.organizationId),
        eq(generations.state, "running"),
      ),
    );
}

/**
 * Records that a running generation was answered without storing anything, and its cost. Throws {@link
 * noLongerAuthorized}: then the generation stays running, and must not be answered.
 */
export async function answerGeneration(writer: Writer, id: string, spent: Spent): Promise<void> {
  const answering = orm(writer.db)
    .update(generations)
    .set({ state: "answered", ...spent, finishTime: writer.now().toISOString() })
    .where(
      and(
        eq(generations.id, id),
        eq(generations.organizationId, writer.organizationId),
        // "answered" already, if an earlier attempt was stored and its response lost.
        inArray(generations.state, ["running", "answered"]),
        isAuthorized(writer),
      ),
    )
    .returning({ id: generations.id });
  const { answered } = await storeReliably(() => runTransaction(writer.db, { answered: answering }));
  if (answered.length === 0) throw await findUnauthorizedError(writer);
}

/** A generation (contract 18.21). */
const GENERATION = {
  _id: generations.id,
  blogId: generations.blogId,
  state: generations.state,
  code: generations.code,
  provider: generations.provider,
  model: generations.model,
  inputTokens: generations.inputTokens,
  outputTokens: generations.outputTokens,
  microdollars: generations.microdollars,
  articleId: generations.articleId,
  actor: { kind: generations.actorKind, id: generations.actorId },
  creationTime: generations.creationTime,
  finishTime: generations.finishTime,
};

export type GenerationRecord = SelectResultFields<typeof GENERATION>;

/** Returns a page of the generations that the writer may see, newest first. Throws `invalid_cursor`. */
export async function listGenerations(
  writer: Writer,
  query: PageQuery & { readonly state?: GenerationRecord["state"] | undefined },
): Promise<Page<GenerationRecord>> {
  const page = paginate(query, generations.creationTime, generations.id);
  const found = await orm(writer.db)
    .select(GENERATION)
    .from(generations)
    .where(
      and(
        eq(generations.organizationId, writer.organizationId),
        writer.pinnedBlogId === null ? undefined : eq(generations.blogId, writer.pinnedBlogId),
        query.state && eq(generations.state, query.state),
        page.from,
      ),
    )
    .orderBy(...page.order)
    .limit(page.limit)
    .offset(page.offset);
  return toPage(query, found, (value) => ({ value, version: `${value._id}:${value.state}` }));
}
