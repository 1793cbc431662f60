/** Contract 3.6, 5.1, 5.2, 5.3, 5.4, 5.5, 5.6: a blog, its locales and its vanityId, and the endpoints of blogs. */
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { outcome, wrongFields } from "../helpers/outcome.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

type BlogBody = {
  _id: string;
  name: string;
  vanityId: string;
  coverUrl: string;
  creationTime: string;
  lastEditTime: string;
  locales: string[];
};

const newBlog = (as: Tenant, body: object): Promise<BlogBody> => sendJson<BlogBody>(200, "/api/blogs", { as, body });

const change = (as: Tenant, body: object, blogId = as.blogId): Promise<BlogBody> =>
  sendJson<BlogBody>(200, `/api/blogs/${blogId}`, { as, method: "PUT", body });

/** A vanityId that no other test takes: they are unique over the whole service. */
const free = (word: string): string => `${word}-${crypto.randomUUID().slice(0, 8)}`;

describe("a Blog", () => {
  it("has the members of contract 5.1, those of topic ideas included, in every answer that shows one", async () => {
    const tenant = await newTenant();
    const created = await newBlog(tenant, { name: "Field Notes" });
    const updated = await change(tenant, { name: "Notes" }, created._id);
    const listed = await sendJson<BlogBody[]>(200, "/api/blogs", { as: tenant });
    for (const blog of [created, updated, ...listed]) {
      expect(Object.keys(blog).sort()).toEqual(
        [
          "_id",
          "name",
          "vanityId",
          "coverUrl",
          "creationTime",
          "lastEditTime",
          "locales",
          "styleGuide",
          "topicSources",
          "topicRefresh",
        ].sort(),
      );
    }
  });

  it("creationTime and lastEditTime are date-times; an update moves only the second", async () => {
    const tenant = await newTenant();
    const created = await newBlog(tenant, { name: "Times" });
    expect(new Date(created.creationTime).toISOString()).toBe(created.creationTime);
    expect(created.lastEditTime).toBe(created.creationTime);
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(created.creationTime));
    const updated = await change(tenant, { name: "Later" }, created._id);
    expect(updated.creationTime).toBe(created.creationTime);
    expect(updated.lastEditTime > created.lastEditTime).toBe(true);
  });

  it("coverUrl is an absolute http or https URL, or empty", async () => {
    const tenant = await newTenant();
    const coverUrl = "https://images.example.com/cover.jpg";
    expect(await change(tenant, { coverUrl })).toMatchObject({ coverUrl });
    expect(await change(tenant, { coverUrl: "" })).toMatchObject({ coverUrl: "" });
    const put = { as: tenant, method: "PUT", body: { coverUrl: "javascript:alert(1)" } };
    expect(await wrongFields(`/api/blogs/${tenant.blogId}`, put)).toEqual(["coverUrl"]);
  });
});

describe("a blog's vanityId", () => {
  it("is optional on create: omitted, it is derived from the name", async () => {
    const word = free("field-notes");
    const tenant = await newTenant();
    expect((await newBlog(tenant, { name: word.replaceAll("-", " ").toUpperCase() })).vanityId).toBe(word);
  });

  it.each(["A", "!", "日本語", "Admin", "—", "xn--a", "-".repeat(80), "x".repeat(300)])(
    "derived from the name %j is valid: the blog can be sent back as it was read",
    async (name) => {
      const tenant = await newTenant();
      const blog = await newBlog(tenant, { name });
      expect(blog.vanityId).toMatch(/^[a-z0-9](?:[a-z0-9-]{1,61})[a-z0-9]$/);
      expect(await change(tenant, blog, blog._id)).toMatchObject({ vanityId: blog.vanityId });
    },
  );

  it("given, it is a lowercase id of 3 to 63 letters, digits and hyphens, as route and subdomain need", async () => {
    const tenant = await newTenant();
    const longest = free("x".repeat(54));
    expect(longest).toHaveLength(63);
    for (const vanityId of [free("abc"), longest]) {
      expect((await newBlog(tenant, { name: "x", vanityId })).vanityId).toBe(vanityId);
    }
    for (const vanityId of ["", "ab", `${longest}x`, "Upper", "a_b", "a.b", "-abc", "abc-", "a b", "über", "xn--abc"]) {
      expect(await wrongFields("/api/blogs", { as: tenant, body: { name: "x", vanityId } })).toEqual(["vanityId"]);
    }
  });

  it.each(["www", "api", "admin", "mcp", "console", "docs"])("may not be the reserved word %s", async (vanityId) => {
    const tenant = await newTenant();
    expect(await wrongFields("/api/blogs", { as: tenant, body: { name: "x", vanityId } })).toEqual(["vanityId"]);
  });

  it("finds the blog whatever its form, or is refused when it is given", async () => {
    const tenant = await newTenant();
    const body = { name: "x", vanityId: crypto.randomUUID() };
    const created = await outcome("/api/blogs", { as: tenant, body });
    if (created === "200") expect(await outcome(`/blogs/${body.vanityId}`)).toBe("200");
    else expect(created).toBe("400 invalid_request");
  });
});

