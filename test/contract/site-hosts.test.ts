/** Contract 21.7: a blog's own hosts, from the DNS record to the page. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { ask, freshHost, hostsOf, makeDue, proofOf, setDns, sweepHosts } from "../helpers/hosts.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let other: Tenant;
beforeAll(async () => {
  [tenant, other] = [await newTenant("Harbour"), await newTenant("Mountain")];
  await newArticle(tenant, { title: "Ferries", slug: "ferries" });
  await newArticle(other, { title: "Summits", slug: "summits" });
});

const blogOf = ({ apiKey, blogId }: Tenant) =>
  sendJson<{ vanityId: string }>(200, `/api/blogs/${blogId}`, { as: { apiKey } });

/** An isolate remembers for a minute which blog a host shows. */
const aMinuteLater = () => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
afterEach(() => vi.useRealTimers());

type Problem = { code: string; errors?: { path: string; message: string }[] };
const auditOf = async ({ operatorToken }: Tenant): Promise<string[]> => {
  const entries = await sendJson<{ action: string; resourceName: string; actor: { kind: string } }[]>(
    200,
    "/api/audit?kind=hosts",
    { as: { operatorToken } },
  );
  return entries.map(({ action, resourceName, actor }) => `${actor.kind} ${action} ${resourceName}`);
};

describe("a host", () => {
  it("waits for its record, is verified by it, and shows the site and nothing else", async () => {
    const hosts = hostsOf(tenant);
    const host = freshHost();
    const added = await hosts.add(host.toUpperCase());
    expect(added).toEqual({
      blogId: tenant.blogId,
      host,
      state: "pending",
      records: [
        { type: "TXT", name: `_edgepress.${host}`, value: expect.stringMatching(/^edgepress-verification=\w{32}$/) },
        { type: "CNAME", name: host, value: "blogs.example.com" },
      ],
      verifiedTime: null,
      checkTime: null,
      nextCheckTime: new Date(Date.parse(added.creationTime) + 300_000).toISOString(),
      failure: null,
      creationTime: added.creationTime,
    });
    expect(await hosts.list()).toEqual([added]);
    expect((await hosts.check(host)).failure).toMatchObject({ reason: "record_missing", found: [] });
    await setDns(host, { texts: ["something else", 'quo"ted \\ text'] });
    expect(await hosts.check(host)).toMatchObject({
      state: "pending",
      failure: { found: ["something else", 'quo"ted \\ text'] },
    });
    await setDns(host, { texts: ["something else", proofOf(added)] });
    const verified = await hosts.check(`${host}.`);
    expect(verified).toMatchObject({ state: "verified", failure: null, checkTime: verified.verifiedTime });
    expect(await hosts.list()).toEqual([verified]);

    const front = await ask(`https://${host}/`);
    expect(front.status).toBe(200);
    expect(await front.text()).toContain("Ferries");
    expect(front.headers.get("Cloudflare-CDN-Cache-Control")).toBe("no-store");
    expect(front.headers.get("Set-Cookie")).toBeNull();
    for (const path of ["/console", "/api/blogs", "/oauth/token", "/healthz", "/mcp"]) {
      expect((await ask(`https://${host}${path}`)).status, path).toBe(404);
    }
    const allowed = async (method: string) => {
      const response = await ask(`https://${host}/archive`, { method });
      return [response.status, response.headers.get("Allow")];
    };
    expect(await allowed("POST")).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(await allowed("OPTIONS")).toEqual([204, "GET, HEAD, OPTIONS"]);
    const as = { apiKey: tenant.apiKey };
    await sendJson(200, `/api/blogs/${tenant.blogId}/site`, { as, method: "PUT", body: { enabled: false } });
    expect((await ask(`https://${host}/`)).status).toBe(404);
    expect((await allowed("OPTIONS"))[0]).toBe(404);
    await sendJson(200, `/api/blogs/${tenant.blogId}/site`, { as, method: "PUT", body: { enabled: true } });

    await hosts.remove(host);
    expect(await hosts.list()).toEqual([]);
    aMinuteLater();
    expect(await (await ask(`https://${host}/`)).text()).not.toContain("Ferries");
    expect((await auditOf(tenant)).filter((entry) => entry.endsWith(host))).toEqual([
      `key hosts.remove ${host}`,
      `key hosts.check ${host}`,
      `key hosts.check ${host}`,
      `key hosts.check ${host}`,
      `key hosts.add ${host}`,
    ]);
  });

  it("that cannot be a blog's own is refused, and nothing is stored", async () => {
    const hosts = hostsOf(tenant);
    const names = "localhost 127.0.0.1 https://example.com com _a.example.com x.internal 10.0.0.1.nip.io *.example.com";
    const own = "press.example.com blogs.example.com harbour.blogs.example.com";
    const refused = [...`${names} ${own}`.split(" "), "a.b c.com"];
    for (const host of refused) {
      const { code, errors } = await hosts.add<Problem>(host, 400);
      expect([code, errors?.[0]?.path], host).toEqual(["invalid_request", "host"]);
    }
    expect(await hosts.list()).toEqual([]);
    expect((await hosts.check<Problem>("unknown.example.com", 404)).code).toBe("not_found");
    await hosts.remove("unknown.example.com", 404);
  });

  it("is one of at most ten, each once", async () => {
    const hosts = hostsOf(await newTenant());
    const names = Array.from({ length: 10 }, freshHost);
    for (const name of names) await hosts.add(name);
    expect((await hosts.add<Problem>(names[0] ?? "", 409)).code).toBe("host_exists");
    expect((await hosts.add<Problem>(freshHost(), 409)).code).toBe("host_limit");
    await hosts.remove(names[3] ?? "");
    await hosts.add(freshHost());
    expect((await hosts.list()).map(({ host }) => host).slice(0, 3)).toEqual(names.slice(0, 3));
  });
});

