/** Contract 3.4, 3.5: the form of a slug and how one is derived. Resolution: slug-resolution.test.ts. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { newId } from "../../src/lib/ids.ts";
import { deleteAfter, deletion } from "../helpers/deletions.ts";
import { outcome, wrongFields } from "../helpers/outcome.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

const titled = (tenant: Tenant, title: string, more: Partial<ArticleBody> = {}) =>
  newArticle(tenant, { title, ...more });

describe("a slug that is given", () => {
  it("is never shaped like a UUID, of any version", async () => {
    const { apiKey } = await newTenant();
    for (const slug of [newId(), crypto.randomUUID(), "00000000-0000-0000-0000-000000000000"]) {
      expect(await wrongFields("/api/articles", { as: { apiKey }, body: { slug } })).toEqual(["slug"]);
    }
  });

  it("and taken in that blog and locale is 409, on create and on update", async () => {
    const tenant = await newTenant();
    await newArticle(tenant, { slug: "taken" });
    const body = { blogId: tenant.blogId, slug: "taken" };
    expect(await outcome("/api/articles", { as: tenant, body })).toBe("409 slug_taken");
    const { _id } = await newArticle(tenant, { slug: "free" });
    expect(await outcome("/api/articles", { as: tenant, body: { _id, slug: "taken" } })).toBe("409 slug_taken");
    const german = await newArticle(tenant, { slug: "taken", locale: "de" });
    const moved = { _id: german._id, locale: "en" };
    expect(await outcome("/api/articles", { as: tenant, body: moved })).toBe("409 slug_taken");
    expect(await sendJson(200, `/api/articles/${german._id}`)).toEqual(german);
  });

  it("is taken by a draft, too, and free again after a deletion or a change", async () => {
    const tenant = await newTenant();
    const draft = await newArticle(tenant, { slug: "free-again", published: false });
    const body = { blogId: tenant.blogId, slug: "free-again" };
    expect(await outcome("/api/articles", { as: tenant, body })).toBe("409 slug_taken");
    await sendJson(200, "/api/articles", { as: tenant, body: { _id: draft._id, slug: "moved" } });
    const second = await newArticle(tenant, { slug: "free-again" });
    await sendJson(200, `/api/articles/${second._id}`, { as: tenant, method: "DELETE" });
    expect(await outcome("/api/articles", { as: tenant, body })).toBe("200");
  });

  it("is taken by an article that waits to be deleted, and the refusal says so, until that article is gone", async () => {
    const tenant = await newTenant();
    const waiting = await newArticle(tenant, { slug: "waiting", locale: "de" });
    const other = await newArticle(tenant, { slug: "waiting", locale: "fr" });
    await deletion(tenant, waiting._id);
    const detail = "The article with this slug in de is being deleted. Undo the deletion, or try again in two minutes.";
    const create = { blogId: tenant.blogId, slug: "waiting", locale: "de" };
    const headers = { "Idempotency-Key": "waiting" };
    for (const refused of [
      await send("/api/articles", { as: tenant, body: create, headers }),
      await send("/api/articles", { as: tenant, body: { _id: other._id, locale: "de" } }),
      await send("/api/articles/generate", { as: tenant, body: { ...create, topic: "Fog" } }),
    ]) {
      expect(await refusalOf(refused, "slug_taken")).toMatchObject({ detail });
    }
    await deleteAfter(LIMITS.undoSeconds + 1);
    await sendJson(200, "/api/articles", { as: tenant, body: create, headers });
  });

  it("stays its article's own: it can be sent back unchanged", async () => {
    const tenant = await newTenant();
    const { _id, slug, locale } = await newArticle(tenant);
    expect(await outcome("/api/articles", { as: tenant, body: { _id, slug, locale } })).toBe("200");
  });
});

describe("a slug that is omitted is derived from the title", () => {
  it.each([
    ["Slow mornings in Porto", "slow-mornings-in-porto"],
    ["  What’s new?  ", "whats-new"],
    ["Übergrößen & Äpfel", "uebergroessen-and-aepfel"],
    ["東京の朝", "東京の朝"],
    ["Привет, Мир!", "привет-мир"],
    ["C++ in 2026", "c-in-2026"],
    ["한국어 제목", "한국어-제목"],
  ])("%j becomes %j", async (title, slug) => {
    expect((await titled(await newTenant(), title)).slug).toBe(slug);
  });

  it.each([
    ["हिन्दी में लेख", "हिन्दी-में-लेख"],
    ["เที่ยวเมืองไทย", "เที่ยวเมืองไทย"],
    ["தமிழ் மொழி", "தமிழ்-மொழி"],
  ])("vowel signs belong to their letters: %j becomes %j", async (title, slug) => {
    expect((await titled(await newTenant(), title)).slug).toBe(slug.normalize("NFC"));
  });

  it.each(["", "!?", "😀😀", newId(), "—", "x".repeat(300), "日".repeat(300), "𠮷".repeat(150), "a ".repeat(150)])(
    "from %j comes one that addresses the article and can be sent back",
    async (title) => {
      const tenant = await newTenant();
      const { _id, slug } = await titled(tenant, title);
      expect(Array.from(slug).length).toBeLessThanOrEqual(200);
      const path = `/api/articles/${encodeURIComponent(slug)}?blogId=${tenant.blogId}`;
      expect(await sendJson(200, path)).toMatchObject({ _id });
      expect(await outcome("/api/articles", { as: tenant, body: { _id, slug } })).toBe("200");
    },
  );

  it("with -2, -3 … where taken, in the same blog and locale only", async () => {
    const tenant = await newTenant();
    const slugs = async (more?: Partial<ArticleBody>) => (await titled(tenant, "Porto", more)).slug;
    expect([await slugs(), await slugs(), await slugs()]).toEqual(["porto", "porto-2", "porto-3"]);
    expect(await slugs({ locale: "pt" })).toBe("porto");
    const other = await sendJson<{ _id: string }>(200, "/api/blogs", { as: tenant, body: { name: "Other" } });
    expect(await slugs({ blogId: other._id })).toBe("porto");
  });

  it("the first number that is free", async () => {
    const tenant = await newTenant();
    for (const slug of ["porto", "porto-2", "porto-4"]) await newArticle(tenant, { slug });
    expect((await titled(tenant, "Porto")).slug).toBe("porto-3");
    expect((await titled(tenant, "Porto")).slug).toBe("porto-5");
  });

  it("however often it is taken: a title can be used without end", async () => {
    const tenant = await newTenant();
    const { _id, slug } = await titled(tenant, "");
    await env.DB.prepare(
      `with recursive taken(n) as (select 2 union all select n + 1 from taken where n < 1200)
       insert into articles (id, organization_id, blog_id, title, description, slug, locale, cover_url, published,
         version, creation_time, last_edit_time, content)
       select id || '-' || n, organization_id, blog_id, title, description, slug || '-' || n, locale, cover_url, 0,
         version, creation_time, last_edit_time, content from articles, taken where id = ?`,
    )
      .bind(_id)
      .run();
    const [next, last] = [await titled(tenant, ""), await titled(tenant, "")];
    expect(next.slug.startsWith(`${slug}-`)).toBe(true);
    expect(last.slug).not.toBe(next.slug);
    expect(await sendJson(200, `/api/articles/${last.slug}?blogId=${tenant.blogId}`)).toEqual(last);
  });

  it("the longest title leaves room for its number", async () => {
    const tenant = await newTenant();
    const title = "a".repeat(300);
    const [first, second] = [await titled(tenant, title), await titled(tenant, title)];
    expect(second.slug).toBe(`${first.slug}-2`);
    expect(second.slug.length).toBeLessThanOrEqual(200);
  });

  it("a change of the title leaves the slug", async () => {
    const tenant = await newTenant();
    const { _id, slug } = await titled(tenant, "Porto");
    expect(await sendJson(200, "/api/articles", { as: tenant, body: { _id, title: "Lisbon" } })).toMatchObject({
      slug,
    });
  });
});
