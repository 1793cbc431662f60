/** Generations as people see and direct them. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import type { BackgroundActor } from "../../domain/background-actor.ts";
import { DomainError } from "../../domain/errors.ts";
import { generationAnswers, generations } from "../../schema/generation.ts";
import { storeReliably } from "../core/lost-answers.ts";
import { paginate, toPage, type Page, type PageQuery } from "../core/paging.ts";
import { isAuthorized, requireAuthorized } from "../core/standing.ts";
import { builder, orm, runTransaction } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";
import { hasRoomToGoOn, makeCeilingError, selectFormer, selectFullToGoOn } from "./ceiling.ts";
import { hasOrder, isIdle, ORDER, REPORT } from "./keeping.ts";

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
  progress: generations.progress,
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

const isOwn = ({ organizationId, pinnedBlogId }: Writer, id: string): SQL | undefined =>
  and(
    eq(generations.id, id),
    eq(generations.organizationId, organizationId),
    pinnedBlogId === null ? undefined : eq(generations.blogId, pinnedBlogId),
  );

const selectKept = (key: string) => sql<string | null>`(select ${generationAnswers.value} from ${generationAnswers}
  where ${generationAnswers.generationId} = ${generations.id} and ${generationAnswers.key} = ${key})`;

const makeMissingError = (): DomainError => new DomainError("not_found", "There is no such generation.");

/** Its invocation has failed or is gone, and its order is kept. One that already waits for the queue needs no resumption. */
const isResumable = ({ now }: Writer): SQL =>
  sql`((${generations.state} = 'failed' or ${generations.queued} = 0) and ${isIdle(now())} and ${hasOrder(generations.id)})`;

type FoundGeneration = {
  readonly generation: GenerationRecord;
  /** The report of its article, as JSON text; null if it has none. */
  readonly report: string | null;
  readonly resumable: boolean;
};

/** Throws `not_found`. */
export async function findGeneration(writer: Writer, id: string): Promise<FoundGeneration> {
  const [found] = await orm(writer.db)
    .select({ ...GENERATION, report: selectKept(REPORT), resumable: sql<number>`${isResumable(writer)}` })
    .from(generations)
    .where(isOwn(writer, id));
  if (found === undefined) throw makeMissingError();
  const { report, resumable, ...generation } = found;
  return { generation, report, resumable: resumable === 1 };
}

/** Returns the order of a generation, as JSON text; null if it is not kept any more. Throws `not_found`. */
export async function findOrder(writer: Writer, id: string): Promise<string | null> {
  const [found] = await orm(writer.db)
    .select({ order: selectKept(ORDER) })
    .from(generations)
    .where(isOwn(writer, id));
  if (found === undefined) throw makeMissingError();
  return found.order;
}

/**
 * Has the queue go on with a generation that failed, or whose invocation is gone, in the name of `actor`. Throws
 * `generation_state` if it is in another state, or has nothing to go on with, and `generation_limit` if its tokens would
 * exceed what the organization allows in a day.
 */
export async function resumeGeneration(writer: Writer, id: string, actor: BackgroundActor): Promise<void> {
  const isResumed = sql`${generations.state} = 'running' and ${generations.queued} = 1 and ${generations.leaseTime} = ''`;
  const statements = {
    resumed: orm(writer.db)
      .update(generations)
      .set({
        state: "running",
        queued: 1,
        tries: 0,
        turn: "",
        leaseTime: "",
        code: null,
        formerTokens: selectFormer(writer),
        finishTime: null,
      })
      .where(and(isOwn(writer, id), isResumable(writer), hasRoomToGoOn(writer), isAuthorized(writer)))
      .returning({ id: generations.id }),
    actor: builder
      .update(generationAnswers)
      .set({ value: sql`json_set(${generationAnswers.value}, '$.actor', json(${JSON.stringify(actor)}))` })
      .where(
        and(
          eq(generationAnswers.generationId, id),
          eq(generationAnswers.key, ORDER),
          sql`exists (select 1 from ${generations} where ${isOwn(writer, id)} and ${isResumed} and ${isAuthorized(writer)})`,
        ),
      ),
    full: selectFullToGoOn(writer, and(isOwn(writer, id), isResumable(writer))),
  };
  const { resumed, full } = await storeReliably(() => runTransaction(writer.db, statements));
  if (resumed.length > 0) return;
  await requireAuthorized(writer);
  if (full[0] !== undefined) throw makeCeilingError(writer, full[0]);
  throw new DomainError("generation_state");
}
