/** Inputs that are valid each, and too many together. */
import { beforeAll, describe, expect, it, vi } from "vitest";
import { isSlug } from "../../src/domain/slug.ts";
import { issueToken, send, sendJson } from "../helpers/requests.ts";
import { copies } from "../helpers/copies.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { spread } from "../helpers/sample.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

const MiB = 1024 * 1024;

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

const as = () => ({ apiKey: tenant.apiKey });
const operator = () => ({ operatorToken: tenant.operatorToken });

describe("a body of very many wrong items", () => {
  /** All within 2 MiB. More values than a body may have are refused before they are parsed, so that none of them is named. */
  const MANY: readonly (readonly [string, string, string, boolean])[] = [
    ["/api/apikeys", "wrong types, as many as may be", `{"name":"n","scopes":[${"0,".repeat(4000)}0]}`, true],
    ["/api/blogs", "wrong values, as many as may be", `{"name":"n","locales":[${'"x",'.repeat(4000)}"x"]}`, true],
    ["/api/webhooksubscriptions", "too many", `{"url":"u","events":[${"0,".repeat(MiB - 100)}0]}`, false],
    ["/api/articles", "too many", `{${Array.from({ length: 150_000 }, (_, n) => `"x${n}":0`).join()}}`, false],
    ["/api/contacts", "one with a name of 2 MB", `{"email":"a@b.co","${"x".repeat(2_000_000)}":0}`, true],
  ];

  it.each(MANY)("is refused with an answer that is not larger than it: %s, %s", async (path, _, body, named) => {
    expect(body.length).toBeLessThanOrEqual(2 * MiB);
    await storingNothing(async () => {
      const response = await send(path, { as: operator(), body });
      expect((await response.clone().arrayBuffer()).byteLength).toBeLessThanOrEqual(2 * MiB);
      const { errors = [] } = await refusalOf(response, "invalid_request");
      expect(errors.length > 0).toBe(named);
    });
  });

  it("that are right each is stored without the repetitions, or refused", async () => {
    const body = `{"name":"n","scopes":[${'"articles:read",'.repeat(100_000)}"articles:read"]}`;
    const response = await send("/api/apikeys", { as: operator(), body });
    if (response.status === 200) expect(await response.json()).toMatchObject({ scopes: ["articles:read"] });
    else await refusalOf(response, "invalid_request");
  });
});

describe("a slug derived from a title", () => {
  /** Letters that lengthen in lower case, that need two UTF-16 units, and that are marks. */
  const TITLES = [
    "𐐀".repeat(150),
    "𐐨".repeat(150),
    "İ".repeat(300),
    "日本".repeat(150),
    "ﬁ".repeat(300),
    "ẞ".repeat(300),
    "한글".repeat(150),
    "नि".repeat(150),
    "Ж\u0301".repeat(150),
    "Жe'\u0301".repeat(75),
    "ΑΣ ΟΔΟΣ",
    "\u0301\u0301\u0301",
    "ǅungla Ж",
    "①②③",
    "Ⅷ Ж",
    "a".repeat(300),
    "-".repeat(300),
    "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d",
    "019A9D3C 8F5E 7C2A 9B1D 3E4F5A6B7C8D",
    "constructor",
    "__proto__",
    "generate",
    "....",
    "😀😀😀",
    "\u202eabc",
  ];

  it.each(spread(TITLES, 8))("finds its article and may be sent back: %s", async (title) => {
    const body = { blogId: tenant.blogId, title, published: true };
    const created = await sendJson<{ slug: string; _id: string }>(200, "/api/articles", { as: as(), body });
    const path = `/api/articles/${encodeURIComponent(created.slug)}?blogId=${tenant.blogId}`;
    expect(await sendJson(200, path)).toEqual(created);
    expect(await sendJson(200, "/api/articles", { as: as(), body: created })).toMatchObject({ slug: created.slug });
    const again = await sendJson<{ slug: string }>(200, "/api/articles", { as: as(), body });
    expect(again.slug).not.toBe(created.slug);
  });
});

describe("the locales of a blog", () => {
  it("do not outgrow what its update accepts, whatever articles add", async () => {
    const tenant = await newTenant();
    const credential = { apiKey: tenant.apiKey };
    const locales = Array.from({ length: 100 }, (_, n) => `en-x-${n}`);
    const path = `/api/blogs/${tenant.blogId}`;
    await sendJson(200, path, { as: credential, method: "PUT", body: { locales } });
    const body = { blogId: tenant.blogId, locale: "de", published: true };
    const created = await send("/api/articles", { as: credential, body });
    if (created.status !== 200) return void (await refusalOf(created, "invalid_request"));
    const [blog] = await sendJson<{ _id: string; locales: string[] }[]>(200, "/api/blogs", { as: credential });
    expect(await sendJson(200, path, { as: credential, method: "PUT", body: blog })).toMatchObject({
      locales: blog?.locales,
    });
  });

  it("stay short enough in their canonical form to be sent back", async () => {
    // The canonical form of a calendar's old name is longer than the tag that was sent.
    for (const tag of ["en-a-bcdefgh-u-ca-islamicc", "en-a-bcdefgh-bcdefg-u-ca-islamicc"]) {
      expect(tag.length).toBeLessThanOrEqual(35);
      const body = { blogId: tenant.blogId, locale: tag, published: true };
      const response = await send("/api/articles", { as: as(), body });
      if (response.status !== 200) continue;
      const created = (await response.json()) as { _id: string };
      expect(await sendJson(200, "/api/articles", { as: as(), body: created })).toMatchObject({ _id: created._id });
    }
  });
});

