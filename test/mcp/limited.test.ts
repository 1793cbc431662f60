/** Contract 10.9: a connection that is limited to one blog. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { post, request } from "../helpers/mcp.ts";
import { connected, fail, succeed } from "../helpers/mcp-connected.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let other: ArticleBody;
let token: string;
beforeAll(async () => {
  tenant = await newTenant();
  const as = { apiKey: tenant.apiKey };
  const { _id: blogId } = await sendJson<{ _id: string }>(200, "/api/blogs", { as, body: { name: "Other" } });
  other = await newArticle(tenant, { blogId, title: "Elsewhere" });
  await newArticle(tenant, { title: "Here" });
  token = await connected(tenant, { blogId: tenant.blogId });
});

describe("contract 10.9: an application that is limited to one blog", () => {
  it("sees and changes nothing of the others", async () => {
    expect(await succeed<{ blogs: object[] }>(token, "list_blogs")).toMatchObject({ blogs: [{ _id: tenant.blogId }] });
    expect(await succeed<{ articles: object[] }>(token, "list_articles")).toMatchObject({
      articles: [{ title: "Here" }],
    });
    for (const [name, input] of [
      ["get_article", { idOrSlug: other._id }],
      ["update_article", { articleId: other._id, title: "Mine" }],
      ["delete_article", { articleId: other._id }],
      ["list_articles", { blogId: other.blogId }],
      ["create_article", { blogId: other.blogId, title: "New" }],
    ] as const)
      expect(["not_found", "blog_forbidden", "invalid_request"]).toContain((await fail(token, name, input)).code);
    const { error } = await request("resources/read", { uri: `edgepress://articles/${other._id}` }, { token });
    expect(error).toBeDefined();
  });

  it("ends while its blog is deleted", async () => {
    await sendJson(200, `/api/blogs/${tenant.blogId}`, {
      as: { operatorToken: tenant.operatorToken },
      method: "DELETE",
    });
    expect((await post("tools/list", {}, { token })).status).toBe(401);
    const { results } = await env.DB.prepare("select blog_id from connected_apps where blog_id = ?")
      .bind(tenant.blogId)
      .all();
    expect(results).toHaveLength(1);
  });
});
