/** Reads a text out of an answer that a model is still writing. */
import { parsePartialJson } from "ai";

/** Milliseconds between two readings. Each reads the answer from its start. */
const INTERVAL_MS = 150;

/**
 * Returns a function that takes the answer so far, which begins with a JSON object, and passes on the text of its field
 * `content`. It reads only now and then, so that a long answer costs little.
 */
export function contentReader(wrote: (content: string) => void): (answer: string) => Promise<void> {
  let last = 0;
  return async (answer) => {
    const start = answer.indexOf("{");
    if (start < 0 || Date.now() - last < INTERVAL_MS) return;
    last = Date.now();
    const { value } = await parsePartialJson(answer.slice(start));
    const content = typeof value === "object" && value !== null ? Reflect.get(value, "content") : undefined;
    if (typeof content === "string" && content !== "") wrote(content);
  };
}
