/** Machine connections (contract 10.19): made in the console, used by the official client without a browser. */
import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { signedIn } from "../helpers/console.ts";
import { exchange, type Tokens } from "../helpers/connected.ts";
import { askToken, NEW_MACHINE, newMachine, readMachine, tokenOf, works, type Machine } from "../helpers/machines.ts";
import { fetchDirectly } from "../helpers/mcp.ts";
import { call, fail, succeed } from "../helpers/mcp-connected.ts";
import { ORIGIN, send, sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { connectionOf, endingsOf } from "./connections.ts";

const KEYS = "/console/keys";

let tenant: Tenant;
let owner: Awaited<ReturnType<typeof signedIn>>;
beforeAll(async () => {
  tenant = await newTenant();
  owner = await signedIn(tenant.organizationId);
});

const errorOf = async (response: Response) => `${response.status} ${(await response.json<{ error: string }>()).error}`;

it("the official client lists tools and writes a draft with the id and the secret alone", async () => {
  const { clientId, secret } = await newMachine(owner.browser);
  const authProvider = new ClientCredentialsProvider({ clientId, clientSecret: secret, expectedIssuer: ORIGIN });
  const client = new Client({ name: "ci", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL("/mcp", ORIGIN), { fetch: fetchDirectly, authProvider }),
  );
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain("create_article");
  expect(names).not.toContain("publish_article");
  const written = await client.callTool({ name: "create_article", arguments: { title: "By a machine" } });
  expect(written.isError, JSON.stringify(written)).toBeFalsy();
  await client.close();
  const { results } = await env.DB.prepare(
    "select action from audit where actor_kind = 'app' and actor_id = ? order by id",
  )
    .bind(clientId)
    .all();
  expect(results).toEqual([{ action: "articles.create" }]);
});

describe("the token endpoint", () => {
  it("is named in the metadata, and takes the secret in the header or in the body, not in both", async () => {
    const metadata = await (await send("/.well-known/oauth-authorization-server")).json();
    expect(metadata).toMatchObject({
      grant_types_supported: expect.arrayContaining(["authorization_code", "client_credentials"]),
      token_endpoint_auth_methods_supported: expect.arrayContaining(["client_secret_basic", "client_secret_post"]),
    });
    const machine = await newMachine(owner.browser);
    const body = { client_id: machine.clientId, client_secret: machine.secret };
    const posted = await exchange({ grant_type: "client_credentials", ...body });
    expect([posted.status, posted.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
    const tokens = await posted.json<Tokens>();
    expect(tokens).toEqual({
      access_token: expect.stringContaining(machine.clientId),
      token_type: "bearer",
      expires_in: 3600,
      scope: "articles:read articles:draft blogs:read",
      resource: `${ORIGIN}/mcp`,
    });
    expect(await works(tokens.access_token)).toBe(true);
    expect(await errorOf(await askToken(machine, body))).toBe("400 invalid_request");
  });

  it("narrows the scopes, and never widens them", async () => {
    const machine = await newMachine(owner.browser);
    const token = await tokenOf(machine, { scope: "articles:read articles:write contacts:read" });
    expect((await fail(token, "create_article", { title: "No" })).code).toBe("scope_missing");
    await succeed(token, "list_articles");
    expect(await errorOf(await askToken(machine, { scope: "articles:write" }))).toBe("400 invalid_scope");
    // Nobody could be asked for more: a refusal, not a challenge.
    expect((await fail(token, "publish_article", { articleId: "x" })).code).toBe("scope_missing");
  });

  it("gives tokens for /mcp alone", async () => {
    const machine = await newMachine(owner.browser);
    expect(await errorOf(await askToken(machine, { resource: `${ORIGIN}/api` }))).toBe("400 invalid_target");
    const token = await tokenOf(machine, { resource: `${ORIGIN}/mcp` });
    const response = await send("/api/blogs", { headers: { Authorization: `Bearer ${token}` } });
    expect(response.status).toBe(401);
  });

  it("refuses wrong clients and secrets, which count as failed attempts", async () => {
    const machine = await newMachine(owner.browser);
    const { secret } = await newMachine(owner.browser);
    const address = { "CF-Connecting-IP": "198.51.100.77" };
    const guess = (of: Machine) =>
      exchange(
        { grant_type: "client_credentials" },
        { Authorization: `Basic ${btoa(`${of.clientId}:${of.secret}`)}`, ...address },
      );
    const wrong = [
      { ...machine, secret },
      { ...machine, secret: "x" },
      { clientId: "x", secret },
      { ...machine, clientId: tenant.blogId },
    ];
    for (const each of wrong) {
      const response = await guess(each);
      expect(response.headers.get("WWW-Authenticate")).toContain("Basic");
      expect(await errorOf(response)).toBe("401 invalid_client");
    }
    const statuses = [];
    for (let n = 0; n < 20; n++) statuses.push((await guess({ ...machine, secret })).status);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("a machine connection", () => {
  it("shows its secret once, of which only a hash is stored", async () => {
    const { clientId, secret } = await newMachine(owner.browser, { name: "Once" });
    const { text } = await owner.browser.get(KEYS);
    expect(text).toContain("Once");
    expect(text).not.toContain(secret);
    expect((await owner.browser.get(`${KEYS}/machines/${clientId}`)).text).not.toContain(secret);
    expect((await owner.browser.get("/console/account")).text).toContain("Once");
    const { results } = await env.DB.prepare("select * from connected_apps where id = ?").bind(clientId).all();
    expect(JSON.stringify(results)).not.toContain(secret);
  });

  it("gets another secret, with which the former one and its tokens end", async () => {
    const machine = await newMachine(owner.browser);
    const token = await tokenOf(machine);
    const path = `${KEYS}/machines/${machine.clientId}`;
    const next = readMachine(await owner.browser.submit(path, `${path}/rotate`));
    expect(next.clientId).toBe(machine.clientId);
    expect(await works(token)).toBe(false);
    expect(await errorOf(await askToken(machine))).toBe("401 invalid_client");
    expect(await works(await tokenOf(next))).toBe(true);
  });

  it("is ended by another owner, but neither by an admin nor by an owner elsewhere", async () => {
    const machine = await newMachine(owner.browser);
    const token = await tokenOf(machine);
    const path = `${KEYS}/machines/${machine.clientId}`;
    const admin = await signedIn(tenant.organizationId, "admin");
    expect((await admin.browser.get(path)).status).toBe(403);
    expect((await admin.browser.get(NEW_MACHINE)).status).toBe(403);
    const stranger = await signedIn((await newTenant()).organizationId);
    expect((await stranger.browser.get(path)).status).toBe(404);
    expect(await works(token)).toBe(true);
    const second = await signedIn(tenant.organizationId);
    await second.browser.submit(path, `${path}/end`);
    expect(await works(token)).toBe(false);
    expect(await errorOf(await askToken(machine))).toBe("401 invalid_client");
    expect(await endingsOf(machine.clientId)).toEqual([{ actor_kind: "user", actor_id: second.userId }]);
  });

  it("ends with its end, for which no token outlives it", async () => {
    const machine = await newMachine(owner.browser, { expirationTime: "2099-01-01" });
    const end = (time: number) =>
      env.DB.prepare("update connected_apps set expiration_time = ? where id = ?")
        .bind(new Date(time).toISOString(), machine.clientId)
        .run();
    await end(Date.now() + 90_000);
    const tokens = await (await askToken(machine)).json<Tokens>();
    expect(tokens.expires_in).toBeLessThanOrEqual(90);
    expect(await works(tokens.access_token)).toBe(true);
    await end(Date.now() - 1);
    expect(await works(tokens.access_token)).toBe(false);
    expect(await errorOf(await askToken(machine))).toBe("401 invalid_client");
    expect((await owner.browser.get(KEYS)).text).toContain("Expired");
  });

  it("keeps to its blog", async () => {
    const as = { operatorToken: tenant.operatorToken };
    const { _id: blogId } = await sendJson<{ _id: string }>(200, "/api/blogs", { as, body: { name: "Second" } });
    const token = await tokenOf(await newMachine(owner.browser, { blogId }));
    expect((await succeed<{ blogs: { _id: string }[] }>(token, "list_blogs")).blogs).toMatchObject([{ _id: blogId }]);
    expect((await call(token, "create_article", { title: "There", blogId: tenant.blogId })).isError).toBe(true);
    const elsewhere = await newTenant();
    await expect(newMachine(owner.browser, { blogId: elsewhere.blogId })).rejects.toThrow(/another organization/);
  });

  it("ends when its owner is no longer a member", async () => {
    const leaving = await signedIn(tenant.organizationId);
    const machine = await newMachine(leaving.browser);
    const token = await tokenOf(machine);
    // What the role does not allow any more, the connection does not.
    await env.DB.prepare("update members set role = 'reader' where id = ?").bind(leaving.memberId).run();
    expect((await fail(token, "create_article", { title: "No" })).code).toBe("scope_missing");
    const path = `/console/members/${leaving.memberId}/remove`;
    await owner.browser.submit(path, path);
    expect(await works(token)).toBe(false);
    expect((await connectionOf(machine.clientId))?.["disconnect_time"]).not.toBeNull();
  });
});
