/** The tools that create, publish, delete, generate and share articles. */
import * as z from "zod";
import { nullIfMissing } from "../../../domain/errors.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { article, written as writable } from "../../../operations/article-members.ts";
import { line } from "../../../operations/fields.ts";
import { validate } from "../../../operations/invoke.ts";
import { registry } from "../../../operations/registry.ts";
import { defineTool, expectedVersion, idempotencyKey, READS, toIfMatch, WRITES, type Use } from "../tool.ts";
import { requireSharedTerms } from "../shared-terms.ts";
import { writtenArticle, toWriteResult } from "./shapes.ts";

const { blogId, topicId } = registry.saveArticle.input.shape;
const { articleId } = registry.deleteArticle.input.shape;

export const createArticle = defineTool({
  name: "create_article",
  title: "Create a draft",
  description:
    "Stores a new article as a draft: nobody but the organization sees it. Without `blogId` it goes to the organization's only blog; without `locale` it is in the blog's default locale; the slug is derived from the title. For a translation, pass the `slug` of the original and another `locale`; it shares the tags and authors of the original, so leave them out. Take `tags` from list_tags: others are created. Returns the draft without its content.",
  operations: [registry.saveArticle],
  annotations: WRITES,
  input: z.strictObject({
    blogId,
    ...writable,
    title: line(LIMITS.title).min(1, "must not be empty"),
    topicId: topicId.meta({ description: "The topic idea that it is about, which becomes `used`." }),
    idempotencyKey,
  }),
  output: writtenArticle,
  holdsTexts: true,
  async run({ run }, { idempotencyKey: key, ...given }) {
    if (given.slug !== undefined) await requireSharedTerms(run, { blogId: given.blogId, slug: given.slug }, given);
    const answer = await run(registry.saveArticle, () => ({ ...given, published: false }), { idempotencyKey: key });
    return toWriteResult(answer.value, answer.version);
  },
});

const publication = { articleId, version: expectedVersion };

export const publishArticle = defineTool({
  name: "publish_article",
  title: "Publish an article",
  description:
    "Makes an article public at once; of a public one, its unpublished changes (the working copy). Call it only when the user has asked to publish this article or these changes, never as a step of writing or editing.",
  operations: [registry.saveArticle, registry.publishDraft],
  annotations: { ...WRITES, idempotentHint: true },
  input: z.strictObject(publication),
  output: writtenArticle,
  holdsTexts: true,
  async run({ run }, input) {
    const { articleId: id, version: given } = input;
    const copy = await run(registry.publishDraft, () => ({ articleId: id }), toIfMatch(given)).catch(nullIfMissing);
    return copy === null ? setPublished(run, input, true) : toWriteResult(copy.value, copy.version);
  },
  asks: { wish: (input) => ({ ...input, action: "publish" }), result: readWritten },
});

export const unpublishArticle = defineTool({
  name: "unpublish_article",
  title: "Unpublish an article",
  description:
    "Unpublishes an article: it becomes a draft, with its unpublished changes, and readers no longer find it. Call it only when the user has asked to unpublish this article.",
  operations: [registry.saveArticle],
  needs: "articles:write",
  annotations: { ...WRITES, idempotentHint: true },
  input: z.strictObject(publication),
  output: writtenArticle,
  holdsTexts: true,
  run: ({ run }, input) => setPublished(run, input, false),
  asks: { wish: (input) => ({ ...input, action: "unpublish" }), result: readWritten },
});

/** Returns an article as a write returns it. */
async function readWritten({ run }: Use, { articleId: idOrSlug }: { articleId: string }) {
  const { value, version } = await run(registry.getArticle, () => ({ idOrSlug }));
  return toWriteResult(article.parse(value), version);
}

async function setPublished(
  run: Use["run"],
  { articleId: _id, version: given }: { articleId: string; version?: string | undefined },
  published: boolean,
) {
  const answer = await run(registry.saveArticle, () => ({ _id, published }), toIfMatch(given));
  return toWriteResult(answer.value, answer.version);
}

