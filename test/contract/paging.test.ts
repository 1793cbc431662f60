/** Contract 2.9, 2.10, 4.7: order, limit, skip, Link with its cursor, fields; architecture, "Budgets": rows read. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { counted } from "../helpers/counting.ts";
import { headerOf, outcome, wrongFields } from "../helpers/outcome.ts";
import { send, sendJson, type Credential } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

/** Stores so many published articles at once; of three neighbours two share their creationTime. Newest first. */
async function fill(tenant: Tenant, count: number): Promise<string[]> {
  const stored = Array.from({ length: count }, (_, index) => {
    const time = new Date(Date.UTC(2026, 0, 1) + Math.floor((index * 2) / 3) * 1000).toISOString();
    return { id: newId(), time, slug: `article-${index}` };
  });
  await env.DB.prepare(
    `insert into articles (id, organization_id, blog_id, title, description, slug, locale, cover_url, published,
       version, creation_time, last_edit_time, content)
     select value ->> 'id', ?, ?, value ->> 'slug', '', value ->> 'slug', 'en', '', 1,
       value ->> 'id', value ->> 'time', value ->> 'time', '' from json_each(?)`,
  )
    .bind(tenant.organizationId, tenant.blogId, JSON.stringify(stored))
    .run();
  const key = ({ time, id }: { time: string; id: string }): string => time + id;
  return stored.sort((a, b) => (key(a) < key(b) ? 1 : -1)).map(({ id }) => id);
}

const list = (tenant: Tenant, query = ""): string => `/api/articles?blogId=${tenant.blogId}${query}`;

/** The identifiers of a page, and where the next one is. */
async function page(path: string, as: Credential = {}): Promise<{ ids: string[]; next: string | undefined }> {
  const response = await send(path, { as });
  const ids = (await response.json<ArticleBody[]>()).map(({ _id }) => _id);
  return { ids, next: /^<([^>]+)>; rel="next"$/.exec(response.headers.get("Link") ?? "")?.[1] };
}

/** All pages from a path on. */
async function pages(path: string, as: Credential = {}): Promise<string[][]> {
  const all: string[][] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const shown: Awaited<ReturnType<typeof page>> = await page(next, as);
    all.push(shown.ids);
    next = shown.next;
  }
  return all;
}

let tenant: Tenant;
let all: string[];

beforeAll(async () => {
  tenant = await newTenant();
  all = await fill(tenant, 205);
});

describe("order", () => {
  it("is creationTime descending, then _id descending", async () => {
    const shown = await sendJson<ArticleBody[]>(200, list(tenant));
    const keys = shown.map(({ creationTime, _id }) => creationTime + _id);
    expect(keys).toEqual(keys.toSorted().toReversed());
    expect(new Set(shown.map(({ creationTime }) => creationTime)).size).toBeLessThan(shown.length);
    expect(shown.map(({ _id }) => _id)).toEqual(all.slice(0, 100));
  });

  it("does not change with an update", async () => {
    const own = await newTenant();
    const ids = await fill(own, 3);
    await sendJson(200, "/api/articles", { as: own, body: { _id: ids[2], title: "Edited" } });
    expect((await page(list(own))).ids).toEqual(ids);
  });
});

describe("skip", () => {
  it("leaves out as many", async () => {
    expect((await page(list(tenant, "&skip=3&limit=4"))).ids).toEqual(all.slice(3, 7));
    expect((await page(list(tenant, "&skip=200"))).ids).toEqual(all.slice(200));
    expect((await page(list(tenant, "&skip=205"))).ids).toEqual([]);
  });

  it("is over after the first page: the next one follows on it", async () => {
    expect(await pages(list(tenant, "&skip=150&limit=30"))).toEqual([all.slice(150, 180), all.slice(180)]);
  });
});

