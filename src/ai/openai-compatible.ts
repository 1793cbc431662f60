/** Models behind an OpenAI-compatible endpoint: OpenAI, Ollama, vLLM and many others. */
import {
  createOpenAICompatible,
  type OpenAICompatibleProvider,
  type MetadataExtractor,
} from "@ai-sdk/openai-compatible";
import { generateImage, InvalidResponseDataError, streamText, type ProviderMetadata } from "ai";
import { DomainError } from "../domain/errors.ts";
import { makeBoundedFetch } from "./bounded-fetch.ts";
import type { Provider } from "./failures.ts";
import { makeImageModel } from "./image.ts";
import type { AiSettings, ImageModel, Models, TextModel } from "./model.ts";
import { type Completion, type Question, makeTextModel } from "./object.ts";
import { makeOutput, toUsage } from "./output.ts";
import * as z from "zod";

/** Returns the models of the endpoint. `image` is null if the settings name no image model. */
export function openEndpointModels(settings: AiSettings): Models {
  return { text: openTextModel(settings), image: settings.imageModel === "" ? null : imageModel(settings) };
}

const toProvider = ({ baseUrl, apiKey }: AiSettings, model: string): Provider => ({
  name: new URL(baseUrl).hostname,
  model,
  apiKey,
});

function openTextModel(settings: AiSettings): TextModel {
  const provider = toProvider(settings, settings.model);
  return makeTextModel({
    provider,
    formats: ["schema", "json", "prompt"],
    key: `${settings.baseUrl} ${settings.model}`,
    timeoutMs: settings.timeoutMs,
    complete: (question) => {
      // An endpoint that does not support JSON mode may be too old to accept `stream_options`.
      const [supportsStructuredOutputs, includeUsage] = [question.format === "schema", question.format !== "prompt"];
      const endpoint = makeEndpoint(settings, provider, { supportsStructuredOutputs, includeUsage });
      return complete(endpoint.chatModel(provider.model), question, provider);
    },
  });
}

type EndpointSettings = Partial<Parameters<typeof createOpenAICompatible>[0]>;

const makeEndpoint = (
  { baseUrl, apiKey }: AiSettings,
  { name }: Provider,
  more: EndpointSettings,
): OpenAICompatibleProvider =>
  createOpenAICompatible({
    name: "endpoint",
    baseURL: baseUrl,
    apiKey,
    fetch: makeBoundedFetch(name),
    metadataExtractor: refusals,
    ...more,
  });

/** The most characters of an answer: more than an article may have. */
const MOST_ANSWER = 1024 * 1024;

type ChatModel = ReturnType<OpenAICompatibleProvider["chatModel"]>;

/**
 * Sends one request and returns the whole answer. Always streams: proxies close connections without traffic, and an abort
 * reaches the provider at once.
 */
async function complete(model: ChatModel, question: Question, { name }: Provider): Promise<Completion> {
  const { stream } = streamText({
    model,
    instructions: question.system,
    prompt: question.prompt,
    output: makeOutput(question),
    abortSignal: question.signal,
    maxRetries: 0,
    // The loop below handles errors. Without this, the SDK would log them with their requests.
    onError: () => undefined,
  });
  let text = "";
  let begun = false;
  for await (const part of stream) {
    if (part.type === "text-start" || part.type === "reasoning-start") begun = true;
    if (part.type === "text-delta") text += part.text;
    if (text.length > MOST_ANSWER) throw new DomainError("ai_invalid_answer", `The answer from ${name} is too long.`);
    if (part.type === "text-delta") await question.heard?.(text);
    // A stream that ends before any text is not a cut-off answer, but no completion at all.
    if (part.type === "error" && !begun && InvalidResponseDataError.isInstance(part.error)) break;
    if (part.type === "error") throw part.error;
    if (part.type === "finish-step") {
      const { finishReason, usage, providerMetadata } = part;
      return { text, finishReason, refusal: getRefusal(providerMetadata), usage: toUsage(usage) };
    }
  }
  throw new DomainError("ai_unavailable", `${name} answered with something that is not a completion.`);
}

function imageModel(settings: AiSettings): ImageModel {
  const provider = toProvider(settings, settings.imageModel);
  const endpoint = makeEndpoint(settings, provider, { fetch: retryWithoutFormat(makeBoundedFetch(provider.name)) });
  const model = endpoint.imageModel(provider.model);
  return makeImageModel({
    provider,
    timeoutMs: settings.timeoutMs,
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

const chunkSchema = z.object({ choices: z.tuple([z.object({ delta: z.object({ refusal: z.string() }) })]) });

/** Collects the text of a refusal in the metadata of the answer. */
const refusals: MetadataExtractor = {
  // Never called: all requests stream.
  extractMetadata: async () => undefined,
  createStreamExtractor: () => {
    let refusal = "";
    return {
      processChunk: (chunk) => {
        const read = chunkSchema.safeParse(chunk);
        if (read.success) refusal += read.data.choices[0].delta.refusal;
      },
      buildMetadata: () => ({ refusals: { refusal } }),
    };
  },
};

function getRefusal(metadata: ProviderMetadata | undefined): string {
  const refusal = metadata?.["refusals"]?.["refusal"];
  return typeof refusal === "string" ? refusal : "";
}
