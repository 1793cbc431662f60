/** Contract 14.1, 14.5, 14.6, 14.9: sizes, rates and deliveries. */
import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { limiterOf } from "../helpers/limiter.ts";
import { headerOf, outcome, wrongFields } from "../helpers/outcome.ts";
import { seenBy, settled, subscribe, subscriptionNow } from "../helpers/webhooks.ts";
import { send, sendJson, ORIGIN } from "../helpers/requests.ts";
import { newArticle, newKey, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
/** A delivery that takes five seconds: the tests of everything else run meanwhile. */
let dripping: { readonly own: Tenant; readonly id: string };

beforeAll(async () => {
  tenant = await newTenant();
  const own = await newTenant();
  dripping = { own, id: (await subscribe(own, "drip-headers"))._id };
  await newArticle(own);
});

/** The identifier of a new key, and the key. */
async function keyWithId(): Promise<{ id: string; as: { apiKey: string } }> {
  const operator = { operatorToken: tenant.operatorToken };
  const apiKey = await newKey(operator, ["articles:read", "articles:write", "blogs:read"]);
  const [newest] = await sendJson<{ _id: string }[]>(200, "/api/apikeys", { as: operator });
  return { id: newest?._id ?? "", as: { apiKey } };
}

/** Uses up a limit as requests would. */
async function exhaust(limit: RateLimit, key: string): Promise<number> {
  for (let allowed = 0; ;) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => limit.limit({ key })));
    allowed += answers.filter(({ success }) => success).length;
    if (!answers.every(({ success }) => success)) return allowed;
  }
}

/** Answers a request of someone who has just used up a limit; again where a new minute began in between. */
async function overLimit(limit: RateLimit, key: string, request: () => Promise<Response>): Promise<Response> {
  await exhaust(limit, key);
  const response = await request();
  if (response.status === 429) return response;
  await exhaust(limit, key);
  return request();
}

describe("webhooks", () => {
  it("consecutive delivery failures before deactivation: 20", async () => {
    const own = await newTenant();
    const { _id } = await subscribe(own, "status-500");
    await env.DB.prepare("update webhook_subscriptions set failure_streak = 18 where id = ?").bind(_id).run();
    await newArticle(own);
    await settled(own, _id, 1);
    expect(await subscriptionNow(own, _id)).toMatchObject({ active: true, failureStreak: 19 });
    await newArticle(own);
    await settled(own, _id, 2);
    expect(await subscriptionNow(own, _id)).toMatchObject({ active: false, failureStreak: 20 });
  });

  it("delivery attempts: 1, no retries", async () => {
    const own = await newTenant();
    const { _id, name } = await subscribe(own, "status-503");
    for (let count = 1; count <= 3; count++) {
      await newArticle(own);
      await settled(own, _id, count);
      expect(await seenBy(name)).toHaveLength(count);
    }
  });
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

  it("content: 1 MiB in UTF-8", async () => {
    const most = 1024 * 1024;
    const { _id } = await save({ content: "a".repeat(most) });
    const stored = await sendJson<ArticleBody>(200, `/api/articles/${_id}`, { as: tenant });
    expect(stored.content).toHaveLength(most);
    for (const content of ["a".repeat(most + 1), `${"é".repeat(most / 2)}a`, `${"😀".repeat(most / 4)}a`]) {
      expect(await wrongFields("/api/articles", { as: tenant, body: { content } })).toEqual(["content"]);
    }
    expect((await save({ content: "é".repeat(most / 2) })).content).toHaveLength(most / 2);
  });

  it("URLs: 2,048 characters", async () => {
    expect(await save({ coverUrl: url(2048) })).toMatchObject({ coverUrl: url(2048) });
    expect(await wrongFields("/api/articles", { as: tenant, body: { coverUrl: url(2049) } })).toEqual(["coverUrl"]);
    const as = { operatorToken: tenant.operatorToken };
    expect(await outcome("/api/webhooksubscriptions", { as, body: { url: url(2048) } })).toBe("200");
    expect(await wrongFields("/api/webhooksubscriptions", { as, body: { url: url(2049) } })).toEqual(["url"]);
  });
});

