/** Contract 10.9: what an application may do, decided at every call. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { connect, exchange, newAddress, type Connecting } from "../helpers/connected.ts";
import { signedIn } from "../helpers/console.ts";
import { send, ORIGIN } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";
import { limited } from "../helpers/limiter.ts";
import { newMember } from "../helpers/people.ts";

async function application(more: Partial<Connecting> = {}) {
  const tenant = await newTenant();
  const { userId, memberId } = await newMember(tenant.organizationId, more.role ?? "owner");
  const { organizationId } = tenant;
  const scopes = ["articles:read", "articles:write", "blogs:read"] as const;
  const tokens = await connect({ organizationId, userId, scopes, resource: "/api", ...more });
  const call = (path: string, options: object = {}) =>
    send(path, {
      headers: { Authorization: `Bearer ${tokens.access_token}`, "CF-Connecting-IP": newAddress() },
      ...options,
    });
  return { ...tenant, ...tokens, userId, memberId, call };
}

const run = (query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .run();

describe("an application's token", () => {
  it("reads and writes what its scopes allow", async () => {
    const { call, blogId } = await application();
    const created = await call("/api/articles", { body: { blogId, title: "By an application" } });
    expect(created.status).toBe(200);
    const { _id } = await created.json<{ _id: string }>();
    expect((await call(`/api/articles/${_id}?blogId=${blogId}`)).status).toBe(200);
    const row = await env.DB.prepare("select actor_kind from audit where resource_id = ?")
      .bind(_id)
      .first("actor_kind");
    expect(row).toBe("app");
  });

  it("writes nothing without the scope, and hears which one it lacks", async () => {
    const { call, blogId } = await application({ scopes: ["articles:read"] });
    const response = await call("/api/articles", { body: { blogId, title: "No" } });
    expect(response.status).toBe(403);
    const challenge = response.headers.get("WWW-Authenticate");
    expect(challenge).toMatch(/^Bearer .*error="insufficient_scope".*scope="articles:write"/);
  });

  it.each(["/api/apikeys", "/api/members", "/api/audit", "/api/webhooks/subscriptions", "/api/accesstokens"])(
    "of an owner never reaches %s, which is for operators",
    async (path) => {
      const { call } = await application({ scopes: ["articles:read"] });
      expect([403, 404]).toContain((await call(path)).status);
    },
  );

  it("is out at once when its person is removed, and stays out when they come back", async () => {
    const { call, memberId, organizationId, userId, operatorToken, blogId, connectionId } = await application({
      role: "admin",
    });
    expect((await call(`/api/articles?blogId=${blogId}`)).status).toBe(200);
    const removed = await send(`/api/members/${memberId}`, { method: "DELETE", as: { operatorToken } });
    expect(removed.status).toBeLessThan(300);
    expect((await call(`/api/articles?blogId=${blogId}`)).status).toBe(401);
    const endings = "select actor_kind from audit where action = 'apps.disconnect' and resource_id = ?";
    expect((await env.DB.prepare(endings).bind(connectionId).all()).results).toEqual([{ actor_kind: "operator" }]);
    await run(
      "insert into members (id, organization_id, user_id, role, creation_time) values (?, ?, ?, 'owner', '2026-01-01')",
      crypto.randomUUID(),
      organizationId,
      userId,
    );
    expect((await call(`/api/articles?blogId=${blogId}`)).status).toBe(401);
  });

  it("may no more than its person's role at this moment", async () => {
    const { call, userId, blogId } = await application();
    await run("update members set role = 'reader' where user_id = ?", userId);
    expect((await call("/api/articles", { body: { blogId, title: "No" } })).status).toBe(403);
    expect((await call(`/api/articles?blogId=${blogId}`)).status).toBe(200);
  });

  it("may no more than its connection at this moment", async () => {
    const { call, connectionId, blogId } = await application();
    await run("update connected_apps set scopes = '[\"articles:read\"]' where id = ?", connectionId);
    expect((await call("/api/articles", { body: { blogId, title: "No" } })).status).toBe(403);
  });

  it("is worth nothing once its person has deleted the account", async () => {
    const { call, userId, blogId } = await application();
    await run("delete from members where user_id = ?", userId);
    await run("delete from users where id = ?", userId);
    expect((await call(`/api/articles?blogId=${blogId}`)).status).toBe(401);
  });

  it("is for one resource: MCP's is refused here", async () => {
    const { call, blogId } = await application({ resource: "/mcp", scopes: ["articles:read"] });
    const response = await call(`/api/articles?blogId=${blogId}`);
    expect(response.status).toBe(401);
    expect(response.headers.get("WWW-Authenticate")).toContain('error="invalid_token"');
  });

  it("is for one issuer", async () => {
    const { access_token, blogId } = await application();
    const bindings = { BASE_URL: "https://press.example" } as object as Partial<Env>;
    const headers = { Authorization: `Bearer ${access_token}` };
    expect((await send(`/api/articles?blogId=${blogId}`, { headers, bindings })).status).toBe(401);
  });

  it.each(["", "x", "a:b:c", `${crypto.randomUUID()}:grant:secret`, "Bearer", "ü:ü:ü"])(
    "is no token where it reads %j",
    async (token) => {
      const headers = { Authorization: `Bearer ${encodeURI(token)}`, "CF-Connecting-IP": newAddress() };
      const response = await send("/api/blogs", { headers });
      expect(response.status).toBe(401);
      expect(response.headers.get("WWW-Authenticate")).toContain(
        `resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/api"`,
      );
    },
  );

  it("that is wrong counts as a failed authentication", async () => {
    const headers = { Authorization: "Bearer a:b:c", "CF-Connecting-IP": newAddress() };
    const bindings = limited({ failures: 1 });
    const statuses = [];
    for (let n = 0; n < 2; n++) statuses.push((await send("/api/blogs", { headers, bindings })).status);
    expect(statuses).toEqual([401, 429]);
  });

  it("notes its use, once a minute", async () => {
    const { call, connectionId, blogId } = await application();
    const lastUsed = () =>
      env.DB.prepare("select last_used_time from connected_apps where id = ?")
        .bind(connectionId)
        .first<string>("last_used_time");
    expect(await lastUsed()).toBeNull();
    await call(`/api/articles?blogId=${blogId}`);
    const first = await lastUsed();
    expect(first).not.toBeNull();
    await call(`/api/articles?blogId=${blogId}`);
    expect(await lastUsed()).toBe(first);
  });
});

describe("the account page", () => {
  async function connectedPerson() {
    const { organizationId, blogId } = await newTenant("Harbour News");
    const person = await signedIn(organizationId, "writer");
    const tokens = await connect({
      organizationId,
      userId: person.userId,
      role: "writer",
      scopes: ["articles:read"],
      resource: "/api",
      clientName: "Notes <b>",
    });
    const works = async () =>
      (await send(`/api/articles?blogId=${blogId}`, { headers: { Authorization: `Bearer ${tokens.access_token}` } }))
        .status;
    return { ...person, ...tokens, organizationId, works };
  }

  it("lists connected applications, and disconnects them at once", async () => {
    const { browser, connectionId, works, refresh_token, clientId } = await connectedPerson();
    const page = await browser.get("/console/account");
    expect(page.text).toContain("Notes &lt;b&gt;");
    expect(page.text).toContain("Harbour News");
    expect(await works()).toBe(200);
    const action = `/console/account/apps/${connectionId}/disconnect`;
    const done = await browser.submit("/console/account", action);
    expect(done.headers.get("Location")).toContain("done=app-disconnected");
    expect(await works()).toBe(401);
    expect((await browser.get("/console/account")).text).not.toContain("Notes &lt;b&gt;");
    const refreshed = await exchange({ grant_type: "refresh_token", refresh_token, client_id: clientId });
    expect(refreshed.status).toBe(400);
    expect((await browser.post(action, {})).status).toBe(404);
    const left = "select count(*) as n from oauth_records where key like '%' || ? || '%'";
    expect(await env.DB.prepare(left).bind(connectionId).first("n")).toBe(0);
  });

  it("disconnects nobody else's", async () => {
    const { connectionId, works, organizationId } = await connectedPerson();
    const other = await signedIn(organizationId, "owner");
    expect((await other.browser.post(`/console/account/apps/${connectionId}/disconnect`, {})).status).toBe(404);
    expect(await works()).toBe(200);
  });

  it("has the audit log name the application, and whose it is", async () => {
    const { organizationId, blogId, call } = await application();
    await call("/api/articles", { body: { blogId, title: "By an application" } });
    const { browser } = await signedIn(organizationId, "owner");
    const audit = await browser.get("/console/audit");
    expect(audit.text).toContain('Test client (A member)</a> <span class="badge">app</span> created “');
    expect(audit.text).toContain("connected the app “Test client”");
  });
});