it("a dot at the end of a name changes nothing: browsers send it as it was typed", async () => {
  const host = await hostsOf(tenant).proved();
  const site = await (await ask(`https://${host}/`)).text();
  expect(await (await ask(`https://${host}./`)).text()).toBe(site);
  expect(await (await ask(`https://${host}.:8443/`)).text()).toContain("Ferries");
  expect((await ask(`https://${host}./console`)).status).toBe(404);
  const { vanityId } = await blogOf(tenant);
  expect(await (await ask(`https://${vanityId}.blogs.example.com./`)).text()).toContain("Ferries");
  expect((await ask("https://unknown.blogs.example.com./console")).status).toBe(404);
  expect((await ask("https://press.example.com./console/sign-in")).status).toBe(200);
});

describe("a host that several blogs name", () => {
  it("is whose record is there: a squatter's claim costs its owner nothing, and is told nothing", async () => {
    const host = freshHost();
    const [squatter, owner] = [hostsOf(other), hostsOf(tenant)];
    await squatter.add(host);
    await owner.proved(host);
    expect(await squatter.check(host)).toMatchObject({ state: "pending", failure: { reason: "record_missing" } });
    expect(JSON.stringify(await squatter.list())).not.toContain(tenant.blogId);
    await squatter.remove(host);
    expect(await (await ask(`https://${host}/`)).text()).toContain("Ferries");
    expect((await owner.list()).find((each) => each.host === host)?.state).toBe("verified");
  });

  it("never shows another blog, also not one that has taken its blog's vanityId since", async () => {
    const [owner, taker] = [await newTenant("Harbour"), await newTenant("Mountain")];
    const host = await hostsOf(owner).proved();
    expect((await ask(`https://${host}/`)).status).toBe(200);
    const rename = async ({ apiKey, blogId }: Tenant, vanityId: string) =>
      sendJson(200, `/api/blogs/${blogId}`, { as: { apiKey }, method: "PUT", body: { vanityId } });
    const { vanityId } = await blogOf(owner);
    await rename(owner, `${vanityId}-2`);
    await rename(taker, vanityId);
    expect((await ask(`https://${host}/`)).status).toBe(404);
    aMinuteLater();
    expect((await ask(`https://${host}/`)).status).toBe(200);
  });

  it("changes hands only once the record of the blog that has it is gone", async () => {
    const host = freshHost();
    const [before, after] = [hostsOf(tenant), hostsOf(other)];
    await before.proved(host);
    const held = (await before.list()).find((each) => each.host === host);
    const claim = await after.add(host);
    // A record counts with white space around it, also that of the blog that has the host.
    await setDns(host, { texts: [proofOf(claim), held === undefined ? "" : `${proofOf(held)}\t`] });
    expect(await after.check(host)).toMatchObject({ state: "pending", failure: { reason: "host_taken" } });
    expect(await (await ask(`https://${host}/`)).text()).toContain("Ferries");

    await setDns(host, { texts: [proofOf(claim)] });
    expect(await after.check(host)).toMatchObject({ state: "verified", failure: null });
    expect((await before.list()).find((each) => each.host === host)).toMatchObject({
      state: "pending",
      verifiedTime: null,
      failure: { reason: "record_missing" },
    });
    expect((await auditOf(tenant))[0]).toBe(`service hosts.lose ${host}`);
    expect((await auditOf(other)).filter((entry) => entry.includes("lose"))).toEqual([]);
    aMinuteLater();
    expect(await (await ask(`https://${host}/`)).text()).toContain("Summits");
    const verified = env.DB.prepare(
      "select count(*) as n from site_hosts where host = ? and verified_time is not null",
    );
    expect(await verified.bind(host).first("n")).toBe(1);
  });
});

