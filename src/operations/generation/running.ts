import * as z from "zod";
import { defineOperation } from "../define.ts";
import { authorize } from "../invoke.ts";
import { generateArticle } from "./generate.ts";
import { requireModels, trackGeneration } from "./spending.ts";
import { propose } from "./proposing.ts";
import { write, type Kept } from "./writing.ts";

/** Runs a generation that the queue has given to this invocation. Only for the background. */
export const runGeneration = defineOperation({
  name: "articles.generate",
  summary: "Go on with a generation",
  scope: "articles:draft",
  effect: "write",
  lengthy: true,
  input: z.strictObject({ generationId: z.string(), turn: z.string() }),
  output: generateArticle.output,
  async run(context, { generationId: id, turn }) {
    const services = await context.services();
    const taken = await context.store.findTurn({ id, turn });
    const { text: model, image } = await requireModels(services);
    const kept = taken.kept.order as Kept;
    authorize({ scope: kept.asked.published ? "articles:write" : null }, context.principal);
    return trackGeneration(context, services, { blogId: kept.blogId, model, taken }, (entry) =>
      kept.proposal === undefined
        ? write(context, { ...kept, model, image, started: Date.now(), entry, services })
        : propose(context, { ...kept, proposal: kept.proposal, model, image, started: Date.now(), entry }),
    );
  },
});
