/** Contract 20.9 and 20.10: how soon an address gets another mail of a blog, and what the links of the first one do once used. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { removeExpired } from "../../src/store/retention.ts";
import { freshAddress, mailedLink } from "../helpers/mails.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let to: string;

beforeEach(async () => {
  tenant = await newTenant(`Walks ${crypto.randomUUID().slice(0, 8)}`);
  to = freshAddress();
});

// A network of its own, as each may ask 20 times a minute.
const headers = { "CF-Connecting-IP": "192.0.2.46" };
const ask = async () => (await send(`/blogs/${tenant.blogId}/subscribe`, { body: { email: to }, headers })).status;
const post = async (path: string) =>
  (await send(path, { method: "POST", body: "", type: "application/x-www-form-urlencoded" })).status;
const subjects = async () =>
  (
    await env.DB.prepare("select subject from local_mails where recipient = ? order by id")
      .bind(to)
      .all<{ subject: string }>()
  ).results.map(({ subject }) => subject);
const requests = () =>
  env.DB.prepare("select count(*) as count from contact_requests where email = ?").bind(to).first("count");
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

it("somebody who has said that it was not them is left alone for fifteen minutes", async () => {
  expect(await ask()).toBe(202);
  const link = await mailedLink(to);
  const leave = link.replace("/subscribe/", "/unsubscribe/");
  expect([await post(leave), await post(leave), await post(link)]).toEqual([200, 200, 404]);
  expect([await ask(), await ask()]).toEqual([202, 202]);
  expect(await subjects()).toEqual(["Confirm your subscription"]);
});

it("so is somebody who has confirmed", async () => {
  await ask();
  const link = await mailedLink(to);
  expect([await post(link), await post(link), await ask()]).toEqual([200, 200, 202]);
  expect(await subjects()).toEqual(["Confirm your subscription", "You are subscribed"]);
});

it("what was withdrawn says so for as long as its link would have worked, and is removed then", async () => {
  await ask();
  const leave = (await mailedLink(to)).replace("/subscribe/", "/unsubscribe/");
  await post(leave);
  await removeExpired(env.DB, inMinutes(24 * 60 - 1));
  expect([await post(leave), (await send(leave)).status, await requests()]).toEqual([200, 200, 1]);
  await removeExpired(env.DB, inMinutes(24 * 60 + 1));
  expect([await post(leave), await requests()]).toEqual([404, 0]);
  // The sweep has removed the first mail, too.
  await ask();
  expect(await subjects()).toEqual(["Confirm your subscription"]);
});

it("the first mail's link to unsubscribe ends the subscription once that was confirmed, also where the site is off", async () => {
  await ask();
  const link = await mailedLink(to);
  const leave = link.replace("/subscribe/", "/unsubscribe/");
  expect(await post(link)).toBe(200);
  const as = { apiKey: tenant.apiKey };
  await sendJson(200, `/api/blogs/${tenant.blogId}/site`, { as, method: "PUT", body: { enabled: false } });
  expect(await (await send(leave)).text()).toContain("Unsubscribe</button>");
  expect([await post(leave), await post(leave), await post(link)]).toEqual([200, 200, 404]);
  const [contact] = await sendJson<{ unsubscribeTime: string }[]>(200, `/api/contacts?blogId=${tenant.blogId}`, { as });
  expect(contact?.unsubscribeTime).toMatch(/^\d/);
  // As long as the link to confirm would have worked.
  await removeExpired(env.DB, inMinutes(24 * 60 - 1));
  expect(await post(leave)).toBe(200);
  await removeExpired(env.DB, inMinutes(24 * 60 + 1));
  expect(await post(leave)).toBe(404);
});

/** The database; before it removes the token of a request, `work` is done. */
function beforeWithdrawing(work: () => Promise<unknown>): D1Database {
  const wrapped = (real: D1PreparedStatement): unknown => {
    const first =
      (name: "run" | "all" | "raw") =>
      async (...given: []) => {
        await work();
        return real[name](...given);
      };
    const bind = (...values: unknown[]) => wrapped(real.bind(...values));
    return { bind, run: first("run"), all: first("all"), raw: first("raw") };
  };
  const prepare = (text: string) =>
    text.startsWith('update "contact_requests"') ? wrapped(env.DB.prepare(text)) : env.DB.prepare(text);
  const get = (db: D1Database, name: keyof D1Database) => (name === "prepare" ? prepare : db[name].bind(db));
  return new Proxy(env.DB, { get });
}

it("whoever confirms and unsubscribes at once is not subscribed", async () => {
  await ask();
  const link = await mailedLink(to);
  const DB = beforeWithdrawing(async () => expect(await post(link)).toBe(200));
  const type = "application/x-www-form-urlencoded";
  const leave = link.replace("/subscribe/", "/unsubscribe/");
  expect((await send(leave, { method: "POST", body: "", type, bindings: { DB } })).status).toBe(200);
  const as = { apiKey: tenant.apiKey };
  const [contact] = await sendJson<{ unsubscribeTime: string }[]>(200, `/api/contacts?blogId=${tenant.blogId}`, { as });
  expect(contact?.unsubscribeTime).toMatch(/^\d/);
});