describe("the sweep", () => {
  it("verifies what waits, and takes away on the third day what is gone", async () => {
    const host = freshHost();
    const hosts = hostsOf(tenant);
    const added = await hosts.add(host);
    const found = async () => (await hosts.list()).find((each) => each.host === host);
    await sweepHosts();
    expect((await found())?.checkTime).toBeNull();
    await setDns(host, { texts: [proofOf(added)] });
    await makeDue(host);
    await sweepHosts();
    expect(await found()).toMatchObject({ state: "verified" });
    expect((await auditOf(tenant))[0]).toBe(`service hosts.verify ${host}`);
    await setDns(host, { texts: [] });
    for (const state of ["failing", "failing", "pending"]) {
      await makeDue(host);
      await sweepHosts();
      expect((await found())?.state).toBe(state);
    }
    expect((await auditOf(tenant))[0]).toBe(`service hosts.lose ${host}`);
    await makeDue(host);
    await setDns(host, { texts: [proofOf(added)] });
    await sweepHosts();
    expect((await found())?.state).toBe("verified");
    await hosts.remove(host);
  });

  it("lets organizations take turns", async () => {
    const rows = Array.from(
      { length: 60 },
      (_, n) =>
        `('${tenant.blogId}', 't${n}.example.com', '${tenant.organizationId}', 'x', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
    );
    await env.DB.prepare(
      `insert into site_hosts (blog_id, host, organization_id, token, next_check_time, creation_time) values ${rows.join()}`,
    ).run();
    const host = freshHost();
    await setDns(host, { texts: [proofOf(await hostsOf(other).add(host))] });
    await env.DB.prepare("update site_hosts set next_check_time = '2026-02-01T00:00:00.000Z' where host = ?")
      .bind(host)
      .run();
    await sweepHosts();
    expect((await hostsOf(other).list()).find((each) => each.host === host)?.state).toBe("verified");
    const checked = env.DB.prepare(
      "select count(*) as n from site_hosts where host glob 't*' and check_time is not null",
    );
    expect(await checked.first("n")).toBe(47);
  });
});

it("without an address of its own, the service has no hosts to offer", async () => {
  const bindings = { ENVIRONMENT: "production", BASE_URL: "" } as object as Partial<Env>;
  const path = `/api/blogs/${tenant.blogId}/site/hosts`;
  const { code } = await sendJson<Problem>(503, path, { as: { apiKey: tenant.apiKey }, bindings });
  expect(code).toBe("not_ready");
});
