/** In which way an endpoint is asked for structured answers: the best one that it knows. */
import { isFormatRefused } from "./failures.ts";

/** `schema`: structured output. `json`: JSON mode, with the schema in the prompt. `prompt`: only that. */
export type Format = "schema" | "json" | "prompt";

/** What has worked, by endpoint and model, for as long as the isolate lives: a deployment has few of them. */
const known = new Map<string, Format>();

/**
 * Asks in the first of the formats that the endpoint does not refuse with a client error. The one that has worked is
 * remembered under `key` and tried first from then on.
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
