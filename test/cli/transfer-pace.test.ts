/** How an import keeps to the service's limit. */
import { describe, expect, it } from "vitest";
import { openPace } from "../../packages/cli/transfer/pace.ts";

describe("a pace of ten requests a minute", () => {
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
