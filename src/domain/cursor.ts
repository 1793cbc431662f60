import { DomainError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { isSlug } from "./slug.ts";
import { utf8 } from "../lib/text.ts";

/** The place in a list where a page begins: the sort key of its first row. */
export type Cursor = { readonly time: string; readonly id: string };

/** The opaque form of a place in a list. */
export function encodeCursor(cursor: Cursor): string {
  return encode(`${cursor.time}~${cursor.id}`);
}

/** Reads what {@link encodeCursor} wrote; throws `invalid_cursor` for anything else. */
export function decodeCursor(text: string): Cursor {
  const [time, id, ...more] = decode(text).split("~");
  if (time === undefined || id === undefined || more.length > 0) throw new DomainError("invalid_cursor");
  if (!TIME_SHAPE.test(time) || !isId(id)) throw new DomainError("invalid_cursor");
  return { time, id };
}

const TIME_SHAPE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The place in a list by score. */
export type ScoreCursor = { readonly score: number; readonly id: string };

/** What tells the place in a list by score from the others. */
const SCORE_MARK = "score";

/** The opaque form of a place in a list by score: the first row of a page. */
export const encodeScoreCursor = ({ score, id }: ScoreCursor): string => encode(`${SCORE_MARK}~${score}~${id}`);

/** Reads what {@link encodeScoreCursor} wrote; throws `invalid_cursor` for anything else. */
export function decodeScoreCursor(text: string): ScoreCursor {
  const [mark, score = "", id = "", ...more] = decode(text).split("~");
  if (mark !== SCORE_MARK || more.length > 0 || !SCORE_SHAPE.test(score) || !isId(id)) {
    throw new DomainError("invalid_cursor");
  }
  return { score: Number(score), id };
}

/** As scores are stored: three decimals at most. */
const SCORE_SHAPE = /^-?\d{1,9}(?:\.\d{1,3})?$/;

/** What tells the place in a list of slugs from one in a list by time. */
const SLUG_MARK = "slug~";

/** The opaque form of a place in a list of slugs: the first slug of a page. */
export const encodeSlugCursor = (slug: string): string => encode(`${SLUG_MARK}${String.fromCharCode(...utf8(slug))}`);

/** Reads what {@link encodeSlugCursor} wrote; throws `invalid_cursor` for anything else. */
export function decodeSlugCursor(text: string): string {
  const place = decode(text);
  const slug = place.startsWith(SLUG_MARK) ? fromUtf8(place.slice(SLUG_MARK.length)) : "";
  if (!isSlug(slug)) throw new DomainError("invalid_cursor");
  return slug;
}

/** What tells the place in a list of what a search found, which is counted. */
const FOUND_MARK = "found~";

/** The opaque form of a place among what a search found: how many stand before it. */
export const encodeFoundCursor = (skipped: number): string => encode(`${FOUND_MARK}${skipped}`);

/** Reads what {@link encodeFoundCursor} wrote; throws `invalid_cursor` for anything else. */
export function decodeFoundCursor(text: string): number {
  const place = decode(text);
  const count = place.startsWith(FOUND_MARK) ? place.slice(FOUND_MARK.length) : "";
  if (!/^[1-9]\d{0,2}$/.test(count)) throw new DomainError("invalid_cursor");
  return Number(count);
}

const encode = (bytes: string): string => btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

function decode(text: string): string {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}

/** The text of which these are the bytes, one a character. What is not UTF-8 becomes a sign that no slug has. */
const fromUtf8 = (bytes: string): string =>
  new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(
    Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
  );
