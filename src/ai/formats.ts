/** Chooses the format in which an endpoint is asked for structured answers: the best one that it supports. */
import { isFormatRefused } from "./failures.ts";

/** `schema`: structured output. `json`: JSON mode, with the schema in the prompt. `prompt`: only the prompt has it. */
export type Format = "schema" | "json" | "prompt";

/** The format that worked last, by endpoint and model. Lives as long as the isolate. A deployment has few entries. */
const known = new Map<string, Format>();

/**
 * Calls `ask` with one format after another until the endpoint accepts one, and returns the answer. Stores the accepted
 * format under `key`; the next call with this key starts with it. Throws the error of `ask` if it does not concern the
 * format, or if no format is left.
 */
export async function inKnownFormat<T>(
  key: string,
  formats: readonly Format[],
  ask: (format: Format) => Promise<T>,
): Promise<T> {
  const first = known.get(key);
  const left = first === undefined ? [...formats] : formats.slice(formats.indexOf(first));
  for (;;) {
    const format = left.shift();
    if (format === undefined) throw new TypeError("there is no format to ask in");
    try {
      const answer = await ask(format);
      known.set(key, format);
      return answer;
    } catch (error) {
      if (left.length === 0 || !isFormatRefused(error)) throw error;
    }
  }
}
