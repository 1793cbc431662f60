/** Contract 5.3, 5.4, 5.5, 5.6: the endpoints of blogs. */
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { outcome, wrongFields } from "../helpers/outcome.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

type Blog = { _id: string; name: string; vanityId: string; coverUrl: string; locales: string[] };

const SIX = ["_id", "name", "coverUrl", "creationTime", "lastEditTime", "locales"];

const newBlog = (as: Tenant, body: object) => sendJson<Blog>(200, "/api/blogs", { as, body });

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

  it("takes an id, not a vanityId", async () => {
    const tenant = await newTenant();
    const [blog] = await sendJson<Blog[]>(200, "/api/blogs", { as: tenant });
    expect(await outcome(`/api/blogs/${blog?.vanityId}`, put(tenant, { name: "x" }))).toBe("403 blog_forbidden");
  });
});
