/** Contract 4.1: an article; contract 3.1, 3.2, 3.3: its identifier, its times, its locale. */
import { describe, expect, it } from "vitest";
import { wrongFields } from "../helpers/outcome.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody } from "../helpers/tenant.ts";

const MEMBERS = [
  "_id",
  "blogId",
  "title",
  "description",
  "content",
  "slug",
  "locale",
  "coverUrl",
  "published",
  "creationTime",
  "lastEditTime",
] as const satisfies readonly (keyof ArticleBody)[];

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("an Article", () => {
  it("has the eleven members of contract 4.1, in every answer that shows one", async () => {
    const tenant = await newTenant();
    const created = await newArticle(tenant);
    const { _id, slug } = created;
    const updated = await sendJson(200, "/api/articles", { as: tenant, body: { _id, title: "Changed" } });
    const [listed = {}] = await sendJson<object[]>(200, `/api/articles?blogId=${tenant.blogId}`, { as: tenant });
    const answers = [created, updated, listed];
    for (const name of [_id, slug]) {
      answers.push(
        await sendJson(200, `/api/articles/${name}`),
        await sendJson(200, `/api/articles/${name}`, { as: tenant }),
      );
    }
    for (const answer of answers) expect(Object.keys(answer).sort()).toEqual([...MEMBERS].sort());
  });

  it("coverUrl is an absolute http or https URL, or empty", async () => {
    const tenant = await newTenant();
    const coverUrl = "https://images.example.com/porto.jpg?w=1200#top";
    expect((await newArticle(tenant, { coverUrl })).coverUrl).toBe(coverUrl);
    expect((await newArticle(tenant, { coverUrl: "" })).coverUrl).toBe("");
    for (const wrong of [
      "porto.jpg",
      "//example.com/a",
      "javascript:alert(1)",
      "data:image/png;base64,AA",
      "https://",
    ]) {
      expect(await wrongFields("/api/articles", { as: tenant, body: { coverUrl: wrong } })).toEqual(["coverUrl"]);
    }
  });
});

describe("an article's times", () => {
  it("creationTime and lastEditTime are date-times in UTC with milliseconds, equal at first", async () => {
    const { creationTime, lastEditTime } = await newArticle(await newTenant());
    expect(creationTime).toMatch(DATE_TIME);
    expect(lastEditTime).toBe(creationTime);
    expect(new Date(creationTime).toISOString()).toBe(creationTime);
  });

  it("an update moves lastEditTime and leaves creationTime", async () => {
    const tenant = await newTenant();
    const created = await newArticle(tenant);
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(created.lastEditTime));
    const body = { _id: created._id, title: "Later" };
    const updated = await sendJson<ArticleBody>(200, "/api/articles", { as: tenant, body });
    expect(updated.creationTime).toBe(created.creationTime);
    expect(updated.lastEditTime > created.lastEditTime).toBe(true);
  });

  it("a creation cannot set them", async () => {
    const { apiKey } = await newTenant();
    for (const member of ["creationTime", "lastEditTime"]) {
      const body = { [member]: "2020-01-01T00:00:00.000Z" };
      expect(await wrongFields("/api/articles", { as: { apiKey }, body })).toEqual([member]);
    }
  });
});

describe("an article's locale", () => {
  it("is a BCP 47 tag, stored in canonical form", async () => {
    const tenant = await newTenant();
    for (const [given, canonical] of [
      ["EN-us", "en-US"],
      ["zh-hans-cn", "zh-Hans-CN"],
      ["iw", "he"],
    ] as const) {
      const { _id, locale } = await newArticle(tenant, { locale: given });
      expect(locale).toBe(canonical);
      expect(await sendJson(200, `/api/articles/${_id}`)).toMatchObject({ locale: canonical });
    }
  });
});

describe("members of the wrong type are refused with 400 that names them", () => {
  it("a title of two lines, however they are parted", async () => {
    const { apiKey } = await newTenant();
    for (const parted of ["\n", "\r", "\u0085", "\u2028", "\u2029", "\u000b"]) {
      const body = { title: `One${parted}two`, seo: { title: `One${parted}two` }, description: `One${parted}two` };
      expect(await wrongFields("/api/articles", { as: { apiKey }, body })).toEqual(["title", "seo.title"]);
    }
  });
});
