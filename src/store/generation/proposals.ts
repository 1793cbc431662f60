/** Stores an update that a model proposes for an article whose sources have changed (contract 8.16). */
import { and, eq, sql } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import type { StyleGuide } from "../../domain/style-guide.ts";
import { articles, revisions } from "../../schema/articles.ts";
import { blogs } from "../../schema/blogs.ts";
import { generations } from "../../schema/generation.ts";
import { isOwnArticle } from "../articles/conditions.ts";
import { saveWorkingCopy } from "../articles/saving-copies.ts";
import { replaceSources, type StoredSource } from "../articles/sources.ts";
import { commit, makeLicense, type License } from "../core/commit.ts";
import { checkQuota, selectUsage } from "../core/quota.ts";
import { builder, joinAnd, queryFirstRow, type Statement } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";
import type { Spent, Turn } from "./generations.ts";
import { isMine, keepReport } from "./keeping.ts";

type FoundProposable = {
  readonly styleGuide: string;
  readonly lastEditTime: string;
  readonly discardTime: string | null;
  readonly usage: string;
};

/**
 * Returns what a proposal needs of an article beside its texts. Sources of which `isUnused` is true have been read for a
 * working copy that was discarded: the article still says what they said before. Throws `not_found`, and `quota_exceeded`
 * if a working copy of `bytes` has no room.
 */
export async function findProposable(writer: Writer, articleId: string, bytes: number) {
  const found = await queryFirstRow<FoundProposable>(
    writer.db,
    sql`select ${blogs.styleGuide} as "styleGuide", ${articles.lastEditTime} as "lastEditTime", ${selectUsage(writer)} as "usage",
      (select max(${revisions.endTime}) from ${revisions}
        where ${revisions.articleId} = ${articles.id} and ${revisions.workingCopy} = 1) as "discardTime"
      from ${articles} join ${blogs} on ${blogs.id} = ${articles.blogId} where ${isOwnArticle(writer, articleId)}`,
  );
  if (found === null) throw new DomainError("not_found", "There is no such article.");
  const full = checkQuota(writer, found.usage, { articleBytes: bytes });
  if (full !== null) throw full;
  const { lastEditTime, discardTime } = found;
  return {
    styleGuide: JSON.parse(found.styleGuide) as StyleGuide,
    isUnused: (readTime: string) => discardTime !== null && lastEditTime < readTime && readTime <= discardTime,
  };
}

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
