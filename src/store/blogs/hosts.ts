/** The host names of a blog's own, under which its site is shown once DNS proves them (contract 21.7). */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { FIRST_CHECK_MS, PROOF_LABEL, PROOF_PREFIX, type HostFailure, type HostState } from "../../domain/hosts.ts";
import { LIMITS } from "../../domain/limits.ts";
import { commit, makeLicense } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { isOwnBlog } from "../core/reach.ts";
import { joinAnd, builder, insertWhere, jsonObject, runTransaction } from "../core/sql.ts";
import { isProven, storeCheck, HOST_ROW, toHostRow, type HostRow } from "./host-checks.ts";
import { buildSiteEvent, SITE_CHANGES } from "./sites.ts";
import { blogs, siteHosts } from "../../schema/blogs.ts";

/** A host of a blog, with the DNS records that its owner creates. */
export type HostRecord = {
  blogId: string;
  host: string;
  state: HostState;
  records: { type: "TXT" | "CNAME"; name: string; value: string }[];
  verifiedTime: string | null;
  checkTime: string | null;
  nextCheckTime: string | null;
  failure: { since: string; reason: HostFailure["reason"]; found: string[] } | null;
  creationTime: string;
};

/**
 * Returns an SQL expression, on a row of `site_hosts`, for the whole host as JSON: reads parse it, and a write stores
 * it as its response. `target` is the host that the CNAME record should name.
 */
const buildHostJson = (target: string): SQL<string> => {
  const { host, token, verifiedTime, failure } = siteHosts;
  return jsonObject({
    blogId: siteHosts.blogId,
    host,
    state: sql`case when ${verifiedTime} is null then 'pending' when ${failure} is null then 'verified' else 'failing' end`,
    records: sql`json_array(
      ${buildRecord("TXT", sql`${`${PROOF_LABEL}.`} || ${host}`, sql`${PROOF_PREFIX} || ${token}`)},
      ${buildRecord("CNAME", sql`${host}`, sql`${target}`)})`,
    verifiedTime,
    checkTime: siteHosts.checkTime,
    nextCheckTime: siteHosts.nextCheckTime,
    failure: sql`json(json_remove(${failure}, '$.misses'))`,
    creationTime: siteHosts.creationTime,
  }) as SQL<string>;
};

const buildRecord = (type: string, name: SQL, value: SQL): SQL => jsonObject({ type: sql`${type}`, name, value });

const selectHosts = (target: string, which: SQL) =>
  builder
    .select({ json: buildHostJson(target).as("json") })
    .from(siteHosts)
    .where(which);
const toHost = ({ json }: { readonly json: string }): HostRecord => JSON.parse(json) as HostRecord;

const isHost = (blogId: string, host: string): SQL => joinAnd(eq(siteHosts.blogId, blogId), eq(siteHosts.host, host));

/** Returns the hosts of a blog, oldest first. There are few, so there are no pages. Throws `blog_forbidden`. */
export async function listHosts(writer: Writer, blogId: string, target: string): Promise<HostRecord[]> {
  const { reach, found } = await runTransaction(writer.db, {
    reach: sql`select 1 from ${blogs} where ${isOwnBlog(writer, blogId)}`,
    found: selectHosts(
      target,
      joinAnd(eq(siteHosts.blogId, blogId), eq(siteHosts.organizationId, writer.organizationId)),
    ).orderBy(siteHosts.creationTime, siteHosts.host),
  });
  if (reach.length === 0) throw new DomainError("blog_forbidden");
  return found.map(toHost);
}

export type NewHost = {
  readonly blogId: string;
  readonly host: string;
  readonly token: string;
  readonly target: string;
  readonly baseUrl: string;
};

/**
 * Stores a host that waits for its DNS record. Others may have named the same host: DNS decides whose it is. Throws
 * `blog_forbidden`, `host_exists` and `host_limit`.
 */
