/** What a check of a host's DNS record changes, by hand (hosts.ts) or by the sweep (system-hosts.ts). */
import { and, eq, sql, type SQL } from "drizzle-orm";
import {
  applyLoss,
  applyMiss,
  applyProof,
  PROOF_PREFIX,
  type HostCheck,
  type HostChecks,
  type HostFailure,
} from "../../domain/hosts.ts";
import { newId } from "../../lib/ids.ts";
import { audit } from "../../schema/core.ts";
import { addChanged, insertEvent } from "../core/commit.ts";
import { joinAnd, builder, insertWhere, type Statement } from "../core/sql.ts";
import { blogs, siteHosts } from "../../schema/blogs.ts";
import { isListedName } from "../core/directory.ts";
import { buildSiteEvent, SITE_CHANGES } from "./sites.ts";

/** A host of a blog as it was read before the DNS lookup. */
export type HostRow = HostChecks & {
  readonly blogId: string;
  readonly host: string;
  readonly organizationId: string;
  readonly token: string;
  readonly checkTime: string | null;
};

export const HOST_ROW = {
  blogId: siteHosts.blogId,
  host: siteHosts.host,
  organizationId: siteHosts.organizationId,
  token: siteHosts.token,
  verifiedTime: siteHosts.verifiedTime,
  checkTime: siteHosts.checkTime,
  failure: siteHosts.failure,
  nextCheckTime: siteHosts.nextCheckTime,
};

/** Converts a row that was selected as {@link HOST_ROW}. */
export const toHostRow = (row: Omit<HostRow, "failure"> & { readonly failure: string | null }): HostRow => ({
  ...row,
  failure: row.failure === null ? null : (JSON.parse(row.failure) as HostFailure),
});

/** A check, and the service's own URL, for the event that tells of its outcome. */
export type StoredCheck = HostCheck & {
  readonly baseUrl: string;
  /** Whether an organization in another database has the host. */
  readonly isElsewhere?: boolean;
};

/** Returns whether the TXT records of a host prove that it belongs to this blog. */
export const isProven = ({ token }: Pick<HostRow, "token">, found: readonly string[]): boolean =>
  found.some((text) => text.trim() === PROOF_PREFIX + token);

/**
 * Returns the statements that store a check of a host, and the event `site.updated` if its site is shown there from now
 * on or no longer, if `held` is true. They change nothing if the host was removed,
 * or checked by somebody else, since its row was read.
 *
 * Its record may exist while another blog has the host. Then the host changes hands only if the other blog's record is
 * gone, which the same transaction checks. The other organization's audit log records it.
 */
export function storeCheck(row: HostRow, check: StoredCheck, held: SQL): Statement[] {
  const { blogId, host, organizationId } = row;
  const { time, byHand, found } = check;
  const set = (checks: HostChecks) => ({ ...toStored(checks), checkTime: time });
  const asRead = joinAnd(
    sql`c.blog_id = ${blogId}`,
    sql`c.host = ${host}`,
    sql`c.token = ${row.token}`,
    sql`c.check_time is ${row.checkTime}`,
    sql`c.verified_time is ${row.verifiedTime}`,
  );
  // A subquery under another name, because the same condition is also needed where the row is not updated.
  const isAsRead = sql`exists (select 1 from ${siteHosts} c where ${joinAnd(asRead, held)})`;
  const its = and(eq(siteHosts.blogId, blogId), eq(siteHosts.host, host), isAsRead);
  // Trimmed here for both sides: SQLite's trim() removes only spaces, so the other blog's record might seem gone.
  const texts = found.map((text) => text.trim());
  if (!isProven(row, found)) {
    const missed = applyMiss(row, check, "record_missing");
    const isLost = row.verifiedTime !== null && missed.verifiedTime === null;
    const note = logChange("hosts.lose", { blogId, organizationId, host }, check, sql`where ${isAsRead}`);
    const told = tellOfSite(sql`${blogId}`, check, isAsRead);
    return [...(isLost ? [note, told] : []), builder.update(siteHosts).set(set(missed)).where(its)];
  }
  const others = sql`o.host = ${host} and o.verified_time is not null and o.blog_id <> ${blogId}`;
  const isGone = sql`${PROOF_PREFIX} || o.token not in (select value from json_each(${JSON.stringify(texts)}))`;
  const isTaken = check.isElsewhere
    ? sql`true`
    : sql`(exists (select 1 from ${siteHosts} o where ${others}) or ${isListedName("host", host, organizationId)})`;
  const lost = joinAnd(others, isGone, isAsRead);
  const loser = { blogId: sql`o.blog_id`, organizationId: sql`o.organization_id`, host };
  const isNew = row.verifiedTime === null;
  const holds = sql`${isAsRead} and not ${isTaken}`;
  return [
    logChange("hosts.lose", loser, check, sql`from ${siteHosts} o where ${lost}`),
    tellOfSite(sql`(select o.blog_id from ${siteHosts} o where ${lost})`, check, sql`true`),
    builder
      .update(siteHosts)
      .set(toStored(applyLoss(time, [])))
      .where(sql`(blog_id, host) in (select o.blog_id, o.host from ${siteHosts} o where ${lost})`),
    ...(isNew && !byHand ? [logChange("hosts.verify", row, check, sql`where ${holds}`)] : []),
    ...(isNew ? [tellOfSite(sql`${blogId}`, check, holds)] : []),
    builder
      .update(siteHosts)
      .set(set(applyProof(row, check)))
      .where(and(its, sql`not ${isTaken}`)),
    builder
      .update(siteHosts)
      .set(set(applyMiss(row, check, "host_taken")))
      .where(and(its, isTaken)),
  ];
}

const toStored = ({ verifiedTime, failure, nextCheckTime }: HostChecks) => ({
  verifiedTime,
  failure: failure === null ? null : JSON.stringify(failure),
  nextCheckTime,
});

/** Returns the statement that stores the event of a blog's site, if `holds`. */
function tellOfSite(blogId: SQL, { time, baseUrl }: StoredCheck, holds: SQL): SQL {
  const { from, data, ...event } = buildSiteEvent(blogId, baseUrl);
  const changed = addChanged(data, SITE_CHANGES.hosts);
  const stored = { ...event, id: newId(), organizationId: blogs.organizationId, data: changed, time };
  return insertEvent(stored, sql`${from} and ${holds}`);
}

/** Returns the statement that logs what the service found out. Neither organization learns whose check it was. */
function logChange(
  action: string,
  { blogId, organizationId, host }: Readonly<Record<"blogId" | "organizationId", SQL | string>> & { host: string },
  { time }: HostCheck,
  from: SQL,
) {
  const id = newId();
  const by = { actorKind: "service", actorId: blogId, requestId: id };
  return insertWhere(audit, { id, organizationId, ...by, action, resourceId: host, blogId, creationTime: time }, from);
}
