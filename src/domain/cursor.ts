/** Cursors: where the next page of a list begins, as opaque text (base64url). */
import { DomainError } from "./errors.ts";
import { isId } from "../lib/ids.ts";
import { isSlug } from "./slug.ts";
import { utf8 } from "../lib/text.ts";

/** The sort key of a page's first row in a list ordered by time. */
export type Cursor = { readonly time: string; readonly id: string };

/** Returns a cursor as text. `sort` names the time by which the list is ordered; undefined means the creation time. */
export function encodeCursor({ time, id }: Cursor, sort?: string): string {
  return encode([...(sort === undefined ? [] : [sort]), time, id].join("~"));
}

/** Decodes a result of {@link encodeCursor} with the same `sort`. Throws `invalid_cursor` for any other text. */
export function decodeCursor(text: string, sort?: string): Cursor {
  const parts = decode(text).split("~");
  const order = parts.length === 3 ? parts.shift() : undefined;
  const [time = "", id = "", ...more] = parts;
  if (order !== sort || !TIME_SHAPE.test(time) || !isId(id) || more.length > 0) throw new DomainError("invalid_cursor");
  return { time, id };
}

const TIME_SHAPE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The sort key of a page's first row in a list ordered by score. */
export type ScoreCursor = { readonly score: number; readonly id: string };

const SCORE_MARK = "score";

export const encodeScoreCursor = ({ score, id }: ScoreCursor): string => encode(`${SCORE_MARK}~${score}~${id}`);

/** Throws `invalid_cursor` if the text is no result of {@link encodeScoreCursor}. */
export function decodeScoreCursor(text: string): ScoreCursor {
  const [mark, score = "", id = "", ...more] = decode(text).split("~");
  if (mark !== SCORE_MARK || more.length > 0 || !SCORE_SHAPE.test(score) || !isId(id)) {
    throw new DomainError("invalid_cursor");
  }
  return { score: Number(score), id };
}

/** Scores are stored with at most three decimals. */
const SCORE_SHAPE = /^-?\d{1,9}(?:\.\d{1,3})?$/;

const SLUG_MARK = "slug~";

export const encodeSlugCursor = (slug: string): string => encode(`${SLUG_MARK}${String.fromCharCode(...utf8(slug))}`);

/** Throws `invalid_cursor` if the text is no result of {@link encodeSlugCursor}. */
export function decodeSlugCursor(text: string): string {
  const place = decode(text);
  const slug = place.startsWith(SLUG_MARK) ? fromUtf8(place.slice(SLUG_MARK.length)) : "";
  if (!isSlug(slug)) throw new DomainError("invalid_cursor");
  return slug;
}

/** The slug and the locale of the first row on a page of former slugs. */
export type MovedCursor = { readonly slug: string; readonly locale: string };

const MOVED_MARK = "moved";

export const encodeMovedCursor = ({ slug, locale }: MovedCursor): string =>
  encode([MOVED_MARK, locale, String.fromCharCode(...utf8(slug))].join("~"));

/** Throws `invalid_cursor` if the text is no result of {@link encodeMovedCursor}. */
export function decodeMovedCursor(text: string): MovedCursor {
  const [mark, locale = "", bytes = "", ...more] = decode(text).split("~");
  const slug = fromUtf8(bytes);
  if (mark !== MOVED_MARK || more.length > 0 || !isSlug(slug) || !/^[A-Za-z0-9-]{1,35}$/.test(locale)) {
    throw new DomainError("invalid_cursor");
  }
  return { slug, locale };
}

const FOUND_MARK = "found~";

/** Returns the number of search results before a page as text. */
export const encodeFoundCursor = (skipped: number): string => encode(`${FOUND_MARK}${skipped}`);

/** Throws `invalid_cursor` if the text is no result of {@link encodeFoundCursor}. */
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

/** Decodes UTF-8 from a string with one byte per character. Invalid bytes become U+FFFD, which no slug contains. */
const fromUtf8 = (bytes: string): string =>
  new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(
    Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
  );
