/** The models as the rest of the service sees them; adapters implement this. */
import type * as z from "zod";

/** Tokens that were paid for, as the provider counts them. */
export type Usage = { readonly inputTokens: number; readonly outputTokens: number };

export type ObjectRequest<T> = {
  /** What the object is, for providers that want a name: letters, digits and underscores. */
  readonly name: string;
  readonly schema: z.ZodType<T>;
  /** Instructions. They contain only the service's own words. */
  readonly system: string;
  readonly prompt: string;
  readonly signal: AbortSignal;
  /** Called with what each attempt has cost, including those whose answer is not usable. */
  readonly spent?: ((usage: Usage) => void) | undefined;
};

export type ObjectAnswer<T> = {
  readonly value: T;
  /** How often the model had to be asked again, 0 to 2. */
  readonly repairs: number;
};

/** A text model. What goes wrong is a `DomainError` with a code that begins with `ai_`. */
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

/** An image model; fails as a text model does. */
export type ImageModel = {
  readonly provider: string;
  readonly model: string;
  image(request: ImageRequest): Promise<Image>;
};

/** What a deployment has been given: no text model, no generation. */
export type Models = { readonly text: TextModel | null; readonly image: ImageModel | null };

/** How the models are reached (docs/generation.md). */
export type AiSettings = {
  /** The base of an OpenAI-compatible API, such as `http://127.0.0.1:11434/v1`; "" for Workers AI by binding. */
  readonly baseUrl: string;
  /** "" for the default of Workers AI; an endpoint needs one. */
  readonly model: string;
  readonly apiKey: string;
  /** "" for none, which with Workers AI means its default. */
  readonly imageModel: string;
  /** How long one call of a model may take. */
  readonly timeoutMs: number;
};
