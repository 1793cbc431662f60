/** Gives a generation to the queue, so that nobody has to wait for it. */
import type { TextModel } from "../../ai/model.ts";
import type { OrganizationContext, Services } from "../define.ts";
import { toGeneration } from "./generations.ts";
import type { Kept } from "./writing.ts";

type Queued = { readonly kept: Kept; readonly model: TextModel; readonly estimatedTokens: number };

/** Records that a generation begins, and gives it to the queue. Returns it. Throws `generation_limit`. */
export async function queueGeneration(
  context: OrganizationContext,
  { quota }: Services,
  { kept, model: { provider, model }, estimatedTokens }: Queued,
) {
  const order = { blogId: kept.blogId, provider, model, estimatedTokens, order: kept, isQueued: true };
  return showQueued(context, (await context.store.beginGeneration(order, quota)).id);
}

/** Sends a generation that has begun, or goes on, to the queue. Returns it. */
export async function showQueued({ store, principal, later }: OrganizationContext, id: string) {
  later("generation", { generationId: id, organizationId: principal.organizationId });
  const { generation: found } = await store.findGeneration(id);
  return { value: toGeneration(found), uncommitted: true as const };
}
