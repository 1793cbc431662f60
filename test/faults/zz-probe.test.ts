import { expect, it } from "vitest";
import { env } from "cloudflare:workers";
import { ask, newTenant } from "../helpers/tenant.ts";
const show = async (label: string, r: Response) => console.log(label, r.status, (await r.text()).slice(0, 400), JSON.stringify(Object.fromEntries(r.headers)));
it("probe", async () => {
  const t = await newTenant();
  const as = { apiKey: t.apiKey };
  for (const k of ["__proto__", "constructor", "toString", "Title", ""]) {
    await show(k, await ask("/api/articles", { as, body: `{"blogId":"${t.blogId}","${k}":"x"}` }));
  }
  await show("emoji blog", await ask("/api/articles?blogId=%F0%9F%98%80"));
  await show("umlaut blog", await ask("/api/articles?blogId=%C3%BC"));
  await show("comma", await ask("/api/articles?blogId=a,article-x"));
  const r = await ask("/api/apikeys", { as: { operatorToken: t.operatorToken }, body: `{"name":"x","scopes":[${"1,".repeat(200000)}1]}` });
  console.log("many", r.status, (await r.text()).length);
  console.log(await env.DB.prepare("select count(*) c from events where fan_out_time is null").first());
  await new Promise((x) => setTimeout(x, 500));
  console.log(await env.DB.prepare("select count(*) c from events where fan_out_time is null").first());
  await show("deep", await ask("/api/articles", { as, body: `{"title":${"[".repeat(100000)}${"]".repeat(100000)}}` }));
  await show("path", await ask("/api/articles/%E0%A4%A"));
  await show("path", await ask("/api/articles/%ff"));
  await show("tok", await ask("/api/accesstokens", { as: { operatorToken: t.operatorToken }, body: { name: "x" }, headers: { "Idempotency-Key": "k" } }));
  await show("tok", await ask("/api/accesstokens", { as: { operatorToken: t.operatorToken }, body: { name: "x" }, headers: { "Idempotency-Key": "k" } }));
  await show("emptyauth", await ask("/api/articles?blogId=x", { headers: { Authorization: "" } }));
  await show("badauth", await ask("/api/articles?blogId=x", { headers: { Authorization: "Bearer x" } }));
  expect(1).toBe(1);
});
