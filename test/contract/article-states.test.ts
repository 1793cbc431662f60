/** Contract 4.2: the states of an article. POST /api/articles/generate has its own tests. */
import { describe, expect, it } from "vitest";
import { outcome } from "../helpers/outcome.ts";
import { kindsOf, received, settled, subscribe } from "../helpers/webhooks.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody } from "../helpers/tenant.ts";

/** An organization with a subscription for the events of its articles. */
async function watched() {
  const tenant = await newTenant();
  const { _id, name } = await subscribe(tenant, "ok", {
    events: ["article.created", "article.updated", "article.deleted"],
  });
  return { tenant, name, subscriptionId: _id };
}

describe("states", () => {
  it("draft means that published is false, published that it is true", async () => {
    const tenant = await newTenant();
    const states = [await newArticle(tenant, { published: false }), await newArticle(tenant, { published: true })];
    expect(states.map(({ published }) => published)).toEqual([false, true]);
    const list = `/api/articles?blogId=${tenant.blogId}`;
    expect(await sendJson(200, `${list}&published=false`, { as: tenant })).toMatchObject([{ _id: states[0]?._id }]);
    expect(await sendJson(200, `${list}&published=true`, { as: tenant })).toMatchObject([{ _id: states[1]?._id }]);
  });
});

describe("(none) by POST /api/articles without _id", () => {
  it("body carries published true: the article is published, article.created fires", async () => {
    const { tenant, name } = await watched();
    const article = await newArticle(tenant, { published: true });
    expect(await sendJson(200, `/api/articles/${article._id}`)).toMatchObject({ published: true });
    const seen = await received(name);
    expect(kindsOf(seen)).toEqual(["article.created"]);
    expect(JSON.parse(seen[0]?.body ?? "")).toMatchObject({ data: { _id: article._id, published: true } });
  });

  it("body carries published false: the article is a draft, article.created fires", async () => {
    const { tenant, name } = await watched();
    const article = await newArticle(tenant, { published: false });
    expect(await sendJson(200, `/api/articles/${article._id}`, { as: tenant })).toMatchObject({ published: false });
    const seen = await received(name);
    expect(kindsOf(seen)).toEqual(["article.created"]);
    expect(JSON.parse(seen[0]?.body ?? "")).toMatchObject({ data: { _id: article._id, published: false } });
  });

  it("body carries no published: the article is a draft", async () => {
    const tenant = await newTenant();
    const article = await sendJson<ArticleBody>(200, "/api/articles", { as: tenant, body: { title: "x" } });
    expect(article.published).toBe(false);
    expect(await outcome(`/api/articles/${article._id}`)).toBe("404 not_found");
  });
});

describe("any by POST /api/articles with an existing _id", () => {
  it("the same article is updated: no other one appears, and its identity stays", async () => {
    const tenant = await newTenant();
    const created = await newArticle(tenant, { title: "One", content: "Body", description: "Sum" });
    const body = { _id: created._id, title: "Two" };
    const updated = await sendJson<ArticleBody>(200, "/api/articles", { as: tenant, body });
    const { lastEditTime: _, ...rest } = created;
    expect(updated).toMatchObject({ ...rest, title: "Two" });
    expect(await sendJson(200, `/api/articles?blogId=${tenant.blogId}`)).toEqual([updated]);
  });

  it("a draft is updated, too, and stays a draft", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { published: false });
    const updated = await sendJson(200, "/api/articles", { as: tenant, body: { _id, title: "Still a draft" } });
    expect(updated).toMatchObject({ _id, published: false, title: "Still a draft" });
  });

  it("article.updated fires, and no second article.created", async () => {
    const { tenant, name, subscriptionId } = await watched();
    const { _id } = await newArticle(tenant);
    await received(name);
    await sendJson(200, "/api/articles", { as: tenant, body: { _id, title: "Two" } });
    await settled(tenant, subscriptionId, 2);
    const seen = await received(name, 2);
    expect(kindsOf(seen)).toEqual(["article.created", "article.updated"]);
    expect(JSON.parse(seen[1]?.body ?? "")).toMatchObject({ data: { _id, title: "Two" } });
  });

  it("an _id that does not exist is 404 and creates nothing", async () => {
    const tenant = await newTenant();
    const body = { _id: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d", blogId: tenant.blogId, title: "x" };
    expect(await outcome("/api/articles", { as: tenant, body })).toBe("404 not_found");
    expect(await sendJson(200, `/api/articles?blogId=${tenant.blogId}`, { as: tenant })).toEqual([]);
  });
});

