/** Time that runs out, and callers who leave. */
import { describe, expect, it, vi } from "vitest";
import { articleFrom, endpoint, imageModelOf, refusalOf, seenBy, textModelOf } from "../helpers/models.ts";
import { PATIENCE } from "../helpers/webhooks.ts";

const untilGone = (name: string) =>
  vi.waitFor(async () => expect((await seenBy(name)).map(({ gone }) => gone)).toEqual([true]), PATIENCE);

describe.concurrent("a call that takes too long", () => {
  it.each([
    ["before the answer begins", "hang"],
    ["in the middle of the answer", "trickle-1000"],
  ])("ends %s, and closes its connection", async (_, behaviour) => {
    const { settings, name } = endpoint(behaviour, { timeoutMs: 2000 });
    const refusal = await refusalOf(articleFrom(await textModelOf(settings)));
    expect(refusal).toMatchObject({ code: "ai_timeout", message: "The model did not answer within 2 seconds." });
    await untilGone(name);
  });

  it("ends for images too", async () => {
    const { settings, name } = endpoint("image-hang", { timeoutMs: 2000 });
    const { signal } = new AbortController();
    const refusal = await refusalOf((await imageModelOf(settings)).image({ prompt: "a boat", signal }));
    expect(refusal.code).toBe("ai_timeout");
    await untilGone(name);
  });
});

describe("a caller who leaves", () => {
  it.each(["hang", "trickle-100"])("gets the own reason during %s, and the connection closes", async (how) => {
    const { settings, name } = endpoint(how);
    const controller = new AbortController();
    const reason = new Error("nobody waits any more");
    const work = articleFrom(await textModelOf(settings), controller.signal);
    await Promise.all([
      expect(work).rejects.toBe(reason),
      vi.waitFor(async () => expect(await seenBy(name)).toHaveLength(1), PATIENCE).then(() => controller.abort(reason)),
    ]);
    await untilGone(name);
  });

  it("before the call makes no request", async () => {
    const { settings, name } = endpoint("ok");
    const work = articleFrom(await textModelOf(settings), AbortSignal.abort("gone"));
    await expect(work).rejects.toBe("gone");
    expect(await seenBy(name)).toEqual([]);
  });
});
