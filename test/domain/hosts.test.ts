/** Contract 21.7: which names may be a blog's own host, and when their records are looked for. */
import { describe, expect, it } from "vitest";
import {
  applyMiss,
  applyProof,
  getAliasTarget,
  parseHost,
  isServiceHost,
  type HostChecks,
} from "../../src/domain/hosts.ts";

describe("a name", () => {
  it("is stored in one form", () => {
    expect(parseHost("Notes.Example.COM.")).toBe("notes.example.com");
    expect(parseHost(" notes.example.com ")).toBe("notes.example.com");
    expect(parseHost("bücher.example.com")).toBe("xn--bcher-kva.example.com");
    expect(parseHost("example.org")).toBe("example.org");
    expect(parseHost(`${"a.".repeat(119)}org`)).toHaveLength(241);
  });

  it.each([
    "",
    ".",
    "com",
    "localhost",
    "a..example.com",
    ".example.com",
    "example.com..",
    "-a.example.com",
    "a-.example.com",

    "https://example.com",
    "example.com/",
    "example.com:443",
    "a@example.com",
    "example.com?x",
    "example.com#x",
    "a b.example.com",
    "a\tb.example.com",
    "a\u0000.example.com",
    "%61.example.com",
    "a\\b.example.com",
    "*.example.com",

    "_edgepress.example.com",
    "127.0.0.1",
    "127.1",
    "0x7f.1",
    "2130706433",
    "１２７.０.０.１",
    "[::1]",
    "::1",
    "a.1",

    `${"a".repeat(64)}.example.com`,
    `${"a.".repeat(120)}org`,
    `${"ü.".repeat(100)}org`,
    "a。example。com。",
  ])("such as %j is none", (text) => {
    expect(parseHost(text)).toBeNull();
  });

  it("of the service itself is known, with all below the domain of its sites", () => {
    const service = { baseUrl: "https://press.example.com", siteDomain: "blogs.example.com:8443" };
    const own = ["press.example.com", "blogs.example.com", "a.blogs.example.com", "a.b.blogs.example.com"];
    const others = ["example.com", "a.press.example.com", "myblogs.example.com", "press.example.com.example.org"];
    expect(own.filter((host) => isServiceHost(host, service))).toEqual(own);
    expect(others.filter((host) => isServiceHost(host, service))).toEqual([]);
    expect(getAliasTarget(service)).toBe("blogs.example.com");
    expect(getAliasTarget({ ...service, siteDomain: "" })).toBe("press.example.com");
  });
});

describe("checks", () => {
  const START = Date.parse("2026-11-01T00:00:00.000Z");
  const at = (ms: number) => new Date(START + ms).toISOString();
  const check = (ms: number, byHand = false) => ({ time: at(ms), byHand, found: ["other"] });
  const minutes = (checks: HostChecks, from: number) =>
    checks.nextCheckTime === null ? null : (Date.parse(checks.nextCheckTime) - START - from) / 60_000;

  it("of a host that waits back off from minutes to half a day, and end after a week", () => {
    let host: HostChecks = { verifiedTime: null, failure: null, nextCheckTime: at(0) };
    const pauses: (number | null)[] = [];
    for (let ms = 0; host.nextCheckTime !== null; ms = Date.parse(host.nextCheckTime) - START) {
      host = applyMiss(host, check(ms), "record_missing");
      pauses.push(minutes(host, ms));
      if (host.nextCheckTime === null) break;
    }
    expect(pauses.slice(0, 3)).toEqual([10, 20, 40]);
    expect(pauses.at(-2)).toBe(720);
    expect(pauses.at(-1)).toBeNull();
    expect(pauses.length).toBeLessThan(25);
    // Whoever asks again gets another week.
    const again = applyMiss(host, check(9e9, true), "record_missing");
    expect(again).toMatchObject({ failure: { since: at(9e9), misses: 0, found: ["other"] } });
    expect(minutes(again, 9e9)).toBe(5);
  });

  it("of a verified host are daily; the third one missed in a row takes it away, however often somebody looks by hand", () => {
    const day = 86_400_000;
    let host = applyProof({ verifiedTime: null, failure: null, nextCheckTime: null }, check(0));
    expect(host).toEqual({ verifiedTime: at(0), failure: null, nextCheckTime: at(day) });
    for (let n = 0; n < 5; n++) host = applyMiss(host, check(1000 + n, true), "record_missing");
    expect(host).toMatchObject({
      verifiedTime: at(0),
      failure: { misses: 0, since: at(1000) },
      nextCheckTime: at(day),
    });
    host = applyMiss(host, check(day), "record_missing");
    host = applyMiss(host, check(2 * day), "record_missing");
    expect(host).toMatchObject({ verifiedTime: at(0), failure: { misses: 2 } });
    expect(applyProof(host, check(2.5 * day))).toMatchObject({ verifiedTime: at(0), failure: null });
    host = applyMiss(host, check(3 * day), "record_missing");
    expect(host).toMatchObject({ verifiedTime: null, failure: { since: at(3 * day), misses: 0 } });
    expect(minutes(host, 3 * day)).toBe(5);
  });

  it("keep little of what was found", () => {
    const found = [...Array<string>(50).keys()].map(() => `\u0007${"😀".repeat(1000)}`);
    const { failure } = applyMiss(
      { verifiedTime: null, failure: null, nextCheckTime: null },
      { ...check(0), found },
      "host_taken",
    );
    expect(failure?.found).toHaveLength(5);
    expect(failure?.found[0]).toHaveLength(120);
    expect(failure?.found.every((text) => text.isWellFormed() && !text.includes("\u0007"))).toBe(true);
  });
});
