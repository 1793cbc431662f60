/** A new article uses up the topic idea that it is about, in the transaction that stores it. */
import { and, eq, sql } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { topics } from "../../schema/topics.ts";
import type { Condition } from "../articles/update-conditions.ts";
import type { License } from "../core/commit.ts";
import { builder, type Statement } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";

/** Returns the condition that the idea, if any, is there and has not become an article. */
export function listTopicConditions({ organizationId }: Writer, topicId: string | undefined): Condition[] {
  if (topicId === undefined) return [];
  const holds = sql`exists (select 1 from ${topics} where ${topics.id} = ${topicId}
    and ${topics.organizationId} = ${organizationId} and ${topics.articleId} is null)`;
  return [{ holds, refusal: new DomainError("topic_used") }];
}

/** Returns the statement that sets the idea, if any, to `used`, with its article. */
export function useTopic(
  { organizationId }: Writer,
  topicId: string | undefined,
  { articleId, license }: { readonly articleId: string; readonly license: License },
): Statement[] {
  if (topicId === undefined) return [];
  const { id: version, time, held } = license;
  return [
    builder
      .update(topics)
      .set({ status: "used", articleId, version, lastEditTime: time })
      .where(and(eq(topics.id, topicId), eq(topics.organizationId, organizationId), held)),
  ];
}