describe("Link", () => {
  it("carries an opaque cursor whenever more follow; following it shows each article once", async () => {
    const shown = await pages(list(tenant));
    expect(shown.map(({ length }) => length)).toEqual([100, 100, 5]);
    expect(shown.flat()).toEqual(all);
    expect((await pages(list(tenant, "&limit=7"), { apiKey: tenant.apiKey })).flat()).toEqual(all);
  });

  it("is absent where nothing follows, also where the page is just full", async () => {
    const own = await newTenant();
    await fill(own, 3);
    expect((await page(list(own, "&limit=3"))).next).toBeUndefined();
    expect((await page(list(own, "&limit=2"))).next).toBeDefined();
    expect((await page(list(own, "&slug=none"))).next).toBeUndefined();
  });

  it("names the same host and path, keeps the other parameters, and drops skip", async () => {
    const { next = "" } = await page(list(tenant, "&limit=2&skip=1&published=true&locale=en&fields=_id"));
    const url = new URL(next);
    expect(url.origin + url.pathname).toBe("https://edgepress.test/api/articles");
    const { cursor, ...rest } = Object.fromEntries(url.searchParams);
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(rest).toEqual({ blogId: tenant.blogId, limit: "2", published: "true", locale: "en", fields: "_id" });
  });

  it("stands beside a filter: drafts and other locales are not counted", async () => {
    const own = await newTenant();
    for (const locale of ["en", "de"] as const) {
      for (const published of [true, false]) await newArticle(own, { locale, published });
    }
    expect((await pages(list(own, "&limit=1"))).map(({ length }) => length)).toEqual([1, 1]);
    expect((await pages(list(own, "&limit=1&locale=de"), own)).map(({ length }) => length)).toEqual([1, 1]);
    expect((await pages(list(own, "&limit=1&published=false"), own)).map(({ length }) => length)).toEqual([1, 1]);
    expect((await pages(list(own, "&limit=1"), own)).flat()).toHaveLength(4);
  });

  it("stays valid while articles come and go: none is shown twice, none is left out", async () => {
    const own = await newTenant();
    const ids = await fill(own, 6);
    const first = await page(list(own, "&limit=3"), own);
    await newArticle(own, { title: "Newer" });
    await sendJson(200, `/api/articles/${ids[2]}`, { as: own, method: "DELETE" });
    expect((await page(first.next ?? "", own)).ids).toEqual(ids.slice(3));
  });
});

describe("a cursor", () => {
  it("is no way into another blog or to drafts", async () => {
    const other = await newTenant();
    const draft = await newArticle(other, { published: false });
    const { next = "" } = await page(list(tenant, "&limit=1"));
    const cursor = new URL(next).searchParams.get("cursor");
    expect((await page(list(other, `&cursor=${cursor}`))).ids).toEqual([]);
    expect((await page(list(other, `&cursor=${cursor}`), tenant)).ids).not.toContain(draft._id);
  });
});

describe("fields", () => {
  it("fields=_id,title,slug selects members", async () => {
    const own = await newTenant();
    const { _id, title, slug } = await newArticle(own);
    for (const as of [{}, { apiKey: own.apiKey }]) {
      expect(await sendJson(200, list(own, "&fields=_id,title,slug"), { as })).toEqual([{ _id, title, slug }]);
      expect(await sendJson(200, `/api/articles/${_id}?fields=title`, { as })).toEqual({ title });
      expect(await sendJson(200, list(own, "&fields=published"), { as })).toEqual([{ published: true }]);
    }
  });

  it("without the members of the order, pages are the same", async () => {
    const { next = "" } = await page(list(tenant, "&limit=3&fields=slug"));
    const second = new URL(next);
    second.searchParams.set("fields", "_id");
    expect((await page(second.href)).ids).toEqual(all.slice(3, 6));
  });

  it("that are unknown are 400, none are, too", async () => {
    for (const fields of ["nope", "_id,nope", "", "_id,", "organizationId", "version"]) {
      expect(await outcome(list(tenant, `&fields=${fields}`), { as: tenant })).toBe("400 invalid_request");
    }
    expect(await wrongFields(list(tenant, "&fields=nope"))).toEqual(["fields.0"]);
  });
});

describe("rows read by a list page of n", () => {
  /** The rows that D1 read for an anonymous page of 10, and where the next one is. */
  async function rowsRead(path: string): Promise<{ rows: number; next: string }> {
    const { response, counts } = await counted(path);
    expect(await response.json<unknown[]>()).toHaveLength(10);
    return { rows: counts.rowsRead, next: /^<([^>]+)>/.exec(headerOf(response, "Link"))?.[1] ?? "" };
  }

  it("are n + 1, however many articles there are", async () => {
    expect((await rowsRead(list(tenant, "&limit=10"))).rows).toBe(11);
    expect((await rowsRead(list(tenant, "&limit=10&locale=en"))).rows).toBe(11);
  });

  it("are the same at any depth, where the row of the cursor may be one more", async () => {
    const costs = new Set<number>();
    let { next } = await rowsRead(list(tenant, "&limit=10"));
    for (let depth = 1; depth < 20; depth++) {
      const shown = await rowsRead(next);
      costs.add(shown.rows);
      next = shown.next;
    }
    expect(costs.size).toBe(1);
    expect(Math.max(...costs)).toBeLessThanOrEqual(12);
  });
});
