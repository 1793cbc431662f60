/** Contract 2.9, 2.10: order and pages of blogs, API keys, access tokens, subscriptions and members. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { fillList, LISTS, placesOf, reading } from "../helpers/lists.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newKey, newTenant, type Tenant } from "../helpers/tenant.ts";

type Item = { _id: string };

/** The identifiers of a page, and where the next one is. */
async function page(path: string, tenant: Tenant): Promise<{ ids: string[]; next: string | undefined }> {
  const response = await send(path, { as: reading(tenant) });
  expect(response.status).toBe(200);
  const ids = (await response.json<Item[]>()).map(({ _id }) => _id);
  return { ids, next: /^<([^>]+)>; rel="next"$/.exec(response.headers.get("Link") ?? "")?.[1] };
}

/** All pages from a path on. */
async function pages(path: string, tenant: Tenant): Promise<string[][]> {
  const all: string[][] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const shown: Awaited<ReturnType<typeof page>> = await page(next, tenant);
    all.push(shown.ids);
    next = shown.next;
  }
  return all;
}

let tenant: Tenant;
let other: Tenant;
beforeAll(async () => {
  [tenant, other] = [await newTenant(), await newTenant()];
  for (const list of Object.values(LISTS)) {
    await fillList(list, other, 3);
    await fillList(list, tenant, 104);
  }
});

describe.each(Object.entries(LISTS))("the list of %s", (_, list) => {
  const { path } = list;
  let all: string[];
  beforeAll(async () => {
    all = (await placesOf(list, tenant)).map(({ id }) => id);
  });

  it("has pages of 100 unless asked for smaller ones, and shows each item once, in its order", async () => {
    for (const query of ["", "?limit=0", "?limit=100", "?limit=101", `?limit=${"9".repeat(20)}`]) {
      const shown = await pages(path + query, tenant);
      expect(
        shown.map(({ length }) => length),
        query,
      ).toEqual([100, all.length - 100]);
      expect(shown.flat()).toEqual(all);
    }
    const small = await pages(`${path}?limit=7`, tenant);
    expect(small.flat()).toEqual(all);
    expect(new Set(small.slice(0, -1).map(({ length }) => length))).toEqual(new Set([7]));
  });

  it("keeps its place where the item of the cursor is gone", async () => {
    const own = await newTenant();
    await fillList(list, own, 6);
    const places = (await placesOf(list, own)).map(({ id }) => id);
    const at = Math.floor(places.length / 2);
    const { next = "" } = await page(`${path}?limit=${at}`, own);
    const [table = ""] = list.rows.split(" ");
    await env.DB.prepare(`delete from ${table} where id = ?`).bind(places[at]).run();
    expect((await page(next, own)).ids).toEqual(places.slice(at + 1));
  });
});

describe("a key that is pinned to one blog", () => {
  it("gets that blog on the first page, and no next one", async () => {
    const apiKey = await newKey(reading(other), ["blogs:read"], { blogId: other.blogId });
    const response = await send("/api/blogs?limit=1", { as: { apiKey } });
    expect((await response.json<Item[]>()).map(({ _id }) => _id)).toEqual([other.blogId]);
    expect(response.headers.has("Link")).toBe(false);
    expect((await placesOf(LISTS.blogs, other)).length).toBeGreaterThan(1);
  });
});

it("the ETag of a page of blogs changes with its blogs and with what follows it", async () => {
  const own = await newTenant();
  const as = { apiKey: own.apiKey };
  const etag = async () => (await send("/api/blogs?limit=1", { as })).headers.get("ETag");
  const seen = [await etag()];
  await sendJson(200, `/api/blogs/${own.blogId}`, { as, method: "PUT", body: { name: "Renamed" } });
  seen.push(await etag());
  await sendJson(200, "/api/blogs", { as, body: { name: "Second" } });
  seen.push(await etag());
  expect(new Set(seen).size).toBe(3);
});
