/** A blog's own host names: which are allowed, their DNS records, and when these are checked. */
import { DAY_MS, MINUTE_MS } from "../lib/time.ts";

/** DNS names have at most 253 characters (RFC 1035, 2.3.4), of which {@link PROOF_LABEL} and its dot take eleven. */
export const HOST_LENGTH = 242;

/** `pending`: no record was found. `failing`: still shows the site, but the last check found no record. */
export const HOST_STATES = ["pending", "verified", "failing"] as const;
export type HostState = (typeof HOST_STATES)[number];

/** `record_missing`: DNS did not have it. `host_taken`: DNS had that of another blog, too, which has the host. */
export const HOST_FAILURES = ["record_missing", "host_taken"] as const;

/** What checks found since they began to fail, as it is stored. */
export type HostFailure = {
  readonly since: string;
  readonly reason: (typeof HOST_FAILURES)[number];
  /** The first texts of the TXT record, shortened. */
  readonly found: readonly string[];
  /** Consecutive failed checks of the sweep. */
  readonly misses: number;
};

export type HostChecks = {
  readonly verifiedTime: string | null;
  readonly failure: HostFailure | null;
  readonly nextCheckTime: string | null;
};

/** The TXT record with the proof is at this label below the host. */
export const PROOF_LABEL = "_edgepress";
/** The text of this record, followed by the host's token. */
export const PROOF_PREFIX = "edgepress-verification=";
export const toProofName = (host: string): string => `${PROOF_LABEL}.${host}`;

/** `siteDomain` may have a port, and is "" if there is none. */
export type ServiceHosts = { readonly baseUrl: string; readonly siteDomain: string };

/** Returns the target for the alias (CNAME) of a blog's own host. */
export const getAliasTarget = ({ baseUrl, siteDomain }: ServiceHosts): string =>
  siteDomain === "" ? new URL(baseUrl).hostname : toHostname(siteDomain);

const toHostname = (domain: string): string => new URL(`http://${domain}`).hostname;

/**
 * Returns a host name as it is stored: lower case, Punycode, no dot at the end. Returns null if the text cannot be the
 * name of a public host, such as an IP address, a path, a port or a single label. Does not refuse reserved names;
 * outbound/target.ts does.
 */
export function parseHost(text: string): string | null {
  const name = text.trim().replace(/\.$/, "");
  if (name === "" || name.length > HOST_LENGTH || FOREIGN.test(name) || !URL.canParse(`https://${name}`)) return null;
  const host = new URL(`https://${name}`).hostname;
  const labels = host.split(".");
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label)) && /[a-z]/.test(labels.at(-1) ?? "");
  return isName && host.length <= HOST_LENGTH ? host : null;
}

/** Characters that no host name has, but that the URL parser would accept or rewrite. */
const FOREIGN = /[\s/:?#@\\%[\]_\p{Cc}]/u;
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/** Returns whether a host is that of the service's address, or the domain of its sites, or below that. */
export function isServiceHost(host: string, { baseUrl, siteDomain }: ServiceHosts): boolean {
  if (host === new URL(baseUrl).hostname) return true;
  if (siteDomain === "") return false;
  const domain = toHostname(siteDomain);
  return host === domain || host.endsWith(`.${domain}`);
}

/** The first check of a pending host. Each pause doubles until {@link WAITED_MS} have passed. */
export const FIRST_CHECK_MS = 5 * MINUTE_MS;
const LONGEST_PAUSE_MS = DAY_MS / 2;
const WAITED_MS = 7 * DAY_MS;
/** Consecutive failed daily checks after which a host is no longer verified. */
const MOST_MISSES = 3;

/** How many found texts are stored, and how many characters of each. */
const [KEPT_TEXTS, KEPT_CHARACTERS] = [5, 120];

/** A finished check. `found` are the texts in DNS. */
export type HostCheck = { readonly time: string; readonly byHand: boolean; readonly found: readonly string[] };

const addMilliseconds = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();

export const applyProof = (host: HostChecks, { time }: HostCheck): HostChecks => ({
  verifiedTime: host.verifiedTime ?? time,
  failure: null,
  nextCheckTime: addMilliseconds(time, DAY_MS),
});

/**
 * Returns a host after a failed check. A check by hand neither counts as a miss nor moves the next check of the sweep.
 * But if the sweep had given up, it starts its checks again.
 */
export function applyMiss(
  host: HostChecks,
  { time, byHand, found }: HostCheck,
  reason: HostFailure["reason"],
): HostChecks {
  const isGivenUp = host.verifiedTime === null && host.nextCheckTime === null;
  const before = isGivenUp ? null : host.failure;
  const misses = (before?.misses ?? 0) + (byHand ? 0 : 1);
  const kept = found.slice(0, KEPT_TEXTS).map((text) => text.replaceAll(/\p{Cc}/gu, " ").slice(0, KEPT_CHARACTERS));
  const failure = { since: before?.since ?? time, reason, found: kept.map((text) => text.toWellFormed()), misses };
  if (host.verifiedTime !== null) {
    if (misses >= MOST_MISSES) return applyLoss(time, failure.found);
    return { ...host, failure, ...(!byHand && { nextCheckTime: addMilliseconds(time, DAY_MS) }) };
  }
  if (byHand && !isGivenUp) return { ...host, failure };
  const pause = Math.min(FIRST_CHECK_MS * 2 ** Math.min(misses, 10), LONGEST_PAUSE_MS);
  const isOver = Date.parse(time) - Date.parse(failure.since) >= WAITED_MS;
  return { verifiedTime: null, failure, nextCheckTime: isOver ? null : addMilliseconds(time, pause) };
}

/** Returns a host that is no longer verified. It is pending like a new one. */
export const applyLoss = (time: string, found: readonly string[]): HostChecks => ({
  verifiedTime: null,
  failure: { since: time, reason: "record_missing", found, misses: 0 },
  nextCheckTime: addMilliseconds(time, FIRST_CHECK_MS),
});
