/** The lock that processes of the client hold on its credentials. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import type * as Files from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { withLock } from "../../packages/cli/sign-in/lock.ts";

/** What happens around the next move of a file. */
const moves = vi.hoisted(() => ({ around: (move: () => Promise<void>): Promise<void> => move() }));

vi.mock("node:fs/promises", async (original) => {
  const files = await original<typeof Files>();
  return { ...files, rename: (from: string, to: string) => moves.around(() => files.rename(from, to)) };
});

const folder = mkdtempSync(path.join(tmpdir(), "edgepress lock-"));
afterAll(() => rmSync(folder, { recursive: true }));

const newSignal = () => Promise.withResolvers<void>();
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** A number that belongs to no process. */
const NOBODY = 2_147_483_647;

/** Leaves a lock behind, as a process does that was killed. */
function leave(lock: string, pid: number, age = 0): void {
  const since = Date.now() - age * 1000;
  mkdirSync(path.join(lock, `${pid}-${since}-019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d`), { recursive: true });
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
    expect(readdirSync(folder).filter((name) => name.startsWith("one"))).toEqual([]);
  });

  it("is not taken from whoever took it over first by one that found the same dead owner, and was slower", async () => {
    const lock = path.join(folder, "slower");
    leave(lock, NOBODY);
    let inside = 0;
    const most: number[] = [];
    const end = newSignal();
    const enter = (): [Promise<void>, Promise<void>] => {
      const entered = newSignal();
      const done = withLock(lock, async () => {
        most.push(++inside);
        entered.resolve();
        await end.promise;
        inside--;
      });
      return [entered.promise, done];
    };
    const [begun, finish, looked] = [newSignal(), newSignal(), newSignal()];
    const all: Promise<void>[] = [];
    moves.around = async (move) => {
      moves.around = (next) => next();
      begun.resolve();
      await finish.promise;
      await move().finally(async () => {
        // Were the lock gone now, a third one would have it.
        const [entered, done] = enter();
        all.push(done);
        await Promise.race([entered, pause(500)]);
        looked.resolve();
      });
    };
    all.push(enter()[1]);
    await begun.promise;
    const [entered, done] = enter();
    all.push(done);
    await entered;
    finish.resolve();
    await looked.promise;
    end.resolve();
    await Promise.all(all);
    expect(most).toEqual([1, 1, 1]);
  });

  it("that was taken over stays with its new owner when the old one goes on", async () => {
    const lock = path.join(folder, "over");
    const [held, first, second, entered] = [newSignal(), newSignal(), newSignal(), newSignal()];
    const slow = withLock(lock, async () => {
      // As it is for the others once a minute has passed.
      rmSync(lock, { recursive: true });
      leave(lock, process.pid, 61);
      held.resolve();
      await first.promise;
    });
    await held.promise;
    const next = withLock(lock, async () => {
      entered.resolve();
      await second.promise;
    });
    await entered.promise;
    const [owner] = readdirSync(lock);
    first.resolve();
    await slow;
    expect(readdirSync(lock)).toEqual([owner]);
    second.resolve();
    await next;
    expect(existsSync(lock)).toBe(false);
  });

  it("is as old as its holding, so that a long wait for it makes nobody take it over", async () => {
    const lock = path.join(folder, "age");
    let released = 0;
    const first = withLock(lock, async () => {
      await pause(3000);
      released = Date.now();
    });
    await pause(50);
    const since = await withLock(lock, async () => Number(readdirSync(lock)[0]?.split("-")[1]));
    await first;
    // Without that, it would be as old as the wait: three seconds.
    expect(since).toBeGreaterThan(released - 1500);
  });

  it.each([
    ["an owner that has ended", NOBODY, 0],
    ["an owner of a minute ago, whose number another process may have", process.pid, 61],
  ])("is taken over from %s", async (_, owner, age) => {
    const lock = path.join(folder, `stale ${age}`);
    leave(lock, owner, age);
    expect(await withLock(lock, async () => "done")).toBe("done");
  });

  it("whose owner was killed between its two steps of letting go is free", async () => {
    const lock = path.join(folder, "empty");
    mkdirSync(lock);
    expect(await withLock(lock, async () => "done")).toBe("done");
  });
});
