import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Generations and helps with a text, for the limits and their cost. Helps become `answered`: they store nothing. */
export const generations = sqliteTable(
  "generations",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id").notNull(),
    actorKind: text("actor_kind").notNull(),
    actorId: text("actor_id").notNull(),
    provider: text("provider").notNull(),
    model: text("model").notNull(),
    state: text("state", { enum: ["running", "stored", "answered", "failed"] }).notNull(),
    code: text("code"),
    inputTokens: integer("input_tokens").notNull().default(0),
    outputTokens: integer("output_tokens").notNull().default(0),
    /** About how many tokens its providers have not counted, and how many of all it had used before the day of its last run. */
    uncountedTokens: integer("uncounted_tokens").notNull().default(0),
    formerTokens: integer("former_tokens").notNull().default(0),
    /** What it would take, as estimated before it began: it counts so much while it runs. */
    estimatedTokens: integer("estimated_tokens").notNull().default(0),
    /** Millionths of a US dollar, at the prices of that time; null if the settings have no price for the model. */
    microdollars: integer("microdollars"),
    /** It may have been deleted since. */
    articleId: text("article_id"),
    creationTime: text("creation_time").notNull(),
    finishTime: text("finish_time"),
    /** The invocation that works on it, and until when unless it goes on; "" for help with a text. */
    turn: text("turn").notNull().default(""),
    leaseTime: text("lease_time").notNull().default(""),
    /** SHA-256 of the Idempotency-Key and the request: a repetition goes on with what is kept. */
    repeatHash: text("repeat_hash"),
    /** What its caller was told last. */
    progress: text("progress", { mode: "json" }).$type<GenerationProgress>(),
    /** 1 if a queue does it, and nobody waits; and how often in a row that came to nothing. */
    queued: integer("queued").notNull().default(0),
    tries: integer("tries").notNull().default(0),
  },
  (t) => [
    index("generations_of").on(t.organizationId, t.creationTime, t.id),
    index("generations_by_time").on(t.creationTime),
    index("generations_running")
      .on(t.creationTime)
      .where(sql`state = 'running'`),
    index("generations_repeated")
      .on(t.repeatHash)
      .where(sql`repeat_hash IS NOT NULL`),
  ],
);

/** The step of a generation, and how much of it is done. */
export type GenerationProgress = { readonly step: string; readonly done: number; readonly total: number };

/**
 * What a generation keeps, so that nothing is paid for twice: its order, each answer of a model under the hash of the
 * question, and in the end its report.
 */
export const generationAnswers = sqliteTable(
  "generation_answers",
  {
    generationId: text("generation_id")
      .notNull()
      .references(() => generations.id, { onDelete: "cascade" }),
    /** "order", "report", or the hash of a question. */
    key: text("key").notNull(),
    organizationId: text("organization_id").notNull(),
    value: text("value", { mode: "json" }).notNull(),
    /** The file of an image: it stays as long as this row. */
    mediaId: text("media_id"),
    creationTime: text("creation_time").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.generationId, t.key] }),
    index("generation_answers_by_time").on(t.creationTime),
    index("generation_answers_by_media")
      .on(t.mediaId)
      .where(sql`media_id IS NOT NULL`),
  ],
);
