import * as z from "zod";
import { DomainError, invalidField } from "../domain/errors.ts";
import { LIMITS } from "../domain/limits.ts";
import { isStale } from "../domain/preconditions.ts";
import { editText, type TextEdit } from "../domain/text-edits.ts";
import { SMALL_BYTES } from "../lib/body.ts";
import { utf8Length } from "../lib/text.ts";
import { hold } from "../memory.ts";
import type { EditedArticle } from "../store/articles/editing.ts";
import type { OrganizationStore } from "../store/organization.ts";
import { article } from "./article-members.ts";
import { defineOperation, type Result } from "./define.ts";
import { content, identifier, output, text } from "./fields.ts";

/** How often an edit is tried if somebody else saves the text at the same moment. */
const MOST_TRIES = 10;

/** Bytes of memory per byte of text, as for a body that brings it (contract 14.15). */
const HELD = 8;

const edit = z
  .strictObject({
    find: text(LIMITS.editFind)
      .min(1, "must not be empty")
      .meta({ description: "The passage, exactly as it is in the text.", example: "Begin at teh river." }),
    replace: content.meta({ description: "What takes its place; empty to remove it.", example: "Begin at the river." }),
    offset: z
      .int()
      .min(0)
      .optional()
      .meta({ description: "Where the passage is (UTF-16 units), if it occurs more than once.", example: 17 }),
  })
  .meta({ id: "ContentEdit" });

const edited = z
  .object({
    _id: output.id,
    published: article.shape.published,
    workingCopy: z
      .boolean()
      .meta({ description: "Whether this is the working copy, which readers do not see.", example: false }),
    contentLength: z.int().meta({ description: "Characters of its content now (UTF-16 units).", example: 36 }),
    edits: z
      .array(
        z.object({
          offset: z.int().meta({ description: "Where the new passage begins now.", example: 17 }),
          passage: z.string().meta({
            description: "The new passage with a little around it; of a long one, the beginning and the end.",
            example: "# Slow mornings\n\nBegin at the river.",
          }),
        }),
      )
      .meta({ description: "Each edit, in the order of the request." }),
  })
  .meta({ id: "EditedArticle" });

type Edited = Result<z.infer<typeof edited>>;

export const editArticle = defineOperation({
  name: "articles.edit",
  summary: "Replace passages of an article's content",
  description:
    "All of them, or none. Each `find` must be in the text exactly once, or at its `offset`, as the text was before the request, and they must not overlap; a refusal says what is there. A draft is changed as it is, a published article in its working copy, which readers do not see: one is begun if there is none. What others change elsewhere in the text at the same time is kept. `If-Match` takes the version of the working copy, or of the article if it has none.",
  scope: "articles:draft",
  effect: "write",
  versioned: true,
  input: z
    .strictObject({
      articleId: identifier("an article"),
      edits: z.array(edit).min(1, "must not be empty").max(LIMITS.edits),
    })
    .meta({ id: "ContentEdits" }),
  output: edited,
  refuses: ["not_found", "quota_exceeded", "event_limit"],
  hasEtag: true,
  sample: {
    body: { edits: [{ find: "the river", replace: "the bridge" }] },
    command: 'articles replace {articleId} --find "the river" --replace "the bridge"',
  },
  async run({ store, ifMatch }, { articleId, edits }) {
    for (let tries = 1; ; tries++) {
      const before = await store.readEdited(articleId);
      if (isStale(ifMatch, before.version)) throw new DomainError("precondition_failed");
      try {
        return await applyEdits(store, before, edits);
      } catch (error) {
        if (tries === MOST_TRIES || !(await hasChanged(store, before, error))) throw error;
      }
    }
  },
});

async function applyEdits(
  store: OrganizationStore,
  before: EditedArticle,
  edits: readonly TextEdit[],
): Promise<Edited> {
  const bytes = utf8Length(before.content);
  const held = bytes > SMALL_BYTES ? await hold(bytes * HELD) : undefined;
  try {
    const after = editText(before.content, edits);
    if (utf8Length(after.text) > LIMITS.contentBytes) throw invalidField("edits", TOO_LARGE);
    const isSame = after.text === before.content;
    const { _id, published, version } = before;
    const workingCopy = isSame ? before.workingCopy : published;
    const value = { _id, published, workingCopy, contentLength: after.text.length, edits: [...after.edits] };
    // No working copy is begun for nothing.
    if (isSame) return { value, version, uncommitted: true };
    return { ...(await store.replaceContent(before, after.text, value)), value };
  } finally {
    held?.end();
  }
}

const TOO_LARGE = "would make the content larger than 1 MiB of UTF-8";

/** Returns whether a write was refused because somebody has changed the article since it was read. */
async function hasChanged(store: OrganizationStore, { _id, version }: EditedArticle, error: unknown): Promise<boolean> {
  if (!(error instanceof DomainError)) return false;
  if (error.code === "precondition_failed" || error.code === "article_not_published") return true;
  // A draft that was published meanwhile is forbidden to those who may only write drafts, but its working copy is not.
  if (error.code !== "scope_missing" && error.code !== "role_forbidden") return false;
  return (await store.readEdited(_id)).version !== version;
}
