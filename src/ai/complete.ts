/** Text models of an endpoint, whatever its API is: asks them, and reads the stream of the answer. */
import { InvalidResponseDataError, type LanguageModel, streamText } from "ai";
import { DomainError } from "../domain/errors.ts";
import { makeBoundedFetch } from "./bounded-fetch.ts";
import type { Provider } from "./failures.ts";
import type { AiSettings, TextModel, Usage } from "./model.ts";
import { type Completion, type Format, makeTextModel, type Question } from "./object.ts";
import { countTokens } from "./generation/tokens.ts";
import { makeOutput, toUsage } from "./output.ts";

/** What the events of an answer have told so far. */
export type Heard = { usage: Usage | undefined; refusal: string; text: string | undefined };

export type Api = {
  /** The formats of structured answers that the API has, best first. */
  readonly formats: readonly Format[];
  /** Returns the model for a question. Its requests go through `post`. */
  readonly model: (settings: AiSettings, question: Question, post: typeof fetch) => LanguageModel;
  /** Notes what an event says about tokens, and the words of a refusal. `event` is as the provider has sent it. */
  readonly hear: (event: unknown, heard: Heard) => void;
  readonly options?: Pick<Parameters<typeof streamText>[0], "maxOutputTokens" | "providerOptions">;
};

/** The endpoint as messages and metadata name it. */
export const toProvider = ({ baseUrl, apiKey }: AiSettings, model: string): Provider => ({
  name: new URL(baseUrl).hostname,
  model,
  apiKey,
});

export function openTextModel(settings: AiSettings, api: Api): TextModel {
  const provider = toProvider(settings, settings.model);
  const post = makeBoundedFetch(provider.name);
  return makeTextModel({
    provider,
    formats: api.formats,
    key: `${settings.api} ${settings.baseUrl} ${settings.model}`,
    timeoutMs: settings.timeoutMs,
    complete: async (question) => {
      const heard: Heard = { usage: undefined, refusal: "", text: undefined };
      try {
        return await complete(api.model(settings, question, post), { question, provider, api, heard });
      } catch (error) {
        // The answer has broken off: it may have to be paid, also where the provider has counted none or a part of it.
        if (heard.usage !== undefined || heard.text !== undefined) question.lost?.(countLost(question, heard));
        throw error;
      }
    },
  });
}

/** Returns the tokens of an answer that has broken off. */
function countLost({ system, prompt }: Question, { usage, text = "" }: Heard): Usage {
  const counted = toUsage(usage ?? NO_USAGE);
  const asked = counted.inputTokens > 0 ? "" : system + prompt;
  return { ...counted, uncountedTokens: Math.max(0, countTokens(asked + text) - counted.outputTokens) };
}

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

/** The most characters of an answer: more than an article may have. */
const MOST_ANSWER = 1024 * 1024;

type Asked = { readonly question: Question; readonly provider: Provider; readonly api: Api; readonly heard: Heard };

/**
 * Sends one request and returns the whole answer. Always streams: proxies close connections without traffic, and an abort
 * reaches the provider at once.
 */
async function complete(
  model: LanguageModel,
  { question, provider: { name }, api, heard }: Asked,
): Promise<Completion> {
  const { stream } = streamText({
    model,
    instructions: question.system,
    prompt: question.prompt,
    output: makeOutput(question),
    abortSignal: question.signal,
    maxRetries: 0,
    include: { rawChunks: true },
    // The loop below handles errors. Without this, the SDK would log them with their requests.
    onError: () => undefined,
    ...api.options,
  });
  let text = "";
  let begun = false;
  for await (const part of stream) {
    if (part.type === "raw") api.hear(part.rawValue, heard);
    if (part.type === "text-start" || part.type === "reasoning-start") {
      begun = true;
      heard.text ??= "";
      question.accepted();
    }
    if (part.type === "text-delta") heard.text = text += part.text;
    if (text.length > MOST_ANSWER) throw new DomainError("ai_invalid_answer", `The answer from ${name} is too long.`);
    if (part.type === "text-delta") await question.heard?.(text);
    // A stream that ends before any text is not a cut-off answer, but no completion at all.
    if (part.type === "error" && !begun && InvalidResponseDataError.isInstance(part.error)) break;
    if (part.type === "error") throw part.error;
    if (part.type !== "finish-step") continue;
    const { finishReason } = part;
    if (finishReason === "interrupted" && begun) throw new InvalidResponseDataError({ data: undefined });
    if (finishReason === "interrupted" || finishReason === "error") break;
    return { text, finishReason, refusal: heard.refusal, usage: toUsage(heard.usage ?? NO_USAGE) };
  }
  throw new DomainError("ai_unavailable", `${name} answered with something that is not a completion.`);
}
