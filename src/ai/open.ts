/** Opens the models of a deployment. */
import { isWebUrl } from "../lib/web-url.ts";
import type { AiSettings, Models } from "./model.ts";

/**
 * The models that the settings name: those of an OpenAI-compatible endpoint, else those of the Workers AI binding,
 * else none. Evaluates the SDK where there is something to open, so call it where a model is about to be used.
 */
export async function openModels(settings: AiSettings, binding: Ai | undefined): Promise<Models> {
  if (!hasTextModel(settings, binding)) return NONE;
  if (settings.baseUrl === "" && binding !== undefined) {
    const { workersAiModels } = await import("./workers-ai.ts");
    return workersAiModels(settings, binding);
  }
  const { endpointModels } = await import("./openai-compatible.ts");
  return endpointModels(settings);
}

/** Whether there is a model for text. An endpoint without an http(s) URL or a model's name counts as none. */
export function hasTextModel({ baseUrl, model }: AiSettings, binding: Ai | undefined): boolean {
  return baseUrl === "" ? binding !== undefined : model !== "" && isWebUrl(baseUrl);
}

const NONE: Models = { text: null, image: null };
