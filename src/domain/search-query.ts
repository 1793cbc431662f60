/** What somebody searches for, and where it occurs in a text. */
import { mayGrow, openWords, type Word, type WordReader } from "./search-text.ts";

/** Words that have to follow each other. */
export type Phrase = {
  readonly words: readonly string[];
  /** It is one word, which may be the beginning of a longer one. */
  readonly open: boolean;
};

/** Letters from which a word may be the beginning of a longer one. */
const LEAST_OPEN = 2;

/**
 * Reads a query: words that all have to be there, and "exact phrases", each once. Words that are written as one, such
 * as `wi-fi` or 東京, have to follow each other; the last word, where it stands alone, may be the beginning of one.
 * Nothing else means anything. Empty where there is no word in it.
 */
export function phrasesOf(query: string): Phrase[] {
  const phrases = new Map<string, Phrase>();
  const wordsOf = openWords(Infinity);
  for (const { 0: whole, 1: quoted, index } of query.matchAll(/"([^"]*)"?|[^\s"]+/g)) {
    const found = Array.from(wordsOf(quoted ?? whole), ({ word }) => word);
    const last = found.at(-1);
    if (last === undefined) continue;
    const ends = quoted === undefined && index + whole.length === query.trimEnd().length;
    const open = ends && found.length === 1 && last.length >= LEAST_OPEN && mayGrow(last);
    phrases.set(`${found.join(" ")}${open ? "*" : ""}`, { words: found, open });
  }
  return [...phrases.values()];
}

export type Place = { readonly start: number; readonly end: number };

/** Where the phrases occur in a text, in its order and without overlaps. Reads no further than it is asked. */
export function* findPhrases(text: string, phrases: readonly Phrase[], wordsOf: WordReader): Generator<Place> {
  let found: Place | undefined;
  for (const place of placesOf(wordsOf(text), phrases)) {
    if (found === undefined) found = place;
    // Several words may come of one character.
    else if (place.start < found.end) found = { start: found.start, end: Math.max(found.end, place.end) };
    else {
      yield found;
      found = place;
    }
  }
  if (found !== undefined) yield found;
}

function* placesOf(source: Iterator<Word>, phrases: readonly Phrase[]): Generator<Place> {
  const longest = Math.max(0, ...phrases.map(({ words }) => words.length));
  const words: Word[] = [];
  for (;;) {
    while (words.length < longest) {
      const { value, done } = source.next();
      if (done === true) break;
      words.push(value);
    }
    if (words.length === 0) return;
    const length = Math.max(0, ...phrases.map((phrase) => (standsAt(words, phrase) ? phrase.words.length : 0)));
    const [first, last] = [words[0], words[length - 1]];
    if (first && last) yield { start: first.start, end: last.end };
    words.splice(0, Math.max(length, 1));
  }
}

/** Whether the words begin with a phrase. */
const standsAt = (words: readonly Word[], { words: asked, open }: Phrase): boolean =>
  asked.every((word, offset) => {
    const there = words[offset]?.word;
    return there === word || (open && offset === asked.length - 1 && there?.startsWith(word) === true);
  });
