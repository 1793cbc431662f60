/** Writes that readers do not see: to a draft, or to the working copy of a published article. */
import type * as z from "zod";
import { LISTED_TEXTS } from "../../domain/article-fields.ts";
import { DomainError } from "../../domain/errors.ts";
import { pick } from "../../lib/pick.ts";
import type { ArticleValue } from "../../operations/articles.ts";
import type { ArticleMember } from "../../operations/article-members.ts";
import type { Result } from "../../operations/define.ts";
import { registry } from "../../operations/registry.ts";
import { requireSharedTerms } from "./shared-terms.ts";
import { toIfMatch, type Use } from "./tool.ts";
import { toWriteResult } from "./tools/shapes.ts";

type Run = Use["run"];

/** The operations that {@link saveUnpublished} runs, besides the one that changes a draft. */
export const SAVE_OPERATIONS = [registry.getArticle, registry.listArticles, registry.getDraft, registry.saveDraft];

/** If a draft changes between reading and writing, each attempt lets one of the writers succeed. */
const MOST_TRIES = 10;

type Change = {
  readonly articleId: string;
  /** The changes of a working copy. Without any field, nothing is written. */
  readonly fields: Omit<Partial<z.output<typeof registry.saveDraft.input>>, "articleId">;
  /** The version of the working copy, or of the article if it has none. */
  readonly version: string | undefined;
  /** Changes a draft, if it still has this version. */
  readonly changeDraft: (options: ReturnType<typeof toIfMatch>) => Promise<Result<ArticleValue>>;
};

/**
 * Changes a draft, or the working copy of a published article. Returns what was stored, and whether it is the working copy.
 * Throws `not_found`, `precondition_failed` and the errors of both operations.
 */
export async function saveUnpublished(run: Run, { articleId, fields, version, changeDraft }: Change) {
  for (let tries = 1; ; tries++) {
    const { value: state, version: current } = await readState(run, articleId);
    try {
      if (state.published) return await saveCopy(run, state, { fields, version });
      if (version !== undefined && version !== current) throw new DomainError("precondition_failed");
      await requireSharedTerms(run, state, fields);
      // If somebody publishes the draft in the meantime, its version changes and this write fails.
      const answer = await changeDraft(toIfMatch(current));
      return { ...toWriteResult(answer.value, answer.version), workingCopy: false };
    } catch (error) {
      const changed =
        error instanceof DomainError && ["precondition_failed", "article_not_published"].includes(error.code);
      if (!changed || version !== undefined || tries === MOST_TRIES) throw error;
    }
  }
}

const STATE = ["_id", "blogId", "slug", "published", "creationTime", "lastEditTime"] as const satisfies ArticleMember[];

type State = Pick<ArticleValue, (typeof STATE)[number]>;

/** Throws `not_found`, also for a slug: tools that write only take identifiers. */
async function readState(run: Run, id: string): Promise<{ value: State; version: string | undefined }> {
  const { value, version } = await run(registry.getArticle, () => ({ idOrSlug: id, fields: [...STATE] }));
  if (value._id !== id.toLowerCase()) throw new DomainError("not_found", "There is no such article.");
  return { value: value as State, version };
}

/** Saves the fields in the working copy. Without any field, no working copy is created. */
async function saveCopy(run: Run, state: State, { fields, version }: Pick<Change, "fields" | "version">) {
  const articleId = state._id;
  if (Object.values(fields).some((value) => value !== undefined)) {
    return toCopyResult(state, await run(registry.saveDraft, () => ({ articleId, ...fields }), toIfMatch(version)));
  }
  const copy = await findWorkingCopy(run, articleId);
  const { value, version: of } = copy ?? (await run(registry.getArticle, () => ({ idOrSlug: articleId })));
  if (version !== undefined && version !== of) throw new DomainError("precondition_failed");
  return copy === null
    ? { ...toWriteResult(value as ArticleValue, of), workingCopy: false }
    : toCopyResult(state, copy);
}

type Copy = Result<z.output<typeof registry.getDraft.output>>;

const toCopyResult = (state: State, { value: copy, version }: Copy) => ({
  ...toWriteResult({ ...state, ...pick(copy, LISTED_TEXTS) }, version, true),
  workingCopy: true,
});

/** Returns null if the article has no working copy. */
export const findWorkingCopy = (run: Run, articleId: string): Promise<Copy | null> =>
  run(registry.getDraft, () => ({ articleId })).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === "not_found") return null;
    throw error;
  });
