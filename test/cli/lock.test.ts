/** The lock that processes of the client hold on its credentials. */
import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { withLock } from "../../src/cli/sign-in/lock.ts";

const folder = mkdtempSync(path.join(tmpdir(), "edgepress lock-"));
afterAll(() => rmSync(folder, { recursive: true }));

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a lock", () => {
  it("lets one at a time work", async () => {
    const file = path.join(folder, "one");
    let inside = 0;
    const most: number[] = [];
    const work = async () => {
      most.push(++inside);
      await pause(20);
      inside--;
    };
    await Promise.all(Array.from({ length: 5 }, () => withLock(file, work)));
    expect(most).toEqual([1, 1, 1, 1, 1]);
  });

  it("is as old as its holding, so that a long wait for it makes nobody take it over", async () => {
    const file = path.join(folder, "age");
    let released = 0;
    const first = withLock(file, async () => {
      await pause(3000);
      released = Date.now();
    });
    await pause(50);
    const made = await withLock(file, async () => statSync(file).mtimeMs);
    await first;
    // Without that, it would be as old as the wait: three seconds.
    expect(made).toBeGreaterThan(released - 1500);
  });

  it.each([
    ["an owner that has ended", "2147483647 x", 0],
    ["an owner of a minute ago, whose number another process may have", `${process.pid} x`, 61],
  ])("is taken over from %s", async (_, owner, age) => {
    const file = path.join(folder, `stale ${age}`);
    writeFileSync(file, owner);
    const then = Date.now() / 1000 - age;
    utimesSync(file, then, then);
    expect(await withLock(file, async () => "done")).toBe("done");
  });
});
