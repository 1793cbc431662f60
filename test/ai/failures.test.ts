/** Every way in which an endpoint fails, and what the caller gets. */
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { API_KEY, articleFrom, endpoint, layReady, refusalOf, seenBy, textModelOf } from "../helpers/models.ts";

const failureFrom = async (behaviour: string, more = {}) => {
  const { settings, name } = endpoint(behaviour, more);
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
    ["wrong-schema", "ai_invalid_answer", "did not match the requested format", 3],
    ["endless", "ai_invalid_answer", "is too long", 1],
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
