/** How an import keeps to the service's limit, and what it knows of the time that this takes. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openPace } from "../../packages/cli/transfer/pace.ts";

describe("a pace of ten requests a minute", () => {
  it("lets ten go at once, and knows how long the others take", async () => {
    const pace = openPace(10, new AbortController().signal);
    expect(pace.estimateDuration(10)).toBe(0);
    expect(pace.estimateDuration(11)).toBe(60);
    expect(pace.estimateDuration(100)).toBe(540);
    for (let sent = 0; sent < 10; sent++) await pace.waitForTurn();
    for (const [requests, minutes] of [
      [10, 1],
      [11, 2],
      [25, 3],
    ] as const) {
      expect(Math.ceil(pace.estimateDuration(requests) / 60)).toBe(minutes);
    }
  });

  it("counts a pause that the service asks for, which may be longer than its limit says", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const pace = openPace(10, new AbortController().signal);
    pace.recordPause(90);
    expect(pace.estimateDuration(1)).toBe(90);
    vi.advanceTimersByTime(30_000);
    pace.recordPause(2);
    expect(pace.estimateDuration(1)).toBe(60);
    expect(pace.estimateDuration(100)).toBe(540);
  });

  it("holds the eleventh back until it is interrupted", async () => {
    const controller = new AbortController();
    const pace = openPace(10, controller.signal);
    for (let sent = 0; sent < 10; sent++) await pace.waitForTurn();
    const eleventh = pace.waitForTurn().then(
      () => "sent",
      (error: { code: string }) => error.code,
    );
    expect(await Promise.race([eleventh, new Promise((resolve) => setImmediate(() => resolve("waits")))])).toBe(
      "waits",
    );
    controller.abort();
    expect(await eleventh).toBe("interrupted");
  });
});
