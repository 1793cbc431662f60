/** A `fetch` for endpoints that the service does not trust. It limits responses, and names what failed. */
import { DomainError } from "../domain/errors.ts";

/** The most bytes of a body: about 60,000 tokens as stream events, or an image in base64. */
const MOST_BYTES = 16 * 1024 * 1024;

type Fetch = typeof globalThis.fetch;

/** The connection broke: before the provider answered, or in the middle of its answer (`begun`). */
export class LostConnection extends DomainError {
  readonly begun: boolean;

  constructor(provider: string, begun: boolean) {
    if (begun) super("ai_cut_off", `The connection to ${provider} broke in the middle of the answer.`);
    else super("ai_unavailable", `${provider} could not be reached.`);
    this.begun = begun;
  }
}

/**
 * Returns the `fetch` that the SDK uses for one endpoint. It sends only POST requests: a GET would mean that the SDK
 * follows an address from a response. It follows no redirects, because they would send the API key to another host.
 * Throws `DomainError` with an `ai_*` code. `provider` is the endpoint's name in error messages.
 */
export const makeBoundedFetch =
  (provider: string): Fetch =>
  async (input, init) => {
    if (init?.method !== "POST") throw makeImageUrlError(provider);
    const response = await sendRequest(provider, input, init);
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new DomainError("ai_unavailable", `${provider} answered with a redirect (${response.status}).`);
    }
    const body = response.body && limitBody(provider, response.body);
    return new Response(body, { status: response.status, headers: response.headers });
  };

/** Returns the error for an image that came as a URL. The service does not fetch it: it could lead anywhere. */
export const makeImageUrlError = (provider: string) =>
  new DomainError(
    "ai_invalid_answer",
    `${provider} answered with the URL of an image. Choose a model that returns the image itself.`,
  );

/** Throws `ai_unavailable` if there is no response. */
async function sendRequest(provider: string, input: Parameters<Fetch>[0], init: RequestInit): Promise<Response> {
  try {
    return await fetch(input, { ...init, redirect: "manual" });
  } catch {
    // An aborted request fails here, too. `withDeadline` already rejects with the reason of the abort.
    throw new LostConnection(provider, false);
  }
}

/** Copies the stream. Fails with `ai_invalid_answer` after `MOST_BYTES` bytes, and with `ai_cut_off` if it breaks. */
function limitBody(provider: string, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  const next = async () => {
    try {
      return await reader.read();
    } catch {
      throw new LostConnection(provider, true);
    }
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await next();
      if (done) return controller.close();
      bytes += value.byteLength;
      if (bytes > MOST_BYTES) {
        const tooLong = new DomainError("ai_invalid_answer", `The answer from ${provider} is too long.`);
        await reader.cancel(tooLong);
        throw tooLong;
      }
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
