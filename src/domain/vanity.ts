import { isUuid } from "../lib/ids.ts";

/** A DNS label (RFC 1035), lower case, 3 to 63 characters. */
const VANITY_SHAPE = /^[a-z0-9](?:[a-z0-9-]{1,61})[a-z0-9]$/;

/** Labels that no blog may have, because the service or its operators need them. */
const RESERVED = new Set(
  (
    "about account accounts admin administrator api app apps assets auth autoconfig autodiscover billing blog " +
    "blogs cdn console contact dashboard demo dev dns docs edgepress email errors ftp healthz help home host " +
    "imap info internal localhost login logout mail mcp media mx news ns1 ns2 oauth openapi ops pop postmaster " +
    "pricing root security settings signin signup smtp sso staging static status support system test webhooks " +
    "webmaster well-known wpad www"
  ).split(" "),
);

/** Returns whether a text may be a vanityId: usable in a path and as a subdomain, not reserved, and not a UUID. */
export function isVanityId(text: string): boolean {
  // Labels with hyphens in the third and fourth place, such as "xn--", are for internationalized names (RFC 5890).
  return VANITY_SHAPE.test(text) && !isUuid(text) && text.slice(2, 4) !== "--" && !RESERVED.has(text);
}
