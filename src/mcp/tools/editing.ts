/** Defines the tool that edits articles: a draft as it is, a published one in its working copy. */
import * as z from "zod";
import { DomainError } from "../../errors.ts";
import type { ArticleMember, ArticleValue } from "../../operations/articles.ts";
import type { Result } from "../../operations/define.ts";
import { registry } from "../../operations/registry.ts";
import { defineTool, expectedVersion, matching, WRITES, type Use } from "../tool.ts";
import { written, writtenArticle } from "./shapes.ts";

const { title, description, content, slug, locale, coverUrl, seo, tags, authors } = registry.saveArticle.input.shape;
const { articleId } = registry.deleteArticle.input.shape;

/**
 * Maximum attempts if a draft changes between reading and writing. Each attempt lets one of several writers succeed.
 */
const MOST_TRIES = 10;

export const updateArticle = defineTool({
  name: "update_article",
  title: "Edit an article",
  description:
    "Changes an article: only the fields that are passed change, and `content`, `seo`, `tags` and `authors` are replaced as a whole, so read them first. Tags and authors are shared by all translations. A draft is changed as it is. Of a published article, the working copy is changed: readers see nothing of it, `workingCopy` is true in the result, and get_article with `workingCopy` shows it. It publishes only with `publish`: pass it only when the user has asked to publish these changes; without other fields, it publishes the working copy as it is; with some, only where there is no working copy, or with its `version`: somebody may still be writing in it. Pass the `version` from get_article, so that nobody's work is overwritten. Returns what was stored, without its content.",
  operations: [registry.getArticle, registry.saveArticle, registry.getDraft, registry.saveDraft, registry.publishDraft],
  annotations: { ...WRITES, idempotentHint: true },
  input: z.strictObject({
    articleId,
    title,
    description,
    content,
    slug,
    locale,
    coverUrl,
    seo,
    tags,
    authors,
    version: expectedVersion,
    publish: z
      .boolean()
      .default(false)
      .meta({ description: "Publish the changes at once. Only when the user has asked for it." }),
  }),
  output: writtenArticle.extend({
    workingCopy: z.boolean().meta({ description: "Whether this is the working copy, which readers do not see." }),
  }),
  holdsTexts: true,
  async run({ run }, { articleId: _id, version: given, publish, ...fields }) {
    for (let tries = 1; ; tries++) {
      const { value: state, version: current } = await stateOf(run, _id);
      if (state.published) return edited(run, state, { fields, given, current, publish });
      if (given !== undefined && given !== current) throw new DomainError("precondition_failed");
      try {
        // If somebody publishes the draft in the meantime, its version changes, and this write fails.
        const input = { _id, ...fields, ...(publish && { published: true }) };
        const answer = await run(registry.saveArticle, () => input, matching(current));
        return { ...written(answer.value, answer.version), workingCopy: false };
      } catch (error) {
        const changed = error instanceof DomainError && error.code === "precondition_failed";
        if (!changed || given !== undefined || tries === MOST_TRIES) throw error;
      }
    }
  },
});

const STATE = ["_id", "blogId", "published", "creationTime", "lastEditTime"] as const satisfies ArticleMember[];

type State = Pick<ArticleValue, (typeof STATE)[number]>;

/** Returns what an update needs to know of an article. Throws `not_found`, also for a slug: the tool takes identifiers only. */
async function stateOf(run: Use["run"], id: string): Promise<{ value: State; version: string | undefined }> {
  const { value, version: current } = await run(registry.getArticle, () => ({ idOrSlug: id, fields: [...STATE] }));
  if (value._id !== id.toLowerCase()) throw new DomainError("not_found", "There is no such article.");
  return { value: value as State, version: current };
}

type Edit = {
  readonly fields: object;
  readonly given: string | undefined;
  /** The version of the article. */
  readonly current: string | undefined;
  readonly publish: boolean;
};

/** Saves the fields in the working copy of a published article, and publishes it if that is asked for. */
async function edited(run: Use["run"], state: State, { fields, given, current, publish }: Edit) {
  const articleId = state._id;
  let expected = given;
  if (Object.values(fields).some((value) => value !== undefined)) {
    // The version of the article matches only as long as there is no working copy.
    const wanted = publish ? (given ?? (await emptyWorkingCopy(run, articleId)) ?? current) : given;
    const saved = await run(registry.saveDraft, () => ({ articleId, ...fields }), matching(wanted));
    if (!publish) return shownCopy(state, saved);
    expected = saved.version;
  } else if (!publish) {
    return unchanged(run, state, given);
  }
  const answer = await run(registry.publishDraft, () => ({ articleId }), matching(expected));
  return { ...written(answer.value, answer.version), workingCopy: false };
}

type Copy = Result<z.output<typeof registry.getDraft.output>>;

/** Returns the result for what a working copy has. */
function shownCopy(state: State, { value: copy, version: of }: Copy) {
  const { title, description, content, slug, locale, coverUrl } = copy;
  return { ...written({ ...state, title, description, content, slug, locale, coverUrl }, of), workingCopy: true };
}

/**
 * Returns the working copy of a published article, or the article if it has none, for a call that changes nothing. Throws
 * `precondition_failed` if it has another version than the given one.
 */
async function unchanged(run: Use["run"], state: State, given: string | undefined) {
  const copy = await workingCopyOf(run, state._id);
  const { value, version: of } = copy ?? (await run(registry.getArticle, () => ({ idOrSlug: state._id })));
  if (given !== undefined && given !== of) throw new DomainError("precondition_failed");
  return copy === null ? { ...written(value as ArticleValue, of), workingCopy: false } : shownCopy(state, copy);
}

/**
 * Returns the version of a working copy in which nothing has been changed, or undefined if there is no working copy. Throws
 * `precondition_failed` for any other. It would be published with the changes of a call that does not know of it, although
 * somebody may be in the middle of a sentence: the console saves into it while they type.
 */
async function emptyWorkingCopy(run: Use["run"], articleId: string): Promise<string | undefined> {
  const copy = await workingCopyOf(run, articleId);
  if (copy === null || copy.value.changed.length === 0) return copy?.version;
  throw new DomainError(
    "precondition_failed",
    "The article has a working copy with changes that would be published, too. Read it with get_article and `workingCopy`, and pass its version.",
  );
}

/** Returns the working copy of an article, or null if it has none. */
const workingCopyOf = (run: Use["run"], articleId: string): Promise<Copy | null> =>
  run(registry.getDraft, () => ({ articleId })).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === "not_found") return null;
    throw error;
  });
