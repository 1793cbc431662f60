/** Contract 4.3, 4.4, 4.6: POST /api/articles and DELETE /api/articles/{articleId}. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { outcome, wrongFields } from "../helpers/outcome.ts";
import { sendJson, type Credential } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody } from "../helpers/tenant.ts";

const save = (as: Credential, body: object) => sendJson<ArticleBody>(200, "/api/articles", { as, body });

describe("POST /api/articles creates", () => {
  it("no field is marked required: an empty object creates a draft of defaults", async () => {
    const tenant = await newTenant();
    expect(await save(tenant, {})).toMatchObject({
      blogId: tenant.blogId,
      title: "",
      description: "",
      content: "",
      coverUrl: "",
      locale: "en",
      published: false,
    });
  });

  it("an omitted blogId is the organization's only blog; with several it is 400, with none, too", async () => {
    const tenant = await newTenant();
    expect((await save(tenant, { title: "x" })).blogId).toBe(tenant.blogId);
    await sendJson(200, "/api/blogs", { as: tenant, body: { name: "Second" } });
    expect(await outcome("/api/articles", { as: tenant, body: { title: "x" } })).toBe("400 blog_required");
    const empty = await newTenant();
    await env.DB.prepare("delete from blogs where id = ?").bind(empty.blogId).run();
    expect(await outcome("/api/articles", { as: empty, body: { title: "x" } })).toBe("400 blog_required");
  });

  it("an omitted locale is the blog's default", async () => {
    const tenant = await newTenant();
    const put = { as: tenant, method: "PUT", body: { locales: ["pt", "en"] } };
    await sendJson(200, `/api/blogs/${tenant.blogId}`, put);
    expect((await save(tenant, { title: "x" })).locale).toBe("pt");
  });
});

describe("POST /api/articles updates when the body carries an existing _id", () => {
  it("200: the updated article; only the fields that are sent change", async () => {
    const tenant = await newTenant();
    const fields = { title: "One", description: "Sum", content: "Body", slug: "one", coverUrl: "https://a.example/b" };
    const created = await newArticle(tenant, fields);
    const changes = [
      { title: "Two" },
      { description: "Other" },
      { content: "" },
      { slug: "two" },
      { locale: "de" },
      { coverUrl: "" },
      { published: false },
    ];
    const expected: ArticleBody = { ...created };
    for (const change of changes) {
      const updated = await save(tenant, { _id: created._id, ...change });
      Object.assign(expected, change, { lastEditTime: updated.lastEditTime });
      expect(updated).toEqual(expected);
    }
    expect(await sendJson(200, `/api/articles/${created._id}`, { as: tenant })).toEqual(expected);
  });

  it("blogId cannot change", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    const other = await sendJson<{ _id: string }>(200, "/api/blogs", { as: tenant, body: { name: "Other" } });
    const body = { _id, blogId: other._id, title: "Moved" };
    expect(await outcome("/api/articles", { as: tenant, body })).toBe("400 immutable_field");
    expect(await wrongFields("/api/articles", { as: tenant, body })).toEqual(["blogId"]);
    const stored = await sendJson(200, `/api/articles/${_id}`);
    expect(stored).toMatchObject({ blogId: tenant.blogId, title: "An article" });
  });

  it("a whole article can be sent back as it was read; read-only members that differ are refused", async () => {
    const tenant = await newTenant();
    const read = await newArticle(tenant);
    expect(await save(tenant, { ...read, title: "Changed" })).toMatchObject({ _id: read._id, title: "Changed" });
    const now = await sendJson<ArticleBody>(200, `/api/articles/${read._id}`);
    for (const member of ["creationTime", "lastEditTime"]) {
      const body = { ...now, [member]: "2020-01-01T00:00:00.000Z" };
      expect(await outcome("/api/articles", { as: tenant, body })).toBe("400 immutable_field");
      expect(await wrongFields("/api/articles", { as: tenant, body })).toEqual([member]);
    }
  });

  it("an _id does not stand for a slug", async () => {
    const tenant = await newTenant();
    const { slug } = await newArticle(tenant);
    expect(await outcome("/api/articles", { as: tenant, body: { _id: slug, title: "x" } })).toBe("404 not_found");
  });
});

describe("DELETE /api/articles/{articleId}", () => {
  it("takes an id, not a slug", async () => {
    const tenant = await newTenant();
    const { slug } = await newArticle(tenant);
    expect(await outcome(`/api/articles/${slug}`, { as: tenant, method: "DELETE" })).toBe("404 not_found");
    expect(await outcome(`/api/articles/${slug}`, { as: tenant })).toBe("200");
  });

  it("removes no translation: they are articles of their own", async () => {
    const tenant = await newTenant();
    const english = await newArticle(tenant, { slug: "porto", locale: "en" });
    const german = await newArticle(tenant, { slug: "porto", locale: "de" });
    await sendJson(200, `/api/articles/${english._id}`, { as: tenant, method: "DELETE" });
    expect(await sendJson(200, "/api/articles/porto")).toEqual(german);
  });
});
