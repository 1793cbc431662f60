/** The models of a deployment. Their modules are loaded on first use. */
import { WORKERS_AI_MODEL, type Models } from "../../ai/model.ts";
import { hasTextModel, openModels } from "../../ai/open.ts";
import type { Settings } from "../../env.ts";

export function openDeploymentModels(env: Env & { readonly AI?: Ai }, { ai }: Pick<Settings, "ai">): Promise<Models> {
  return openModels(ai, env.AI);
}

/** Returns the name of the text model, or null if there is none. Does not load the SDK. */
export function findDeploymentModelName(env: Env & { readonly AI?: Ai }, { ai }: Pick<Settings, "ai">): string | null {
  return hasDeploymentModel(env, { ai }) ? ai.model || WORKERS_AI_MODEL : null;
}

/** Returns whether there is a text model. Does not load the SDK. */
export function hasDeploymentModel(env: Env & { readonly AI?: Ai }, { ai }: Pick<Settings, "ai">): boolean {
  return hasTextModel(ai, env.AI);
}
