import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
    /** Millionths of a US dollar, at the prices of that time; null if the settings have no price for the model. */
    microdollars: integer("microdollars"),
    /** It may have been deleted since. */
    articleId: text("article_id"),
    creationTime: text("creation_time").notNull(),
    finishTime: text("finish_time"),
  },
  (t) => [
    index("generations_of").on(t.organizationId, t.creationTime, t.id),
    index("generations_by_time").on(t.creationTime),
    index("generations_running")
      .on(t.creationTime)
      .where(sql`state = 'running'`),
  ],
);
