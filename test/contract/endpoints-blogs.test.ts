/** Contract 5.3, 5.4, 5.5, 5.6: the endpoints of blogs. */
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { outcome, wrongFields } from "../helpers/outcome.ts";
import { kindsOf, received, subscribe } from "../helpers/webhooks.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newKey, newTenant, type Tenant } from "../helpers/tenant.ts";

type Blog = { _id: string; name: string; vanityId: string; coverUrl: string; locales: string[] };

const SIX = ["_id", "name", "coverUrl", "creationTime", "lastEditTime", "locales"];

const newBlog = (as: Tenant, body: object) => sendJson<Blog>(200, "/api/blogs", { as, body });

/** A key of the organization with these scopes only. */
const keyOf = async (tenant: Tenant, ...scopes: Parameters<typeof newKey>[1]) => ({
  apiKey: await newKey({ operatorToken: tenant.operatorToken }, scopes),
});

describe("GET /api/blogs", () => {
  it("lists the blogs of the caller's organization; 200: list of Blog objects", async () => {
    const [tenant, other] = [await newTenant("Mine"), await newTenant("Other")];
    const second = await newBlog(tenant, { name: "Second" });
    const response = await send("/api/blogs", { as: tenant });
    expect(response.status).toBe(200);
    const blogs = await response.json<Blog[]>();
    expect(blogs).toMatchObject([{ _id: tenant.blogId, name: "Mine" }, second]);
    expect(blogs.map(({ _id }) => _id)).not.toContain(other.blogId);
  });

  it("scope blogs:read: 403 missing blogs:read", async () => {
    const tenant = await newTenant();
    expect(await outcome("/api/blogs", { as: await keyOf(tenant, "blogs:write", "articles:read") })).toBe(
      "403 scope_missing",
    );
    expect(await outcome("/api/blogs", { as: await keyOf(tenant, "blogs:read") })).toBe("200");
    expect(await outcome("/api/blogs", { as: { operatorToken: tenant.operatorToken } })).toBe("200");
  });

  it("needs credentials", async () => {
    expect(await outcome("/api/blogs")).toBe("401 credentials_missing");
  });
});

describe("POST /api/blogs", () => {
  it("creates a blog for the caller's organization; 200: the created blog", async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    const created = await newBlog(tenant, { name: "Field Notes" });
    expect(created).toMatchObject({ name: "Field Notes", locales: ["en"] });
    expect(await sendJson(200, "/api/blogs", { as: tenant })).toContainEqual(created);
    expect(await sendJson(200, "/api/blogs", { as: other })).not.toContainEqual(created);
  });

  it("body (required): name string, required, length at least 1", async () => {
    const { apiKey } = await newTenant();
    const as = { apiKey };
    expect(await outcome("/api/blogs", { as, method: "POST" })).toBe("415 unsupported_media_type");
    expect(await outcome("/api/blogs", { as, body: "" })).toBe("400 invalid_json");
    for (const body of [{}, { name: "" }, { name: 1 }]) {
      expect(await wrongFields("/api/blogs", { as, body })).toEqual(["name"]);
    }
    expect(await sendJson<unknown[]>(200, "/api/blogs", { as })).toHaveLength(1);
  });

  it("vanityId string, optional, lowercase route and subdomain id", async () => {
    const tenant = await newTenant();
    const vanityId = `notes-${newId().slice(-8)}`;
    expect(await newBlog(tenant, { name: "x", vanityId })).toMatchObject({ vanityId });
    expect((await newBlog(tenant, { name: "x" })).vanityId).toMatch(/^[a-z0-9-]{3,63}$/);
    const upper = { name: "x", vanityId: vanityId.toUpperCase() };
    expect(await wrongFields("/api/blogs", { as: tenant, body: upper })).toEqual(["vanityId"]);
  });

  it("fires blog.created", async () => {
    const tenant = await newTenant();
    const { name } = await subscribe(tenant);
    const created = await newBlog(tenant, { name: "Announced" });
    const [request] = await received(name);
    expect(kindsOf(request ? [request] : [])).toEqual(["blog.created"]);
    expect(JSON.parse(request?.body ?? "")).toMatchObject({ event: "blog.created", data: created });
  });

  it("scope blogs:write: 403 missing blogs:write", async () => {
    const tenant = await newTenant();
    const body = { name: "x" };
    expect(await outcome("/api/blogs", { as: await keyOf(tenant, "blogs:read", "articles:write"), body })).toBe(
      "403 scope_missing",
    );
    expect(await outcome("/api/blogs", { as: await keyOf(tenant, "blogs:write"), body })).toBe("200");
    expect(await outcome("/api/blogs", { body })).toBe("401 credentials_missing");
  });
});

