/** Contract 18.16: when links to previews end. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { connect, disconnected } from "../helpers/connected.ts";
import { signedIn } from "../helpers/console.ts";
import { succeed } from "../helpers/mcp-connected.ts";
import { newMember } from "../helpers/people.ts";
import { issueKey, sendJson, type Credential } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { end, expectEnded, open, previewsOf } from "../helpers/previews.ts";

let tenant: Tenant;
let as: Credential;
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const { draft, list, linked } = previewsOf(() => tenant);

describe("contract 18.16: a link ends", () => {
  it("with its time, and shows no public version instead", async () => {
    const { article, link } = await linked();
    await sendJson(200, "/api/articles", { as, body: { _id: article._id, published: true } });
    expect((await open(link.token)).status).toBe(200);
    await end(article._id);
    await expectEnded(link.token);
    expect(await list(article._id)).toEqual([]);
  });

  it("with its article, whose links go in the same transaction", async () => {
    const { article, link } = await linked();
    await sendJson(200, `/api/articles/${article._id}`, { as, method: "DELETE" });
    await expectEnded(link.token);
    const left = await env.DB.prepare("select 1 from previews where id = ?").bind(link._id).all();
    expect(left.results).toEqual([]);
  });

  it("with the key of its maker", async () => {
    const operator = { operatorToken: tenant.operatorToken };
    const { _id, secret } = await issueKey(operator, ["articles:read", "articles:write"]);
    const { article, link } = await linked({ apiKey: secret });
    expect(link.actor).toEqual({ kind: "key", id: _id });
    expect((await open(link.token)).status).toBe(200);
    await sendJson(200, `/api/apikeys/${_id}`, { as: operator, method: "DELETE" });
    await expectEnded(link.token);
    expect(await list(article._id)).toEqual([]);
  });

  it("with the time of its maker's key", async () => {
    const { _id, secret } = await issueKey({ operatorToken: tenant.operatorToken }, [
      "articles:read",
      "articles:write",
    ]);
    const { article, link } = await linked({ apiKey: secret });
    await env.DB.prepare("update credentials set expiration_time = ? where id = ?")
      .bind(new Date(Date.now() - 1000).toISOString(), _id)
      .run();
    await expectEnded(link.token);
    expect(await list(article._id)).toEqual([]);
  });

  it("with the connection of the application that made it", async () => {
    const { organizationId } = tenant;
    const { userId } = await newMember(organizationId, "writer");
    const scopes = ["articles:read", "articles:write"] as const;
    const app = await connect({ userId, organizationId, scopes, resource: "/mcp", role: "writer" });
    const { _id } = await draft();
    const { url } = await succeed<{ url: string }>(app.access_token, "create_preview_link", { articleId: _id });
    const token = url.split("/").at(-1) ?? "";
    expect((await open(token)).status).toBe(200);
    await disconnected(app.connectionId, userId);
    await expectEnded(token);
  });

  it("with the membership of its maker, or with a role that cannot write", async () => {
    const { article } = await linked();
    const { browser, userId } = await signedIn(tenant.organizationId, "writer");
    const path = `/console/articles/${article._id}`;
    const made = await browser.submit(`${path}/previews`, `${path}/previews`, { expiresInSeconds: "3600" });
    const [, token = ""] = /\/previews\/(epv_\w+)/.exec(made.text) ?? [];
    expect((await open(token)).status).toBe(200);
    const role = (name: string) =>
      env.DB.prepare("update members set role = ? where user_id = ?").bind(name, userId).run();
    await role("reader");
    await expectEnded(token);
    await role("admin");
    expect((await open(token)).status).toBe(200);
    await env.DB.prepare("delete from members where user_id = ?").bind(userId).run();
    await expectEnded(token);
  });
});
