/** Contract 20.9 and 21: where a blog's site offers subscribing, and how its pages look. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { freshAddress, letSubscribe, mailedLink, NEWSLETTER } from "../helpers/mails.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let to: string;

beforeEach(async () => {
  tenant = await newTenant(`Walks ${crypto.randomUUID().slice(0, 8)}`);
  to = freshAddress();
});

const key = () => ({ as: { apiKey: tenant.apiKey } });
const at = () => `/blogs/${tenant.blogId}/subscribe`;
// A network of its own, as each may ask 20 times a minute.
const headers = { "CF-Connecting-IP": "192.0.2.47" };
const ask = (email: string) => send(at(), { body: { email }, headers });
const post = (path: string) => send(path, { body: "", type: "application/x-www-form-urlencoded" });
const mailTo = (address: string) =>
  env.DB.prepare("select body from local_mails where recipient = ? order by id").bind(address).first("body");

it("the site offers it once the blog says what subscribers get, and requests of front ends are taken either way", async () => {
  const site = await sendJson<{ url: string }>(200, `/api/blogs/${tenant.blogId}/site`, key());
  const front = async () => (await send(new URL(site.url).pathname)).text();
  const [off, none] = await Promise.all([send(at()), send("/blogs/no-such-blog/subscribe")]);
  expect([off.status, await off.text()]).toEqual([404, await none.text()]);
  expect(await front()).not.toContain("/subscribe");
  const early = freshAddress();
  expect((await ask(early)).status).toBe(202);
  expect(await mailTo(early)).not.toContain('""');
  await letSubscribe(tenant, "  A letter & a map each month ");
  const promise = "A letter &amp; a map each month";
  expect(await front()).toContain(promise);
  expect(await (await send(at())).text()).toContain(promise);
  expect((await ask(to)).status).toBe(202);
  expect(await mailTo(to)).toContain('"A letter & a map each month"');
  const links = await Promise.all([early, to].map(mailedLink));
  expect(await (await send(links[1] ?? "")).text()).toContain(promise);
  await letSubscribe(tenant, "");
  expect(await front()).not.toContain("/subscribe");
  for (const link of links) expect((await post(link)).status).toBe(200);
});

it("has pages in the look of the blog, also of a link that has ended", async () => {
  const look = { accentColor: "#0f766e", font: "sans", logoUrl: "https://img.example/logo.png" };
  const body = { ...look, newsletter: NEWSLETTER };
  const settings = { ...key(), method: "PUT", body };
  const { url } = await sendJson<{ url: string }>(200, `/api/blogs/${tenant.blogId}/site`, settings);
  const style = async (path: string) => /<style>(.*?)<\/style>/s.exec(await (await send(path)).text())?.[1];
  const front = await style(new URL(url).pathname);
  await ask(to);
  const link = await mailedLink(to);
  for (const path of [at(), link, link.replace("/subscribe/", "/unsubscribe/"), `${at()}/epc_none`]) {
    const text = await (await send(path)).text();
    expect(text, path).toContain(`<a class="name" href="${url}" dir="auto"><img src="https://img.example/logo.png"`);
    expect(await style(path), path).toBe(front);
  }
});
