/** Contract 18.17: how many former slugs there are, and that nobody's hide another's. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { counted } from "../helpers/counting.ts";
import { historyOf } from "../helpers/history.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";

describe("contract 18.17: a former slug", () => {
  it("of drafts, or in another locale, hides nobody else's, however many there are", async () => {
    const [owner, from] = [await newTenant(), "wanted"];
    const { _id: id } = await newArticle(owner, { slug: from });
    await historyOf({ apiKey: owner.apiKey }, id).update({ slug: "found" });
    const hoarder = await newTenant();
    const { _id: hoarded } = await newArticle(hoarder);
    const locales = JSON.stringify(["en", ...Array.from({ length: 400 }, (_, n) => `en-x-${n}`)]);
    await env.DB.prepare(
      `insert into moved_slugs (organization_id, blog_id, slug, locale, article_id, move_time, number, live)
       select ?, ?, ?, value, ?, '2026-01-01T00:00:00.000Z', key + 1, 1 from json_each(?)`,
    )
      .bind(hoarder.organizationId, hoarder.blogId, from, hoarded, locales)
      .run();
    const everywhere = async (query = "") => {
      const path = `/api/articles/${from}${query}`;
      const { response, counts } = await counted(path);
      expect(counts.rowsRead).toBeLessThan(10);
      return ((await response.json()) as { movedTo?: { articleId: string } }).movedTo?.articleId;
    };
    expect(await everywhere("?locale=en-x-9")).toBe(hoarded);
    await env.DB.prepare("delete from moved_slugs where article_id = ? and locale = 'en'").bind(hoarded).run();
    expect(await everywhere("?locale=en")).toBe(id);
    await historyOf({ apiKey: hoarder.apiKey }, hoarded).update({ published: false });
    expect(await everywhere()).toBe(id);
  });

  it("is kept 50,000 times for an organization, the newest", async () => {
    const other = await newTenant();
    const { _id } = await newArticle(other, { slug: "kept-new" });
    await env.DB.prepare(
      `insert into moved_slugs (organization_id, blog_id, slug, locale, article_id, move_time, number, live)
       select ?1, ?2, 'kept-' || value, 'en', ?3, '2026-01-01T00:00:00.000Z', value, 1
       from json_each('[1, 2, 3, 50000, 50001]')`,
    )
      .bind(other.organizationId, other.blogId, _id)
      .run();
    await historyOf({ apiKey: other.apiKey }, _id).update({ slug: "kept-newer" });
    const { results } = await env.DB.prepare("select slug from moved_slugs where article_id = ? order by number")
      .bind(_id)
      .all<{ slug: string }>();
    expect(results.map(({ slug }) => slug)).toEqual(["kept-3", "kept-50000", "kept-50001", "kept-new"]);
  });
});
