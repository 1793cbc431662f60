/** A request that is held open half way: what its sender may no longer do when the rest comes is not done. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { PASSWORD, signedIn } from "../helpers/console.ts";
import { issueToken, send, sendJson, ORIGIN } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { held } from "../helpers/held.ts";
import { refusalOf } from "../helpers/refusals.ts";

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant("Held");
});

const count = async (table: "articles" | "blogs" | "credentials" | "invitations"): Promise<number> =>
  (
    await env.DB.prepare(`select count(*) as n from ${table} where organization_id = ?`)
      .bind(tenant.organizationId)
      .first<{ n: number }>()
  )?.n ?? 0;

describe("contract 10.11: over REST", () => {
  it("a token that is revoked in the meantime makes no other token", async () => {
    const as = { operatorToken: tenant.operatorToken };
    const { _id, secret } = await issueToken(as);
    const headers = { Authorization: `Token ${secret}`, "Content-Type": "application/json" };
    const before = await count("credentials");
    const response = await held("/api/accesstokens", {
      headers,
      body: JSON.stringify({ name: "a way back" }),
      meanwhile: () => send(`/api/accesstokens/${_id}`, { as, method: "DELETE" }),
    });
    await refusalOf(response, "credentials_invalid");
    expect(await count("credentials")).toBe(before - 1);
  });

  it("a key that is revoked in the meantime writes nothing", async () => {
    const as = { operatorToken: tenant.operatorToken };
    const [key] = await sendJson<{ _id: string }[]>(200, "/api/apikeys", { as });
    const headers = { Authorization: `Basic ${btoa(tenant.apiKey)}`, "Content-Type": "application/json" };
    const before = await count("blogs");
    const response = await held("/api/blogs", {
      headers,
      body: JSON.stringify({ name: "late" }),
      meanwhile: () => send(`/api/apikeys/${key?._id}`, { as, method: "DELETE" }),
    });
    await refusalOf(response, "credentials_invalid");
    expect(await count("blogs")).toBe(before);
  });

  it("a key that loses a scope in the meantime writes nothing, and one that gets another one does", async () => {
    const as = { operatorToken: tenant.operatorToken };
    const [key] = await sendJson<{ _id: string; scopes: string[] }[]>(200, "/api/apikeys", { as });
    const headers = { Authorization: `Basic ${btoa(tenant.apiKey)}`, "Content-Type": "application/json" };
    const before = await count("blogs");
    const write = (scopes: string[]) =>
      held("/api/blogs", {
        headers,
        body: JSON.stringify({ name: "late" }),
        meanwhile: () => send(`/api/apikeys/${key?._id}`, { as, method: "PUT", body: { scopes } }),
      });
    expect((await write((key?.scopes ?? []).toReversed())).status).toBe(200);
    await refusalOf(await write(["blogs:read"]), "credentials_invalid");
    expect(await count("blogs")).toBe(before + 1);
  });
});

describe("over REST, once more", () => {
  it("a token that expires in the meantime makes no other token", async () => {
    const as = { operatorToken: tenant.operatorToken };
    const { _id, secret } = await issueToken(as, { expirationTime: "2999-01-01T00:00:00.000Z" });
    const headers = { Authorization: `Token ${secret}`, "Content-Type": "application/json" };
    const before = await count("credentials");
    const response = await held("/api/accesstokens", {
      headers,
      body: JSON.stringify({ name: "a way back" }),
      meanwhile: () =>
        env.DB.prepare("update credentials set expiration_time = '2020-01-01T00:00:00.000Z' where id = ?")
          .bind(_id)
          .run(),
    });
    await refusalOf(response, "credentials_invalid");
    expect(await count("credentials")).toBe(before);
  });
});

describe("in the console", () => {
  const headersOf = (cookies: ReadonlyMap<string, string>) => ({
    Origin: ORIGIN,
    Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    "Content-Type": "application/x-www-form-urlencoded",
  });
  const form = (values: Record<string, string>) =>
    new URLSearchParams({ _organization: tenant.organizationId, ...values }).toString();

  it("somebody who is removed in the meantime invites nobody", async () => {
    const { browser, memberId } = await signedIn(tenant.organizationId, "admin");
    const invitation = form({ email: "back@example.com", role: "admin" });
    const response = await held("/console/members/invitations", {
      headers: headersOf(browser.cookies),
      body: invitation,
      meanwhile: () => env.DB.prepare("delete from members where id = ?").bind(memberId).run(),
    });
    expect(response.status).toBe(403);
    expect(await count("invitations")).toBe(0);
  });

  it("somebody who is demoted in the meantime has the new role", async () => {
    const { browser, memberId } = await signedIn(tenant.organizationId, "owner");
    const invitation = form({ email: "owner@example.com", role: "owner" });
    const response = await held("/console/members/invitations", {
      headers: headersOf(browser.cookies),
      body: invitation,
      meanwhile: () => env.DB.prepare("update members set role = 'reader' where id = ?").bind(memberId).run(),
    });
    expect(response.status).toBe(403);
    expect(await count("invitations")).toBe(0);
  });

  it.each([
    ["removed", "delete from members where id = ?"],
    ["demoted", "update members set role = 'reader' where id = ?"],
  ])("somebody who is %s in the meantime writes no article", async (_, change) => {
    const { browser, memberId } = await signedIn(tenant.organizationId, "writer");
    const article = form({ blogId: tenant.blogId, title: "Late" });
    const response = await held("/console/articles/new", {
      headers: headersOf(browser.cookies),
      body: article,
      meanwhile: () => env.DB.prepare(change).bind(memberId).run(),
    });
    expect(response.status).toBe(403);
    expect(await count("articles")).toBe(0);
  });

  it("a session that ends in the meantime makes no token", async () => {
    const { browser, userId } = await signedIn(tenant.organizationId, "owner");
    const before = await count("credentials");
    const token = form({ name: "a way back", expires: "never" });
    const response = await held("/console/keys/tokens/new", {
      headers: headersOf(browser.cookies),
      body: token,
      meanwhile: () => env.DB.prepare("delete from sessions where user_id = ?").bind(userId).run(),
    });
    expect(response.status).toBe(401);
    expect(await count("credentials")).toBe(before);
    expect((await browser.signIn((await newEmail(userId)) ?? "", PASSWORD)).status).toBe(303);
  });

  const newEmail = async (userId: string) =>
    (await env.DB.prepare("select email from users where id = ?").bind(userId).first<{ email: string }>())?.email;
});
