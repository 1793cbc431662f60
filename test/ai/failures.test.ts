/** Every way in which an endpoint fails, and what the caller gets. */
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  API_KEY,
  articleFrom,
  endpoint,
  imageModelOf,
  layReady,
  refusalOf,
  seenBy,
  textModelOf,
} from "../helpers/models.ts";

/** Too short a time for another attempt, if `more` gives no other. */
const failureFrom = async (behaviour: string, more = {}) => {
  const { settings, name } = endpoint(behaviour, { timeoutMs: 700, ...more });
  const refusal = await refusalOf(articleFrom(await textModelOf(settings)));
  const { message, stack, cause } = refusal;
  expect(JSON.stringify({ message, stack, cause, details: refusal.details })).not.toContain(API_KEY);
  return { refusal, name };
};

const written = [vi.spyOn(console, "log"), vi.spyOn(console, "warn"), vi.spyOn(console, "error")];

afterEach(() => {
  expect(JSON.stringify(written.map(({ mock }) => mock.calls))).not.toContain(API_KEY);
});

describe("a failure", () => {
  it.each([
    ["tool-calls", "ai_invalid_answer", "calls tools instead of answering", 2],
    ["wrong-schema", "ai_invalid_answer", "did not match the requested format", 3],
    ["cut-off", "ai_cut_off", "stopped before its answer was complete", 1],
    ["broken", "ai_cut_off", "broke in the middle", 1],
    ["unfinished", "ai_cut_off", "ended before it was complete", 1],
    ["content_filter", "ai_refused", "declined", 1],
    ["refused-request", "ai_refused", "rejected by our safety system", 1],
    ["refusal", "ai_refused", "The model refused: I'm sorry, I can't help with that", 1],
    ["unauthorized", "ai_unavailable", "refused the configured credentials (401)", 1],
    ["status-403", "ai_unavailable", "refused the configured credentials (403)", 1],
    ["unknown-model", "ai_unavailable", 'does not know the model "test-model"', 1],
    ["status-500", "ai_unavailable", "answered with the status 500.", 1],
    ["status-503", "ai_unavailable", "answered with the status 503.", 1],
    ["status-409", "ai_unavailable", "answered with the status 409: status 409.", 1],
    ["stream-error", "ai_unavailable", "answered with an error: The engine is overloaded", 1],
    ["html", "ai_unavailable", "not a completion", 1],
    ["garbage", "ai_unavailable", "could not be reached", 1],
    ["redirect-307", "ai_unavailable", "answered with a redirect (307)", 1],
  ])("%s is %s", async (behaviour, code, detail, requests) => {
    const { refusal, name } = await failureFrom(behaviour);
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(detail);
    expect(refusal.details).toEqual({});
    expect(await seenBy(name)).toHaveLength(requests);
  });

  it("is an answer without an end", async () => {
    const { refusal } = await failureFrom("endless", { timeoutMs: 20_000 });
    expect(refusal).toMatchObject({ code: "ai_invalid_answer", message: expect.stringContaining("is too long") });
  });

  it("is no redirect followed: the key stays where it belongs", async () => {
    await failureFrom("redirect-302");
    expect(await seenBy("redirected")).toEqual([]);
  });

  it("is an endpoint that nobody listens at", async () => {
    const { refusal } = await failureFrom("ok", { baseUrl: `${env.RECEIVER.refusing}/v1` });
    expect(refusal).toMatchObject({ code: "ai_unavailable", message: "127.0.0.1 could not be reached." });
  });
});

describe("a rate limit", () => {
  it.each([
    ["rate-limited", 7],
    ["rate-limited-0", 1],
    ["rate-limited-99999", 3600],
    ["rate-limited-silent", 30],
  ])("%s says when to come back", async (behaviour, seconds) => {
    const { refusal, name } = await failureFrom(behaviour);
    expect(refusal).toMatchObject({ code: "ai_rate_limited", details: { retryAfterSeconds: seconds } });
    expect(await seenBy(name)).toHaveLength(1);
  });

  it("may be a date", async () => {
    const { refusal } = await failureFrom("rate-limited-date");
    const seconds = refusal.details.retryAfterSeconds ?? 0;
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).toBeLessThanOrEqual(60);
  });

  it("is none where the account has nothing left", async () => {
    const { settings, name } = endpoint("ok");
    await layReady(name, [{ status: 429, answer: { error: { message: "Quota", code: "insufficient_quota" } } }]);
    const refusal = await refusalOf(articleFrom(await textModelOf(settings)));
    expect(refusal).toMatchObject({ code: "ai_unavailable" });
    expect(refusal.message).toContain("quota is used up");
  });
});