describe("the body: 413 over 2 MiB", () => {
  const most = 2 * 1024 * 1024;
  const bodyOf = (bytes: number): string => `{"title":"x"${" ".repeat(bytes - 13)}}`;

  it("2 MiB are read, one byte more is not", async () => {
    expect(bodyOf(most)).toHaveLength(most);
    expect(await outcome("/api/articles", { as: tenant, body: bodyOf(most) })).toBe("200");
    expect(await outcome("/api/articles", { as: tenant, body: bodyOf(most + 1) })).toBe("413 body_too_large");
  });

  it("also where no Content-Length says so", async () => {
    const chunk = new TextEncoder().encode(" ".repeat(64 * 1024));
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ < 40) controller.enqueue(chunk);
        else controller.close();
      },
    });
    const headers = { Authorization: `Basic ${btoa(tenant.apiKey)}`, "Content-Type": "application/json" };
    const response = await exports.default.fetch(
      new Request(`${ORIGIN}/api/articles`, { method: "POST", headers, body }),
    );
    expect(response.status).toBe(413);
  });
});

describe("keys are rate limited; a request over the limit is refused with 429", () => {
  it.each([
    ["GET", () => ({ path: `/api/articles?blogId=${tenant.blogId}`, body: undefined })],
    ["POST", () => ({ path: "/api/articles", body: { blogId: tenant.blogId } })],
  ])("%s /api/articles: with Retry-After and RateLimit-Policy", async (_, asked) => {
    const { as } = await keyWithId();
    const { path, body } = asked();
    const limited = { KEY_LIMIT: limiterOf(1) };
    expect(await outcome(path, { as, body, bindings: limited })).toBe("200");
    const response = await send(path, { as, body, bindings: limited });
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({ code: "rate_limited" });
    expect(Number(headerOf(response, "Retry-After"))).toBeGreaterThan(0);
    expect(headerOf(response, "RateLimit-Policy")).toBe('"rate_limited";q=600;w=60');
  });

  it("the limit is per key, 600 requests a minute: another key of the organization is answered", async () => {
    const bindings = { KEY_LIMIT: env.KEY_LIMIT };
    const [one, two] = [await keyWithId(), await keyWithId()];
    const response = await overLimit(env.KEY_LIMIT, one.id, () => send("/api/blogs", { as: one.as, bindings }));
    expect(response.status).toBe(429);
    expect(await outcome("/api/blogs", { as: two.as, bindings })).toBe("200");
    // A new minute can begin in one count, not in two.
    const count = await exhaust(env.KEY_LIMIT, newId());
    expect(count === 600 ? count : await exhaust(env.KEY_LIMIT, newId())).toBe(600);
  });

  it("a request that is refused for the rate stores nothing", async () => {
    const { as } = await keyWithId();
    const body = { blogId: tenant.blogId, slug: "over-the-limit" };
    const response = await send("/api/articles", { as, body, bindings: { KEY_LIMIT: limiterOf(0) } });
    expect(response.status).toBe(429);
    expect(await sendJson(200, `/api/articles?blogId=${tenant.blogId}&slug=${body.slug}`, { as: tenant })).toEqual([]);
  });
});

describe("failed authentications: 20 a minute an address", () => {
  it("beyond them, 429 for that address only; valid credentials are still taken", async () => {
    const from = (address: string, apiKey: string) =>
      send("/api/blogs", { as: { apiKey }, headers: { "CF-Connecting-IP": address } });
    const [bad, good] = [newId(), newId()];
    expect((await from(bad, "nonsense")).status).toBe(401);
    const response = await overLimit(env.AUTH_FAILURE_LIMIT, bad, () => from(bad, "nonsense"));
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({ code: "too_many_failed_attempts" });
    expect(Number(headerOf(response, "Retry-After"))).toBeGreaterThan(0);
    expect(headerOf(response, "RateLimit-Policy")).toBe('"too_many_failed_attempts";q=20;w=60');
    expect((await from(bad, tenant.apiKey)).status).toBe(200);
    expect((await from(good, "nonsense")).status).toBe(401);
    const counts = [await exhaust(env.AUTH_FAILURE_LIMIT, newId()), await exhaust(env.AUTH_FAILURE_LIMIT, newId())];
    expect(Math.min(...counts)).toBe(20);
  });
});

// The last test, as its delivery was under way during all others.
it("delivery timeout: 5 seconds, until the headers are there", async () => {
  const [delivery] = await settled(dripping.own, dripping.id, 1);
  expect(delivery).toMatchObject({ state: "failed", error: "timeout" });
  expect(delivery?.durationMs).toBeGreaterThan(4900);
});