describe("GET /blogs", () => {
  it("returns the details of a blog: exactly _id, name, coverUrl, creationTime, lastEditTime, locales", async () => {
    const tenant = await newTenant("Public");
    const shown = await sendJson(200, `/blogs?blogId=${tenant.blogId}`);
    expect(Object.keys(shown).sort()).toEqual([...SIX].sort());
    const [stored = {}] = await sendJson<Record<string, unknown>[]>(200, "/api/blogs", { as: tenant });
    expect(shown).toEqual(Object.fromEntries(SIX.map((member) => [member, stored[member]])));
  });

  it("no credentials are declared for it: anybody may, with or without", async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    const path = `/blogs?blogId=${tenant.blogId}`;
    const scopeless = { apiKey: await newKey({ operatorToken: other.operatorToken }, []) };
    for (const as of [{}, scopeless, { operatorToken: other.operatorToken }, { apiKey: tenant.apiKey }]) {
      expect(await sendJson(200, path, { as })).toMatchObject({ _id: tenant.blogId });
    }
    expect(await outcome(path, { as: { apiKey: "nonsense" } })).toBe("401 credentials_invalid");
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
    const [before] = await sendJson<Blog[]>(200, "/api/blogs", { as: tenant });
    const updated = await sendJson<object>(200, `/api/blogs/${tenant.blogId}`, put(tenant, { name: "After" }));
    expect(updated).toEqual({ ...before, name: "After", lastEditTime: expect.any(String) });
  });

  it("a whole blog can be sent back as it was read; read-only members that differ are refused", async () => {
    const tenant = await newTenant();
    const path = `/api/blogs/${tenant.blogId}`;
    const [read] = await sendJson<Blog[]>(200, "/api/blogs", { as: tenant });
    const updated = await sendJson<Blog>(200, path, put(tenant, { ...read, name: "Back" }));
    expect(updated.name).toBe("Back");
    const wrong = { _id: newId(), creationTime: "2020-01-01T00:00:00.000Z", lastEditTime: "2020-01-01T00:00:00.000Z" };
    for (const [member, value] of Object.entries(wrong)) {
      const options = put(tenant, { ...updated, [member]: value });
      expect(await outcome(path, options)).toBe("400 immutable_field");
      expect(await wrongFields(path, options)).toEqual([member]);
    }
  });

  it("403: the blog is not of the caller's organization; an unknown one answers the same", async () => {
    const [tenant, other] = [await newTenant(), await newTenant("Theirs")];
    for (const blogId of [other.blogId, newId()]) {
      for (const as of [{ apiKey: tenant.apiKey }, { operatorToken: tenant.operatorToken }]) {
        expect(await outcome(`/api/blogs/${blogId}`, put(as, { name: "Mine" }))).toBe("403 blog_forbidden");
      }
    }
    expect(await sendJson(200, "/api/blogs", { as: other })).toMatchObject([{ name: "Theirs" }]);
  });

  it("403: the scope blogs:write is missing", async () => {
    const tenant = await newTenant("Kept");
    const path = `/api/blogs/${tenant.blogId}`;
    expect(await outcome(path, put(await keyOf(tenant, "blogs:read", "articles:write"), { name: "x" }))).toBe(
      "403 scope_missing",
    );
    expect(await outcome(path, put({}, { name: "x" }))).toBe("401 credentials_missing");
    expect(await sendJson(200, "/api/blogs", { as: tenant })).toMatchObject([{ name: "Kept" }]);
    expect(await outcome(path, put(await keyOf(tenant, "blogs:write"), { name: "x" }))).toBe("200");
  });

  it("takes an id, not a vanityId", async () => {
    const tenant = await newTenant();
    const [blog] = await sendJson<Blog[]>(200, "/api/blogs", { as: tenant });
    expect(await outcome(`/api/blogs/${blog?.vanityId}`, put(tenant, { name: "x" }))).toBe("403 blog_forbidden");
  });
});
