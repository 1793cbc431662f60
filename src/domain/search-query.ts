import { canBePrefix, makeWordReader, type Word, type WordReader } from "./search-text.ts";

/** Words that must follow each other in a text. */
export type Phrase = {
  readonly words: readonly string[];
  /** A single word that also matches longer words that begin with it. */
  readonly open: boolean;
};

/**
 * Prefixes have at least two characters, or one Korean syllable: Korean nouns are often one syllable, and particles
 * follow without a space.
 */
const OPEN = /^(?:\p{Script=Hangul}|.{2})/su;

/**
 * Returns the different phrases of a query: single words and "exact phrases". A text must have all of them. Words that
 * are written as one, such as `wi-fi` or 東京, form a phrase. The last word is open (a prefix) unless it is quoted or
 * part of a phrase. Returns [] if the query has no word.
 */
export function parsePhrases(query: string): Phrase[] {
  const phrases = new Map<string, Phrase>();
  const readWords = makeWordReader(Infinity);
  for (const { 0: whole, 1: quoted, index } of query.matchAll(/"([^"]*)"?|[^\s"]+/g)) {
    const found = Array.from(readWords(quoted ?? whole), ({ word }) => word);
    const last = found.at(-1);
    if (last === undefined) continue;
    const ends = quoted === undefined && index + whole.length === query.trimEnd().length;
    const open = ends && found.length === 1 && OPEN.test(last) && canBePrefix(last);
    phrases.set(`${found.join(" ")}${open ? "*" : ""}`, { words: found, open });
  }
  return [...phrases.values()];
}

/** Cuts phrases so that they have at most `most` words together. */
export function limitWords(phrases: readonly Phrase[], most: number): Phrase[] {
  let left = most;
  return phrases.flatMap(({ words, open }) => {
    const kept = words.slice(0, left);
    left -= kept.length;
    return kept.length === 0 ? [] : [{ words: kept, open }];
  });
}

/** Returns a query with at most `most` words: the query itself if it has no more. */
export function limitQuery(query: string, most: number): string {
  const phrases = parsePhrases(query);
  if (phrases.reduce((sum, { words }) => sum + words.length, 0) <= most) return query;
  return limitWords(phrases, most)
    .map(({ words }) => `"${words.join(" ")}"`)
    .join(" ");
}

/** A range of UTF-16 code units; `end` is exclusive. */
export type Place = { readonly start: number; readonly end: number };

/** Yields the places of phrases in a text, in order and without overlaps. Reads the text lazily. */
export function* findPhrases(text: string, phrases: readonly Phrase[], splitWords: WordReader): Generator<Place> {
  let found: Place | undefined;
  for (const place of findPlaces(splitWords(text), phrases)) {
    if (found === undefined) found = place;
    // One character may stand for several words, so places can overlap.
    else if (place.start < found.end) found = { start: found.start, end: Math.max(found.end, place.end) };
    else {
      yield found;
      found = place;
    }
  }
  if (found !== undefined) yield found;
}

function* findPlaces(source: Iterator<Word>, phrases: readonly Phrase[]): Generator<Place> {
  const longest = Math.max(0, ...phrases.map(({ words }) => words.length));
  const words: Word[] = [];
  for (;;) {
    while (words.length < longest) {
      const { value, done } = source.next();
      if (done === true) break;
      words.push(value);
    }
    if (words.length === 0) return;
    const length = Math.max(0, ...phrases.map((phrase) => (startsWithPhrase(words, phrase) ? phrase.words.length : 0)));
    const [first, last] = [words[0], words[length - 1]];
    if (first && last) yield { start: first.start, end: last.end };
    words.splice(0, Math.max(length, 1));
  }
}

const startsWithPhrase = (words: readonly Word[], { words: asked, open }: Phrase): boolean =>
  asked.every((word, offset) => {
    const there = words[offset]?.word;
    return there === word || (open && offset === asked.length - 1 && there?.startsWith(word) === true);
  });
