/** The bound on what large requests of an isolate hold at once. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { Room } from "../../src/lib/room.ts";

const full = () => new Error("full");
const LONG = 3_600_000;
afterEach(() => vi.useRealTimers());

describe("room for 100 bytes", () => {
  it("is given to as many as fit; the next one waits until somebody ends", async () => {
    const room = new Room({ bytes: 100, patienceMs: LONG, leaseMs: LONG });
    const [first, second, third] = [room.open(full), room.open(full), room.open(full)];
    await first.reserve(40);
    await second.reserve(30);
    let given = false;
    const waiting = third.reserve(20).then(() => (given = true));
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect([given, room.held]).toEqual([false, 70]);
    first.end();
    await waiting;
    expect(room.held).toBe(50);
  });

  it("is refused to who finds none, and may be given back in part", async () => {
    const room = new Room({ bytes: 100, patienceMs: 0, leaseMs: LONG });
    const holder = await room.open(full).reserve(60);
    const other = room.open(full);
    await expect(other.reserve(30)).rejects.toThrow("full");
    await holder.change(40);
    await other.reserve(30);
    // A quarter is left for those that grow.
    await expect(room.open(full).reserve(10)).rejects.toThrow("full");
    await holder.change(70);
    await expect(holder.change(71)).rejects.toThrow("full");
    expect(room.held).toBe(100);
  });

  it("has to be empty for what is larger than it", async () => {
    const room = new Room({ bytes: 100, patienceMs: 0, leaseMs: LONG });
    const small = room.open(full);
    await small.reserve(1);
    await expect(room.open(full).reserve(1000)).rejects.toThrow("full");
    small.end();
    const { change } = await room.open(full).reserve(1000);
    await change(1000);
    expect(room.held).toBe(100);
  });

  it("comes back from a request whose work was dropped", async () => {
    const room = new Room({ bytes: 100, patienceMs: LONG, leaseMs: 30 });
    await room.open(full).reserve(75);
    await room.open(full).reserve(75);
    expect(room.held).toBe(75);
  });

  it("that has come back is not counted for whoever had it and goes on, as after a slow upload", async () => {
    const room = new Room({ bytes: 100, patienceMs: 0, leaseMs: 30 });
    const slow = await room.open(full).reserve(50);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 40 });
    await room.open(full).reserve(70);
    await expect(slow.change(60)).rejects.toThrow("full");
    await expect(slow.change(40)).rejects.toThrow("full");
    await slow.change(30);
    expect(room.held).toBe(100);
  });
});
