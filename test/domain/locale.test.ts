import fc, { runs } from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import { canonicalLocale } from "../../src/domain/locale.ts";
import { locale } from "../../src/operations/fields.ts";

const part = fc.string({ unit: fc.constantFrom(...Array.from("abcdeuxtzALN0129")), minLength: 1, maxLength: 9 });
const tag = fc.oneof(
  fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("-")),
  fc
    .tuple(
      fc.constantFrom("en", "DE", "zh", "iw", "sr", "art-lojban", "cmn", "en-a-bcdefgh-bcdefg"),
      fc.constantFrom("", "-Latn", "-hans", "-US", "-419", "-1996", "-u-ca-islamicc", "-x-abc", "-u-kn-true", "-t-de"),
    )
    .map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 40 }),
);

/** Of IANA's registry, with what CLDR has instead of those that it has replaced. */
const VARIANTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    "1606nict 1901 1996 abl1943 ao1990 baku1926 biske colb1945 ekavsk fonipa luna1918 ltg1929 petr1708 polyton tarask valencia"
      .split(" ")
      .map((variant) => [variant, variant]),
  ),
  arevela: "",
  heploc: "alalc97",
  polytoni: "polyton",
};
const written = fc.record({
  language: fc.constantFrom("az", "hy", "ru", "de", "iw", "zh", "jpn", "frm"),
  script: fc.constantFrom("", "", "Latn", "Cyrl"),
  region: fc.constantFrom("", "", "AT", "419"),
  variants: fc.uniqueArray(fc.constantFrom(...Object.keys(VARIANTS)), { maxLength: 4 }),
  rest: fc.constantFrom("", "", "x-own", "u-co-phonebk", "t-de", "t-az-baku1926", "t-az-latn-luna1918"),
});
const joined = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("-");

describe("canonicalLocale", () => {
  it("has one form for a tag, whatever its case, and leaves that form as it is", () => {
    fc.assert(
      fc.property(tag, (text) => {
        const canonical = canonicalLocale(text);
        fc.pre(canonical !== null);
        expect(canonicalLocale(canonical ?? "")).toBe(canonical);
        expect(canonicalLocale(text.toUpperCase())).toBe(canonical);
        expect(canonicalLocale(text.toLowerCase())).toBe(canonical);
      }),
      runs(300),
    );
  });

  it("keeps every part of a tag with variants, or refuses it: it never names another language's form", () => {
    let kept = 0;
    const times = runs(300);
    fc.assert(
      fc.property(written, ({ language, script, region, variants, rest }) => {
        const canonical = canonicalLocale(joined([language, script, region, ...variants, rest]));
        if (canonical === null) return;
        kept++;
        const found = new Intl.Locale(canonical);
        expect([found.script ?? "", found.region ?? ""]).toEqual([script, region]);
        const own = found.baseName.split("-").slice([language, script, region].filter((part) => part !== "").length);
        const expected = variants.map((variant) => VARIANTS[variant] ?? "").filter((variant) => variant !== "");
        expect(own).toEqual([...new Set(expected)].toSorted());
        expect(canonical.toLowerCase().endsWith(rest)).toBe(true);
        expect(canonicalLocale(canonical)).toBe(canonical);
      }),
      times,
    );
    expect(kept).toBeGreaterThan(times.numRuns / 2);
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(["string", "object"]).toContain(typeof canonicalLocale(text));
      }),
    );
  });

  it.each([
    ["EN-us", "en-US"],
    ["zh-hant-tw", "zh-Hant-TW"],
    ["iw", "he"],
    ["art-lojban", "jbo"],
    ["be-tarask", "be-tarask"],
    ["sl-rozaj-biske-1994", "sl-1994-biske-rozaj"],
    ["ja-Latn-hepburn-heploc", "ja-Latn-alalc97"],
    ["az-Latn-baku1926", "az-Latn-baku1926"],
    ["ru-RU-luna1918", "ru-RU-luna1918"],
    ["az-baku1926", null],
    ["AZ-Baku1926-x-a", null],
    ["ca-valencia-luna1918", null],
    ["hy-arevela-luna1918", null],
    ["de-t-az-baku1926", null],
    ["en_US", null],
    ["", null],
    ["*", null],
    ["en-", null],
    ["x-private", null],
  ])("%s is %s", (text, canonical) => {
    expect(canonicalLocale(text)).toBe(canonical);
  });
});

describe("the locale of an input", () => {
  it("is accepted again as it was stored", () => {
    fc.assert(
      fc.property(tag, (text) => {
        const first = locale.safeParse(text);
        fc.pre(first.success);
        expect(locale.safeParse(first.data)).toEqual(first);
      }),
      runs(300),
    );
  });
});
