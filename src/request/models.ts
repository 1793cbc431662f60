/** The models of a deployment: loaded with the first operation that needs them. */
import type { Models } from "../ai/model.ts";
import type { Settings } from "../env.ts";

/** The models of a deployment. */
export async function openModelsOf(env: Env & { readonly AI?: Ai }, { ai }: Pick<Settings, "ai">): Promise<Models> {
  return (await import("../ai/open.ts")).openModels(ai, env.AI);
}

/** Whether a deployment has a model that writes. Evaluates nothing of the SDK. */
export async function hasModelOf(env: Env & { readonly AI?: Ai }, { ai }: Pick<Settings, "ai">): Promise<boolean> {
  return (await import("../ai/open.ts")).hasTextModel(ai, env.AI);
}
