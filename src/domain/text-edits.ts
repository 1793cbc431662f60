/** Exact replacements of passages of a text: all of them, or none. Places count UTF-16 code units. */
import { findOccurrences } from "../lib/occurrences.ts";
import { splitsCharacter } from "../lib/text.ts";
import { invalidField, invalidFields, type FieldError } from "./errors.ts";
import { LIMITS } from "./limits.ts";

/** `offset` is where `find` is; undefined if it is in one place only. */
export type TextEdit = { readonly find: string; readonly replace: string; readonly offset?: number | undefined };

/** The text after the edits, and each of them as it stands there now. */
export type EditedText = {
  readonly text: string;
  readonly edits: readonly { readonly offset: number; readonly passage: string }[];
};

/** A passage that is found, by the place of its edit in the request. */
type Found = { readonly place: number; readonly start: number; readonly end: number };

/** How many places a message names. */
const NAMED = 5;
/** Characters around a passage, and at most of the passage itself: in a response, and in a message. */
const SHOWN = { around: 30, within: 120 };
const QUOTED = { around: 20, within: 40 };

/** Matches all edits against the text as it is. Throws `invalid_request`, which says of each edit that does not fit what is there. */
export function editText(text: string, edits: readonly TextEdit[]): EditedText {
  const most = Math.floor(LIMITS.editSteps / text.length);
  if (edits.length > most)
    throw invalidField("edits", `must have at most ${most} items for a content of ${text.length} characters`);
  const search = makeNearSearch(text);
  const located = edits.map((edit, place) => locate(text, edit, place, search));
  const found = located.filter((each) => "start" in each).toSorted((a, b) => a.start - b.start || a.place - b.place);
  const errors = [...located.filter((each) => "path" in each), ...listOverlaps(found)];
  if (errors.length > 0) throw invalidFields(errors.toSorted((a, b) => placeOf(a) - placeOf(b)));
  return replaceAt(text, edits, found);
}

const placeOf = ({ path }: FieldError): number => Number(path.split(".")[1]);

function locate(text: string, { find, offset }: TextEdit, place: number, search: NearSearch): Found | FieldError {
  const path = `edits.${place}`;
  if (offset !== undefined && text.startsWith(find, offset)) return { place, start: offset, end: offset + find.length };
  const { count, first } = findOccurrences(text, find, NAMED);
  const [start] = first;
  if (start === undefined) return { path: `${path}.find`, message: `is not in the text${search(find)}` };
  const shown = first.map((at) => `${at} (${quote(text, at, at + find.length)})`).join(", ");
  const places = `${count === 1 ? "offset" : "offsets"} ${shown}${count > NAMED ? " and more" : ""}`;
  if (offset !== undefined) {
    const message = `is not where \`find\` is: ${quoteFrom(text, offset)}, and \`find\` is at ${places}`;
    return { path: `${path}.offset`, message };
  }
  if (count === 1) return { place, start, end: start + find.length };
  return {
    path: `${path}.find`,
    message: `is in the text ${count} times: say which by \`offset\`. It is at ${places}`,
  };
}

/** Returns an error for each of these, which are in the order of the text, that begins within another one. */
function listOverlaps(found: readonly Found[]): FieldError[] {
  let last: Found | undefined;
  return found.flatMap((each) => {
    const before = last;
    if (before === undefined || each.end > before.end) last = each;
    if (before === undefined || each.start >= before.end) return [];
    const [first, second] = [before, each].toSorted((a, b) => a.place - b.place);
    return first && second
      ? [{ path: `edits.${second.place}.find`, message: `overlaps with edits.${first.place}, at offset ${each.start}` }]
      : [];
  });
}

/** `found` is in the order of the text; what is returned in that of the request. */
function replaceAt(text: string, edits: readonly TextEdit[], found: readonly Found[]): EditedText {
  const parts: string[] = [];
  const places: { start: number; end: number }[] = [];
  let [from, length] = [0, 0];
  for (const { place, start, end } of found) {
    const replace = edits[place]?.replace ?? "";
    parts.push(text.slice(from, start), replace);
    const at = length + start - from;
    places[place] = { start: at, end: at + replace.length };
    [from, length] = [end, at + replace.length];
  }
  const edited = parts.join("") + text.slice(from);
  return {
    text: edited,
    edits: places.map(({ start, end }) => ({ offset: start, passage: show(edited, start, end) })),
  };
}

