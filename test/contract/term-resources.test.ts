/** Contract 18.23: tags and authors of a blog, and POST /api/articles/bulk with `tag`. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { send, sendJson } from "../helpers/requests.ts";
import { problemOf } from "../helpers/outcome.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { consistent, termsOf, type Term } from "../helpers/terms.ts";

let tenant: Tenant;
let as: { apiKey: string };
beforeEach(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const { save, shown, slugsOf, tags, tagNamed, idsOf } = termsOf(() => tenant);

it("names in other languages are refused by their tags, and none is lost", async () => {
  const mine = await newTenant();
  const ask = (names: object) => ({ as: { apiKey: mine.apiKey }, body: { blogId: mine.blogId, name: "Porto", names } });
  for (const [names, message] of [
    [{ "not a locale": "x" }, "must have as its key a BCP 47 language tag of at most 35 characters"],
    [{ EN: "x", en: "y" }, "is the same language as another entry"],
  ] as const) {
    const { errors = [] } = await problemOf("/api/tags", ask(names));
    expect(errors).toEqual([{ path: `names.${Object.keys(names).at(-1)}`, message }]);
  }
  expect(await sendJson(200, "/api/tags", ask({ "EN-us": "x" }))).toMatchObject({ names: { "en-US": "x" } });
});

describe("contract 18.23: tags and authors of a blog", () => {
  it("are counted, and everybody sees those of published articles only", async () => {
    await save({ title: "One", published: true, tags: ["Porto"] });
    await save({ title: "Two", tags: ["Porto", "Secret plans"] });
    expect(await tags()).toMatchObject([
      { slug: "porto", articles: 2, publishedArticles: 1 },
      { slug: "secret-plans", articles: 1, publishedArticles: 0 },
    ]);
    const everybody = await sendJson<Term[]>(200, `/api/tags?blogId=${tenant.blogId}`, {});
    expect(everybody).toMatchObject([{ slug: "porto", articles: 1, publishedArticles: 1 }]);
    expect(everybody).toHaveLength(1);
    const etag = async () => (await send(`/api/tags?blogId=${tenant.blogId}&slug=porto`)).headers.get("ETag");
    const before = await etag();
    await save({ title: "Three", tags: ["Porto"] });
    expect(await etag()).toBe(before);
  });

  it("an author has a bio and a picture, and articles have several in order", async () => {
    const body = {
      blogId: tenant.blogId,
      name: "Ada Lovelace",
      bio: "Writes.",
      pictureUrl: "https://example.com/a.jpg",
    };
    const ada = await sendJson<Term>(200, "/api/authors", { as, body });
    expect(ada).toMatchObject({ slug: "ada-lovelace", bio: "Writes.", articles: 0 });
    const { _id } = await save({ title: "One", published: true, authors: ["Bo", "ada-lovelace"] });
    expect((await shown(_id, true)).authors).toEqual([
      { _id: expect.any(String), slug: "bo", name: "Bo" },
      { _id: ada._id, slug: "ada-lovelace", name: "Ada Lovelace" },
    ]);
    await sendJson(200, `/api/authors/${ada._id}`, { as, method: "PUT", body: { bio: "" } });
    const everybody = await sendJson<object[]>(200, `/api/authors?blogId=${tenant.blogId}&slug=ada-lovelace`, {});
    expect(everybody).toMatchObject([{ bio: "", pictureUrl: "https://example.com/a.jpg" }]);
  });

  it("a renamed one is the same: articles keep it, and find it by its new slug", async () => {
    const { _id } = await save({ title: "One", published: true, tags: ["Porto"] });
    const { _id: tagId } = await tagNamed("porto");
    const body = { slug: "oporto", name: "Oporto" };
    await sendJson(200, `/api/tags/${tagId}`, { as, method: "PUT", body });
    expect((await shown(_id)).tags).toMatchObject([{ slug: "oporto", name: "Oporto" }]);
    expect(await idsOf("tag=oporto")).toEqual([_id]);
    expect(await idsOf("tag=porto")).toEqual([]);
    await save({ title: "Two", tags: ["Lisbon"] });
    const taken = { as, method: "PUT", body: { slug: "lisbon" } };
    await refusalOf(await send(`/api/tags/${tagId}`, taken), "slug_taken");
    await refusalOf(await send("/api/tags", { as, body: { blogId: tenant.blogId, name: "Lisbon" } }), "slug_taken");
  });

  it("merging gives all articles the other one, once, and deleting takes it from all", async () => {
    const one = await save({ title: "One", published: true, tags: ["Porto", "Oporto", "Ferries"] });
    const two = await save({ title: "Two", tags: ["Oporto"] });
    const [porto, oporto] = [await tagNamed("porto"), await tagNamed("oporto")];
    const path = `/api/tags/${oporto._id}/merge`;
    const merged = await sendJson<Term>(200, path, { as, body: { into: porto._id } });
    expect(merged).toMatchObject({ slug: "porto", articles: 2, publishedArticles: 1 });
    expect(await slugsOf(one._id)).toEqual(["porto", "ferries"]);
    expect(await slugsOf(two._id)).toEqual(["porto"]);
    await consistent();
    await refusalOf(await send(`/api/tags/${oporto._id}`, { as }), "not_found");
    await refusalOf(await send(path, { as, body: { into: porto._id } }), "not_found");
    const itself = { as, body: { into: porto._id } };
    await refusalOf(await send(`/api/tags/${porto._id}/merge`, itself), "invalid_request");
    await sendJson(200, `/api/tags/${porto._id}`, { as, method: "DELETE" });
    expect(await slugsOf(one._id)).toEqual(["ferries"]);
    expect(await slugsOf(two._id)).toEqual([]);
    await consistent();
  });

  it("purges what the edge keeps of the blog when it changes", async () => {
    await save({ title: "One", published: true, tags: ["Porto"] });
    const { _id } = await tagNamed("porto");
    const asked = () =>
      env.DB.prepare("select count(*) as n from purges where tag = ?").bind(`blog-${tenant.blogId}`).first<number>("n");
    for (const request of [{ method: "PUT", body: { name: "Oporto" } }, { method: "DELETE" }]) {
      await env.DB.prepare("delete from purges").run();
      await sendJson(200, `/api/tags/${_id}`, { as, ...request });
      expect(await asked()).toBe(1);
    }
  });
});

describe("POST /api/articles/bulk with `tag`", () => {
  it("adds tags to those that articles have", async () => {
    const one = await save({ title: "One", tags: ["Ferries"] });
    const two = await save({ title: "Two", tags: ["Porto"] });
    const body = { action: "tag", articleIds: [one._id, two._id, "nothing"], tags: ["Porto"] };
    const outcomes = await sendJson<{ outcome: string; code: string | null }[]>(200, "/api/articles/bulk", {
      as,
      body,
    });
    expect(outcomes).toMatchObject([{ outcome: "changed" }, { outcome: "unchanged" }, { code: "not_found" }]);
    expect(await slugsOf(one._id)).toEqual(["ferries", "porto"]);
    const german = await save({ title: "Eins", slug: one.slug, locale: "de" });
    const both = [one._id, german._id].map((id, n) => ({ action: "tag", articleIds: [id], tags: [`at-once-${n}`] }));
    await Promise.all(both.map((each) => sendJson(200, "/api/articles/bulk", { as, body: each })));
    expect(new Set(await slugsOf(one._id))).toEqual(new Set(["ferries", "porto", "at-once-0", "at-once-1"]));
    for (const wrong of [
      { ...body, tags: undefined },
      { ...body, action: "publish" },
    ]) {
      await refusalOf(await send("/api/articles/bulk", { as, body: wrong }), "invalid_request");
    }
  });
});

it("of another blog are not given, merged or found", async () => {
  const other = await newTenant();
  await newArticle(other, { published: true });
  const theirs = await sendJson<Term>(200, "/api/tags", {
    as: { apiKey: other.apiKey },
    body: { blogId: other.blogId, name: "Porto" },
  });
  const { _id } = await save({ title: "One", tags: ["Porto"] });
  expect((await shown(_id)).tags?.[0]?._id).not.toBe(theirs._id);
  const { _id: mine } = await tagNamed("porto");
  await refusalOf(await send(`/api/tags/${mine}/merge`, { as, body: { into: theirs._id } }), "invalid_request");
});
