/** The header `Edgepress-Bookmark`: how new a replica has to be for its caller (contract 13.7). */
import type { Context } from "hono";
import { invalidField } from "../../domain/errors.ts";
import { BOOKMARK } from "../request/cross-origin.ts";
import { ANY_STATE, isBookmark } from "../../store/core/bookmarks.ts";
import type { AppEnv } from "./app-env.ts";
import type { Reply } from "./reply.ts";

/** Returns the bookmark of a request. Undefined if there is none, or if it is malformed ({@link requireBookmark}). */
export function bookmarkOf(c: Context<AppEnv>): string | undefined {
  const given = c.req.header(BOOKMARK);
  return given !== undefined && isValid(given) ? given : undefined;
}

/** Throws `invalid_request` if a request has a bookmark that is malformed. */
export function requireBookmark(c: Context<AppEnv>): void {
  const given = c.req.header(BOOKMARK);
  if (given === undefined || isValid(given)) return;
  throw invalidField(BOOKMARK, `must be a bookmark of an earlier response, or "${ANY_STATE}"`);
}

const isValid = (text: string): boolean => text === ANY_STATE || isBookmark(text);

/**
 * Returns the header with the newest bookmark of a request, if it has one. Also a refusal has it, because its reason may
 * be newer than what the caller has read. After a failure nobody knows whether the bookmark covers the write, and who is
 * not known gets none.
 */
export function bookmarkHeader(c: Context<AppEnv>, { status }: Reply): Readonly<Record<string, string>> {
  const bookmark = status === 401 || status >= 500 ? undefined : c.get("bookmark")?.();
  return bookmark ? { [BOOKMARK]: bookmark } : {};
}
