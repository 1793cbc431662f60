import * as z from "zod";
import { article } from "../article-members.ts";
import { defineOperation } from "../define.ts";
import { generationInput as input } from "./input.ts";
import { metadata } from "./metadata.ts";
import { MODEL_ERRORS, trackGeneration } from "./spending.ts";
import { prepare, write, type Kept } from "./writing.ts";

const output = z.object({ article, metadata }).meta({ id: "GeneratedArticle" });

/** Why an article cannot be generated, before a model is asked. */
export const ORDER_ERRORS = [
  "blog_required",
  "blog_forbidden",
  "not_found",
  "slug_taken",
  "topic_used",
  "quota_exceeded",
  "event_limit",
] as const;

/** Which scope an article needs in addition. */
export const scopeOfOrder = ({ published }: Readonly<Record<string, unknown>>) =>
  published === false ? null : ("articles:write" as const);

export const generateArticle = defineOperation({
  name: "articles.generate",
  summary: "Generate an article with AI",
  description:
    "From one of `topic`, `topicId` and `articleId`. It takes seconds to minutes. With `Accept: text/event-stream` it reports each step (`step`), and ends with `result` or `error`. The article is stored, and article.created fired, only when it is complete; if the generation fails or the caller disconnects, no article is stored. A repeated call with the same Idempotency-Key goes on with what is paid for; the first step of a stream names the key, also without one.",
  scope: "articles:draft",
  scopeOf: scopeOfOrder,
  effect: "write",
  lengthy: true,
  input,
  output,
  refuses: [...ORDER_ERRORS, "generation_state", ...MODEL_ERRORS],
  hasEtag: true,
  bodies: {
    topic: {
      summary: "About a topic",
      value: { topic: "Six morning walks in Porto", keywords: ["porto walks"], words: 600, published: false },
    },
    idea: { summary: "From a topic idea", value: { topicId: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d" } },
    translation: {
      summary: "Translate an article",
      value: { articleId: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d", locale: "de" },
    },
  },
  audit: "generated * with AI",
  sample: {
    body: { blogId: "{blogId}", topic: "Six morning walks in Porto", words: 300, published: false },
    command: 'articles generate --blog {blogId} --topic "Six morning walks in Porto" --words 300',
  },
  makesKey: true,
  async run(context, asked) {
    const services = await context.services();
    const { order, blogId, topicId, estimate } = await prepare(context, services, asked);
    const kept: Kept = { asked, brief: order.brief, blogId, topicId };
    return trackGeneration(context, services, { blogId, model: order.model, estimate, order: kept }, (entry) => {
      const former = entry.kept?.order as Kept | undefined;
      return write(context, { ...order, ...(former ?? kept), entry, services });
    });
  },
});
