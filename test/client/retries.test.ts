/** `@edgepress/client` when the service asks to wait, or is not there; and what its cache holds. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createClient, EdgepressError, memoryCache, type ClientOptions } from "../../packages/client/src/index.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ code, detail: `It is ${code}.`, status }, { status, headers });

/** A client whose requests are answered by these, one after another; the last one from then on. */
function answering(answers: (() => Response)[], options: Partial<ClientOptions> = {}) {
  const keys: (string | null)[] = [];
  const client = createClient({
    url: "https://press.example",
    fetch: async (_, init) => {
      keys.push(new Headers(init.headers).get("Idempotency-Key"));
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer === undefined) throw new TypeError("fetch failed");
      return answer();
    },
    ...options,
  });
  return { client, keys };
}

/** How a call ends, with all pauses in it passed. */
async function ended<T>(call: Promise<T>): Promise<T | EdgepressError> {
  const outcome = call.catch((error: unknown) => (error instanceof EdgepressError ? error : Promise.reject(error)));
  await vi.runAllTimersAsync();
  return outcome;
}

const done = () => Response.json({ _id: "1" });

it.each([
  [429, "rate_limited"],
  [503, "not_ready"],
  [409, "idempotency_in_progress"],
])("waits after %i as long as it is asked to, and sends the same write again", async (status, code) => {
  const { client, keys } = answering([() => problem(status, code, { "Retry-After": "7" }), done]);
  const call = client.articles.create({ title: "A" });
  await vi.advanceTimersByTimeAsync(6_900);
  expect(keys).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(await call).toEqual({ _id: "1" });
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

it("gives up after some attempts, and at once if the pause would be too long", async () => {
  const patient = answering([() => problem(429, "rate_limited", { "Retry-After": "1" })], { retries: 2 });
  expect(await ended(patient.client.articles.get("a"))).toMatchObject({ code: "rate_limited", retryAfter: 1 });
  expect(patient.keys).toHaveLength(3);
  const long = answering([() => problem(429, "rate_limited", { "Retry-After": "3600" })]);
  expect(await ended(long.client.articles.get("a"))).toMatchObject({ status: 429, retryAfter: 3600 });
  expect(long.keys).toHaveLength(1);
});

it("tries again after a lost connection and a proxy's 503, but not after other refusals", async () => {
  const lost = answering([]);
  expect(await ended(lost.client.articles.get("a"))).toMatchObject({ code: "unreachable", status: 0 });
  expect(lost.keys).toHaveLength(4);
  const proxy = answering([() => new Response("<h1>Busy</h1>", { status: 503 }), done]);
  expect(await ended(proxy.client.articles.get("a"))).toEqual({ _id: "1" });
  for (const [status, code] of [
    [503, "ai_not_configured"],
    [500, "internal"],
    [404, "not_found"],
  ] as const) {
    const refused = answering([() => problem(status, code)]);
    expect(await ended(refused.client.articles.get("a"))).toMatchObject({ status, code });
    expect(refused.keys).toHaveLength(1);
  }
});

it("ends a pause when the caller aborts", async () => {
  const { client, keys } = answering([() => problem(429, "rate_limited", { "Retry-After": "20" })]);
  const controller = new AbortController();
  const call = client.articles.get("a", {}, { signal: controller.signal });
  await vi.advanceTimersByTimeAsync(1000);
  controller.abort(new Error("gone"));
  await expect(call).rejects.toThrow("gone");
  expect(keys).toHaveLength(1);
});

it("follows no redirect with its credentials, and takes no answer of others for the service's", async () => {
  const { client } = answering([() => new Response(null, { status: 302, headers: { Location: "https://other" } })]);
  expect(await ended(client.articles.get("a"))).toMatchObject({ code: "invalid_answer", status: 302 });
  const page = answering([() => new Response("<h1>Hotel Wi-Fi</h1>")]);
  expect(await ended(page.client.articles.get("a"))).toMatchObject({ code: "invalid_answer" });
});

it("ends a list whose cursor leads to itself", async () => {
  const headers = { Link: `<https://press.example/api/articles?cursor=c>; rel="next"` };
  const { client } = answering([() => Response.json([], { headers })]);
  const blogId = "019a9d3c-1b2c-7d3e-8f4a-5b6c7d8e9f0a";
  expect(await ended(client.articles.list({ blogId }).all())).toMatchObject({ code: "invalid_answer" });
});

it("keeps a bounded number of responses, and the ones that were asked for last", () => {
  const response = (body: string) => ({ etag: '"1"', body, next: null });
  const cache = memoryCache({ entries: 2, characters: 10 });
  cache.set("a", response("1"));
  cache.set("b", response("2"));
  cache.get("a");
  cache.set("c", response("3"));
  expect(["a", "b", "c"].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true]);
  cache.set("d", response("0123456789"));
  expect(["a", "c", "d"].map((key) => cache.get(key) !== undefined)).toEqual([false, false, true]);
  cache.set("e", response("longer than all"));
  expect([cache.get("e"), cache.get("d")?.body]).toEqual([undefined, "0123456789"]);
});
