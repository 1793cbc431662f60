/** Contract 18.1, 18.2: named fields, the publication time, and lists in its order. */
import { beforeAll, describe, expect, it } from "vitest";
import { counted } from "../helpers/counting.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

type Shown = Partial<ArticleBody> & { publishTime?: string | null };

let tenant: Tenant;
let as: { apiKey: string };

beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const publishTimeOf = async (id: string): Promise<string | null | undefined> =>
  (await sendJson<Shown>(200, `/api/articles/${id}?fields=publishTime`, { as })).publishTime;

const update = (id: string, members: object): Promise<ArticleBody> =>
  sendJson<ArticleBody>(200, "/api/articles", { as, body: { _id: id, ...members } });

describe("contract 18.1: named fields", () => {
  it("are returned only if they are named", async () => {
    const { _id } = await newArticle(tenant);
    const plain = await sendJson<Shown>(200, `/api/articles/${_id}`, { as });
    expect(Object.keys(plain)).toHaveLength(11);
    expect(plain).not.toHaveProperty("publishTime");
    const named = await sendJson<Shown>(200, `/api/articles/${_id}?fields=_id,publishTime`, { as });
    expect(Object.keys(named)).toEqual(["_id", "publishTime"]);
    const [listed] = await sendJson<Shown[]>(200, `/api/articles?blogId=${tenant.blogId}&fields=publishTime&limit=1`);
    expect(Object.keys(listed ?? {})).toEqual(["publishTime"]);
  });
});

describe("contract 18.2: the publication time", () => {
  it("is null for a draft, set by the first publication, and kept by later ones", async () => {
    const { _id } = await newArticle(tenant, { published: false });
    expect(await publishTimeOf(_id)).toBeNull();
    const { lastEditTime } = await update(_id, { published: true });
    expect(await publishTimeOf(_id)).toBe(lastEditTime);
    await update(_id, { published: false });
    await update(_id, { published: true });
    expect(await publishTimeOf(_id)).toBe(lastEditTime);
  });

  it("of an article that is created published is its creation", async () => {
    const { _id, creationTime } = await newArticle(tenant);
    expect(await publishTimeOf(_id)).toBe(creationTime);
  });

  it("is set by writers, with any offset, before or after the publication", async () => {
    const { _id } = await newArticle(tenant, { published: false });
    await update(_id, { publishTime: "2019-03-01T10:00:00+01:00" });
    expect(await publishTimeOf(_id)).toBe("2019-03-01T09:00:00.000Z");
    await update(_id, { published: true });
    expect(await publishTimeOf(_id)).toBe("2019-03-01T09:00:00.000Z");
    await update(_id, { publishTime: "2018-03-01T09:00:00Z" });
    expect(await publishTimeOf(_id)).toBe("2018-03-01T09:00:00.000Z");
  });

  it("in the future, or in no calendar, is refused and changes nothing", async () => {
    const { _id } = await newArticle(tenant, { published: false });
    // The years of the first two have five digits in UTC, or are below 0.
    const years = ["9999-12-31T23:59:59-23:59", "0000-01-01T00:00:00+23:59"];
    const none = ["2999-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "yesterday", "2026-01-01"];
    for (const publishTime of [...years, ...none]) {
      const response = await send("/api/articles", { as, body: { _id, title: "Changed", publishTime } });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("publishTime");
    }
    expect(await publishTimeOf(_id)).toBeNull();
  });

  it("cannot be taken back; null is only what a draft without one has", async () => {
    const { _id } = await newArticle(tenant, { published: false });
    await update(_id, { publishTime: null });
    await update(_id, { publishTime: "2019-03-01T09:00:00Z" });
    const taken = await send("/api/articles", { as, body: { _id, publishTime: null } });
    expect(taken.status).toBe(400);
    expect(await publishTimeOf(_id)).toBe("2019-03-01T09:00:00.000Z");
  });
});

describe("contract 18.2: lists by publication", () => {
  const YEARS = [2004, 2001, 2005, 2002, 2003];
  let blog: Tenant;
  const list = (query: string, more: object = {}) =>
    send(`/api/articles?blogId=${blog.blogId}&sort=publishTime${query}`, more);

  beforeAll(async () => {
    blog = await newTenant();
    for (const year of YEARS) {
      const locale = year % 2 === 0 ? "de" : "en";
      await newArticle(blog, { title: `Of ${year}`, locale, publishTime: `${year}-01-01T00:00:00Z` } as Shown);
    }
    await newArticle(blog, { title: "A draft", published: false, publishTime: "2010-01-01T00:00:00Z" } as Shown);
  });

  it("are newest first, without drafts, for everybody", async () => {
    const expected = [2005, 2004, 2003, 2002, 2001].map((year) => `Of ${year}`);
    for (const caller of [{}, { as: { apiKey: blog.apiKey } }]) {
      const found = (await (await list("&fields=title", caller)).json()) as Shown[];
      expect(found.map(({ title }) => title)).toEqual(expected);
    }
    const whole = (await (await list("&locale=de")).json()) as Shown[];
    expect(whole.map(({ title }) => title)).toEqual(["Of 2004", "Of 2002"]);
    expect(Object.keys(whole[0] ?? {})).toHaveLength(11);
    expect(await (await list("&published=false")).json()).toEqual([]);
    expect(await (await list("&published=false", { as: { apiKey: blog.apiKey } })).json()).toEqual([]);
  });

  it("have pages; a cursor of the other order is refused", async () => {
    const titles: unknown[] = [];
    let cursor = "";
    for (let pages = 0; pages < 5; pages++) {
      const response = await list(`&limit=2&fields=title${cursor}`);
      titles.push(...((await response.json()) as Shown[]).map(({ title }) => title));
      const [, next] = /cursor=([^&>]+)/.exec(response.headers.get("Link") ?? "") ?? [];
      if (next === undefined) break;
      cursor = `&cursor=${next}`;
    }
    expect(titles).toEqual([2005, 2004, 2003, 2002, 2001].map((year) => `Of ${year}`));
    const other = await send(`/api/articles?blogId=${blog.blogId}${cursor}`);
    expect(other.status).toBe(400);
    expect(await other.text()).toContain("invalid_cursor");
  });

  it("read one row more than they show", async () => {
    for (const query of ["", "&locale=de"]) {
      const { counts } = await counted(`/api/articles?blogId=${blog.blogId}&sort=publishTime&limit=1${query}`);
      expect(counts).toMatchObject({ queries: 1, rowsRead: 2 });
    }
  });
});
