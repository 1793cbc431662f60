/** fetch for an endpoint that is not trusted: responses are bounded, and failures get their code where they occur. */
import { DomainError } from "../errors.ts";

/** Bytes of an answer on the wire: some 60,000 tokens with what each event repeats, or an image in base64. */
const MOST_BYTES = 16 * 1024 * 1024;

type Fetch = typeof globalThis.fetch;

/**
 * Makes the fetch that the SDK is given. It only posts, so that an address in an answer is never followed, and
 * neither are redirects, which would take the key elsewhere. `provider` is what errors call the endpoint.
 */
export const boundedFetch =
  (provider: string): Fetch =>
  async (input, init) => {
    if (init?.method !== "POST") throw addressRefused(provider);
    const response = await reach(provider, input, init);
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new DomainError("ai_unavailable", `${provider} answered with a redirect (${response.status}).`);
    }
    const body = response.body && bounded(provider, response.body);
    return new Response(body, { status: response.status, headers: response.headers });
  };

/** For an image that would have to be fetched: an address from an answer could lead anywhere. */
export const addressRefused = (provider: string) =>
  new DomainError(
    "ai_invalid_answer",
    `${provider} answered with an image's address. Choose a model that answers with the image itself.`,
  );

async function reach(provider: string, input: Parameters<Fetch>[0], init: RequestInit): Promise<Response> {
  try {
    return await fetch(input, { ...init, redirect: "manual" });
  } catch {
    // An abort ends up here as well; the code that aborted knows the reason.
    throw new DomainError("ai_unavailable", `${provider} could not be reached.`);
  }
}

/** A body that fails with `ai_invalid_answer` beyond the bound, and with `ai_cut_off` where its connection breaks. */
function bounded(provider: string, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  const next = async () => {
    try {
      return await reader.read();
    } catch {
      throw new DomainError("ai_cut_off", `The connection to ${provider} broke in the middle of the answer.`);
    }
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await next();
      if (done) return controller.close();
      bytes += value.byteLength;
      if (bytes > MOST_BYTES) {
        const tooLong = new DomainError("ai_invalid_answer", `The answer of ${provider} is too long.`);
        await reader.cancel(tooLong);
        throw tooLong;
      }
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
