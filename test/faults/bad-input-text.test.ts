/** Text that cannot be stored, and names that are not names. */
import { beforeAll, describe, expect, it } from "vitest";
import { getInputSources, listPathParameters } from "../../src/surfaces/rest/routes.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { typeOf } from "../helpers/member-types.ts";
import { call, everyRoute, newWorld, reaching, validInput, type World } from "../helpers/operations.ts";
import { fieldsOf, refusalOf, storingNothing } from "../helpers/refusals.ts";
import { spread } from "../helpers/sample.ts";

const withBody = everyRoute.filter(({ route }) => getInputSources(route).body.length > 0);

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

const as = () => ({ apiKey: world.tenant.apiKey });

/** What SQLite, JSON or UTF-8 would change or cut. */
const NOT_STORABLE = ["\0", "a\0b", "\ud800", "\udc00", "a\ud83d", "\ude00a", "\udc00\ud800", "a\0\ud800"];

describe("text that could not be read back as it was is refused and named", () => {
  it.each(spread(withBody))("by $title", async ({ route }) => {
    const credential = reaching(route, world);
    await storingNothing(async () => {
      for (const member of getInputSources(route).body) {
        const type = typeOf(member);
        if (type !== "string" && type !== "texts") continue;
        for (const text of NOT_STORABLE) {
          const input = { ...validInput(route, world), [member]: type === "string" ? text : [text] };
          const response = await call(route, input, { as: credential });
          const problem = await refusalOf(response, "invalid_request", "immutable_field", "target_not_allowed");
          expect(fieldsOf(problem), JSON.stringify(text)).toEqual([member]);
        }
      }
    });
  });

  const withText = everyRoute.filter(
    ({ route }) => listPathParameters(route.path).length + getInputSources(route).query.length > 0,
  );

  it.each(spread(withText))("by $title, in its path and query", async ({ route }) => {
    const credential = reaching(route, world);
    await storingNothing(async () => {
      for (const member of [...listPathParameters(route.path), ...getInputSources(route).query]) {
        if (typeOf(member) !== "string") continue;
        const input = { ...validInput(route, world), [member]: "a\0b" };
        const problem = await refusalOf(await call(route, input, { as: credential }), "invalid_request");
        expect(fieldsOf(problem)).toEqual([member]);
      }
    });
  });
});

const UUIDS = [
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  ..."123456789abcdef0".split("").map((version) => `019a9d3c-8f5e-${version}c2a-9b1d-3e4f5a6b7c8d`),
  "019a9d3c-8f5e-7c2a-0b1d-3e4f5a6b7c8d",
];

const BAD_SLUGS = [
  "",
  "-",
  "--",
  "-a",
  "a-",
  "a--b",
  "A",
  "aB",
  "Ä",
  "İ",
  "ǅ",
  "Σ",
  "a b",
  " a",
  "a ",
  "a\tb",
  "a\nb",
  "a_b",
  "a.b",
  ".",
  "..",
  "../a",
  "a/b",
  "a\\b",
  "a%20b",
  "a+b",
  "a?b",
  "a#b",
  "a&b",
  "a'b",
  'a"b',
  "a;b",
  "a:b",
  "a@b",
  "a,b",
  "(a)",
  "<b>",
  "a😀",
  "a\u200db",
  "a\u200bb",
  "a\u00adb",
  "a\u202eb",
  "a\ufeffb",
  "a–b",
  "a−b",
  "a\u2010b",
  "a".repeat(201),
  "日".repeat(201),
  ...UUIDS,
  ...UUIDS.map((text) => text.toUpperCase()),
];

const BAD_LOCALES = [
  "",
  " ",
  "e",
  "abcdefghi",
  "en_US",
  "en-",
  "-en",
  "en--US",
  "en US",
  "en-US ",
  " en",
  "en;q=0.5",
  "en,de",
  "*",
  "en-*",
  "x",
  "x-private",
  "en-x",
  "en-u",
  "en-u-",
  "12",
  "en-a-a",
  "en-abcdefghi",
  "en-US-US",
  "de-1996-1996",
  "日本",
  "en\u0000",
  "../../en",
  "'; --",
  `en-${"abcdefgh-".repeat(4)}abcdefgh`,
];

