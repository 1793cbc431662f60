import type { AiApi, Prices } from "../domain/settings.ts";
import type * as z from "zod";

/** The tokens that were paid for, as the provider counts them. */
export type Usage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** About how many more there were: the provider has not counted them, or the answer broke off before it did. */
  readonly uncountedTokens?: number;
};

export type ObjectRequest<T> = {
  /** Some providers require a name: letters, digits and underscores. */
  readonly name: string;
  readonly schema: z.ZodType<T>;
  /** Instructions. Contains only text of the service itself. */
  readonly system: string;
  readonly prompt: string;
  readonly signal: AbortSignal;
  /** Called after each attempt with its tokens, also if its answer cannot be used. */
  readonly spent?: ((usage: Usage) => void) | undefined;
  /**
   * Called now and then with the text of the field `content` so far. Begins anew after an answer that did not fit. Never
   * called for a provider that does not stream.
   */
  readonly wrote?: ((content: string) => void) | undefined;
};

export type ObjectAnswer<T> = {
  readonly value: T;
  /** How often the model was asked again because its answer did not fit, 0 to 2. */
  readonly repairs: number;
};

/** A text model. It throws `DomainError` with a code that begins with `ai_`, or the reason of the request's signal. */
export type TextModel = {
  readonly provider: string;
  readonly model: string;
  object<T>(request: ObjectRequest<T>): Promise<ObjectAnswer<T>>;
};

export type ImageRequest = { readonly prompt: string; readonly signal: AbortSignal };

export type Image = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mediaType: "image/png" | "image/jpeg" | "image/webp";
};

/** An image model. It throws the same errors as a text model. */
export type ImageModel = {
  readonly provider: string;
  readonly model: string;
  image(request: ImageRequest): Promise<Image>;
};

/** The models of a deployment. Null for a model that is not configured. */
export type Models = { readonly text: TextModel | null; readonly image: ImageModel | null };

export type AiSettings = {
  /** The API that `baseUrl` has. */
  readonly api: AiApi;
  /** The base URL of the endpoint, such as `http://127.0.0.1:11434/v1`; "" for the Workers AI binding. */
  readonly baseUrl: string;
  /** The text model; "" for the default of Workers AI. An endpoint needs a name. */
  readonly model: string;
  readonly apiKey: string;
  /** The image model; "" for none, or with Workers AI for its default. */
  readonly imageModel: string;
  readonly timeoutMs: number;
  readonly prices: Prices;
};

/** Returns what tokens cost in millionths of a US dollar; null if the model has no price. */
export function toMicrodollars(prices: Prices, model: string, { inputTokens, outputTokens }: Usage): number | null {
  const price = Object.hasOwn(prices, model) ? prices[model] : undefined;
  return price === undefined ? null : Math.round(inputTokens * price.input + outputTokens * price.output);
}

/** The largest text model that Workers AI lists for JSON Mode. Its context is 24,000 tokens. */
export const WORKERS_AI_MODEL = "@cf/meta/llama-3.3-70b-instruct-fp8-fast";
