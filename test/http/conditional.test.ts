/** ETags and `If-Match`, `If-None-Match`, as HTTP writes them (RFC 9110). */
import fc, { runs } from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import { etagOf, ifMatchVersions, noneMatch } from "../../src/surfaces/rest/conditional.ts";
import { newId } from "../../src/lib/ids.ts";

/** RFC 9110, 8.8.3: what may stand between the quotes of a strong entity tag. */
const STRONG_TAG = /^"[\x21\x23-\x7e\x80-\xff]*"$/;

describe("an ETag", () => {
  it("is strong and well-formed for one version and for a list of many", async () => {
    for (const versions of [1, 2, 100]) {
      const version = [...Array.from({ length: versions }, newId), "end"].join();
      expect(await etagOf(version)).toMatch(STRONG_TAG);
    }
    expect(await etagOf("end")).toBe('"end"');
    for (const version of ['["é",null]', "李", '"', "a b", "\u0000"])
      expect(await etagOf(version)).toMatch(/^"[0-9a-f]{40}"$/);
  });

  it("differs for every two versions, long ones too", async () => {
    const versions = Array.from({ length: 200 }, (_, n) => "x".repeat(n));
    expect(new Set(await Promise.all(versions.map((version) => etagOf(version)))).size).toBe(200);
  });
});

describe("If-None-Match", () => {
  const etag = '"019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d"';

  it.each([etag, `W/${etag}`, "*", " * ", `"x", ${etag}`, `${etag},"x"`, `"x",W/${etag} , "y"`, `,, ${etag}`])(
    "matches: %s",
    (header) => {
      expect(noneMatch(header, etag)).toBe(true);
    },
  );

  it.each([
    undefined,
    "",
    '"x"',
    etag.slice(1),
    etag.slice(0, -1),
    etag.toUpperCase(),
    '"*"',
    "**",
    "W/",
    '"',
    'W/"x"',
  ])("does not match: %s", (header) => {
    expect(noneMatch(header, etag)).toBe(false);
  });

  it("matches a tag with a comma in it: those of short lists have one", () => {
    expect(noneMatch('"a,end"', '"a,end"')).toBe(true);
    expect(noneMatch('"a", "end"', '"a,end"')).toBe(false);
  });
});

describe("If-Match", () => {
  it("is no condition where it is missing, and any version where it is *", () => {
    expect([ifMatchVersions(undefined), ifMatchVersions("*"), ifMatchVersions(" * ")]).toEqual([undefined, "*", "*"]);
  });

  it.each([
    ['"a"', ["a"]],
    ['"a", "b"', ["a", "b"]],
    ['"a","b",', ["a", "b"]],
    ['W/"a", "b"', ["a", "b"]],
    ['W/"a"', ["a"]],
    ['""', [""]],
    ["", []],
    ["a", []],
    ["a, b", []],
    ['"', []],
    ['"*"', ["*"]],
    ['"a,b"', ["a,b"]],
  ])("%s names %j", (header, versions) => {
    expect(ifMatchVersions(header)).toEqual(versions);
  });

  const OWS = fc.constantFrom("", " ", "\t", " \t ");

  it("names the strong tags of a list and no others, in their order", () => {
    const value = fc.string({ unit: fc.constantFrom(...Array.from("aW/*,\\'é~")), maxLength: 8 });
    const list = fc.array(fc.tuple(OWS, fc.boolean(), value, OWS), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(list, (tags) => {
        const header = tags
          .map(([before, weak, text, after]) => `${before}${weak ? "W/" : ""}"${text}"${after}`)
          .join();
        expect(ifMatchVersions(header)).toEqual(tags.map(([, , text]) => text));
      }),
      runs(100),
    );
  });

  it("is any version for * with optional whitespace", () => {
    fc.assert(
      fc.property(OWS, OWS, (before, after) => {
        expect(ifMatchVersions(`${before}*${after}`)).toBe("*");
        expect(noneMatch(`${before}*${after}`, '"a"')).toBe(true);
      }),
    );
  });

  it("is a condition for every other header: garbage lets no write through but that of what it names in quotes", () => {
    const garbage = fc.string({
      unit: fc.constantFrom(...Array.from('**""W/, \t\u00a0\u3000\ufeff\naé\\\'')),
      maxLength: 30,
    });
    fc.assert(
      fc.property(garbage, (header) => {
        fc.pre(header.replaceAll(" ", "").replaceAll("\t", "") !== "*");
        const versions = ifMatchVersions(header);
        expect(versions).toBeInstanceOf(Array);
        for (const version of versions ?? []) expect(header).toContain(`"${version}"`);
        if (!header.includes('"')) expect(versions).toEqual([]);
      }),
      runs(300),
    );
    for (const header of ["\u00a0*", "*\u3000", "\ufeff*", "*\n"]) expect(ifMatchVersions(header)).toEqual([]);
    expect(noneMatch("\u00a0*", '"a"')).toBe(false);
  });

  it("comes back soon from a long hostile header", () => {
    for (const header of [
      '"'.repeat(100_001),
      "W/".repeat(50_000),
      `${'"a",'.repeat(25_000)}"`,
      'W/"'.repeat(30_000),
    ]) {
      expect(ifMatchVersions(header)).toBeInstanceOf(Array);
    }
  });
});
