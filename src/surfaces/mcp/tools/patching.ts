/** The tool that replaces passages of a content, without sending all of it. */
import * as z from "zod";
import { registry } from "../../../operations/registry.ts";
import { defineTool, expectedVersion, toIfMatch, WRITES } from "../tool.ts";
import { version } from "./shapes.ts";

const { articleId, edits } = registry.editArticle.input.shape;

export const editArticle = defineTool({
  name: "edit_article",
  title: "Replace passages of an article",
  description:
    "Replaces passages of an article's content. Prefer it over update_article for small changes: the rest of the text is not sent, and stays as it is. Each `find` has to be exactly as in the content, and only once, or at its `offset`; otherwise nothing is changed, and the error says what is there. As with update_article, of a published article the working copy is changed. Returns each new passage, and not the content.",
  operations: [registry.editArticle],
  // Not idempotent: what replaces a passage may have the passage in it.
  annotations: WRITES,
  input: z.strictObject({
    articleId,
    edits,
    version: expectedVersion,
  }),
  output: registry.editArticle.output.extend({ version }),
  holdsTexts: true,
  async run({ run }, { version: of, ...input }) {
    const { value, version: stored } = await run(registry.editArticle, () => input, toIfMatch(of));
    return { ...value, version: stored ?? "" };
  },
});
