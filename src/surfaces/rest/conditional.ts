/** Entity tags (RFC 9110, 8.8.3) and conditional requests (13.1). */
import { sha256 } from "../../lib/hash.ts";

/** Versions that are used as they are. Others, such as the long versions of lists, are hashed. */
const PLAIN_VERSION = /^[!#-~]{1,64}$/;

/** Returns a strong ETag. `state` changes without a new version, and is appended. */
export async function makeEtag(version: string, state?: string): Promise<string> {
  const short = PLAIN_VERSION.test(version) ? version : (await sha256(version)).slice(0, 40);
  return state === undefined ? `"${short}"` : `"${short}~${state}"`;
}

/** Returns whether `If-None-Match` contains this ETag or is `*`. Comparison is weak (13.1.2). */
export function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return ANY.test(header) || parseTags(header).some((tag) => tag.replace(/^W\//, "") === etag);
}

/**
 * Returns the versions in `If-Match`, "*" for any version, or undefined without a header. Unlike RFC 9110 (13.1.1), a weak
 * tag counts as strong: a cache that compresses a response makes its tag weak, and the client has no other tag. The
 * service issues only strong tags.
 */
export function parseIfMatch(header: string | undefined): readonly string[] | "*" | undefined {
  if (header === undefined) return undefined;
  if (ANY.test(header)) return "*";
  return parseTags(header).map((tag) => tag.replace(/^W\//, "").slice(1, -1).replace(STATE, ""));
}

/** Matches the state in an ETag: two numbers, a hash or an id. Writes only compare the version. */
const STATE = /~(?:\d+\.\d+|[0-9a-f]{16}|[0-9a-f-]{36})$/;

/** Matches `*` with HTTP's optional white space (5.6.3), which is only spaces and tabs. */
const ANY = /^[ \t]*\*[ \t]*$/;

const parseTags = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];
