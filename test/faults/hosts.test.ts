/** Contract 21.7 with resolvers that fail: what could not be found out is neither a proof nor a miss. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { ask, freshHost, hostsOf, makeDue, proofOf, setDns, sweepHosts } from "../helpers/hosts.ts";
import { limited } from "../helpers/limiter.ts";
import { send } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";

const BEHAVIOURS = ["hang", "error", "garbage", "other-json", "huge", "server-failure", "redirect", "lost"];

it("a resolver that fails, hangs or answers something else changes nothing, by hand and in the sweep", async () => {
  const hosts = hostsOf(await newTenant());
  const host = await hosts.proved();
  const before = await hosts.list();
  await Promise.all(
    BEHAVIOURS.map(async (behave) => {
      // Each has a name of its own, so that they are asked for at the same time.
      const name = freshHost();
      await hosts.add(name);
      await setDns(name, { behave });
      const refused = await hosts.check<{ code: string; detail: string }>(name, 502);
      expect(refused.code, behave).toBe("dns_unavailable");
      expect(refused.detail, behave).not.toContain("127.0.0.1");
    }),
  );
  const waiting = (await hosts.list()).filter((each) => each.host !== host);
  expect(waiting.map(({ checkTime, failure }) => [checkTime, failure])).toEqual(BEHAVIOURS.map(() => [null, null]));
  await setDns(host, { behave: "error" });
  await makeDue(host);
  await sweepHosts();
  const after = (await hosts.list()).find((each) => each.host === host);
  expect({ ...after, nextCheckTime: null }).toEqual({ ...before[0], nextCheckTime: null });
  // It is looked for again later, not at once, and less often the longer its domain cannot be asked.
  const inMinutes = (time?: string | null) => Math.round((Date.parse(time ?? "") - Date.now()) / 60_000);
  expect(inMinutes(after?.nextCheckTime)).toBe(15);
  const checked = env.DB.prepare("update site_hosts set check_time = ? where host = ?");
  for (const [hours, minutes] of [
    [24, 360],
    [24 * 30, 720],
  ] as const) {
    await checked.bind(new Date(Date.now() - hours * 3_600_000).toISOString(), host).run();
    await makeDue(host);
    await sweepHosts();
    expect(inMinutes((await hosts.list()).find((each) => each.host === host)?.nextCheckTime)).toBe(minutes);
  }
});

it("a resolver that has an answer without records says that there is none", async () => {
  const hosts = hostsOf(await newTenant());
  const host = freshHost();
  await hosts.add(host);
  await setDns(host, { behave: "empty" });
  expect(await hosts.check(host)).toMatchObject({ state: "pending", failure: { reason: "record_missing", found: [] } });
});

it("an organization checks ten times a minute, all its blogs together", async () => {
  const tenant = await newTenant();
  const hosts = hostsOf(tenant);
  const host = freshHost();
  await hosts.add(host);
  const path = `/api/blogs/${tenant.blogId}/site/hosts/${host}/check`;
  const answers = await Promise.all(
    Array.from({ length: 15 }, () => send(path, { as: { apiKey: tenant.apiKey }, method: "POST" })),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(1);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(10);
});

it("hosts that a network makes up are looked for no more often than it may read; those that are known are shown", async () => {
  const host = await hostsOf(await newTenant()).proved();
  let queries = 0;
  const counting = <Asked extends D1Database | D1DatabaseSession>(asked: Asked): Asked =>
    new Proxy(asked, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (name === "withSession") return (...how: []) => counting((target as D1Database).withSession(...how));
        if (name === "prepare" || name === "batch") queries++;
        return value.bind(target) as unknown;
      },
    });
  const bindings = { ...limited({ hostLookups: 3 }), DB: counting(env.DB) };
  const from = (network: string, url: string) => ask(url, { headers: { "CF-Connecting-IP": network } }, bindings);
  expect((await from("192.0.2.1", `https://${host}/`)).status).toBe(200);
  for (const made of [1, 2])
    expect((await from("192.0.2.1", `https://made-up-${made}.blogs.example.com/`)).status).toBe(404);
  const before = queries;
  const refused = await from("192.0.2.1", "https://made-up-3.blogs.example.com/");
  expect([refused.status, await refused.json()]).toEqual([429, expect.objectContaining({ code: "rate_limited" })]);
  expect(refused.headers.get("Retry-After")).toBe("60");
  expect((await from("192.0.2.1", `https://${freshHost()}/`)).status).toBe(429);
  expect(queries).toBe(before);
  expect((await from("192.0.2.2", `https://${host}/`)).status).toBe(200);
});

it("two blogs whose records are both there do not both get the host, in whatever order the checks end", async () => {
  const [one, two] = [hostsOf(await newTenant()), hostsOf(await newTenant())];
  const host = freshHost();
  const [first, second] = [await one.add(host), await two.add(host)];
  await setDns(host, { texts: [proofOf(first), proofOf(second)] });
  const states = (await Promise.all([one.check(host), two.check(host)])).map(({ state }) => state);
  expect(states.toSorted()).toEqual(["pending", "verified"]);
  const rows = env.DB.prepare("select count(*) as n from site_hosts where host = ? and verified_time is not null");
  expect(await rows.bind(host).first("n")).toBe(1);
});
