/** Stores an update that a model proposes for an article whose sources have changed (contract 8.16). */
import { and, eq, sql } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { articles } from "../../schema/articles.ts";
import { generations } from "../../schema/generation.ts";
import { isOwnArticle } from "../articles/conditions.ts";
import { saveWorkingCopy } from "../articles/saving-copies.ts";
import { replaceSources, type StoredSource } from "../articles/sources.ts";
import { commit, makeLicense, type License } from "../core/commit.ts";
import { builder, joinAnd, type Statement } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";
import type { Spent, Turn } from "./generations.ts";
import { isMine, keepReport } from "./keeping.ts";

export type NewProposal = {
  readonly articleId: string;
  /** The version of the article that it changes. */
  readonly version: string;
  /** Only what differs; nothing if nothing in the article depends on what has changed. */
  readonly fields: { readonly title?: string; readonly description?: string; readonly content?: string };
  readonly sources: readonly StoredSource[];
  readonly model: string;
  readonly generation: Turn;
  readonly spent: Spent;
  readonly metadata: object;
};

/**
 * Stores the proposal as the working copy of its article, and the new sources, in one transaction with the record of the
 * generation. Throws `precondition_failed` if the article has changed or has got a working copy, `article_not_published`,
 * `not_found`, `quota_exceeded`, and `generation_state` if another run has gone on with the generation.
 */
export async function storeProposal(writer: Writer, proposal: NewProposal): Promise<void> {
  const { articleId, version, fields, generation, model } = proposal;
  const mine = {
    holds: sql`exists (select 1 from ${generations} where ${isMine(writer, generation)})`,
    refusal: new DomainError("generation_state"),
  };
  const change = (license: License) => recordProposal(writer, proposal, license);
  if (Object.keys(fields).length > 0) {
    const extras = { conditions: [mine], change, model };
    await saveWorkingCopy(writer, { articleId, fields, ifMatch: [version], extras });
    return;
  }
  const license = makeLicense(writer);
  const { refused } = await commit(writer, license, {
    action: "sources.renew",
    resourceId: articleId,
    blogId: sql`${articles.blogId}`,
    where: sql`from ${articles} where ${joinAnd(isOwnArticle(writer, articleId), eq(articles.version, version), mine.holds)}`,
    change,
    answer: sql`json_object('value', json_object('_id', ${articleId}))`,
  });
  if (refused) throw new DomainError("precondition_failed");
}

function recordProposal(writer: Writer, proposal: NewProposal, license: License): Statement[] {
  const { articleId, sources, generation, spent, metadata } = proposal;
  const isIts = and(eq(generations.id, generation.id), eq(generations.organizationId, writer.organizationId));
  return [
    ...replaceSources(articleId, sources, license),
    ...keepReport(writer, generation.id, metadata, license),
    builder
      .update(generations)
      .set({ state: "stored", ...spent, articleId, progress: null, finishTime: license.time })
      .where(and(isIts, license.held)),
  ];
}
