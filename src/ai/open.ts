import { isWebUrl } from "../lib/web-url.ts";
import type { AiSettings, Models } from "./model.ts";

/**
 * Returns the models of the configured endpoint, or else of the Workers AI binding, or else nulls.
 * Loads the AI SDK, which takes time: call it only before a model is used.
 */
export async function openModels(settings: AiSettings, binding: Ai | undefined): Promise<Models> {
  if (!hasTextModel(settings, binding)) return NONE;
  if (settings.baseUrl === "" && binding !== undefined) {
    const { openWorkersAiModels } = await import("./workers-ai.ts");
    return openWorkersAiModels(settings, binding);
  }
  switch (settings.api) {
    case "chat":
      return (await import("./openai-compatible.ts")).openChatModels(settings);
    case "responses":
      return (await import("./openai-responses.ts")).openResponsesModels(settings);
    case "anthropic":
      return (await import("./anthropic.ts")).openAnthropicModels(settings);
  }
}

/** Returns true if there is a text model. An endpoint needs an http(s) URL and the name of a model. */
export function hasTextModel({ baseUrl, model }: AiSettings, binding: Ai | undefined): boolean {
  return baseUrl === "" ? binding !== undefined : model !== "" && isWebUrl(baseUrl);
}

const NONE: Models = { text: null, image: null };
