/** Models of the test server (model-server.ts), and what it saw. */
import { env } from "cloudflare:workers";
import * as z from "zod";
import type { AiSettings, ImageModel, TextModel } from "../../src/ai/model.ts";
import { openModels } from "../../src/ai/open.ts";
import { DomainError } from "../../src/errors.ts";
import type { Script, Seen } from "./model-server.ts";

/** The key that all requests carry; long enough to be found in whatever it must not be in. */
export const API_KEY = "sk-test-4f1e6b0c9a2d8375";

export const articleSchema = z.object({
  title: z.string().min(1).max(70),
  content: z.string().min(1),
  keywords: z.array(z.string()).min(1).max(5),
  subtitle: z.string().optional(),
});

/** Settings of an endpoint that behaves as is named. `name` is where `seenBy` finds its requests. */
export function endpoint(behaviour: string, more: Partial<AiSettings> = {}): { settings: AiSettings; name: string } {
  const name = crypto.randomUUID();
  const baseUrl = `${env.MODELS.url}/${behaviour}/${name}/v1`;
  const settings = { baseUrl, model: "test-model", apiKey: API_KEY, imageModel: "test-image-model", timeoutMs: 20_000 };
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

/** Asks for an article of the schema. */
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

/** What the server saw of a name, oldest first. */
export const seenBy = async (name: string): Promise<Seen[]> =>
  (await fetch(`${env.MODELS.url}/_seen/${name}`)).json<Seen[]>();

/** Lays answers ready, which are used up before the behaviour applies. */
export async function layReady(name: string, scripts: readonly Script[]): Promise<void> {
  await fetch(`${env.MODELS.url}/_script/${name}`, { method: "POST", body: JSON.stringify(scripts) });
}

/** The refusal that work ends with. */
export async function refusalOf(work: Promise<unknown>): Promise<DomainError> {
  const outcome: unknown = await work.then(
    () => "no refusal",
    (error: unknown) => error,
  );
  if (!(outcome instanceof DomainError)) throw new Error(`expected a refusal, got ${String(outcome)}`);
  return outcome;
}
