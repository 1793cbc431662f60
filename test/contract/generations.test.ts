/** Contract 18.20, 18.21: how an article came about, and the list of generations. */
import { beforeAll, describe, expect, it } from "vitest";
import { generate, generated, SHORT } from "../helpers/generating.ts";
import { signedIn } from "../helpers/console.ts";
import { runAt, schedule } from "../helpers/schedules.ts";
import { issueKey, send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

type Origin = {
  kind: string;
  model: string | null;
  generationId: string | null;
  reviewedBy: string | null;
  reviewTime: string | null;
};
type Generation = {
  _id: string;
  state: string;
  code: string | null;
  cost: number | null;
  articleId: string | null;
  durationMs: number;
  inputTokens: number;
  outputTokens: number;
};

let tenant: Tenant;
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const originOf = async (id: string): Promise<Origin> =>
  (await sendJson<{ origin: Origin }>(200, `/api/articles/${id}?fields=origin`, { as })).origin;
const update = (id: string, members: object) =>
  sendJson<ArticleBody>(200, "/api/articles", { as, body: { _id: id, ...members } });
const list = (query = "") => sendJson<Generation[]>(200, `/api/generations${query}`, { as });

describe("contract 18.20: origin", () => {
  it("of what a person wrote is human, whatever its caller says", async () => {
    const { _id } = await newArticle(tenant);
    await update(_id, { title: "Another" });
    const nobody = { model: null, generationId: null, application: null, reviewedBy: null, reviewTime: null };
    expect(await originOf(_id)).toEqual({ kind: "human", reviewed: true, ...nobody });
    const refused = await send("/api/articles", { as, body: { _id, origin: { kind: "generated" } } });
    expect(refused.status).toBe(400);
  });

  it("of a generated article is generated, and edited once a text has changed", async () => {
    const { article } = await generated(tenant, { body: { ...SHORT, published: false } });
    const origin = await originOf(article._id);
    expect(origin).toMatchObject({ kind: "generated", model: "test", reviewedBy: null, reviewTime: null });
    await update(article._id, { title: article.title, slug: "another-slug" });
    expect((await originOf(article._id)).kind).toBe("generated");
    await update(article._id, { description: "By hand." });
    expect(await originOf(article._id)).toEqual({ ...origin, kind: "edited" });
    await update(article._id, { coverUrl: "https://a.example/b.jpg" });
    expect((await originOf(article._id)).kind).toBe("edited");
  });

  it("says who confirmed its review: a member who publishes it in the console, and no key", async () => {
    const { article } = await generated(tenant, { body: { ...SHORT, published: false } });
    await update(article._id, { published: true });
    expect((await originOf(article._id)).reviewedBy).toBeNull();
    await update(article._id, { published: false });
    const { browser, userId } = await signedIn(tenant.organizationId, "writer");
    const path = `/console/articles/${article._id}`;
    expect((await browser.get(path)).text).toContain("By publishing or scheduling it here, you confirm");
    await browser.submit(`${path}/publish`, `${path}/publish`);
    expect((await browser.get(path)).text).toContain("Written by test, reviewed");
    const { reviewedBy, reviewTime, kind } = await originOf(article._id);
    expect({ reviewedBy, kind }).toEqual({ reviewedBy: userId, kind: "generated" });
    expect(Date.parse(reviewTime ?? "")).toBeGreaterThan(Date.now() - 60_000);
  });

  it("says so of a member who schedules it in the console, once it is published, and of no key", async () => {
    const { article } = await generated(tenant, { body: { ...SHORT, published: false } });
    await schedule(as, article._id, { publishTime: "2031-01-01T09:00" });
    await runAt("2031-01-01T09:00:01.000Z");
    expect((await originOf(article._id)).reviewedBy).toBeNull();
    await update(article._id, { published: false });
    const { browser, userId } = await signedIn(tenant.organizationId, "writer");
    const path = `/console/articles/${article._id}/schedule`;
    await browser.submit(path, path, { publishTime: "2031-02-01T09:00", timeZone: "UTC" });
    expect((await originOf(article._id)).reviewedBy).toBeNull();
    await runAt("2031-02-01T09:00:01.000Z");
    const { reviewedBy, reviewTime } = await originOf(article._id);
    expect(reviewedBy).toBe(userId);
    expect(reviewTime?.slice(0, 4)).toBe(new Date().toISOString().slice(0, 4));
  });

  it("tells anonymous callers what readers may know, and another ETag once it is reviewed", async () => {
    const { article } = await generated(tenant, { body: { ...SHORT, published: false } });
    await update(article._id, { published: true });
    const shown = { kind: "generated", model: "test", generationId: null, application: null, reviewedBy: null };
    const path = `/api/articles/${article._id}?fields=origin`;
    const before = await send(path);
    expect(await before.json()).toEqual({ origin: { ...shown, reviewed: false, reviewTime: null } });
    const { browser } = await signedIn(tenant.organizationId, "writer");
    await browser.submit(`/console/articles/${article._id}/publish`, `/console/articles/${article._id}/publish`);
    const after = await send(path, { headers: { "If-None-Match": before.headers.get("ETag") ?? "" } });
    expect(after.status).toBe(200);
    const { origin } = await after.json<{ origin: Origin }>();
    expect(origin).toMatchObject({ ...shown, reviewed: true, reviewTime: expect.any(String) as string });
    const page = await sendJson<{ _id: string; origin: Origin }[]>(
      200,
      `/api/articles?blogId=${tenant.blogId}&fields=_id,origin`,
    );
    expect(page).toContainEqual({ _id: article._id, origin });
  });
});

describe("contract 18.21: generations", () => {
  it("are listed with their outcome, their article and their cost", async () => {
    const own = await newTenant();
    const AI_PRICES = JSON.stringify({ test: { input: 2, output: 10 } });
    const { article, metadata } = await generated(own, { bindings: { AI_PRICES } });
    await generate(own, { behaviour: "wrong-schema" });
    const mine = { apiKey: own.apiKey };
    const [failed, stored, ...more] = await sendJson<Generation[]>(200, "/api/generations", { as: mine });
    expect(more).toEqual([]);
    expect(failed).toMatchObject({ state: "failed", code: "ai_invalid_answer", articleId: null, cost: null });
    const { inputTokens, outputTokens } = metadata as { inputTokens: number; outputTokens: number };
    const cost = (2 * inputTokens + 10 * outputTokens) / 1_000_000;
    expect(stored).toMatchObject({
      state: "stored",
      code: null,
      articleId: article._id,
      cost,
      inputTokens,
      outputTokens,
    });
    expect(stored?.durationMs).toBeGreaterThanOrEqual(0);
    const ofState = await sendJson<Generation[]>(200, "/api/generations?state=failed", { as: mine });
    expect(ofState.map(({ _id }) => _id)).toEqual([failed?._id]);
  });

  it("of other blogs are hidden from a pinned key", async () => {
    await generated(tenant);
    const other = await sendJson<{ _id: string }>(200, "/api/blogs", {
      as: { operatorToken: tenant.operatorToken },
      body: { name: "Other" },
    });
    const pinned = await issueKey({ operatorToken: tenant.operatorToken }, ["articles:read"], { blogId: other._id });
    expect(await sendJson(200, "/api/generations", { as: { apiKey: pinned.secret } })).toEqual([]);
    expect((await list()).length).toBeGreaterThan(0);
  });
});
