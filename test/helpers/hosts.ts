/** Host names of blogs in tests, and the DNS that they are looked for in. */
import { env } from "cloudflare:workers";
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import worker from "../../src/worker.ts";
import type { SiteHostValue } from "../../src/operations/hosts.ts";
import { batchOf } from "./relay.ts";
import { sendJson } from "./requests.ts";
import type { Tenant } from "./tenant.ts";

const BINDINGS = { BASE_URL: "https://press.example.com", SITE_DOMAIN: "blogs.example.com" } as object as Partial<Env>;

let serial = 0;
/** Returns a host that no other test has. */
export const freshHost = (): string => `h${++serial}-${Date.now().toString(36)}.example.com`;

/** Says which TXT records prove a host, or how the resolver behaves when it is asked for them. */
export async function setDns(host: string, zone: { texts?: readonly string[]; behave?: string }): Promise<void> {
  const url = `${env.FEEDS.url}/_dns/${encodeURIComponent(`_edgepress.${host}`)}`;
  const { status } = await fetch(url, { method: "PUT", body: JSON.stringify(zone) });
  if (status !== 204) throw new Error(`the resolver answered ${status}`);
}

/** Returns what a host's TXT record is to say. */
export const proofOf = ({ records }: SiteHostValue): string => records[0]?.value ?? "";

const pathOf = ({ blogId }: Tenant, host = ""): string =>
  `/api/blogs/${blogId}/site/hosts${host === "" ? "" : `/${encodeURIComponent(host)}`}`;

/** The operations on hosts, as a tenant's key calls them, with these bindings besides those of the test's environment. */
export function hostsOf(tenant: Tenant, more: Partial<Env> = {}) {
  const as = { apiKey: tenant.apiKey };
  const bindings = { ...BINDINGS, ...more };
  return {
    list: () => sendJson<SiteHostValue[]>(200, pathOf(tenant), { as, bindings }),
    add: <T = SiteHostValue>(host: string, status = 200) =>
      sendJson<T>(status, pathOf(tenant), { as, body: { host }, bindings }),
    check: <T = SiteHostValue>(host: string, status = 200, headers = {}) =>
      sendJson<T>(status, `${pathOf(tenant, host)}/check`, { as, method: "POST", bindings, headers }),
    remove: (host: string, status = 200) => sendJson(status, pathOf(tenant, host), { as, method: "DELETE", bindings }),
    /** Adds a host and proves it. */
    async proved(host = freshHost()): Promise<string> {
      await setDns(host, { texts: [proofOf(await this.add(host))] });
      const { state } = await this.check(host);
      if (state !== "verified") throw new Error(`the host is ${state}`);
      return host;
    },
  };
}

/** Adds a host that has no DNS record to a tenant's blog. */
export const newHost = async (tenant: Tenant): Promise<string> => (await hostsOf(tenant).add(freshHost())).host;

/** Asks a deployment that has an address of its own for a page of a host. */
export async function ask(url: string, init: RequestInit = {}, bindings: Partial<Env> = {}): Promise<Response> {
  const context = createExecutionContext();
  const response = await worker.fetch(
    new Request(url, { redirect: "manual", ...init }),
    { ...env, ...BINDINGS, ...bindings },
    context,
  );
  await waitOnExecutionContext(context);
  return response;
}

/** Runs the sweep of hosts once. */
export async function sweepHosts(): Promise<void> {
  await worker.queue(batchOf("edgepress-cron", [{ part: "hosts" }]), env, createExecutionContext());
}

/** Makes the next check of a host due. */
export const makeDue = (host: string): Promise<unknown> =>
  env.DB.prepare("update site_hosts set next_check_time = '2026-01-01T00:00:00.000Z' where host = ?").bind(host).run();
