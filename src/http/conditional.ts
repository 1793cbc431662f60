/** Entity tags (RFC 9110, 8.8.3) and the requests that name them (13.1). */
import { sha256 } from "../lib/hash.ts";

/** The longest version that is shown as it is; a list's is hashed. */
const LONGEST_VERSION = 64;

/** The strong ETag of a version. */
export async function etagOf(version: string): Promise<string> {
  return `"${version.length <= LONGEST_VERSION ? version : (await sha256(version)).slice(0, 40)}"`;
}

/** Whether `If-None-Match` names this ETag; compared weakly, as 13.1.2 asks. */
export function noneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return ANY.test(header) || tagsOf(header).some((tag) => tag.replace(/^W\//, "") === etag);
}

/**
 * Returns the versions that `If-Match` names, `*` for any, undefined without the header. A weak tag counts as the strong
 * one, other than RFC 9110 (13.1.1) has it: an edge that compresses a response makes its tag weak, and a client has no
 * other tag to send back. The service itself makes strong tags only, so both name the same version.
 */
export function ifMatchVersions(header: string | undefined): readonly string[] | "*" | undefined {
  if (header === undefined) return undefined;
  if (ANY.test(header)) return "*";
  return tagsOf(header).map((tag) => tag.replace(/^W\//, "").slice(1, -1));
}

/** With optional whitespace as HTTP has it (5.6.3); other spaces are garbage. */
const ANY = /^[ \t]*\*[ \t]*$/;

const tagsOf = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];
