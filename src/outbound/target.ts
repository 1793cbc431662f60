import { LIMITS } from "../domain/limits.ts";
import { isLoopbackHost } from "../lib/network.ts";

/** What is added to the rule. `allowLoopback` is for local runs only, `allowHttp` for what is only read. */
export type TargetRules = { readonly allowLoopback: boolean; readonly allowHttp?: boolean };

/** The rules for addresses that are only read from, such as feeds: many are still served over plain http. */
export const readingRules = (rules: TargetRules): TargetRules => ({ ...rules, allowHttp: true });

/**
 * Either the parsed URL to request, or a sentence for the person who typed it.
 * Request `url`, never the raw text: only `url` is what was checked.
 */
export type TargetVerdict =
  | { readonly allowed: true; readonly url: URL }
  | { readonly allowed: false; readonly reason: string };

/**
 * Decides whether the service may send requests to a URL that somebody else chose (contract
 * 11.10): https, the default port or one above 1023, no user info, and a public DNS
 * name. Addresses are refused in every spelling, public ones too, so no table of special ranges
 * (RFC 6890) has to be kept; so are the special-use names of RFC 6761 and its successors.
 * A fragment is allowed: fetch never sends it.
 *
 * With `allowLoopback`, http or https to `localhost`, `127.0.0.1` or `[::1]` on any port is
 * allowed as well; with `allowHttp`, plain http at the same hosts as https, on port 80 or one above
 * 1023. Pure, and never throws. It cannot see what a name resolves to: the flag
 * `global_fetch_strictly_public` is there for names that point inward.
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
  // Encoding can triple the text, and what is stored from `url` must pass again before a delivery.
  if (url.href.length > LIMITS.url) return { allowed: false, reason: tooLong() };
  const isLocal = rules.allowLoopback && isLoopbackHost(url.hostname);
  const problem = checkAuthority(raw, url, rules) ?? (isLocal ? undefined : checkPublic(url, rules));
  return problem === undefined ? { allowed: true, url } : { allowed: false, reason: problem };
}

/** A problem is a sentence for the person who typed the URL; `undefined` means there is none. */
type Problem = string | undefined;

function checkText(raw: string): Problem {
  if (raw.length > LIMITS.url) return tooLong();
  // The parser drops or rewrites these silently; refusing them leaves one reading of the text.
  if (UNSAFE_CHARACTERS.test(raw)) {
    return "The URL must not contain spaces, control characters, backslashes or broken Unicode.";
  }
  return undefined;
}

function checkAuthority(raw: string, url: URL, rules: TargetRules): Problem {
  // Other schemes first: the parser neither normalises nor checks their hosts.
  if (url.protocol !== "https:" && url.protocol !== "http:") return schemeProblem(rules);

  // `https:host` and `https:///host` parse too, but other software reads them differently.
  const authority = AUTHORITY.exec(raw)?.[1];
  if (authority === undefined) return "The URL must have the form https://host/path.";
  // Asked of the text, since the parser forgets an empty user info (`https://@host`).
  if (authority.includes("@")) return "The URL must not contain a user name or password.";
  return undefined;
}

function checkPublic(url: URL, rules: TargetRules): Problem {
  const isHttp = url.protocol === "http:";
  if (isHttp && rules.allowHttp !== true) return schemeProblem(rules);
  // The parser shows the scheme's default port as "".
  if (url.port !== "" && Number(url.port) <= LAST_SYSTEM_PORT) {
    return `The URL must use port ${isHttp ? 80 : 443} or a port above 1023.`;
  }
  return checkHost(url.hostname);
}

const schemeProblem = (rules: TargetRules): string =>
  rules.allowHttp === true ? "The URL must use http or https." : "The URL must use https.";

/** `host` is as the parser leaves it: lower case, Punycode, IPv4 in four decimals, IPv6 in brackets. */
function checkHost(host: string): Problem {
  if (host.startsWith("[")) return USE_A_NAME;
  // `localhost.` and `example.com.` keep their dot, and would pass lists that lack it.
  if (host.endsWith(".")) return "The host must not end with a dot.";

  const labels = host.split(".");
  // IPv4 in all its spellings, and names that a resolver could still take for one.
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

const tooLong = (): string => `The URL must not be longer than ${LIMITS.url.toLocaleString("en")} characters.`;
const USE_A_NAME = "The host must be a name, not an IP address.";

/** RFC 1035, 2.3.4: a name's 255 octets leave 253 characters in text form. */
const MAX_HOST_LENGTH = 253;

/** Ports up to here belong to system services (RFC 6335, 6), of which only https, or http, may be reached. */
const LAST_SYSTEM_PORT = 1023;

/** `\p{Cs}` matches lone surrogates only: under `u`, a pair is one character. */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cs}\s\\]/u;

/** The authority as written: between exactly two slashes and the path, query or fragment. */
const AUTHORITY = /^https?:\/\/([^/?#]+)/i;

/** RFC 1123, 2.1, plus the underscore, which some hosts use. Refuses empty labels, too. */
const HOST_LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** The URL standard's "ends in a number": such a last label makes the whole host an IPv4 address. */
const NUMBER_LABEL = /^(?:[0-9]+|0x[0-9a-f]*)$/;

/** Names that public DNS does not serve: anything that answers for them is inside some network. */
const INTERNAL_SUFFIXES: readonly string[] = [
  // RFC 6761: special-use names. example.com, .net and .org do resolve, and stay allowed.
  "localhost",
  "test",
  "invalid",
  "example",
  // RFC 6762: multicast DNS, and in appendix G the private top-level names seen in the wild.
  "local",
  "internal", // Cloud metadata, too: metadata.google.internal, instance-data.ec2.internal.
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  // Never delegated, and answered by many local resolvers.
  "localdomain",
  "svc", // Kubernetes: kubernetes.default.svc
  "consul",
  // RFC 7686 and RFC 9476: not DNS at all.
  "onion",
  "alt",
  // RFC 3172: infrastructure; home.arpa (RFC 8375) is the home network.
  "arpa",
];

/**
 * Public names with addresses of the asker's choice, or always local ones. Anybody can make more,
 * so this only stops the well-known ones early, with a clear reason.
 */
const ADDRESS_NAMES: readonly string[] = [
  // The address stands in the name: 10.0.0.1.nip.io
  "nip.io",
  "sslip.io",
  "xip.io",
  "traefik.me",
  // Answers alternate between two addresses (DNS rebinding).
  "rbndr.us",
  "1u.ms",
  // Always 127.0.0.1.
  "localtest.me",
  "lvh.me",
  "vcap.me",
  "lacolhost.com",
  "localhost.direct",
  // Tencent Cloud's metadata service, link-local behind a public name.
  "metadata.tencentyun.com",
];