describe.concurrent("a failure that passes", () => {
  it.each([
    ["rate-limited-1-once", 2],
    ["status-502-once", 2],
    ["status-503-2-times", 3],
    ["status-529-once", 2],
    ["garbage-once", 2],
    ["broken-once", 2],
    ["unfinished-once", 2],
  ])("%s is tried again, and nothing is counted twice", async (behaviour, requests) => {
    const { settings, name } = endpoint(behaviour);
    const { repairs, usage } = await articleFrom(await textModelOf(settings));
    expect([repairs, usage]).toEqual([0, { inputTokens: 100, outputTokens: 50 }]);
    expect(await seenBy(name)).toHaveLength(requests);
  });

  it("is tried at most three times more, each after a longer wait", async () => {
    const { refusal, name } = await failureFrom("status-503", { timeoutMs: 20_000 });
    expect(refusal.code).toBe("ai_unavailable");
    const times = (await seenBy(name)).map(({ at }) => at);
    const waits = times.slice(1).map((at, index) => Math.round((at - (times[index] ?? 0)) / 500) * 500);
    expect(waits).toHaveLength(3);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  });

  it("is waited for as long as the provider asks, if there is the time", async () => {
    const { settings, name } = endpoint("rate-limited-2-once");
    await articleFrom(await textModelOf(settings));
    const [first, second] = (await seenBy(name)).map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1900);
  });

  it("costs what the provider had counted, once it had begun to answer, and is tried once more", async () => {
    const { settings, name } = endpoint("broken-once+counted");
    const { usage } = await articleFrom(await textModelOf(settings));
    expect(usage).toEqual({ inputTokens: 200, outputTokens: 100 });
    const { refusal, name: other } = await failureFrom("broken", { timeoutMs: 20_000 });
    expect(refusal.code).toBe("ai_cut_off");
    expect([await seenBy(name), await seenBy(other)]).toMatchObject([{ length: 2 }, { length: 2 }]);
  });

  it("is tried again for images", async () => {
    const { settings, name } = endpoint("image-rate-limited-once");
    const { signal } = new AbortController();
    await (await imageModelOf(settings)).image({ prompt: "a boat", signal });
    expect(await seenBy(name)).toHaveLength(2);
  });

  it("is no longer waited for once the caller has left", async () => {
    const { settings, name } = endpoint("rate-limited-5");
    const controller = new AbortController();
    const work = articleFrom(await textModelOf(settings), controller.signal);
    await Promise.all([
      expect(work).rejects.toBe("gone"),
      vi.waitFor(async () => expect(await seenBy(name)).toHaveLength(1)).then(() => controller.abort("gone")),
    ]);
  });
});

describe("a provider's words", () => {
  it.each([
    ["a key", `Incorrect key ${API_KEY}`],
    ["a masked key", "Incorrect API key provided: sk-test****8375"],
    ["a long token", "Session 0123456789abcdef0123456789abcdef is over"],
    ["an address with credentials", "Upstream https://user:pass@10.0.0.1/ failed"],
  ])("are not shown where they contain %s", async (_, words) => {
    const { settings, name } = endpoint("ok");
    await layReady(name, [{ status: 409, answer: words }]);
    const refusal = await refusalOf(articleFrom(await textModelOf(settings)));
    expect(refusal.message).toBe("127.0.0.1 answered with the status 409.");
  });

  it("are not shown where they contain the key, whatever it looks like", async () => {
    const { settings, name } = endpoint("ok", { apiKey: "swordfish" });
    await layReady(name, [{ status: 409, answer: "Who is swordfish?" }]);
    const refusal = await refusalOf(articleFrom(await textModelOf(settings)));
    expect(refusal.message).toBe("127.0.0.1 answered with the status 409.");
  });

  it("are shown on one line, and not at any length", async () => {
    const { settings, name } = endpoint("ok");
    await layReady(name, [{ status: 409, answer: `Too\r\nlong: ${"word ".repeat(100)}` }]);
    const refusal = await refusalOf(articleFrom(await textModelOf(settings)));
    expect(refusal.message).toMatch(/status 409: Too long: word [word ]+…\.$/);
    expect(refusal.message.length).toBeLessThan(300);
  });
});
