import { LIMITS } from "../domain/limits.ts";
import { isLoopbackHost } from "../lib/network.ts";

/** What is allowed besides public https URLs: for local runs, and for sources that are only read. */
export type TargetRules = { readonly allowLoopback: boolean; readonly allowHttp?: boolean };

/** Returns the rules for URLs that are only read, such as feeds: many still use http. */
export const toReadingRules = (rules: TargetRules): TargetRules => ({ ...rules, allowHttp: true });

/** The URL to request (never the raw text), or a sentence for the person who typed it. */
export type TargetVerdict =
  | { readonly allowed: true; readonly url: URL }
  | { readonly allowed: false; readonly reason: string };

/**
 * Checks a URL that somebody else chose (contract 11.10): https, the default port or one above 1023, no user name or
 * password, and a public DNS name. IP addresses are refused in every spelling, also public ones, so that no table of
 * special ranges (RFC 6890) is needed. Fragments are allowed, because fetch never sends them.
 *
 * `allowLoopback` also allows http and https to `localhost`, `127.0.0.1` and `[::1]` on any port. `allowHttp` also allows
 * http to public names, on port 80 or one above 1023. Never throws. Does not resolve names: the compatibility flag
 * `global_fetch_strictly_public` blocks names that resolve to private addresses.
 *
 * @example
 * checkTarget("https://example.com/hook", { allowLoopback: false }); // { allowed: true, url }
 * checkTarget("https://2130706433/", { allowLoopback: false }); // { allowed: false, reason }
 */
export function checkTarget(raw: string, rules: TargetRules): TargetVerdict {
  const textProblem = checkText(raw);
  if (textProblem !== undefined) return { allowed: false, reason: textProblem };

  if (!URL.canParse(raw)) return { allowed: false, reason: "The URL is not valid." };
  const url = new URL(raw);
  // Encoding can triple the length. The stored `url` is checked again before each delivery.
  if (url.href.length > LIMITS.url) return { allowed: false, reason: describeLength() };
  const isLocal = rules.allowLoopback && isLoopbackHost(url.hostname);
  const problem = checkAuthority(raw, url, rules) ?? (isLocal ? undefined : checkPublic(url, rules));
  return problem === undefined ? { allowed: true, url } : { allowed: false, reason: problem };
}

type Problem = string | undefined;

function checkText(raw: string): Problem {
  if (raw.length > LIMITS.url) return describeLength();
  // The parser drops or rewrites these characters silently.
  if (UNSAFE_CHARACTERS.test(raw)) {
    return "The URL must not contain spaces, control characters, backslashes or broken Unicode.";
  }
  return undefined;
}

function checkAuthority(raw: string, url: URL, rules: TargetRules): Problem {
  // For other schemes, the parser does not check the host.
  if (url.protocol !== "https:" && url.protocol !== "http:") return schemeProblem(rules);

  // The parser accepts `https:host` and `https:///host`, but other software reads them differently.
  const authority = AUTHORITY.exec(raw)?.[1];
  if (authority === undefined) return "The URL must have the form https://host/path.";
  // The raw text, because the parser drops an empty user name (`https://@host`).
  if (authority.includes("@")) return "The URL must not contain a user name or password.";
  return undefined;
}

function checkPublic(url: URL, rules: TargetRules): Problem {
  const isHttp = url.protocol === "http:";
  if (isHttp && rules.allowHttp !== true) return schemeProblem(rules);
  if (url.port !== "" && Number(url.port) <= LAST_SYSTEM_PORT) {
    return `The URL must use port ${isHttp ? 80 : 443} or a port above 1023.`;
  }
  return checkHost(url.hostname);
}

const schemeProblem = (rules: TargetRules): string =>
  rules.allowHttp === true ? "The URL must use http or https." : "The URL must use https.";

/** Checks a host as the URL parser returns it: lower case, Punycode, IPv4 as four decimals, IPv6 in brackets. */
function checkHost(host: string): Problem {
  if (host.startsWith("[")) return USE_A_NAME;
  // The parser keeps the dot of `localhost.`, which the lists below do not contain.
  if (host.endsWith(".")) return "The host must not end with a dot.";

  const labels = host.split(".");
  // IPv4 addresses in all spellings, and names that a resolver could take for one.
  if (NUMBER_LABEL.test(labels.at(-1) ?? "")) return USE_A_NAME;
  if (host.length > MAX_HOST_LENGTH || !labels.every((label) => HOST_LABEL.test(label))) {
    return "The host is not a valid name.";
  }

  if (labels.length === 1) return "The host must be a full name, such as hooks.example.com.";
  if (isUnder(host, INTERNAL_SUFFIXES)) return "The host must not be an internal or reserved name.";
  if (isUnder(host, ADDRESS_NAMES)) {
    return "The host must not be a name that stands for an IP address.";
  }
  return undefined;
}

function isUnder(host: string, suffixes: readonly string[]): boolean {
  return suffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

const describeLength = (): string => `The URL must not be longer than ${LIMITS.url.toLocaleString("en")} characters.`;
const USE_A_NAME = "The host must be a name, not an IP address.";

/** The 255 octets of a name (RFC 1035, 2.3.4) are 253 characters as text. */
const MAX_HOST_LENGTH = 253;

/** Ports up to this one belong to system services (RFC 6335, 6). */
const LAST_SYSTEM_PORT = 1023;

/** With the flag `u`, `\p{Cs}` matches only lone surrogates. */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cs}\s\\]/u;

/** The authority as written, between exactly two slashes and the path, query or fragment. */
const AUTHORITY = /^https?:\/\/([^/?#]+)/i;

/** A label (RFC 1123, 2.1), also with underscores, which some hosts use. */
const HOST_LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** A last label that makes the host an IPv4 address ("ends in a number" in the URL standard). */
const NUMBER_LABEL = /^(?:[0-9]+|0x[0-9a-f]*)$/;

/** Suffixes that public DNS does not serve. */
const INTERNAL_SUFFIXES: readonly string[] = [
  // RFC 6761: special-use names. example.com, example.net and example.org resolve, so they are allowed.
  "localhost",
  "test",
  "invalid",
  "example",
  // RFC 6762: multicast DNS, and the private top-level names that its appendix G lists.
  "local",
  "internal", // Cloud metadata, too: metadata.google.internal, instance-data.ec2.internal.
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  // Not delegated in public DNS, but many local resolvers answer them.
  "localdomain",
  "svc", // Kubernetes: kubernetes.default.svc
  "consul",
  // RFC 7686 and RFC 9476: names that are not part of DNS.
  "onion",
  "alt",
  // RFC 3172: infrastructure. home.arpa (RFC 8375) is for home networks.
  "arpa",
];

/**
 * Public names that resolve to the address in the name, or always to a local one. Anybody can register more; this list
 * only gives a clear message for the well-known ones.
 */
const ADDRESS_NAMES: readonly string[] = [
  // The name contains the address: 10.0.0.1.nip.io
  "nip.io",
  "sslip.io",
  "xip.io",
  "traefik.me",
  // Resolve to two addresses in turn (DNS rebinding).
  "rbndr.us",
  "1u.ms",
  // Always 127.0.0.1.
  "localtest.me",
  "lvh.me",
  "vcap.me",
  "lacolhost.com",
  "localhost.direct",
  // Tencent Cloud's metadata service: it resolves to a link-local address.
  "metadata.tencentyun.com",
];
