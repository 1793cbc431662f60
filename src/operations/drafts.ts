/** Operations on working copies: changes to a published article that are not public yet. */
import * as z from "zod";
import { DomainError } from "../domain/errors.ts";
import { LIMITS } from "../domain/limits.ts";
import { article, shownWriting, toStorable, writable, written } from "./article-members.ts";
import { toShortHash } from "../lib/hash.ts";
import { defineOperation } from "./define.ts";
import { dateTime, deleted, identifier, line, output, readOnly } from "./fields.ts";
import { requireSentBack } from "./unchanged.ts";

const savedTerm = z.object({ slug: z.string(), name: z.string() }).meta({ id: "NamedTerm" });

export const workingCopy = z
  .object({
    articleId: output.id,
    ...shownWriting,
    tags: z.array(savedTerm).optional().meta({ description: "Only if they were saved in the working copy." }),
    authors: z.array(savedTerm).optional().meta({ description: "Only if they were saved in the working copy." }),
    publishTime: output.dateTime.optional().meta({ description: "Only if it was saved in the working copy." }),
    changed: z
      .array(z.string())
      .meta({ description: "The fields that were saved; the others are the article's.", example: ["title"] }),
    articleChanged: z
      .boolean()
      .meta({ description: "Whether the article has changed since the working copy was begun.", example: false }),
    by: z
      .object({ kind: z.string().meta({ example: "user" }), id: z.string() })
      .meta({ description: "Who saved it last, as in the audit log." }),
    creationTime: output.dateTime,
    lastEditTime: output.dateTime,
  })
  .meta({ id: "WorkingCopy" });

const articleId = identifier("an article");

/** Read-only members. */
const sentBack = {
  changed: z.array(line(LIMITS.slug)).max(LIMITS.page).optional().meta(readOnly),
  articleChanged: workingCopy.shape.articleChanged.optional().meta(readOnly),
  by: workingCopy.shape.by.optional().meta(readOnly),
  creationTime: dateTime.optional().meta(readOnly),
  lastEditTime: dateTime.optional().meta(readOnly),
};

export const getDraft = defineOperation({
  name: "drafts.get",
  summary: "Get the working copy of an article",
  description: "The article as it would be after its publication. An article without a working copy is 404.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({ articleId }),
  output: workingCopy,
  refuses: ["not_found"],
  hasEtag: true,
  sample: { command: "articles draft show {articleId}" },
  async run({ store }, { articleId: id }) {
    const copy = await store.findWorkingCopy(id);
    if (copy === null) {
      throw new DomainError("not_found", "There is no such article, or it has no working copy.");
    }
    const { tags, authors } = copy.value;
    if (tags === undefined && authors === undefined) return copy;
    // They can be renamed without a new version.
    const state = await toShortHash(JSON.stringify([copy.state, tags, authors]));
    return { ...copy, state };
  },
});

export const saveDraft = defineOperation({
  name: "drafts.save",
  summary: "Save the working copy of an article",
  description:
    "Begins one if there is none. A draft has none: it is changed itself. Only the fields that are sent change. Readers see none of it: the article, its times and its ETag stay, and no event is fired. `If-Match` takes the version of the working copy, or of the article if it has none yet.",
  scope: "articles:draft",
  effect: "write",
  versioned: true,
  input: z
    .strictObject({ articleId, ...written, publishTime: writable.publishTime, ...sentBack })
    .meta({ id: "WorkingCopyInput" }),
  output: workingCopy,
  refuses: ["not_found", "article_not_published", "quota_exceeded"],
  hasEtag: true,
  audit: { "articles.saveDraft": "saved unpublished changes to *" },
  sample: {
    body: { title: "Slower mornings in Porto" },
    command: 'articles draft save {articleId} --title "Slower mornings in Porto"',
  },
  async run({ store, ifMatch }, { articleId: id, ...given }) {
    const { changed, articleChanged, by, creationTime, lastEditTime, ...fields } = given;
    const shown = { changed, articleChanged, by, creationTime, lastEditTime };
    await requireSentBack(shown, ifMatch, async () => (await store.findWorkingCopy(id)) ?? { value: {} });
    const {
      seo: _seo,
      terms,
      ...members
    } = await toStorable(fields, new Date(), store.makeTermFinder({ articleId: id }));
    return store.saveWorkingCopy({ articleId: id, fields: { ...members, ...terms, seo: fields.seo }, ifMatch });
  },
});

export const discardDraft = defineOperation({
  name: "drafts.discard",
  summary: "Discard the working copy of an article",
  description: "The article stays as it is. What is discarded stays in its revisions.",
  scope: "articles:draft",
  effect: "delete",
  versioned: true,
  input: z.strictObject({ articleId }),
  output: deleted,
  refuses: ["not_found"],
  audit: { "articles.discardDraft": "discarded the unpublished changes to *" },
  sample: { command: "articles draft discard {articleId} --yes" },
  async run({ store, ifMatch }, { articleId: id }) {
    await store.discardWorkingCopy(id, ifMatch);
    return { value: { _id: id } };
  },
});

export const publishDraft = defineOperation({
  name: "drafts.publish",
  summary: "Publish the working copy of an article",
  description:
    "The article gets its fields, and the working copy is gone. Fires article.updated once. `If-Match` takes the version of the working copy. If the article has changed since the working copy was begun, this is article_changed, unless `overwrite` is true.",
  scope: "articles:write",
  effect: "write",
  versioned: true,
  input: z
    .strictObject({
      articleId,
      overwrite: z
        .boolean()
        .default(false)
        .meta({ description: "Publish it even if the article has changed meanwhile.", example: false }),
    })
    .meta({ id: "WorkingCopyPublication" }),
  output: article,
  refuses: ["not_found", "slug_taken", "term_limit", "article_changed", "quota_exceeded", "event_limit"],
  hasEtag: true,
  audit: { "articles.publishDraft": "published the changes to *" },
  sample: { body: {}, command: "articles draft publish {articleId}" },
  run: ({ store, ifMatch }, { articleId: id, overwrite }) =>
    store.publishWorkingCopy({ articleId: id, overwrite, ifMatch }),
});
