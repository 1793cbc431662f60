/** A credential is looked up together with the first query of a read, and stops working at once all the same. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { counted } from "../helpers/counting.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let article: ArticleBody;
beforeEach(async () => {
  tenant = await newTenant();
  article = await newArticle(tenant, { title: "Kept", published: false });
});

const key = () => ({ apiKey: tenant.apiKey });
const own = () => `/api/articles/${article._id}`;

describe("a read with a key that the isolate has seen", () => {
  const READS: Record<string, () => string> = {
    "an article": own,
    "a list": () => `/api/articles?blogId=${tenant.blogId}`,
    "a search": () => "/api/search?query=kept",
  };

  it.each(Object.entries(READS))("%s is one round trip", async (_, path) => {
    await sendJson(200, path(), { as: key() });
    const { response, counts } = await counted(path(), { as: key() });
    expect([response.status, counts.roundTrips]).toEqual([200, 1]);
  });

  it.each(Object.entries({ ...READS, blogs: () => "/api/blogs" }))(
    "%s is refused once the key is revoked, with no word of the organization",
    async (_, path) => {
      await sendJson(200, path(), { as: key() });
      await env.DB.prepare("delete from credentials where organization_id = ? and kind = 'key'")
        .bind(tenant.organizationId)
        .run();
      const response = await send(path(), { as: key() });
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain("Kept");
    },
  );

  it("is answered by what the key may see now", async () => {
    await sendJson(200, own(), { as: key() });
    const other = await sendJson<{ _id: string }>(200, "/api/blogs", { as: key(), body: { name: "Another" } });
    await env.DB.prepare("update credentials set blog_id = ? where organization_id = ? and kind = 'key'")
      .bind(other._id, tenant.organizationId)
      .run();
    expect((await send(own(), { as: key() })).status).toBe(404);
    await env.DB.prepare(
      "update credentials set blog_id = null, scopes = '[]' where organization_id = ? and kind = 'key'",
    )
      .bind(tenant.organizationId)
      .run();
    expect((await send(own(), { as: key() })).status).toBe(403);
  });

  it("that is refused for another reason is 401 once the key is revoked", async () => {
    await sendJson(200, own(), { as: key() });
    expect((await send("/api/articles?limit=0", { as: key() })).status).toBe(400);
    await env.DB.prepare("delete from credentials where organization_id = ?").bind(tenant.organizationId).run();
    expect((await send("/api/articles?limit=0", { as: key() })).status).toBe(401);
  });

  it("is refused once the key has expired", async () => {
    await sendJson(200, own(), { as: key() });
    await env.DB.prepare(
      "update credentials set expiration_time = '2020-01-01T00:00:00.000Z' where organization_id = ?",
    )
      .bind(tenant.organizationId)
      .run();
    expect((await send(own(), { as: key() })).status).toBe(401);
    expect((await send(own(), { as: key() })).status).toBe(401);
  });
});
