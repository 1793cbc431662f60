/** The tools that change the text of articles. Neither changes what readers see. */
import * as z from "zod";
import { pickWritten } from "../../../domain/article-fields.ts";
import { written } from "../../../operations/article-members.ts";
import { registry } from "../../../operations/registry.ts";
import { defineTool, expectedVersion, WRITES } from "../tool.ts";
import { saveUnpublished, SAVE_OPERATIONS } from "../working-copy.ts";
import { writtenArticle } from "./shapes.ts";

const { articleId } = registry.deleteArticle.input.shape;

const saved = writtenArticle.extend({
  workingCopy: z.boolean().meta({ description: "Whether this is the working copy, which readers do not see." }),
});

export const updateArticle = defineTool({
  name: "update_article",
  title: "Edit an article",
  description:
    "Changes an article: only the fields that are passed change, and `content`, `seo`, `tags` and `authors` are replaced as a whole, so read them first. A draft is changed as it is; of a published article the working copy, which readers do not see until publish_article. Pass the `version` from get_article, so that nobody's work is overwritten. Returns what was stored, without its content.",
  operations: [...SAVE_OPERATIONS, registry.saveArticle],
  annotations: { ...WRITES, idempotentHint: true },
  input: z.strictObject({ articleId, ...written, version: expectedVersion }),
  output: saved,
  holdsTexts: true,
  run: ({ run }, { articleId: id, version, ...fields }) =>
    saveUnpublished(run, {
      articleId: id,
      fields,
      version,
      changeDraft: (options) => run(registry.saveArticle, () => ({ _id: id, ...fields }), options),
    }),
});

export const restoreRevision = defineTool({
  name: "restore_revision",
  title: "Restore a former state",
  description:
    "Gives an article the texts, slug, locale, cover and `seo` of a former state again: a draft as it is, a published article in its working copy, which readers do not see until publish_article. Call it only when the user has asked for this state. What it replaces is kept as a former state, too.",
  operations: [...SAVE_OPERATIONS, registry.getRevision, registry.restoreRevision],
  annotations: { ...WRITES, idempotentHint: true },
  input: z.strictObject({
    articleId,
    revision: z.int().min(1).meta({ description: "The number of a former state, from list_revisions.", example: 3 }),
    version: expectedVersion,
  }),
  output: saved,
  holdsTexts: true,
  async run({ run }, { articleId: id, revision: of, version }) {
    const input = { articleId: id, revision: String(of) };
    const { value: state } = await run(registry.getRevision, () => input);
    return saveUnpublished(run, {
      articleId: id,
      fields: pickWritten(state),
      version,
      changeDraft: (options) => run(registry.restoreRevision, () => input, options),
    });
  },
});
