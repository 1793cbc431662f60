/** Host names that a blog brings for its site: which names may be one, its DNS records, and when these are looked for. */
import { DAY_MS, MINUTE_MS } from "../lib/time.ts";

/** Maximum characters of a host: DNS names end at 253 (RFC 1035, 2.3.4), and the proof's label takes eleven. */
export const HOST_LENGTH = 242;

/** `pending`: its record was never found, or is gone. `failing`: shown, but the record was not there when last looked for. */
export const HOST_STATES = ["pending", "verified", "failing"] as const;
export type HostState = (typeof HOST_STATES)[number];

/**
 * Why a check did not verify a host. `record_missing`: its value was not in DNS. `host_taken`: it was, but so is that of
 * another blog, which the host shows.
 */
export const HOST_FAILURES = ["record_missing", "host_taken"] as const;

/** What checks have found since they began to fail, as it is stored. */
export type HostFailure = {
  readonly since: string;
  readonly reason: (typeof HOST_FAILURES)[number];
  /** The texts that the TXT record had: the first ones, cut. */
  readonly found: readonly string[];
  /** Checks of the sweep that failed in a row. */
  readonly misses: number;
};

/** What the checks of a host say of it. */
export type HostChecks = {
  readonly verifiedTime: string | null;
  readonly failure: HostFailure | null;
  readonly nextCheckTime: string | null;
};

/** The label before a host, under which the TXT record is that proves it. */
export const PROOF_LABEL = "_edgepress";
/** What this record says: this text, and then the token of the host. */
export const PROOF_PREFIX = "edgepress-verification=";
/** Returns the name of the TXT record that proves a host. */
export const proofNameOf = (host: string): string => `${PROOF_LABEL}.${host}`;

/** Where the service itself is. `siteDomain` may have a port, and is "" if there is none. */
export type ServiceHosts = { readonly baseUrl: string; readonly siteDomain: string };

/** Returns the host that a blog's own host should be an alias of (CNAME). */
export const aliasTargetOf = ({ baseUrl, siteDomain }: ServiceHosts): string =>
  siteDomain === "" ? new URL(baseUrl).hostname : hostnameOf(siteDomain);

const hostnameOf = (domain: string): string => new URL(`http://${domain}`).hostname;

/**
 * Returns a host name as it is stored: lower case, international names in Punycode, without the dot at the end. Null if the
 * text cannot be the name of a public host: an address, a path, a port, a single label. Names that are reserved
 * (outbound/target.ts) are not refused here.
 */
export function hostOf(text: string): string | null {
  const name = text.trim().replace(/\.$/, "");
  if (name === "" || name.length > HOST_LENGTH || FOREIGN.test(name) || !URL.canParse(`https://${name}`)) return null;
  const host = new URL(`https://${name}`).hostname;
  const labels = host.split(".");
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label)) && /[a-z]/.test(labels.at(-1) ?? "");
  return isName && host.length <= HOST_LENGTH ? host : null;
}

/** What no name has, but a URL may: the parser would make something else of it. */
const FOREIGN = /[\s/:?#@\\%[\]_\p{Cc}]/u;
/** A label of a host name (RFC 1123, 2.1). */
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/** Returns whether a host is the service's own: that of its address, or the domain of its sites and all below that. */
export function isServiceHost(host: string, { baseUrl, siteDomain }: ServiceHosts): boolean {
  if (host === new URL(baseUrl).hostname) return true;
  if (siteDomain === "") return false;
  const domain = hostnameOf(siteDomain);
  return host === domain || host.endsWith(`.${domain}`);
}

/** A host that waits is looked for after this time, each time twice as long, until it has waited for {@link WAITED_MS}. */
export const FIRST_CHECK_MS = 5 * MINUTE_MS;
const LONGEST_PAUSE_MS = DAY_MS / 2;
const WAITED_MS = 7 * DAY_MS;
/** Missed daily checks in a row after which a host is not verified any more. */
const MOST_MISSES = 3;

/** What is kept of the texts that were found. */
const [KEPT_TEXTS, KEPT_CHARACTERS] = [5, 120];

/** A check that ended: when, who asked for it, and which texts DNS had. */
export type HostCheck = { readonly time: string; readonly byHand: boolean; readonly found: readonly string[] };

const later = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();

/** Returns a host after a check that found its record. */
export const afterProof = (host: HostChecks, { time }: HostCheck): HostChecks => ({
  verifiedTime: host.verifiedTime ?? time,
  failure: null,
  nextCheckTime: later(time, DAY_MS),
});

/**
 * Returns a host after a check that did not find its record, or found that another blog has the host. A check by hand
 * neither counts as a miss nor moves the next check of the sweep; but it begins the checks of a host anew that the sweep had
 * given up.
 */
export function afterMiss(
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
    if (misses >= MOST_MISSES) return afterLoss(time, failure.found);
    return { ...host, failure, ...(!byHand && { nextCheckTime: later(time, DAY_MS) }) };
  }
  if (byHand && !isGivenUp) return { ...host, failure };
  const pause = Math.min(FIRST_CHECK_MS * 2 ** Math.min(misses, 10), LONGEST_PAUSE_MS);
  const isOver = Date.parse(time) - Date.parse(failure.since) >= WAITED_MS;
  return { verifiedTime: null, failure, nextCheckTime: isOver ? null : later(time, pause) };
}

/** Returns a host that is not verified any more: it waits for its record as a new one. */
export const afterLoss = (time: string, found: readonly string[]): HostChecks => ({
  verifiedTime: null,
  failure: { since: time, reason: "record_missing", found, misses: 0 },
  nextCheckTime: later(time, FIRST_CHECK_MS),
});
