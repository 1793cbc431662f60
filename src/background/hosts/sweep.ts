/** Checks the DNS records of the host names that are due. Runs every minute. */
import { toProofName } from "../../domain/hosts.ts";
import { LIMITS } from "../../domain/limits.ts";
import { limitConcurrency } from "../../lib/concurrency.ts";
import { readTxt, type Resolver } from "../../outbound/dns.ts";
import { isProven, type HostRow } from "../../store/blogs/host-checks.ts";
import { claimDueHosts, settleHost } from "../../store/blogs/system-hosts.ts";
import type { Database } from "../../store/core/sql.ts";

/** Hosts in one run. A resolver that hangs takes five seconds for each, and a run must end within a minute. */
const MOST = 48;

export type HostSweep = {
  readonly db: Database;
  /** Takes a host for an organization; see `claimName` (store/database.ts). */
  readonly claim?: (row: HostRow) => Promise<unknown>;
  readonly resolver: Resolver;
  /** The service's own URL; "" if it is not configured. */
  readonly baseUrl: string;
  readonly now: () => Date;
  readonly log: (entry: Readonly<Record<string, unknown>>) => void;
};

/** Performs one run. If the resolver fails, the host does not count as missing and is checked again later. */
export async function sweepHosts({ db, claim, resolver, baseUrl, now, log }: HostSweep): Promise<void> {
  const due = await claimDueHosts(db, now(), MOST);
  const limited = limitConcurrency(LIMITS.connectionsAtOnce);
  const checks = due.map((row) =>
    limited(async () => {
      const answer = await readTxt(toProofName(row.host), resolver);
      if (answer.kind === "failed") return answer.detail;
      const isElsewhere = isProven(row, answer.texts) && (await claim?.(row)) === null;
      await settleHost(db, row, { time: now().toISOString(), found: answer.texts, baseUrl, isElsewhere });
      return null;
    }),
  );
  const outcomes = await Promise.allSettled(checks);
  const details = outcomes.map((each) => (each.status === "fulfilled" ? each.value : String(each.reason)));
  const failed = details.filter((detail) => detail !== null);
  if (failed.length > 0) {
    log({ level: "warn", message: "hosts not checked", count: failed.length, error: failed[0] ?? "" });
  }
}
