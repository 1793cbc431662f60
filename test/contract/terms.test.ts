/** Contract 18.23, 18.24: tags and authors. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { counted } from "../helpers/counting.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { consistent, termsOf } from "../helpers/terms.ts";

let tenant: Tenant;
let as: { apiKey: string };
beforeEach(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const { save, update, shown, slugsOf, tags, tagNamed, idsOf } = termsOf(() => tenant);

describe("contract 18.24: tags of articles", () => {
  it("are named by slug or by name, keep their order, and are made where the blog has none", async () => {
    const { _id } = await save({ title: "One", tags: ["Slow travel", "porto", "Slow Travel"] });
    expect((await shown(_id)).tags).toMatchObject([
      { slug: "slow-travel", name: "Slow travel" },
      { slug: "porto", name: "porto" },
    ]);
    await update(_id, { tags: ["porto", "slow-travel", "Ferries"] });
    expect(await slugsOf(_id)).toEqual(["porto", "slow-travel", "ferries"]);
    await update(_id, { tags: [] });
    expect(await slugsOf(_id)).toEqual([]);
    expect((await tags()).map(({ slug, articles }) => [slug, articles])).toEqual([
      ["slow-travel", 0],
      ["porto", 0],
      ["ferries", 0],
    ]);
    await consistent();
  });

  it("are found by their present name, whatever their slug, in articles, working copies and in bulk", async () => {
    const { _id } = await save({ title: "One", tags: ["Boats", "Trains"] });
    const { _id: tagId } = await tagNamed("boats");
    await sendJson(200, `/api/tags/${tagId}`, { as, method: "PUT", body: { name: "Ships" } });
    await update(_id, { tags: ["ships", "Trains"] });
    const second = await save({ title: "Two", tags: ["Ships"] });
    const { _id: third } = await save({ title: "Three", published: true });
    const draft = `/api/articles/${third}/draft`;
    await sendJson(200, draft, { as, method: "PUT", body: { tags: ["Ships"] } });
    await sendJson(200, `${draft}/publish`, { as, body: {} });
    const { _id: fourth } = await save({ title: "Four" });
    await sendJson(200, "/api/articles/bulk", { as, body: { action: "tag", articleIds: [fourth], tags: ["SHIPS"] } });
    for (const id of [second._id, third, fourth]) expect(await slugsOf(id)).toEqual(["boats"]);
    expect((await tags()).map(({ slug, articles }) => [slug, articles])).toEqual([
      ["boats", 4],
      ["trains", 1],
    ]);
    // A slug comes before a name.
    await sendJson(200, "/api/tags", { as, body: { blogId: tenant.blogId, name: "Cargo", slug: "ships" } });
    await update(_id, { tags: ["ships"] });
    expect(await slugsOf(_id)).toEqual(["ships"]);
    await update(_id, { tags: ["Ships"] });
    expect(await slugsOf(_id)).toEqual(["boats"]);
    const other = await newTenant();
    const body = { blogId: other.blogId, title: "Elsewhere", tags: ["Ships"] };
    const elsewhere = await sendJson<ArticleBody>(200, "/api/articles", { as: { apiKey: other.apiKey }, body });
    const theirs = await sendJson(200, `/api/articles/${elsewhere._id}?fields=tags`, { as: { apiKey: other.apiKey } });
    expect(theirs).toMatchObject({ tags: [{ slug: "ships" }] });
    await consistent();
  });

  it("are found by a name in another case, in every script", async () => {
    const named = { aesthetics: "Ästhetik", year: "Новый год", food: "Élevage et œnologie", road: "ΟΔΟΣ" };
    for (const [slug, name] of Object.entries(named)) {
      await sendJson(200, "/api/tags", { as, body: { blogId: tenant.blogId, slug, name } });
    }
    const slugs = Object.keys(named);
    const { _id } = await save({ title: "One", tags: Object.values(named).map((name) => name.toLowerCase()) });
    expect(await slugsOf(_id)).toEqual(slugs);
    const upper = Object.values(named).map((name) => name.toUpperCase());
    const { _id: other } = await save({ title: "Two", published: true, tags: upper });
    expect(await slugsOf(other)).toEqual(slugs);
    await sendJson(200, `/api/articles/${other}/draft`, { as, method: "PUT", body: { tags: upper } });
    const draft = await sendJson<{ tags: { name: string }[] }>(200, `/api/articles/${other}/draft`, { as });
    expect(draft.tags.map(({ name }) => name)).toEqual(Object.values(named));
    expect(await tags()).toHaveLength(slugs.length);
  });

  it("are those of all translations at once, also of one that comes later [tags lost on translation]", async () => {
    const { _id, slug } = await save({ title: "One", locale: "en", tags: ["Porto"] });
    const german = await save({ title: "Eins", slug, locale: "de" });
    expect(await slugsOf(german._id)).toEqual(["porto"]);
    await update(german._id, { tags: ["Porto", "Fähren"] });
    expect(await slugsOf(_id)).toEqual(["porto", "fähren"]);
    await sendJson(200, `/api/articles/${_id}`, { as, method: "DELETE" });
    expect(await slugsOf(german._id)).toEqual(["porto", "fähren"]);
    await consistent();
    await sendJson(200, `/api/articles/${german._id}`, { as, method: "DELETE" });
    await consistent();
  });

  it("go along with an article that moves to another slug, and those of the new slug win", async () => {
    const one = await save({ title: "One", slug: "one", tags: ["a-tag"] });
    await update(one._id, { slug: "two" });
    expect(await slugsOf(one._id)).toEqual(["a-tag"]);
    const other = await save({ title: "Three", slug: "three", locale: "de", tags: ["b-tag"] });
    await update(one._id, { slug: "three" });
    expect(await slugsOf(one._id)).toEqual(["b-tag"]);
    await update(other._id, { slug: "four" });
    expect(await slugsOf(other._id)).toEqual(["b-tag"]);
    expect(await slugsOf(one._id)).toEqual(["b-tag"]);
    await consistent();
  });

  it("have their name in the article's language", async () => {
    const { _id, slug } = await save({ title: "One", locale: "en", published: true, tags: ["Slow travel"] });
    const german = await save({ title: "Eins", slug, locale: "de", published: true });
    const { _id: tagId } = await tagNamed("slow-travel");
    await sendJson(200, `/api/tags/${tagId}`, { as, method: "PUT", body: { names: { de: "Langsam reisen" } } });
    expect((await shown(_id, true)).tags?.[0]?.name).toBe("Slow travel");
    expect((await shown(german._id, true)).tags?.[0]?.name).toBe("Langsam reisen");
  });

  it("are not in the default representation, and an update with the same ones changes nothing", async () => {
    const { _id } = await save({ title: "One", tags: ["Porto", "Ferries"] });
    const before = await sendJson<object>(200, `/api/articles/${_id}`, { as });
    expect(Object.keys(before)).toHaveLength(11);
    const again = await update(_id, { tags: ["porto", "Ferries"] });
    expect(again).toEqual(before);
  });

  it("change the ETag of whoever shows them: of the article, of its translations, of a renamed tag", async () => {
    const { _id, slug } = await save({ title: "One", locale: "en", published: true, tags: ["Porto"] });
    const german = await save({ title: "Eins", slug, locale: "de", published: true });
    const path = `/api/articles/${german._id}?fields=title,tags`;
    const etagOf = async () => (await send(path)).headers.get("ETag") ?? "";
    const first = await etagOf();
    await update(_id, { tags: ["Porto", "Ferries"] });
    const second = await etagOf();
    expect(second).not.toBe(first);
    const { _id: tagId } = await tagNamed("porto");
    await sendJson(200, `/api/tags/${tagId}`, { as, method: "PUT", body: { name: "Porto!" } });
    const third = await etagOf();
    expect(third).not.toBe(second);
    // The version in it is the article's: it fits in a write.
    const headers = { "If-Match": third };
    await sendJson(200, "/api/articles", { as, body: { _id: german._id, title: "Zwei" }, headers });
  });

  it("change the ETag of a list that shows them, and of no other", async () => {
    await save({ title: "One", published: true, tags: ["Porto"] });
    const etagOf = async (fields: string) =>
      (await send(`/api/articles?blogId=${tenant.blogId}${fields}`)).headers.get("ETag");
    const [shown, hidden] = [await etagOf("&fields=title,tags"), await etagOf("")];
    const { _id: tagId } = await tagNamed("porto");
    await sendJson(200, `/api/tags/${tagId}`, { as, method: "PUT", body: { name: "Porto!" } });
    expect(await etagOf("&fields=title,tags")).not.toBe(shown);
    expect(await etagOf("")).toBe(hidden);
  });

  it("one without letters or digits is refused, and too many are", async () => {
    await storingNothing(async () => {
      for (const list of [["!!"], [""], [" "], Array.from({ length: 21 }, (_, n) => `t${n}`)]) {
        const body = { blogId: tenant.blogId, title: "x", tags: list };
        await refusalOf(await send("/api/articles", { as, body }), "invalid_request");
      }
    });
  });

  it("a blog has at most 1,000; those that it has can still be given", async () => {
    const { _id } = await save({ title: "One", tags: ["Porto"] });
    await env.DB.prepare(
      `insert into terms (id, organization_id, blog_id, kind, slug, name, members, version, creation_time, last_edit_time)
       with recursive n(n) as (select 1 union all select n + 1 from n where n < 999)
       select 'term-' || ?1 || n, ?2, ?1, 'tag', 't' || n, 't' || n, '{"names":{}}', 'v', ?3, ?3 from n`,
    )
      .bind(tenant.blogId, tenant.organizationId, new Date().toISOString())
      .run();
    await storingNothing(async () => {
      const one = { as, body: { _id, tags: ["Porto", "One more"] } };
      await refusalOf(await send("/api/articles", one), "term_limit");
      const other = { as, body: { blogId: tenant.blogId, title: "x", tags: ["One more"] } };
      await refusalOf(await send("/api/articles", other), "term_limit");
      await refusalOf(await send("/api/tags", { as, body: { blogId: tenant.blogId, name: "More" } }), "term_limit");
    });
    // By their slugs and names, without a look at the others.
    const known = { as, body: { _id, tags: ["T5", "porto"], authors: ["Ada"] } };
    const { response, counts } = await counted("/api/articles", known);
    expect([response.status, counts.rowsRead < 200]).toEqual([200, true]);
    expect(await slugsOf(_id)).toEqual(["t5", "porto"]);
  });
});

describe("contract 18.24: lists by tag and author", () => {
  it("show the articles of a tag, published ones to everybody, by creation or publication, with pages", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const publishTime = `2026-01-0${9 - n}T00:00:00.000Z`;
      ids.unshift((await save({ title: `${n}`, published: true, publishTime, tags: ["Porto"] }))._id);
    }
    const draft = await save({ title: "Draft", tags: ["Porto"] });
    await save({ title: "Other", published: true, tags: ["Lisbon"] });
    expect(await idsOf("tag=porto")).toEqual(ids);
    expect(await idsOf("tag=porto", false)).toEqual([draft._id, ...ids]);
    expect(await idsOf("tag=porto&published=false", false)).toEqual([draft._id]);
    expect(await idsOf("tag=porto&published=false")).toEqual([]);
    expect(await idsOf("tag=porto&sort=publishTime")).toEqual(ids.toReversed());
    expect(await idsOf("tag=nothing")).toEqual([]);
    const seen: string[] = [];
    let path: string | undefined = `/api/articles?blogId=${tenant.blogId}&fields=_id&tag=porto&limit=2`;
    while (path !== undefined) {
      const response = await send(path);
      seen.push(...((await response.json()) as ArticleBody[]).map(({ _id }) => _id));
      const next = /<([^>]+)>; rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
      path = next?.replace(/^https?:\/\/[^/]+/, "");
    }
    expect(seen).toEqual(ids);
    await consistent();
  });

  it("of a locale, of an author, and one that is published or unpublished meanwhile", async () => {
    const { _id, slug } = await save({ title: "One", locale: "en", published: true, authors: ["Ada Lovelace"] });
    const german = await save({ title: "Eins", slug, locale: "de", published: true });
    expect(await idsOf("author=ada-lovelace&locale=de")).toEqual([german._id]);
    await update(german._id, { published: false });
    expect(await idsOf("author=ada-lovelace")).toEqual([_id]);
    await update(german._id, { published: true, locale: "fr" });
    expect(await idsOf("author=ada-lovelace&locale=fr")).toEqual([german._id]);
    await consistent();
  });

  it("a list has one of slug, tag and author", async () => {
    for (const query of ["tag=a&author=b", "slug=a&tag=b", "slug=a&author=b"]) {
      await refusalOf(await send(`/api/articles?blogId=${tenant.blogId}&${query}`), "invalid_request");
    }
  });
});