/** Returns a passage with a little of what is around it. The middle of a long one is left out. */
function show(text: string, start: number, end: number, { around, within } = SHOWN): string {
  const isLong = end - start > within;
  const parts = isLong
    ? [cut(text, start - around, start + within / 2), cut(text, end - within / 2, end + around)]
    : [cut(text, start - around, end + around)];
  return `${start > around ? "…" : ""}${parts.join("…")}${end + around < text.length ? "…" : ""}`;
}

/** The same for a message: on one line, so that line breaks are seen as `\n`. */
const quote = (text: string, start: number, end: number): string => JSON.stringify(show(text, start, end, QUOTED));

/** Returns a clause that says how the text goes on from a place. */
function quoteFrom(text: string, from: number): string {
  if (from >= text.length) return `the text ends at offset ${text.length}`;
  const to = from + 2 * QUOTED.around;
  const part = `${cut(text, from, to)}${to < text.length ? "…" : ""}`;
  return `from offset ${from} on, the text is ${JSON.stringify(part)}`;
}

/** Cuts a part out of a text, without halves of characters. */
function cut(text: string, start: number, end: number): string {
  const [from, to] = [start, end].map((place) => {
    const within = Math.max(0, place);
    return splitsCharacter(text, within) ? within - 1 : within;
  });
  return text.slice(from, to);
}

/** Returns the end of a message: where the text has something that only looks different; "" if it has nothing. */
type NearSearch = (find: string) => string;

const NEAR = "differs only in white space, case, the composition of letters, or the kind of quotation marks and dashes";

/** The text is made comparable once, for the first search. */
function makeNearSearch(text: string): NearSearch {
  let near: Folded | undefined;
  return (find) => {
    near ??= fold(text);
    const sought = fold(find).text;
    const [at] = sought === "" ? [] : findOccurrences(near.text, sought, 1).first;
    if (at === undefined) return "";
    const start = unfold(near, at);
    const differs = start + countSame(text.slice(start), find.trimStart());
    return `. What is at offset ${start} ${NEAR}: ${quoteFrom(text, differs)}`;
  };
}

type Chunk = { readonly raw: string; readonly start: number; readonly foldedStart: number };
type Folded = { readonly text: string; readonly chunks: readonly Chunk[] };

/** Short, because composing a long run of marks takes quadratic time. */
const CHUNKS = /\S{1,200}/gu;

/** Returns a text without what people and models easily get wrong when they copy it, and where its parts come from. */
function fold(text: string): Folded {
  const chunks: Chunk[] = [];
  const parts: string[] = [];
  let length = 0;
  for (const { 0: raw, index: start } of text.matchAll(CHUNKS)) {
    const folded = foldChunk(raw);
    chunks.push({ raw, start, foldedStart: length });
    parts.push(folded);
    length += folded.length;
  }
  return { text: parts.join(""), chunks };
}

const foldChunk = (chunk: string): string =>
  chunk
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[‘’‚‛′]/g, "'")
    .replaceAll(/[“”„‟″]/g, '"')
    .replaceAll(/[‐-―−]/g, "-");

/** Returns the place in the text of a place in the folded one. */
function unfold({ chunks }: Folded, at: number): number {
  const chunk = chunks.findLast(({ foldedStart }) => foldedStart <= at);
  if (chunk === undefined) return 0;
  let place = 0;
  while (foldChunk(chunk.raw.slice(0, place + 1)).length <= at - chunk.foldedStart) place++;
  return chunk.start + place;
}

/** Returns how many characters two texts have in common at their beginnings. */
function countSame(one: string, other: string): number {
  let count = 0;
  while (count < other.length && one.charCodeAt(count) === other.charCodeAt(count)) count++;
  return count;
}
