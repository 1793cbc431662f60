/** Handles entity tags (RFC 9110, 8.8.3) and conditional requests (13.1). */
import { sha256 } from "../../lib/hash.ts";

/** A version that becomes an ETag as it is. Longer ones, such as those of lists, and ones with other letters are hashed. */
const PLAIN_VERSION = /^[!#-~]{1,64}$/;

/** Returns the strong ETag of a version, and of the state that changes without a new version, if there is one. */
export async function etagOf(version: string, state?: string): Promise<string> {
  const short = PLAIN_VERSION.test(version) ? version : (await sha256(version)).slice(0, 40);
  return state === undefined ? `"${short}"` : `"${short}~${state}"`;
}

/** Returns whether `If-None-Match` contains this ETag or is `*`. Uses weak comparison (13.1.2). */
export function noneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return ANY.test(header) || tagsOf(header).some((tag) => tag.replace(/^W\//, "") === etag);
}

/**
 * Returns the versions in `If-Match`, "*" for any version, or undefined if there is no header. A weak tag counts as the
 * strong one, which differs from RFC 9110 (13.1.1): a cache that compresses a response makes its tag weak, and the client
 * has no other tag to send back. The service itself issues strong tags only, so both name the same version.
 */
export function ifMatchVersions(header: string | undefined): readonly string[] | "*" | undefined {
  if (header === undefined) return undefined;
  if (ANY.test(header)) return "*";
  return tagsOf(header).map((tag) => tag.replace(/^W\//, "").slice(1, -1).replace(STATE, ""));
}

/**
 * Matches the state in an ETag ({@link etagOf}): of a subscription its streak, and 1 if active; of a tag or author its
 * counts; of a picture the number of its articles, and 1 if its smaller files are settled; of a working copy the version of
 * its article; of articles, schedules and sites a hash of what they show of others. A write asks for the version only.
 */
const STATE = /~(?:\d+\.\d+|[0-9a-f]{16}|[0-9a-f-]{36})$/;

/** Matches `*` with HTTP's optional white space (5.6.3), which is only spaces and tabs. */
const ANY = /^[ \t]*\*[ \t]*$/;

const tagsOf = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];
