/**
 * Cursors: where the next page of a list begins, as opaque text (base64url). Each kind has a mark, so that a list
 * refuses the cursors of others. All that decode throw `invalid_cursor` for a text that is no cursor of their kind.
 */
import { DomainError } from "./errors.ts";
import { isId } from "../lib/ids.ts";
import { isSlug } from "./slug.ts";
import { utf8 } from "../lib/text.ts";

/** The sort key of a page's first row in a list ordered by time. */
export type Cursor = { readonly time: string; readonly id: string };

/** `sort` names the time by which the list is ordered; undefined means the creation time. */
export const encodeCursor = ({ time, id }: Cursor, sort?: string): string => encode(sort, time, id);

export function decodeCursor(text: string, sort?: string): Cursor {
  const [time, id] = decode(text, sort, isTime, isId);
  return { time, id };
}

/** The sort key of a page's first row in a list ordered by score. */
export type ScoreCursor = { readonly score: number; readonly id: string };

export const encodeScoreCursor = ({ score, id }: ScoreCursor): string => encode("score", String(score), id);

export function decodeScoreCursor(text: string): ScoreCursor {
  const [score, id] = decode(text, "score", isScore, isId);
  return { score: Number(score), id };
}

export const encodeSlugCursor = (slug: string): string => encode("slug", slug);

export const decodeSlugCursor = (text: string): string => decode(text, "slug", isSlug)[0];

/** The slug and the locale of the first row on a page of former slugs. */
export type MovedCursor = { readonly slug: string; readonly locale: string };

export const encodeMovedCursor = ({ slug, locale }: MovedCursor): string => encode("moved", locale, slug);

export function decodeMovedCursor(text: string): MovedCursor {
  const [locale, slug] = decode(text, "moved", isLocale, isSlug);
  return { slug, locale };
}

/** `skipped` is the number of search results before the page. */
export const encodeFoundCursor = (skipped: number): string => encode("found", String(skipped));

export const decodeFoundCursor = (text: string): number => Number(decode(text, "found", isSkipped)[0]);

/** A place in the feed of events: behind the event with this number. All events up to `time` are before it. */
export type FeedCursor = { readonly seq: number; readonly time: string };

export const encodeFeedCursor = ({ seq, time }: FeedCursor): string => encode("feed", String(seq), time);

export function decodeFeedCursor(text: string): FeedCursor {
  const [seq, time] = decode(text, "feed", isSequence, isTime);
  return { seq: Number(seq), time };
}

/** The primary key of the last row before a page of an export, and how many rows the page reads. */
export type RowCursor = { readonly most: number; readonly key: readonly (string | number)[] };

export const encodeRowCursor = ({ most, key }: RowCursor): string =>
  encode("rows", String(most), JSON.stringify(key).replaceAll("~", String.raw`\u007e`));

export function decodeRowCursor(text: string): RowCursor {
  const [most, key] = decode(text, "rows", isSkipped, isKey);
  return { most: Number(most), key: JSON.parse(key) as RowCursor["key"] };
}

function isKey(part: string): boolean {
  try {
    const key: unknown = JSON.parse(part);
    return Array.isArray(key) && key.every((cell) => typeof cell === "string" || typeof cell === "number");
  } catch {
    return false;
  }
}

const isTime = (part: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(part);

/** Scores are stored with at most three decimals. */
const isScore = (part: string): boolean => /^-?\d{1,9}(?:\.\d{1,3})?$/.test(part);

const isLocale = (part: string): boolean => /^[A-Za-z0-9-]{1,35}$/.test(part);

const isSequence = (part: string): boolean => /^\d{1,15}$/.test(part);

const isSkipped = (part: string): boolean => /^[1-9]\d{0,2}$/.test(part);

function encode(mark: string | undefined, ...parts: readonly string[]): string {
  const place = [...(mark === undefined ? [] : [mark]), ...parts].join("~");
  const base64 = btoa(String.fromCharCode(...utf8(place)));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns the parts behind the mark, one for each shape. */
function decode<Shapes extends readonly ((part: string) => boolean)[]>(
  text: string,
  mark: string | undefined,
  ...shapes: Shapes
): { readonly [K in keyof Shapes]: string } {
  const parts = toPlace(text).split("~");
  const isMarked = mark === undefined || parts.shift() === mark;
  if (!isMarked || parts.length !== shapes.length || !shapes.every((fits, n) => fits(parts[n] ?? ""))) {
    throw new DomainError("invalid_cursor");
  }
  return parts as { [K in keyof Shapes]: string };
}

/** Returns what base64url encodes, or nothing if it is none. Invalid UTF-8 becomes U+FFFD, which fits no shape. */
function toPlace(text: string): string {
  try {
    const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(
      Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
    );
  } catch {
    return "";
  }
}
