import { LIMITS } from "../../domain/limits.ts";
import { plainLine } from "../../lib/plain-line.ts";

/** Returns the keywords in order, without markup and duplicates, at most LIMITS.keywords. */
export const toKeywords = (texts: readonly string[]): string[] => distinctLines(texts).slice(0, LIMITS.keywords);

/** Returns the texts as plain lines, without empty and equal ones, and without `present`. */
export function distinctLines(texts: readonly string[], present = ""): string[] {
  const found = new Map<string, string>();
  for (const text of texts.map(plainLine)) {
    const key = text.toLowerCase();
    if (text !== "" && key !== plainLine(present).toLowerCase() && !found.has(key)) found.set(key, text);
  }
  return [...found.values()];
}
