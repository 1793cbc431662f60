import { DomainError } from "../errors.ts";
import { isId } from "./ids.ts";

/** The place in a list where a page begins: the sort key of its first row. */
export type Cursor = { readonly time: string; readonly id: string };

/** The opaque form of a place in a list. */
export function encodeCursor(cursor: Cursor): string {
  return btoa(`${cursor.time}~${cursor.id}`).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Reads what {@link encodeCursor} wrote; throws `invalid_cursor` for anything else. */
export function decodeCursor(text: string): Cursor {
  const [time, id, ...more] = decode(text).split("~");
  if (time === undefined || id === undefined || more.length > 0) throw new DomainError("invalid_cursor");
  if (!TIME_SHAPE.test(time) || !isId(id)) throw new DomainError("invalid_cursor");
  return { time, id };
}

const TIME_SHAPE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function decode(text: string): string {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}
