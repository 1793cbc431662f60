/** Generations that a queue does, so that nobody has to wait. */
import * as z from "zod";
import { toActor } from "../../domain/background-actor.ts";
import { DomainError } from "../../domain/errors.ts";
import { defineOperation } from "../define.ts";
import { identifier } from "../fields.ts";
import { authorize } from "../invoke.ts";
import { generateArticle, ORDER_ERRORS, scopeOfOrder } from "./generate.ts";
import { generation } from "./generations.ts";
import { generationInput } from "./input.ts";
import { queueGeneration, showQueued } from "./queueing.ts";
import { requireModels, sumTokens } from "./spending.ts";
import { prepare, type Kept } from "./writing.ts";

export const startGeneration = defineOperation({
  name: "generations.start",
  summary: "Start a generation",
  description:
    "As POST /api/articles/generate, but in the background, in the name of the caller: see the generation for its progress and its article. It goes on after a crash with what is paid for, and stores nothing if the caller may no longer write.",
  scope: "articles:draft",
  scopeOf: scopeOfOrder,
  effect: "write",
  input: generationInput,
  output: generation,
  refuses: [...ORDER_ERRORS, "generation_limit", "ai_not_configured"],
  bodies: generateArticle.bodies ?? {},
  sample: {
    body: { blogId: "{blogId}", topic: "Six morning walks in Porto", words: 300, published: false },
    command: 'generations start --blog {blogId} --topic "Six morning walks in Porto" --words 300',
  },
  async run(context, asked) {
    const { principal, service } = context;
    const services = await context.services();
    const { order, blogId, topicId, estimate } = await prepare(context, services, asked);
    const actor = toActor(principal, service.baseUrl());
    const kept: Kept = { asked, brief: order.brief, blogId, topicId, actor };
    return queueGeneration(context, services, { kept, model: order.model, estimatedTokens: sumTokens(estimate) });
  },
});

export const resumeGeneration = defineOperation({
  name: "generations.resume",
  summary: "Resume a generation",
  description:
    "Goes on with the generation of an article that failed, in the background and in the name of the caller: it asks models only for what is missing. Possible for 7 days.",
  scope: "articles:draft",
  effect: "write",
  input: z.strictObject({ generationId: identifier("the generation") }),
  output: generation,
  refuses: ["not_found", "generation_state", "generation_limit", "ai_not_configured"],
  sample: { command: "generations resume {generationId}" },
  async run(context, { generationId }) {
    const { store, principal, service } = context;
    await requireModels(await context.services());
    const order = await store.findOrder(generationId);
    if (order === null) throw new DomainError("generation_state");
    const { asked } = JSON.parse(order) as Kept;
    authorize({ scope: asked.published ? "articles:write" : null }, principal);
    await store.resumeGeneration(generationId, toActor(principal, service.baseUrl()));
    return showQueued(context, generationId);
  },
});
