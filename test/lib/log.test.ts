import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, it, vi } from "vitest";
import { log } from "../../src/lib/log.ts";

it("the log has the message of an error, and of a query that failed nothing but its text", () => {
  const written = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const failed = new DrizzleQueryError("select 1 where ? = 1", ["secret@example.com"], new Error("D1 is gone"));
  log({ level: "warn", error: new TypeError("is none") });
  log({ level: "warn", error: failed });
  const lines = written.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown);
  written.mockRestore();
  expect(lines).toEqual([
    { level: "warn", error: "TypeError: is none" },
    { level: "warn", error: "Error: D1 is gone (select 1 where ? = 1)" },
  ]);
});