export const deleteArticle = defineTool({
  name: "delete_article",
  title: "Delete an article",
  description:
    "Deletes an article, published or not. A person can restore it from the trash for 30 days, in the console or by REST; you cannot. Call it only when the user has asked to delete this article; pass the `version` from get_article. Its translations stay.",
  operations: [registry.deleteArticle],
  annotations: { ...WRITES, idempotentHint: true },
  input: z.strictObject(publication),
  output: registry.deleteArticle.output,
  async run({ run }, { articleId: id, version: given }) {
    return (await run(registry.deleteArticle, () => ({ articleId: id }), toIfMatch(given))).value;
  },
  asks: {
    wish: (input) => ({ ...input, action: "delete" }),
    result: async (_, { articleId: _id }) => ({ _id }),
  },
});

// An agent plans by itself; start_generation takes an outline, too.
const {
  published: _,
  coverImage: __,
  inlineImages: ___,
  outline: ____,
  ...asked
} = registry.generateArticle.input.shape;

export const generateArticle = defineTool({
  name: "generate_article",
  title: "Generate a draft",
  description:
    "Has the service's model write a text-only article for search engines, as a draft: about a `topic`, from a topic idea (`topicId`), or from an article (`articleId`), translated with another `locale`, else rewritten; exactly one of the three. It costs money: do not call it twice for one article. Returns the draft without content, and its checks.",
  operations: [registry.generateArticle],
  annotations: { ...WRITES, openWorldHint: true },
  input: z.strictObject({ ...asked, idempotencyKey }),
  output: z.object({
    article: writtenArticle,
    metadata: registry.generateArticle.output.shape.metadata.pick({
      wordCount: true,
      keywords: true,
      outline: true,
      topic: true,
      topicId: true,
      sourceArticleId: true,
      checks: true,
      degradations: true,
    }),
  }),
  holdsTexts: true,
  ignores: ["published", "coverImage", "inlineImages", "outline"],
  async run({ run, follow }, { idempotencyKey: key, ...order }) {
    const input = { ...order, published: false, coverImage: false, inlineImages: false };
    const answer = await run(registry.generateArticle, () => input, { ...follow, idempotencyKey: key });
    return { article: toWriteResult(answer.value.article, answer.version), metadata: answer.value.metadata };
  },
});

export const startGeneration = defineTool({
  name: "start_generation",
  title: "Start a draft",
  description: "As generate_article, without waiting: the `_id` is for get_generation.",
  operations: [registry.startGeneration],
  annotations: { ...WRITES, openWorldHint: true },
  // Not the fields themselves: the list of tools is long enough. The operation checks them.
  input: z.strictObject({ order: z.looseObject({}).meta({ description: "Arguments of generate_article." }) }),
  output: registry.startGeneration.output.pick({ _id: true, state: true }),
  async run({ run }, { order: { idempotencyKey: key, ...order } }) {
    const input = { ...order, published: false, coverImage: false, inlineImages: false };
    const given = validate(z.object({ idempotencyKey }), { idempotencyKey: key });
    return (await run(registry.startGeneration, () => input, given)).value;
  },
});

export const getGeneration = defineTool({
  name: "get_generation",
  title: "Get a generation",
  description: "How far it is; its `articleId` once `stored`.",
  operations: [registry.getGeneration],
  annotations: READS,
  input: z.strictObject({ generationId: z.string() }),
  output: registry.getGeneration.output.pick({ _id: true, state: true, code: true, progress: true, articleId: true }),
  async run({ run }, input) {
    return (await run(registry.getGeneration, () => input)).value;
  },
});

export const createPreviewLink = defineTool({
  name: "create_preview_link",
  title: "Create a preview link",
  description:
    "Creates a link that shows an article, even a draft, to anybody who has the link, without an account, until it expires. Call it only when the user has asked to share this article. The `url` is shown once. People revoke it in the console.",
  operations: [registry.createPreview],
  annotations: WRITES,
  input: registry.createPreview.input,
  output: registry.createPreview.output.pick({ _id: true, articleId: true, url: true, expirationTime: true }),
  async run({ run }, input) {
    return (await run(registry.createPreview, () => input)).value;
  },
});
