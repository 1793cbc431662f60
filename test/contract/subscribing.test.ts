/** Contract 20.9 and 20.10: readers subscribe to the mails of a blog, confirm that, and end it. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { removeExpired } from "../../src/store/retention.ts";
import { newBrowser } from "../helpers/console.ts";
import { losing } from "../helpers/failing-database.ts";
import { limited } from "../helpers/limiter.ts";
import { freshAddress, letSubscribe, mailedLink } from "../helpers/mails.ts";
import { outcome, wrongFields } from "../helpers/outcome.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

type Contact = {
  _id: string;
  email: string;
  locale: string;
  consentTime: string | null;
  unsubscribeTime: string | null;
  unsubscribeUrl: string;
};

let tenant: Tenant;
let to: string;

const key = () => ({ as: { apiKey: tenant.apiKey } });
const at = () => `/blogs/${tenant.blogId}/subscribe`;
const ask = (body: object = { email: to }, more = {}) => send(at(), { body, ...more });
const contacts = () => sendJson<Contact[]>(200, `/api/contacts?blogId=${tenant.blogId}`, key());
const post = (path: string, more = {}) =>
  send(path, {
    method: "POST",
    body: "List-Unsubscribe=One-Click",
    type: "application/x-www-form-urlencoded",
    ...more,
  });
const events = async () =>
  (
    await env.DB.prepare("select data from events where organization_id = ? and kind = 'contact.created'")
      .bind(tenant.organizationId)
      .all<{ data: string }>()
  ).results.map(({ data }) => JSON.parse(data) as Contact);
const mailsTo = async (address: string) =>
  (
    await env.DB.prepare("select subject, body from local_mails where recipient = ? order by id")
      .bind(address)
      .all<{ subject: string; body: string }>()
  ).results;
const age = (seconds: number) =>
  env.DB.prepare("update contact_requests set creation_time = ?")
    .bind(new Date(Date.now() - seconds * 1000).toISOString())
    .run();
const turnOff = () =>
  sendJson(200, `/api/blogs/${tenant.blogId}/site`, { ...key(), method: "PUT", body: { enabled: false } });

beforeEach(async () => {
  tenant = await newTenant(`Walks ${crypto.randomUUID().slice(0, 8)}`);
  await letSubscribe(tenant);
  to = freshAddress();
});

describe("subscribing", () => {
  it("becomes a contact by the button of the page that the mail leads to, and never by a GET", async () => {
    const asked = await ask({ email: to.toUpperCase(), locale: "PT-br" });
    expect([asked.status, await asked.json()]).toEqual([202, { status: "pending" }]);
    const link = await mailedLink(to);
    for (const method of ["GET", "HEAD", "GET"]) expect((await send(link, { method })).status).toBe(200);
    expect(await contacts()).toEqual([]);
    const page = await send(link);
    expect(page.headers.get("Referrer-Policy")).toBe("no-referrer");
    const shown = await page.text();
    expect(shown).toContain(to);
    expect(shown).toContain("Walks");
    expect((await post(link)).status).toBe(200);
    const [contact, ...others] = await contacts();
    expect([contact?.email, contact?.locale, others]).toEqual([to, "pt-BR", []]);
    expect(contact?.consentTime).toMatch(/^\d{4}-/);
    expect(await events()).toMatchObject([{ _id: contact?._id, email: to, consentTime: contact?.consentTime }]);
    expect((await mailsTo(to)).map(({ subject }) => subject)).toEqual([
      "Confirme a sua inscrição",
      "A sua inscrição está confirmada",
    ]);
  });

  it("fires and mails once, however often it is confirmed, and says each time that it is done", async () => {
    await ask();
    const link = await mailedLink(to);
    const said = async (pressed: Promise<Response>) => (await (await pressed).text()).includes("is subscribed");
    const pressed = await Promise.all(Array.from({ length: 5 }, () => said(post(link))));
    expect([...pressed, await said(post(link)), await said(send(link))]).toEqual(Array.from({ length: 7 }, () => true));
    expect([(await contacts()).length, (await events()).length, (await mailsTo(to)).length]).toEqual([1, 1, 2]);
  });

  it("answers and looks the same whether the address is known or not", async () => {
    await ask();
    await post(await mailedLink(to));
    await age(10_000);
    const [known, unknown] = [await ask(), await ask({ email: freshAddress() })];
    const bodies = await Promise.all([known.text(), unknown.text()]);
    expect([known.status, bodies[0]]).toEqual([unknown.status, bodies[1]]);
    expect((await mailsTo(to)).at(-1)?.subject).toBe("You are already subscribed");
  });

  it("a form gets pages, with what was entered after a mistake", async () => {
    const form = (body: string) =>
      send(at(), { body, type: "application/x-www-form-urlencoded", headers: { Accept: "text/html" } });
    expect(await (await send(at())).text()).toContain('<form method="post"');
    const wrong = await form(`email=${encodeURIComponent('<b>"no address')}`);
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain('value="&lt;b&gt;&quot;no address"');
    // What else is wrong is not said of the address.
    const built = await (await form(`email=${encodeURIComponent(to)}&name=Ada`)).text();
    expect(built).not.toContain('aria-invalid="true"');
    expect(built).toContain("name");
    const done = await form(`email=${encodeURIComponent(to)}&locale=`);
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining("Check your email")]);
    const policy = done.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("script-src");
    expect(done.headers.get("Cache-Control")).toBe("no-store");
  });

  it("pages of other sites may send it as JSON", async () => {
    const preflight = await send(at(), { method: "OPTIONS" });
    expect(preflight.headers.get("Access-Control-Allow-Methods")).toContain("POST");
    expect((await ask()).headers.get("Access-Control-Allow-Origin")).toBe("*");
  });

  it("a contact that somebody has added gets its time of consent, and nothing is fired again", async () => {
    await sendJson(200, "/api/contacts", { ...key(), body: { blogId: tenant.blogId, email: to, name: "Ada" } });
    expect((await contacts())[0]?.consentTime).toBeNull();
    await ask();
    await post(await mailedLink(to));
    expect(await contacts()).toMatchObject([{ name: "Ada", consentTime: expect.stringMatching(/^\d{4}/) }]);
    expect(await events()).toHaveLength(1);
  });

  it.each(["before", "after"] as const)(
    "sends its mail if the request was lost on its way, %s it was stored",
    async (moment) => {
      const bindings = { DB: losing(moment, 'insert into "contact_requests"'), ...limited({ mailRequests: 1 }) };
      expect((await ask({ email: to }, { bindings })).status).toBe(202);
      expect((await post(await mailedLink(to))).status).toBe(200);
      expect(await contacts()).toMatchObject([{ email: to }]);
    },
  );
});

describe("what is refused", () => {
  it("an address that is none, and one that would add headers to a mail", async () => {
    for (const email of ["ada", "a@b", "ada@example.com\r\nBcc: x@example.com", "a@example.com,b@example.com", ""]) {
      expect(await wrongFields(at(), { body: { email } }), email).toEqual(["email"]);
    }
    expect(await wrongFields(at(), { body: { email: to, locale: "!!", name: "x" } })).toEqual(["locale", "name"]);
    expect(await outcome(at(), { body: "{", type: "application/json" })).toBe("400 invalid_json");
    expect((await send(at(), { body: "email=x", type: "text/plain" })).status).toBe(415);
    expect(await outcome(at(), { body: { email: "x".repeat(9000) } })).toBe("413 body_too_large");
  });

  it("a blog that is not there, and one whose site is off, also for a link that is under way", async () => {
    expect(await outcome("/blogs/no-such-blog/subscribe", { body: { email: to } })).toBe("404 not_found");
    await ask();
    const link = await mailedLink(to);
    await turnOff();
    expect((await ask()).status).toBe(404);
    expect((await send(at())).status).toBe(404);
    expect((await post(link)).status).toBe(404);
    expect(await contacts()).toEqual([]);
  });

  it("a second mail to the same address soon, and too many from a network, of a blog or to an address", async () => {
    await ask();
    const first = await mailedLink(to);
    expect((await ask()).status).toBe(202);
    expect(await mailsTo(to)).toHaveLength(1);
    await age(10_000);
    await ask();
    expect(await mailsTo(to)).toHaveLength(2);
    expect((await send(first)).status).toBe(404);
    const one = limited({ mailRequests: 1 });
    const from = (address: string, bindings: object) => ({ bindings, headers: { "CF-Connecting-IP": address } });
    expect((await ask({ email: freshAddress() }, from("192.0.2.7", one))).status).toBe(202);
    expect((await ask({ email: freshAddress() }, from("192.0.2.7", one))).status).toBe(429);
    const ofBlog = limited({ subscriptions: 1 });
    expect((await ask({ email: freshAddress() }, from("192.0.2.8", ofBlog))).status).toBe(202);
    expect((await ask({ email: freshAddress() }, from("192.0.2.9", ofBlog))).status).toBe(429);
  });

  it("no more than three mails a minute to an address, which leaves those for a new password as many", async () => {
    const limits = limited({ mails: 3 });
    for (let n = 0; n < 5; n++) {
      await ask({ email: to }, { bindings: limits, headers: { "CF-Connecting-IP": "192.0.2.45" } });
      await age(10_000);
    }
    expect(await mailsTo(to)).toHaveLength(3);
    expect((await newBrowser(limits).post("/console/forgot-password", { email: to })).status).toBe(200);
  });

  it("tokens of other kinds, changed ones, and those that have ended, which the sweep removes", async () => {
    await ask();
    const link = await mailedLink(to);
    for (const wrong of [`${link}x`, link.slice(0, -1), `${at()}/epc_`, `${at()}/${tenant.blogId}`]) {
      expect((await post(wrong)).status).toBe(404);
    }
    await env.DB.prepare("update contact_requests set expiration_time = '2020-01-01T00:00:00.000Z'").run();
    expect((await post(link)).status).toBe(404);
    await removeExpired(env.DB, new Date());
    expect(await env.DB.prepare("select 1 from contact_requests").first()).toBeNull();
    const stored = await env.DB.prepare("select group_concat(token_hash) as t from contact_requests").first("t");
    expect(stored).toBeNull();
  });

  it("more contacts than the organization may have: the page says so, and the link stays good", async () => {
    await ask();
    const link = await mailedLink(to);
    const full = { bindings: { ORGANIZATION_CONTACTS: "0" } };
    const refused = await post(link, full);
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining("still works")]);
    expect((await post(link)).status).toBe(200);
    expect(await contacts()).toHaveLength(1);
  });
});

describe("unsubscribing", () => {
  const subscribed = async (): Promise<Contact> => {
    await ask();
    await post(await mailedLink(to));
    const [contact] = await contacts();
    if (contact === undefined) throw new Error("no contact");
    return contact;
  };

  it("is one POST, as mail programs send it; a GET only shows the button", async () => {
    const { unsubscribeUrl, _id } = await subscribed();
    const leave = await mailedLink(to);
    expect(new URL(unsubscribeUrl).pathname).toBe(leave);
    expect(await (await send(leave)).text()).toContain("Unsubscribe</button>");
    expect((await contacts())[0]?.unsubscribeTime).toBeNull();
    const before = await send(`/api/contacts/${_id}`, key());
    expect((await post(leave)).status).toBe(200);
    const [contact] = await contacts();
    expect(contact?.unsubscribeTime).toMatch(/^\d{4}-/);
    expect((await send(`/api/contacts/${_id}`, key())).headers.get("ETag")).not.toBe(before.headers.get("ETag"));
    expect((await post(leave)).status).toBe(200);
    expect((await contacts())[0]?.unsubscribeTime).toBe(contact?.unsubscribeTime);
    expect(await (await send(leave)).text()).toContain("will get no more emails");
  });

  it("works where the site is off, and is undone by subscribing again", async () => {
    await subscribed();
    const leave = await mailedLink(to);
    await turnOff();
    expect((await post(leave)).status).toBe(200);
    await sendJson(200, `/api/blogs/${tenant.blogId}/site`, { ...key(), method: "PUT", body: { enabled: true } });
    await age(10_000);
    await ask();
    await post(await mailedLink(to));
    const [contact] = await contacts();
    expect([contact?.unsubscribeTime, contact?.consentTime]).toEqual([null, expect.stringMatching(/^\d/)]);
    expect(await events()).toHaveLength(1);
  });

  it("from the first mail removes the request", async () => {
    await ask();
    const link = await mailedLink(to);
    expect((await post(link.replace("/subscribe/", "/unsubscribe/"))).status).toBe(200);
    expect((await post(link)).status).toBe(404);
  });

  it("from the mail to somebody who is subscribed already works for good, and where the site is off", async () => {
    // A network of its own, as each may ask 20 times a minute.
    const network = { headers: { "CF-Connecting-IP": "192.0.2.44" } };
    await ask({ email: to }, network);
    await post(await mailedLink(to));
    await age(10_000);
    await ask({ email: to }, network);
    const mail = (await mailsTo(to)).at(-1);
    expect(mail?.subject).toBe("You are already subscribed");
    const [link = ""] = /\/blogs\/\S+/.exec(mail?.body ?? "") ?? [];
    await turnOff();
    await env.DB.prepare("update contact_requests set expiration_time = '2026-01-01T00:00:00.000Z'").run();
    expect((await post(link)).status).toBe(200);
    expect((await contacts())[0]?.unsubscribeTime).toMatch(/^\d/);
  });

  it("takes no link that was made up, nor one for another contact", async () => {
    const { unsubscribeUrl, _id } = await subscribed();
    const { pathname } = new URL(unsubscribeUrl);
    const other = await sendJson<Contact>(200, "/api/contacts", {
      ...key(),
      body: { blogId: tenant.blogId, email: freshAddress() },
    });
    for (const wrong of [
      pathname.replace(_id, other._id),
      `${pathname}x`,
      pathname.slice(0, -1),
      pathname.replace(/\..*/, ""),
    ]) {
      expect((await post(wrong)).status).toBe(404);
    }
    expect((await contacts()).every(({ unsubscribeTime }) => unsubscribeTime === null)).toBe(true);
  });
});
