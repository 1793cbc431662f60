import { LIMITS } from "../../domain/limits.ts";
import { plainLine } from "../../lib/plain-line.ts";

/** Returns the keywords in order, without markup and duplicates, at most LIMITS.keywords. */
export function keywordsOf(texts: readonly string[]): string[] {
  const keywords = new Map<string, string>();
  for (const text of texts.map(plainLine)) {
    const key = text.toLowerCase();
    if (text !== "" && !keywords.has(key)) keywords.set(key, text);
  }
  return [...keywords.values()].slice(0, LIMITS.keywords);
}