const BAD_VANITY_IDS = [
  "",
  "a",
  "ab",
  "a".repeat(64),
  "-ab",
  "ab-",
  "---",
  "aBc",
  "ABC",
  "a b",
  "a_b",
  "a.b",
  "a/b",
  "äbc",
  "日本語",
  "xn--abc",
  "ab--c",
  "abc\n",
  "abc ",
  "abc.",
  "a😀c",
  "ｗｗｗ",
  "api",
  "www",
  "admin",
  "well-known",
  "a\u00adb",
  "*.*",
];

describe("a slug, a locale, a vanityId that is none", () => {
  it("is refused as the slug of an article, and named", async () => {
    await storingNothing(async () => {
      for (const slug of spread(BAD_SLUGS, 16)) {
        for (const target of [{ blogId: world.tenant.blogId }, { _id: world.article._id }]) {
          const response = await send("/api/articles", { as: as(), body: { ...target, slug } });
          expect(fieldsOf(await refusalOf(response, "invalid_request")), slug).toEqual(["slug"]);
        }
      }
    });
  });

  it("is refused as a locale, and named", async () => {
    await storingNothing(async () => {
      for (const locale of spread(BAD_LOCALES, 8)) {
        const article = await send("/api/articles", { as: as(), body: { blogId: world.tenant.blogId, locale } });
        expect(fieldsOf(await refusalOf(article, "invalid_request")), locale).toEqual(["locale"]);
        const contact = { email: "new@example.com", locale };
        const created = await send("/api/contacts", { as: as(), body: contact });
        expect(fieldsOf(await refusalOf(created, "invalid_request")), locale).toEqual(["locale"]);
        const blog = await send("/api/blogs", { as: as(), body: { name: "n", locales: ["en", locale] } });
        expect(fieldsOf(await refusalOf(blog, "invalid_request")), locale).toEqual(["locales"]);
        const list = await send(`/api/articles?blogId=x&locale=${encodeURIComponent(locale)}`);
        expect(fieldsOf(await refusalOf(list, "invalid_request")), locale).toEqual(["locale"]);
      }
    });
  });

  it("is refused as a vanityId, and named", async () => {
    await storingNothing(async () => {
      for (const vanityId of spread(BAD_VANITY_IDS, 8)) {
        const create = await send("/api/blogs", { as: as(), body: { name: "n", vanityId } });
        expect(fieldsOf(await refusalOf(create, "invalid_request")), vanityId).toEqual(["vanityId"]);
        const path = `/api/blogs/${world.tenant.blogId}`;
        const update = await send(path, { as: as(), method: "PUT", body: { vanityId } });
        expect(fieldsOf(await refusalOf(update, "invalid_request")), vanityId).toEqual(["vanityId"]);
      }
    });
  });
});

describe("what looks odd but is a name", () => {
  const SLUGS = [
    "ß",
    "日本語",
    "новости-2026",
    "a1",
    "1",
    "0-0",

    "e\u0301",
    "한국어",
    "हिन्दी",
    "ａ",
    "𐐨",
    "a".repeat(200),
  ];

  it.each(spread(SLUGS, 4))("is a slug, found again by it: %s", async (slug) => {
    const body = { blogId: world.tenant.blogId, slug, published: true };
    const created = await sendJson<{ _id: string; slug: string }>(200, "/api/articles", { as: as(), body });
    expect(created.slug).toBe(slug.normalize("NFC"));
    for (const written of [slug, slug.normalize("NFD"), created.slug]) {
      // Decomposed, the longest slugs of some scripts are longer than a name may be.
      const found = await sendJson(200, `/api/articles/${encodeURIComponent(written)}?blogId=${world.tenant.blogId}`);
      expect(found).toMatchObject({ _id: created._id });
    }
    await refusalOf(
      await send("/api/articles", { as: as(), body: { ...body, slug: slug.normalize("NFD") } }),
      "slug_taken",
    );
  });

  it("is a locale, stored in its canonical form", async () => {
    for (const [given, stored] of [
      ["EN-us", "en-US"],
      ["zh-hant-tw", "zh-Hant-TW"],
      ["iw", "he"],
      ["de-DE-1996", "de-DE-1996"],
      ["en-u-ca-gregory", "en-u-ca-gregory"],
      ["art-lojban", "jbo"],
    ]) {
      const body = { blogId: world.tenant.blogId, locale: given };
      expect(await sendJson(200, "/api/articles", { as: as(), body })).toMatchObject({ locale: stored });
    }
  });
});
