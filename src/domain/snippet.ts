/** Cuts the passage out of a text that shows why a search found it. */
import { findPhrases, type Phrase, type Place } from "./search-query.ts";
import type { WordReader } from "./search-text.ts";
import { splitsCharacter } from "../lib/text.ts";

/** Approximate characters of a passage, and how many of them stand before the first match. */
const LENGTH = 240;
const LEAD = 60;

/**
 * Returns the passage around the first match, from the first text that has a match. The passage is one line, with each
 * match between `**` and `…` where text is left out. If there is no match, or `wordsOf` has used up its words, it
 * returns the beginning of the first text that is not empty.
 */
export function snippetOf(texts: readonly string[], phrases: readonly Phrase[], wordsOf: WordReader): string {
  for (const text of texts) {
    const found = findPhrases(text, phrases, wordsOf);
    const { value: first, done } = found.next();
    if (done !== true) return passage(text, first, found);
  }
  return passage(texts.find((text) => text.trim() !== "") ?? "", NOWHERE, []);
}

/** A match of no characters, for passages without a match. It is not marked with `**`. */
const NOWHERE: Place = { start: 0, end: 0 };

function passage(text: string, first: Place, others: Iterable<Place>): string {
  const from = Math.max(0, first.start - LEAD);
  const start = from === 0 ? 0 : wordStart(text, from, first.start);
  const end = start + LENGTH >= text.length ? text.length : wordEnd(text, start + LENGTH);
  let marked = "";
  let done = start;
  for (const match of chain(first, others)) {
    if (match.end > end) break;
    if (match.end === match.start) continue;
    marked += `${clean(text.slice(done, match.start))}**${clean(text.slice(match.start, match.end))}**`;
    done = match.end;
  }
  marked += clean(text.slice(done, end));
  const whole = marked.replaceAll(/\s+/g, " ").trim();
  return `${start > 0 ? "… " : ""}${whole}${end < text.length ? " …" : ""}`;
}

function* chain(first: Place, others: Iterable<Place>): Generator<Place> {
  yield first;
  yield* others;
}

/** Removes asterisks from the text, so that every `**` in a passage marks a match. */
const clean = (text: string): string => text.replaceAll("*", "");

/**
 * Returns where a passage starts: after the first space between `from` and the match. If there is none, it returns
 * `from`, moved by one if it would split a surrogate pair.
 */
function wordStart(text: string, from: number, match: number): number {
  const space = text.slice(from, match).search(/\s/);
  if (space !== -1) return from + space + 1;
  return splitsCharacter(text, from) ? from + 1 : from;
}

/** Returns where a passage ends: before the last space in the last `LEAD` characters before `to`, otherwise at `to`. */
function wordEnd(text: string, to: number): number {
  const space = text.slice(to - LEAD, to).search(/\s\S*$/);
  if (space !== -1) return to - LEAD + space;
  return splitsCharacter(text, to) ? to - 1 : to;
}
