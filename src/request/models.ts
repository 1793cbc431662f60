/** Opens the models of a deployment. Their modules are loaded on first use. */
import type { Models } from "../ai/model.ts";
import type { Settings } from "../env.ts";

/** Returns the models of a deployment. */
export async function openModelsOf(env: Env & { readonly AI?: Ai }, { ai }: Pick<Settings, "ai">): Promise<Models> {
  return (await import("../ai/open.ts")).openModels(ai, env.AI);
}

/** Returns whether a deployment has a text model. Does not load the SDK. */
export async function hasModelOf(env: Env & { readonly AI?: Ai }, { ai }: Pick<Settings, "ai">): Promise<boolean> {
  return (await import("../ai/open.ts")).hasTextModel(ai, env.AI);
}