describe("an expiration time", () => {
  const ODD = [
    "0000-01-01T00:00:00Z",
    "0000-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59-23:59",
    "9999-12-31T24:00:00Z",
    "2027-02-29T00:00:00Z",
    "2027-01-01T00:00:60Z",
    "2027-01-01T00:00:00+24:00",
    "2027-01-01T00:00:00+0100",
    "2027-01-01",
    "+010000-01-01T00:00:00Z",
    "-000001-01-01T00:00:00Z",
    "2027-01-01t00:00:00z",
    "2027-01-01 00:00:00Z",
    "2027-01-01T00:00:00",
    "2020-01-01T00:00:00Z",
    `2020-01-01T00:00:00.${"1".repeat(1000)}Z`,
    `2027-13-01T00:00:00.${"1".repeat(1_000_000)}Z`,
  ];

  it("that is none is refused", async () => {
    await storingNothing(async () => {
      for (const [path, odd] of [
        ["/api/apikeys", ODD],
        ["/api/accesstokens", spread(ODD)],
      ] as const) {
        for (const expirationTime of odd) {
          const response = await send(path, { as: operator(), body: { name: "n", expirationTime } });
          const problem = await refusalOf(response, "invalid_request");
          const fields = problem.errors?.map((error) => error.path);
          expect(fields, expirationTime.slice(0, 40)).toEqual(["expirationTime"]);
        }
      }
    });
  });

  it("of any precision and offset is stored as it is shown everywhere", async () => {
    for (const [given, stored] of [
      ["2999-01-01T01:00:00+01:00", "2999-01-01T00:00:00.000Z"],
      [`2999-01-01T00:00:00.1239${"9".repeat(1000)}Z`, "2999-01-01T00:00:00.123Z"],
    ]) {
      const created = await issueToken(operator(), { expirationTime: given });
      expect(created).toMatchObject({ expirationTime: stored });
    }
  });
});

describe("text that is dear to normalize", () => {
  it("is measured before: composing long runs of marks takes the square of their length", async () => {
    const lengths: number[] = [];
    const normalize = vi.spyOn(String.prototype, "normalize").mockImplementation(function (this: string) {
      lengths.push(this.length);
      return this;
    });
    try {
      const marks = "\u0301\u0323".repeat(50_000);
      for (const body of [{ slug: marks }, { slug: `a${marks}` }, { title: marks, slug: "a" }, { title: marks }]) {
        const response = await send("/api/articles", { as: as(), body: { ...body, blogId: tenant.blogId } });
        await refusalOf(response, "invalid_request");
      }
      for (const query of [`slug=${encodeURIComponent(marks)}`, `locale=${encodeURIComponent(marks)}`]) {
        await refusalOf(await send(`/api/articles?blogId=x&${query}`), "invalid_request");
      }
      await refusalOf(await send(`/api/articles/${encodeURIComponent(marks)}`), "invalid_request");
      await refusalOf(
        await send("/api/blogs", { as: as(), body: { name: marks, vanityId: marks } }),
        "invalid_request",
      );
    } finally {
      normalize.mockRestore();
    }
    expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(10_000);
  });
});

// Last, as they store thousands of rows and megabytes, which tests that compare all rows would read.
describe("titles and names that everybody uses", () => {
  it("never fail the service, however often a derived slug is taken", async () => {
    const tenant = await newTenant();
    const credential = { apiKey: tenant.apiKey };
    const body = { blogId: tenant.blogId, title: "Hello" };
    const { _id, slug } = await sendJson<{ _id: string; slug: string }>(200, "/api/articles", { as: credential, body });
    await copies("articles", _id, 1000, { search_id: "null", slug: `'${slug}-' || n`, public_time: "null" });
    const response = await send("/api/articles", { as: credential, body });
    if (response.status === 200) expect(isSlug(((await response.json()) as { slug: string }).slug)).toBe(true);
    else await refusalOf(response, "slug_taken");
  });

  it("never fail the service, however often a derived vanityId is taken, also by others", async () => {
    const first = await sendJson<{ _id: string; vanityId: string }>(200, "/api/blogs", {
      as: as(),
      body: { name: "Very Common" },
    });
    await copies("blogs", first._id, 2000, { vanity_id: `'${first.vanityId}-' || n` });
    const tenant = await newTenant();
    const response = await send("/api/blogs", { as: { apiKey: tenant.apiKey }, body: { name: "Very Common" } });
    if (response.status !== 200) await refusalOf(response, "vanity_id_taken");
  });
});