export async function addHost(writer: Writer, { blogId, host, token, target, baseUrl }: NewHost): Promise<HostRecord> {
  const license = makeLicense(writer);
  const blog = isOwnBlog(writer, blogId);
  const isIt = isHost(blogId, host);
  const stored = selectHosts(target, isIt);
  const has = sql`exists (select 1 from ${siteHosts} where ${isIt})`;
  const count = sql`(select count(*) from ${siteHosts} where ${siteHosts.blogId} = ${blogId})`;
  const row = {
    blogId,
    host,
    organizationId: writer.organizationId,
    token,
    nextCheckTime: new Date(Date.parse(license.time) + FIRST_CHECK_MS).toISOString(),
    creationTime: license.time,
  };
  const outcome = await commit<{ json: string }, { taken: number }>(writer, license, {
    action: "hosts.add",
    resourceId: host,
    blogId,
    where: sql`from ${blogs} where ${joinAnd(blog, sql`not ${has}`, sql`${count} < ${LIMITS.hosts}`)}`,
    change: ({ held }) => ({
      before: [insertWhere(siteHosts, row, sql`where ${held}`)],
      returning: stored,
      again: () => stored,
    }),
    changed: SITE_CHANGES.hosts,
    event: buildSiteEvent(blogId, baseUrl),
    answer: sql`(select ${jsonObject({ value: buildHostJson(target) })} from ${siteHosts} where ${isIt})`,
    diagnose: sql<{ taken: number }>`select ${has} as "taken" from ${blogs} where ${blog}`,
  });
  if (!outcome.refused) return toHost(outcome.row);
  const [found] = outcome.diagnosis;
  if (found === undefined) throw new DomainError("blog_forbidden");
  throw new DomainError(found.taken === 1 ? "host_exists" : "host_limit");
}

/** Returns what a check needs to know of a host. Throws `blog_forbidden` and `not_found`. */
export async function findHost(writer: Writer, blogId: string, host: string): Promise<HostRow> {
  const { reach, found } = await runTransaction(writer.db, {
    reach: sql`select 1 from ${blogs} where ${isOwnBlog(writer, blogId)}`,
    found: builder
      .select(HOST_ROW)
      .from(siteHosts)
      .where(and(isHost(blogId, host), eq(siteHosts.organizationId, writer.organizationId))),
  });
  if (reach.length === 0) throw new DomainError("blog_forbidden");
  if (found[0] === undefined) throw new DomainError("not_found", NO_HOST);
  return toHostRow(found[0]);
}

const NO_HOST = "The blog has no such host.";

export type CheckedHost = {
  readonly row: HostRow;
  readonly found: readonly string[];
  readonly target: string;
  readonly baseUrl: string;
};

/** Stores a check by hand, and returns the host after it. Throws `not_found` if it was removed meanwhile. */
export async function recordHostCheck(
  writer: Writer,
  { row, found, target, baseUrl }: CheckedHost,
): Promise<HostRecord> {
  const license = makeLicense(writer);
  const { blogId, host } = row;
  const claim = isProven(row, found) ? await writer.claim?.("host", [host]) : undefined;
  const isElsewhere = claim === null;
  const isIt = joinAnd(isHost(blogId, host), eq(siteHosts.token, row.token));
  const stored = selectHosts(target, isIt);
  const outcome = await commit<{ json: string }, unknown>(writer, license, {
    action: "hosts.check",
    resourceId: host,
    blogId,
    where: sql`from ${siteHosts} where ${isIt}
      and exists (select 1 from ${blogs} where ${isOwnBlog(writer, blogId)})`,
    change: ({ time, held }) => ({
      before: storeCheck(row, { time, byHand: true, found, baseUrl, isElsewhere }, held),
      returning: stored,
      again: () => stored,
    }),
    answer: sql`(select ${jsonObject({ value: buildHostJson(target) })} from ${siteHosts} where ${isIt})`,
  });
  if (outcome.refused) {
    await claim?.release();
    throw new DomainError("not_found", NO_HOST);
  }
  return toHost(outcome.row);
}

/** Removes a host. Within a minute, it no longer shows the site. Throws `blog_forbidden` and `not_found`. */
export async function removeHost(
  writer: Writer,
  { blogId, host, baseUrl }: Pick<NewHost, "blogId" | "host" | "baseUrl">,
): Promise<void> {
  const isIt = isHost(blogId, host);
  const outcome = await commit(writer, makeLicense(writer), {
    action: "hosts.remove",
    resourceId: host,
    blogId,
    where: sql`from ${blogs} where ${isOwnBlog(writer, blogId)} and exists (select 1 from ${siteHosts} where ${isIt})`,
    change: ({ held }) => [builder.delete(siteHosts).where(and(isIt, held))],
    changed: SITE_CHANGES.hosts,
    event: buildSiteEvent(blogId, baseUrl),
    answer: sql`json_object('value', json_object('_id', ${host}))`,
    diagnose: sql`select 1 from ${blogs} where ${isOwnBlog(writer, blogId)}`,
  });
  if (!outcome.refused) return;
  throw outcome.diagnosis.length === 0 ? new DomainError("blog_forbidden") : new DomainError("not_found", NO_HOST);
}
