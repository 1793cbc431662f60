/** Images by `POST {base}/images/generations`, OpenAI's API for them. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateImage } from "ai";
import { makeBoundedFetch } from "./bounded-fetch.ts";
import { toProvider } from "./complete.ts";
import { makeImageModel } from "./image.ts";
import type { AiSettings, ImageModel } from "./model.ts";

/** Returns null if the settings name no image model. */
export function openImageModel(settings: AiSettings): ImageModel | null {
  const { baseUrl, apiKey, imageModel, timeoutMs } = settings;
  if (imageModel === "") return null;
  const provider = toProvider(settings, imageModel);
  const post = retryWithoutFormat(makeBoundedFetch(provider.name));
  const endpoint = createOpenAICompatible({ name: "endpoint", baseURL: baseUrl, apiKey, fetch: post });
  const model = endpoint.imageModel(imageModel);
  return makeImageModel({
    provider,
    timeoutMs,
    draw: (prompt, abortSignal) => generateImage({ model, prompt, abortSignal, maxRetries: 0, providerOptions }),
  });
}

/** Many endpoints would otherwise answer with an address, which is not followed. */
const providerOptions = { endpoint: { response_format: "b64_json" } };

/**
 * Repeats a request without `response_format` if the endpoint rejects this field, as OpenAI's own image models do. These
 * always return base64.
 */
const retryWithoutFormat =
  (post: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await post(input, init);
    if (response.status !== 400 || typeof init?.body !== "string") return response;
    const complaint = await response.text();
    if (!complaint.includes("response_format")) return new Response(complaint, response);
    const { response_format: _, ...rest } = JSON.parse(init.body) as Record<string, unknown>;
    return post(input, { ...init, body: JSON.stringify(rest) });
  };
