/** What comes before an article: an outline to approve, and an estimate of what it takes. Nothing but the cost is stored. */
import * as z from "zod";
import { DomainError, invalidField } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { defineOperation } from "../define.ts";
import { ceilingShare } from "../usage.ts";
import { ORDER_ERRORS, scopeOfOrder } from "./generate.ts";
import { generationInput, outline } from "./input.ts";
import { makeSignal, MODEL_ERRORS, toDollars, trackGeneration } from "./spending.ts";
import { prepare } from "./writing.ts";

const used = {
  inputTokens: z.int().meta({ description: "As counted by the provider, including repairs.", example: 640 }),
  outputTokens: z.int().meta({ example: 310 }),
  cost: z.number().nullable().meta({
    description: "US dollars; null if the service has no price for the model.",
    example: null,
  }),
};

const wishes = generationInput.omit({
  outline: true,
  slug: true,
  published: true,
  coverImage: true,
  inlineImages: true,
});

export const outlineArticle = defineOperation({
  name: "articles.outline",
  summary: "Get an AI outline of an article",
  description:
    "Plans the article that POST /api/articles/generate would write: change the `outline` as you like, and send it there. Nothing is stored. It counts as a generation.",
  scope: "articles:draft",
  effect: "write",
  lengthy: true,
  input: wishes.meta({ id: "OutlineInput" }),
  output: z
    .object({
      outline,
      provider: z.string().meta({ example: "api.example.com" }),
      model: z.string().meta({ example: "llama3.3" }),
      ...used,
    })
    .meta({ id: "OutlinedArticle" }),
  refuses: [...ORDER_ERRORS, ...MODEL_ERRORS],
  sample: {
    body: { blogId: "{blogId}", topic: "Six morning walks in Porto", words: 600 },
    command: 'articles outline --blog {blogId} --topic "Six morning walks in Porto" --words 600',
  },
  async run(context, asked) {
    const { store, progress } = context;
    const services = await context.services();
    const { order, blogId } = await prepare(context, services, { ...asked, ...UNILLUSTRATED }, "newest");
    const { brief, model } = order;
    if (brief.subject.kind === "translation") {
      throw invalidField("locale", "must be the article's: a translation has the outline of its article");
    }
    const { estimateOutline } = await import("../../ai/generation/estimate.ts");
    const estimate = estimateOutline(brief);
    return trackGeneration(context, services, { blogId, model, estimate }, async (entry) => {
      const write = await import("../../ai/generation/write.ts");
      const signal = makeSignal(progress.signal, LIMITS.assistTimeoutMs);
      const plan = await write.outlineArticle(brief, { text: entry.model, tell: progress.tell, signal });
      signal.throwIfAborted();
      const spent = entry.cost();
      const about = { provider: model.provider, model: model.model, ...entry.tokens, cost: toDollars(spent) };
      const value = { outline: readOutline(plan), ...about };
      await store.answerGeneration(entry.id, spent);
      return { value, uncommitted: true };
    });
  },
});

/** Throws `ai_invalid_answer` if a generation would not take the outline. */
function readOutline(plan: object): z.infer<typeof outline> {
  const { data } = outline.safeParse(plan);
  if (data === undefined) throw new DomainError("ai_invalid_answer");
  return data;
}

const UNILLUSTRATED = { published: false, coverImage: false, inlineImages: false };

export const estimateGeneration = defineOperation({
  name: "generations.estimate",
  summary: "Estimate a generation",
  description:
    "What POST /api/articles/generate with the same body would take, about; refused as it would be, but for the limits. No model is asked, so answers that have to be repaired are not in it. Images have no tokens.",
  scope: "articles:draft",
  scopeOf: scopeOfOrder,
  effect: "read",
  input: generationInput,
  output: z
    .object({
      calls: z.int().meta({ description: "Calls of models, images included.", example: 7 }),
      inputTokens: used.inputTokens.meta({ description: "About how many tokens are sent.", example: 4900 }),
      outputTokens: used.outputTokens.meta({ description: "About how many the model writes.", example: 1400 }),
      cost: used.cost,
      tokensToday: ceilingShare
        .nullable()
        .meta({ description: "Of the organization; null for a credential pinned to one blog." }),
    })
    .meta({ id: "GenerationEstimate" }),
  refuses: [...ORDER_ERRORS, "ai_not_configured"],
  sample: {
    body: { blogId: "{blogId}", topic: "Six morning walks in Porto", words: 600 },
    command: 'generations estimate --blog {blogId} --topic "Six morning walks in Porto" --words 600',
  },
  async run(context, asked) {
    const services = await context.services();
    const { order, estimate } = await prepare(context, services, asked, "newest");
    const cost = toDollars({ microdollars: services.asMicrodollars(order.model.model, estimate) });
    const isPinned = context.principal.pinnedBlogId !== null;
    const tokensToday = isPinned ? null : await context.store.readTokensToday();
    return { value: { ...estimate, cost, tokensToday } };
  },
});