describe("transitions between draft and published on update", () => {
  it("a draft is published by published true, from then on for everybody", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { published: false });
    expect(await outcome(`/api/articles/${_id}`)).toBe("404 not_found");
    await sendJson(200, "/api/articles", { as: tenant, body: { _id, published: true } });
    expect(await sendJson(200, `/api/articles/${_id}`)).toMatchObject({ published: true });
    expect(await sendJson(200, `/api/articles?blogId=${tenant.blogId}`)).toMatchObject([{ _id }]);
  });

  it("a published article becomes a draft by published false, from then on for its organization only", async () => {
    const tenant = await newTenant();
    const { _id, slug } = await newArticle(tenant, { published: true });
    await sendJson(200, "/api/articles", { as: tenant, body: { _id, published: false } });
    expect(await outcome(`/api/articles/${_id}`)).toBe("404 not_found");
    expect(await outcome(`/api/articles/${slug}?blogId=${tenant.blogId}`)).toBe("404 not_found");
    expect(await sendJson(200, `/api/articles?blogId=${tenant.blogId}`)).toEqual([]);
    expect(await sendJson(200, `/api/articles/${_id}`, { as: tenant })).toMatchObject({ published: false });
  });

  it("each of them fires article.updated with the new state", async () => {
    const { tenant, name, subscriptionId } = await watched();
    const { _id } = await newArticle(tenant, { published: false });
    for (const [index, published] of [true, false].entries()) {
      await sendJson(200, "/api/articles", { as: tenant, body: { _id, published } });
      await settled(tenant, subscriptionId, index + 2);
    }
    const [, ...updates] = await received(name, 3);
    expect(updates.map(({ body }) => JSON.parse(body))).toMatchObject([
      { event: "article.updated", data: { _id, published: true } },
      { event: "article.updated", data: { _id, published: false } },
    ]);
  });

  it("leaving published out changes neither state", async () => {
    const tenant = await newTenant();
    for (const published of [true, false]) {
      const { _id } = await newArticle(tenant, { published });
      const updated = await sendJson(200, "/api/articles", { as: tenant, body: { _id, title: "Other" } });
      expect(updated).toMatchObject({ published });
    }
  });
});

describe("any by DELETE /api/articles/{articleId}", () => {
  it.each([true, false])("an article whose published is %s is removed, article.deleted fires", async (published) => {
    const { tenant, name } = await watched();
    const article = await newArticle(tenant, { published });
    await received(name);
    await sendJson(200, `/api/articles/${article._id}`, { as: tenant, method: "DELETE" });
    expect(await outcome(`/api/articles/${article._id}`, { as: tenant })).toBe("404 not_found");
    expect(await sendJson(200, `/api/articles?blogId=${tenant.blogId}`, { as: tenant })).toEqual([]);
    const seen = await received(name, 2);
    expect(kindsOf(seen)).toEqual(["article.created", "article.deleted"]);
    expect(JSON.parse(seen[1]?.body ?? "")).toMatchObject({ data: { _id: article._id, published } });
  });

  it("only where the article belongs to the caller's organization: otherwise 404, and it stays", async () => {
    const [owner, other] = [await newTenant(), await newTenant()];
    const article = await newArticle(owner);
    const path = `/api/articles/${article._id}`;
    for (const as of [{ apiKey: other.apiKey }, { operatorToken: other.operatorToken }]) {
      expect(await outcome(path, { as, method: "DELETE" })).toBe("404 not_found");
    }
    expect(await sendJson(200, path)).toEqual(article);
  });

  it("a removed article does not come back: its _id cannot be written again", async () => {
    const tenant = await newTenant();
    const { _id, slug } = await newArticle(tenant);
    await sendJson(200, `/api/articles/${_id}`, { as: tenant, method: "DELETE" });
    expect(await outcome(`/api/articles/${_id}`, { as: tenant, method: "DELETE" })).toBe("404 not_found");
    expect(await outcome("/api/articles", { as: tenant, body: { _id, title: "Back" } })).toBe("404 not_found");
    const again = await newArticle(tenant, { slug });
    expect(again._id).not.toBe(_id);
  });
});
