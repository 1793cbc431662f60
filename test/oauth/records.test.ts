import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { openRecords, RecordConflict } from "../../src/store/access/system-oauth-records.ts";
import { removeExpiredRecords } from "../../src/store/access/system-oauth-connections.ts";

const open = (now = new Date()) => openRecords(env.DB, () => now);

const later = (seconds: number, start = Date.now()) => new Date(start + seconds * 1000);

const newKey = (kind = "client") => `${kind}:${crypto.randomUUID()}`;

const outcomes = async (work: readonly Promise<unknown>[]) => {
  const settled = await Promise.allSettled(work);
  const lost = settled.filter((each) => each.status === "rejected").map(({ reason }) => reason as unknown);
  expect(lost.every((reason) => reason instanceof RecordConflict)).toBe(true);
  return { won: settled.length - lost.length, lost: lost.length };
};

describe("the records of the authorization server", () => {
  it("give back what was put, at once and to everybody", async () => {
    const key = newKey();
    await open().put(key, '{"a":1}', { metadata: { m: 1 } });
    expect(await open().get(key)).toBe('{"a":1}');
    expect(await open().get(key, "json")).toEqual({ a: 1 });
    expect(await open().get(key, { type: "json" })).toEqual({ a: 1 });
    await open().put(key, "b");
    expect(await open().get(key)).toBe("b");
    await open().delete(key);
    expect(await open().get(key)).toBeNull();
    await open().delete(key);
  });

  it("never give back what has expired, by either way of saying so", async () => {
    const [ttl, at] = [newKey(), newKey()];
    const start = Date.now();
    const after = (seconds: number) => open(later(seconds, start));
    await after(0).put(ttl, "x", { expirationTtl: 60 });
    await after(0).put(at, "x", { expiration: Math.floor(start / 1000) + 60 });
    for (const key of [ttl, at]) {
      expect(await after(58).get(key)).toBe("x");
      expect(await after(61).get(key)).toBeNull();
      expect((await after(61).list({ prefix: key })).keys).toEqual([]);
    }
  });

  it("list by prefix, in pages, with metadata and expiration", async () => {
    const prefix = `${newKey("grant")}:`;
    for (const name of ["c", "a", "b"]) await open().put(prefix + name, name, { metadata: { name } });
    await open().put(`${prefix.slice(0, -1)};no`, "no");
    const first = await open().list({ prefix, limit: 2 });
    expect(first).toMatchObject({ list_complete: false, keys: [{ name: `${prefix}a`, metadata: { name: "a" } }, {}] });
    const second = await open().list({ prefix, limit: 2, cursor: String(first.cursor) });
    expect(second).toEqual({ list_complete: true, keys: [{ name: `${prefix}c`, metadata: { name: "c" } }] });
  });

  it("let one of many write what all have read", async () => {
    const key = newKey("grant");
    await open().put(key, "0");
    const readers = Array.from({ length: 5 }, () => open());
    await Promise.all(readers.map((records) => records.get(key)));
    expect(await outcomes(readers.map((records, at) => records.put(key, String(at))))).toEqual({ won: 1, lost: 4 });
  });

  it("let one of many use what can be used once", async () => {
    const key = newKey("transaction");
    await open().put(key, "0");
    const readers = Array.from({ length: 5 }, () => open());
    await Promise.all(readers.map((records) => records.get(key)));
    expect(await outcomes(readers.map((records) => records.delete(key)))).toEqual({ won: 1, lost: 4 });
  });

  it("let one of many take a name that nobody had", async () => {
    const key = newKey("client-assertion-jti");
    const readers = Array.from({ length: 5 }, () => open());
    await Promise.all(readers.map((records) => records.get(key)));
    const puts = readers.map((records) => records.put(key, "1", { expirationTtl: 60 }));
    expect(await outcomes(puts)).toEqual({ won: 1, lost: 4 });
    // One that has expired is free again.
    const afterwards = open(later(61));
    expect(await afterwards.get(key)).toBeNull();
    await afterwards.put(key, "2");
  });

  it("do not come back after a revocation that was quicker", async () => {
    const key = newKey("grant");
    await open().put(key, "0");
    const slow = open();
    await slow.get(key);
    await open().delete(key);
    await expect(slow.put(key, "1")).rejects.toThrow(RecordConflict);
    expect(await open().get(key)).toBeNull();
  });

  it("are removed once they have expired, however many, and the others are not", async () => {
    const kept = newKey();
    await open().put(kept, "x", { expirationTtl: 10_000 });
    const seconds = Math.floor(Date.now() / 1000);
    await env.DB.prepare(
      `insert into oauth_records (key, value, version, expiration_time)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)
       select 'gone:' || i, 'x', 'v', ? from n`,
    )
      .bind(seconds - 5)
      .run();
    await removeExpiredRecords(env.DB, new Date());
    const left = await env.DB.prepare("select count(*) as n from oauth_records where key like 'gone:%'").first("n");
    expect(left).toBe(0);
    expect(await open().get(kept)).toBe("x");
  });
});
