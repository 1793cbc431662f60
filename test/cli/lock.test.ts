/** The lock that processes of the client hold on its credentials. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { withLock } from "../../packages/cli/sign-in/lock.ts";

const folder = mkdtempSync(path.join(tmpdir(), "edgepress lock-"));
afterAll(() => rmSync(folder, { recursive: true }));

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** A number that belongs to no process. */
const NOBODY = 2_147_483_647;

/** Leaves a lock behind, as a process does that was killed. */
function leave(lock: string, owner: string, age = 0): void {
  writeFileSync(lock, owner);
  const since = Date.now() / 1000 - age;
  utimesSync(lock, since, since);
}

describe("a lock", () => {
  it("lets one at a time work, and leaves nothing behind", async () => {
    const lock = path.join(folder, "one");
    let inside = 0;
    const most: number[] = [];
    const work = async () => {
      most.push(++inside);
      await pause(20);
      inside--;
    };
    await Promise.all(Array.from({ length: 5 }, () => withLock(lock, work)));
    expect(most).toEqual([1, 1, 1, 1, 1]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("that was taken over stays with its new owner when the old one goes on", async () => {
    const lock = path.join(folder, "over");
    await withLock(lock, async () => {
      expect(readFileSync(lock, "utf8")).toBe(String(process.pid));
      leave(lock, "1");
    });
    expect(readFileSync(lock, "utf8")).toBe("1");
  });

  it.each([
    ["an owner that has ended", String(NOBODY), 0],
    ["an owner of a minute ago, whose number another process may have", String(process.pid), 61],
    ["one that was killed before it wrote its number", "", 61],
  ])("is taken over from %s", async (_, owner, age) => {
    const lock = path.join(folder, "stale");
    leave(lock, owner, age);
    expect(await withLock(lock, async () => "done")).toBe("done");
    expect(existsSync(lock)).toBe(false);
  });

  it("of version 1.0.0, a folder, is taken over after a minute, too", async () => {
    const lock = path.join(folder, "former");
    mkdirSync(path.join(lock, "owner"), { recursive: true });
    const since = Date.now() / 1000 - 61;
    utimesSync(lock, since, since);
    expect(await withLock(lock, async () => "done")).toBe("done");
  });

  it.each([
    ["whose process runs", String(process.pid)],
    ["whose owner has not written its number yet", ""],
  ])("%s is waited for", async (_, owner) => {
    const lock = path.join(folder, "held");
    leave(lock, owner);
    let entered = false;
    const waiting = withLock(lock, async () => void (entered = true));
    await pause(300);
    expect(entered).toBe(false);
    rmSync(lock);
    await waiting;
    expect(entered).toBe(true);
  });
});
