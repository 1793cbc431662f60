import { findPhrases, type Phrase, type Place } from "./search-query.ts";
import type { WordReader } from "./search-text.ts";
import { splitsCharacter } from "../lib/text.ts";

/** Approximate characters of a passage, and how many of them are before the first match. */
const LENGTH = 240;
const LEAD = 60;

/**
 * Returns the passage around the first match, from the first text with a match, on one line, with `**` around matches
 * and `…` where text is left out. Without a match, or if `readWords` has reached its limit, returns the beginning of the
 * first text that is not empty.
 */
export function makeSnippet(texts: readonly string[], phrases: readonly Phrase[], readWords: WordReader): string {
  for (const text of texts) {
    const found = findPhrases(text, phrases, readWords);
    const { value: first, done } = found.next();
    if (done !== true) return makePassage(text, first, found);
  }
  return makePassage(texts.find((text) => text.trim() !== "") ?? "", NOWHERE, []);
}

/** An empty match, which is not marked. */
const NOWHERE: Place = { start: 0, end: 0 };

function makePassage(text: string, first: Place, others: Iterable<Place>): string {
  const from = Math.max(0, first.start - LEAD);
  const start = from === 0 ? 0 : findStart(text, from, first.start);
  const end = start + LENGTH >= text.length ? text.length : findEnd(text, start + LENGTH);
  let marked = "";
  let done = start;
  for (const match of chain(first, others)) {
    if (match.end > end) break;
    if (match.end === match.start) continue;
    marked += `${removeAsterisks(text.slice(done, match.start))}**${removeAsterisks(text.slice(match.start, match.end))}**`;
    done = match.end;
  }
  marked += removeAsterisks(text.slice(done, end));
  const whole = marked.replaceAll(/\s+/g, " ").trim();
  return `${start > 0 ? "… " : ""}${whole}${end < text.length ? " …" : ""}`;
}

function* chain(first: Place, others: Iterable<Place>): Generator<Place> {
  yield first;
  yield* others;
}

/** So that every `**` in a passage marks a match. */
const removeAsterisks = (text: string): string => text.replaceAll("*", "");

/** Starts after the first space between `from` and the match, or at `from` without splitting a character. */
function findStart(text: string, from: number, match: number): number {
  const space = text.slice(from, match).search(/\s/);
  if (space !== -1) return from + space + 1;
  return splitsCharacter(text, from) ? from + 1 : from;
}

/** Ends before the last space in the `LEAD` characters before `to`, or at `to`. */
function findEnd(text: string, to: number): number {
  const space = text.slice(to - LEAD, to).search(/\s\S*$/);
  if (space !== -1) return to - LEAD + space;
  return splitsCharacter(text, to) ? to - 1 : to;
}
