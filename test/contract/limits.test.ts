/** Contract 14.1, 14.9: sizes, and the time of a delivery. */
import { beforeAll, describe, expect, it } from "vitest";
import { outcome, wrongFields } from "../helpers/outcome.ts";
import { settled, subscribe } from "../helpers/webhooks.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
/** A delivery that takes five seconds: the tests of everything else run meanwhile. */
let dripping: { readonly own: Tenant; readonly id: string };

beforeAll(async () => {
  tenant = await newTenant();
  const own = await newTenant();
  dripping = { own, id: (await subscribe(own, "drip-headers"))._id };
  await newArticle(own);
});

describe("GET /api/articles", () => {
  it("limit default: 0, which means the largest page; skip default: 0", async () => {
    const own = await newTenant();
    const [first, second, third] = [await newArticle(own), await newArticle(own), await newArticle(own)];
    const articles = [third, second, first];
    const list = (query: string) => sendJson(200, `/api/articles?blogId=${own.blogId}${query}`);
    expect(await list("")).toEqual(articles);
    expect(await list("&limit=0&skip=0")).toEqual(articles);
    expect(await list("&limit=1")).toEqual(articles.slice(0, 1));
    expect(await list("&skip=1")).toEqual(articles.slice(1));
  });
});

describe("lengths: the longest is stored, one more is 400 and named", () => {
  const save = (body: object) => sendJson<ArticleBody>(200, "/api/articles", { as: tenant, body });
  const url = (length: number): string => "https://example.com/".padEnd(length, "a");

  it.each([
    ["title", 300],
    ["description", 2000],
    ["slug", 200],
  ])("%s: %i characters", async (member, most) => {
    const text = "a".repeat(most);
    const { _id } = await save({ [member]: text });
    expect(await sendJson(200, `/api/articles/${_id}`, { as: tenant })).toMatchObject({ [member]: text });
    expect(await wrongFields("/api/articles", { as: tenant, body: { [member]: `${text}a` } })).toEqual([member]);
  });

  it("URLs: 2,048 characters", async () => {
    expect(await save({ coverUrl: url(2048) })).toMatchObject({ coverUrl: url(2048) });
    expect(await wrongFields("/api/articles", { as: tenant, body: { coverUrl: url(2049) } })).toEqual(["coverUrl"]);
    const as = { operatorToken: tenant.operatorToken };
    expect(await outcome("/api/webhooksubscriptions", { as, body: { url: url(2048) } })).toBe("200");
    expect(await wrongFields("/api/webhooksubscriptions", { as, body: { url: url(2049) } })).toEqual(["url"]);
  });
});

// The last test, as its delivery was under way during all others.
it("delivery timeout: 5 seconds, until the headers are there", async () => {
  const [delivery] = await settled(dripping.own, dripping.id, 1);
  expect(delivery).toMatchObject({ state: "failed", error: "timeout" });
  expect(delivery?.durationMs).toBeGreaterThan(4900);
});
