/** Models of the test server (model-server.ts), and the requests that it got. */
import { env } from "cloudflare:workers";
import * as z from "zod";
import type { AiSettings, ImageModel, TextModel } from "../../src/ai/model.ts";
import { openModels } from "../../src/ai/open.ts";
import { DomainError } from "../../src/domain/errors.ts";
import type { Script, Seen } from "./model-server.ts";

/** The API key of all requests. It is long, so that a test can find it where it must not be. */
export const API_KEY = "sk-test-4f1e6b0c9a2d8375";

export const articleSchema = z.object({
  title: z.string().min(1).max(70),
  content: z.string().min(1),
  keywords: z.array(z.string()).min(1).max(5),
  subtitle: z.string().optional(),
});

/** Returns settings for an endpoint with this behaviour. `seenBy(name)` returns its requests. */
export function endpoint(behaviour: string, more: Partial<AiSettings> = {}): { settings: AiSettings; name: string } {
  const name = crypto.randomUUID();
  const baseUrl = `${env.MODELS.url}/${behaviour}/${name}/v1`;
  const settings: AiSettings = {
    api: "chat",
    baseUrl,
    model: "test-model",
    apiKey: API_KEY,
    imageModel: "test-image-model",
    timeoutMs: 20_000,
    prices: {},
  };
  return { settings: { ...settings, ...more }, name };
}

export async function textModelOf(settings: AiSettings): Promise<TextModel> {
  const { text } = await openModels(settings, undefined);
  if (text === null) throw new Error("no text model");
  return text;
}

export async function imageModelOf(settings: AiSettings): Promise<ImageModel> {
  const { image } = await openModels(settings, undefined);
  if (image === null) throw new Error("no image model");
  return image;
}

/** Asks for an article by `articleSchema`. Returns it with the tokens of all attempts. */
export async function articleFrom(model: TextModel, signal = new AbortController().signal) {
  const usage = { inputTokens: 0, outputTokens: 0 };
  const answer = await model.object({
    name: "article",
    schema: articleSchema,
    system: "You write articles.",
    prompt: "Write about 60 words in English.",
    signal,
    spent({ inputTokens, outputTokens }) {
      usage.inputTokens += inputTokens;
      usage.outputTokens += outputTokens;
    },
  });
  return { ...answer, usage };
}

/** Returns the requests that the server got for a name, oldest first. */
export const seenBy = async (name: string): Promise<Seen[]> =>
  (await fetch(`${env.MODELS.url}/_seen/${name}`)).json<Seen[]>();

/** Sets the first responses of the server for a name. The behaviour applies after them. */
export async function layReady(name: string, scripts: readonly Script[]): Promise<void> {
  await fetch(`${env.MODELS.url}/_script/${name}`, { method: "POST", body: JSON.stringify(scripts) });
}

/** Returns the `DomainError` with which the work fails. Throws if it does not fail, or with another error. */
export async function refusalOf(work: Promise<unknown>): Promise<DomainError> {
  const outcome: unknown = await work.then(
    () => "no refusal",
    (error: unknown) => error,
  );
  if (!(outcome instanceof DomainError)) throw new Error(`expected a refusal, got ${String(outcome)}`);
  return outcome;
}
