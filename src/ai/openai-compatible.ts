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
      const seen: Seen = { usage: undefined };
      const endpoint = makeEndpoint(settings, provider, {
        supportsStructuredOutputs,
        includeUsage,
        fetch: readUnstreamed(makeBoundedFetch(provider.name)),
        metadataExtractor: makeExtractor(seen),
      });
      return countLost(question, seen, () => complete(endpoint.chatModel(provider.model), question, provider));
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
    if (part.type === "text-start" || part.type === "reasoning-start") {
      begun = true;
      question.accepted();
    }
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

/** What the chunks of an answer have told before its end. */
type Seen = { usage: z.infer<typeof usageSchema>["usage"] | undefined };

/** Runs `work`. If its answer breaks off, reports the tokens that the provider has counted so far. */
async function countLost<T>({ lost }: Question, seen: Seen, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = seen.usage ?? {};
    if (seen.usage !== undefined) lost?.(toUsage({ inputTokens, outputTokens }));
    throw error;
  }
}

/** Reads the answer of an endpoint that ignores `stream: true`, as one event of a stream. */
const readUnstreamed =
  (post: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await post(input, init);
    if (!response.ok || !/^application\/json\b/i.test(response.headers.get("Content-Type") ?? "")) return response;
    const events = `data: ${toChunk(await response.text())}\n\ndata: [DONE]\n\n`;
    return new Response(events, { headers: { "Content-Type": "text/event-stream" } });
  };

const answerSchema = z.looseObject({ choices: z.array(z.looseObject({ message: z.unknown() })) });

/** Returns a completion as a chunk, on one line. Anything else stays as it is, for the SDK to refuse. */
function toChunk(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    const { data } = answerSchema.safeParse(parsed);
    const choices = data?.choices.map(({ message: delta, ...choice }) => ({ ...choice, delta }));
    return JSON.stringify(choices === undefined ? parsed : { ...data, choices });
  } catch {
    return text.replaceAll(/\s+/g, " ");
  }
}

const chunkSchema = z.object({ choices: z.tuple([z.object({ delta: z.object({ refusal: z.string() }) })]) });
const usageSchema = z.object({
  usage: z.object({ prompt_tokens: z.number().optional(), completion_tokens: z.number().optional() }),
});

/** Collects the text of a refusal in the metadata of the answer, and the tokens that were counted so far in `seen`. */
const makeExtractor = (seen: Seen): MetadataExtractor => ({
  // Never called: all requests stream.
  extractMetadata: async () => undefined,
  createStreamExtractor: () => {
    let refusal = "";
    return {
      processChunk: (chunk) => {
        const read = chunkSchema.safeParse(chunk);
        if (read.success) refusal += read.data.choices[0].delta.refusal;
        seen.usage = usageSchema.safeParse(chunk).data?.usage ?? seen.usage;
      },
      buildMetadata: () => ({ refusals: { refusal } }),
    };
  },
});

function getRefusal(metadata: ProviderMetadata | undefined): string {
  const refusal = metadata?.["refusals"]?.["refusal"];
  return typeof refusal === "string" ? refusal : "";
}
