/** Contract 9.5: the pages of GET /api/blogs/{blogId}/locales: in the order of the slugs, by limit and cursor. */
import { describe, expect, it } from "vitest";
import { encodeCursor, encodeSlugCursor } from "../../src/domain/cursor.ts";
import { newId } from "../../src/lib/ids.ts";
import { outcome, wrongFields } from "../helpers/outcome.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

type SlugBody = { slug: string; articles: { _id: string }[] };

const pathOf = (tenant: Tenant, query = ""): string => `/api/blogs/${tenant.blogId}/locales${query}`;

const compared = (tenant: Tenant, query = ""): Promise<SlugBody[]> =>
  sendJson(200, pathOf(tenant, query), { as: tenant });

/** The slugs page by page, and the Link of each page. */
async function pages(tenant: Tenant, query: string): Promise<{ slugs: string[][]; links: string[] }> {
  const found = { slugs: [] as string[][], links: [] as string[] };
  for (let path: string | undefined = pathOf(tenant, query); path !== undefined;) {
    const response: Response = await send(path, { as: tenant });
    expect(response.status).toBe(200);
    found.slugs.push((await response.json<SlugBody[]>()).map(({ slug }) => slug));
    path = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("Link") ?? "")?.[1];
    if (path !== undefined) found.links.push(path);
  }
  return found;
}

/** In the order of their code points; the last one is beyond UTF-16's first plane, and its units sort before "ﬀ". */
const SLUGS = ["10", "2", "a", "a-1", "a1", "b", "straße", "éa", "日本", "ﬀ", "𐐨-𐐨"];

async function filled(): Promise<Tenant> {
  const tenant = await newTenant();
  for (const slug of SLUGS.toReversed()) {
    await newArticle(tenant, { slug, locale: "de" });
    await newArticle(tenant, { slug, locale: "en" });
  }
  return tenant;
}

describe("paging", () => {
  it("follows the Link header in the order of the slugs, and shows each once with all of its locales", async () => {
    const tenant = await filled();
    for (const limit of [1, 2, 3, 10]) {
      const { slugs } = await pages(tenant, `?limit=${limit}`);
      expect(slugs.flat(), `limit=${limit}`).toEqual(SLUGS);
      expect(slugs.map(({ length }) => length)).toEqual(
        SLUGS.flatMap((_, index) => (index % limit === 0 ? [Math.min(limit, SLUGS.length - index)] : [])),
      );
    }
    for (const { articles } of await compared(tenant, "?limit=4")) expect(articles).toHaveLength(2);
  });

  it("stays valid while articles come and go", async () => {
    const tenant = await filled();
    const [next = ""] = (await pages(tenant, "?limit=3")).links;
    const [fourth] = await compared(tenant, "?slug=a-1");
    for (const { _id } of fourth?.articles ?? []) {
      await sendJson(200, `/api/articles/${_id}`, { as: tenant, method: "DELETE" });
    }
    await newArticle(tenant, { slug: "a-0" });
    const page = await sendJson<SlugBody[]>(200, next, { as: tenant });
    expect(page.map(({ slug }) => slug)).toEqual(["a1", "b", "straße"]);
  });

  it("carries the longest slug in whole", async () => {
    const tenant = await newTenant();
    const long = ["あ".repeat(200), "い".repeat(200)];
    for (const slug of long) await newArticle(tenant, { slug });
    expect((await pages(tenant, "?limit=1")).slugs).toEqual(long.map((slug) => [slug]));
  });

  it("refuses cursors that no Link of it carried", async () => {
    const tenant = await newTenant();
    const foreign = encodeCursor({ time: new Date().toISOString(), id: newId() });
    const slug = encodeSlugCursor("porto");
    for (const cursor of [
      "x",
      "AAAA",
      foreign,
      `${slug}=`,
      `${slug}AA`,
      slug.slice(0, 6),
      btoa("slug~"),
      btoa("slug~\xff"),
    ]) {
      expect(await outcome(pathOf(tenant, `?cursor=${cursor}`), { as: tenant }), cursor).toBe("400 invalid_cursor");
    }
    expect(await outcome(pathOf(tenant, `?cursor=${slug}`), { as: tenant })).toBe("200");
    expect(await wrongFields(pathOf(tenant, "?cursor="), { as: tenant })).toEqual(["cursor"]);
    // Nor do the other lists take these.
    expect(await outcome(`/api/articles?blogId=${tenant.blogId}&cursor=${slug}`)).toBe("400 invalid_cursor");
  });
});