describe("a blog's locales", () => {
  it("start as en", async () => {
    expect((await newBlog(await newTenant(), { name: "x" })).locales).toEqual(["en"]);
  });

  it("are an array of strings in canonical form, of which the first one is the default", async () => {
    const tenant = await newTenant();
    expect((await change(tenant, { locales: ["pt-br", "EN"] })).locales).toEqual(["pt-BR", "en"]);
    expect((await newArticle(tenant)).locale).toBe("pt-BR");
  });

  it("grow by a locale when an article is published in it, once", async () => {
    const tenant = await newTenant();
    await newArticle(tenant, { locale: "de" });
    await newArticle(tenant, { locale: "de", title: "Again" });
    await newArticle(tenant, { locale: "ja" });
    expect(await sendJson(200, "/api/blogs", { as: tenant })).toMatchObject([{ locales: ["en", "de", "ja"] }]);
  });

  it("grow by articles that come to another locale, not by those that stay in theirs", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { locale: "fr" });
    await change(tenant, { locales: ["en", "de"] });
    const save = (body: object) => sendJson(200, "/api/articles", { as: tenant, body: { _id, ...body } });
    await save({ locale: "fr", title: "Another title" });
    expect(await sendJson(200, "/api/blogs", { as: tenant })).toMatchObject([{ locales: ["en", "de"] }]);
    await save({ locale: "ja" });
    expect(await sendJson(200, "/api/blogs", { as: tenant })).toMatchObject([{ locales: ["en", "de", "ja"] }]);
  });
});

const SIX = ["_id", "name", "coverUrl", "creationTime", "lastEditTime", "locales"];

describe("GET /blogs", () => {
  it("returns the details of a blog: exactly _id, name, coverUrl, creationTime, lastEditTime, locales", async () => {
    const tenant = await newTenant("Public");
    const shown = await sendJson(200, `/blogs?blogId=${tenant.blogId}`);
    expect(Object.keys(shown).sort()).toEqual([...SIX].sort());
    const [stored = {}] = await sendJson<Record<string, unknown>[]>(200, "/api/blogs", { as: tenant });
    expect(shown).toEqual(Object.fromEntries(SIX.map((member) => [member, stored[member]])));
  });

  it("the blogId parameter is required: in the query, or in the path as GET /blogs/{blogId}", async () => {
    const { blogId } = await newTenant();
    expect(await sendJson(200, `/blogs/${blogId}`)).toEqual(await sendJson(200, `/blogs?blogId=${blogId}`));
    expect(await wrongFields("/blogs")).toEqual(["blogId"]);
    expect(await wrongFields("/blogs?blogId=")).toEqual(["blogId"]);
  });

  it("takes an id or a vanityId; an unknown one is 404", async () => {
    const tenant = await newTenant();
    const vanityId = `shown-${newId().slice(-8)}`;
    const { _id } = await newBlog(tenant, { name: "x", vanityId });
    expect(await sendJson(200, `/blogs?blogId=${vanityId}`)).toMatchObject({ _id });
    expect(await sendJson(200, `/blogs/${vanityId}`)).toMatchObject({ _id });
    for (const unknown of [newId(), "no-such-blog"]) {
      expect(await outcome(`/blogs?blogId=${unknown}`)).toBe("404 not_found");
      expect(await outcome(`/blogs/${unknown}`)).toBe("404 not_found");
    }
  });
});

describe("PUT /api/blogs/{blogId}", () => {
  const put = (as: object, body: unknown) => ({ as, method: "PUT", body });

  it("updates a blog owned by the caller's organization; 200: the updated blog", async () => {
    const tenant = await newTenant();
    const vanityId = `put-${newId().slice(-8)}`;
    const body = { name: "New name", vanityId, coverUrl: "https://images.example.com/c.jpg", locales: ["de", "en"] };
    const updated = await sendJson(200, `/api/blogs/${tenant.blogId}`, put(tenant, body));
    expect(updated).toMatchObject({ _id: tenant.blogId, ...body });
    expect(await sendJson(200, "/api/blogs", { as: tenant })).toEqual([updated]);
  });

  it("only the fields that are sent change", async () => {
    const tenant = await newTenant("Before");
    const [before] = await sendJson<BlogBody[]>(200, "/api/blogs", { as: tenant });
    const updated = await sendJson<object>(200, `/api/blogs/${tenant.blogId}`, put(tenant, { name: "After" }));
    expect(updated).toEqual({ ...before, name: "After", lastEditTime: expect.any(String) });
  });

  it("a whole blog can be sent back as it was read; read-only members that differ are refused", async () => {
    const tenant = await newTenant();
    const path = `/api/blogs/${tenant.blogId}`;
    const [read] = await sendJson<BlogBody[]>(200, "/api/blogs", { as: tenant });
    const updated = await sendJson<BlogBody>(200, path, put(tenant, { ...read, name: "Back" }));
    expect(updated.name).toBe("Back");
    const wrong = { _id: newId(), creationTime: "2020-01-01T00:00:00.000Z", lastEditTime: "2020-01-01T00:00:00.000Z" };
    for (const [member, value] of Object.entries(wrong)) {
      const options = put(tenant, { ...updated, [member]: value });
      expect(await outcome(path, options)).toBe("400 immutable_field");
      expect(await wrongFields(path, options)).toEqual([member]);
    }
  });

  it("takes an id, not a vanityId", async () => {
    const tenant = await newTenant();
    const [blog] = await sendJson<BlogBody[]>(200, "/api/blogs", { as: tenant });
    expect(await outcome(`/api/blogs/${blog?.vanityId}`, put(tenant, { name: "x" }))).toBe("403 blog_forbidden");
  });
});
