import { env } from "cloudflare:workers";
import { RATES } from "../../src/domain/rates.ts";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { authorized, connect, exchange, newAddress } from "../helpers/connected.ts";
import { send } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";
import { limited } from "../helpers/limiter.ts";
import { newMember } from "../helpers/people.ts";

const METADATA = {
  client_name: "Notes",
  redirect_uris: ["https://client.example/callback"],
  token_endpoint_auth_method: "none",
};

const register = (metadata: unknown, address = newAddress(), bindings: Partial<Env> = {}) =>
  send("/oauth/register", { body: metadata, headers: { "CF-Connecting-IP": address }, bindings });

const clientOf = (clientId: string) =>
  env.DB.prepare("select value, expiration_time - unixepoch() as seconds from oauth_records where key = ?")
    .bind(`client:${clientId}`)
    .first<{ value: string; seconds: number }>();

const clients = () => env.DB.prepare("select count(*) as n from oauth_records where key like 'client:%'").first("n");

describe("registering an application (RFC 7591)", () => {
  it("gives it an identifier for an hour, and for 60 days once somebody has agreed", async () => {
    const response = await register(METADATA);
    expect(response.status).toBe(201);
    const { client_id } = await response.json<{ client_id: string }>();
    expect((await clientOf(client_id))?.seconds).toBeCloseTo(3600, -2);

    const { organizationId } = await newTenant();
    const { userId } = await newMember(organizationId, "owner");
    const { clientId } = await authorized({ organizationId, userId, scopes: ["articles:read"], resource: "/api" });
    expect((await clientOf(clientId))?.seconds).toBeCloseTo(60 * 86_400, -2);
  });

  it.each([
    ["names none", undefined],
    ["names the one of codes", ["authorization_code"]],
    ["names both", ["authorization_code", "refresh_token"]],
  ])("tells an application of its refresh tokens where it %s, and gives it some that work", async (_, grantTypes) => {
    const metadata = { ...METADATA, ...(grantTypes && { grant_types: grantTypes }) };
    const registered = await (await register(metadata)).json<{ client_id: string; grant_types: string[] }>();
    const both = ["authorization_code", "refresh_token"];
    expect(registered.grant_types).toEqual(both);
    expect(JSON.parse((await clientOf(registered.client_id))?.value ?? "{}")).toMatchObject({ grantTypes: both });

    const { organizationId } = await newTenant();
    const { userId } = await newMember(organizationId, "owner");
    const connecting = { organizationId, userId, scopes: ["articles:read"], resource: "/api" } as const;
    const { clientId, refresh_token } = await connect({ ...connecting, clientId: registered.client_id });
    const renewal = { grant_type: "refresh_token", refresh_token, client_id: clientId };
    expect((await exchange(renewal)).status).toBe(200);
  });

  it("tells it of a secret that does not expire by itself", async () => {
    const response = await register({ ...METADATA, token_endpoint_auth_method: "client_secret_basic" });
    expect(response.status).toBe(201);
    expect(response.headers.get("Cache-Control")).toContain("no-store");
    const registered = await response.json();
    expect(registered).toMatchObject({ client_secret: expect.any(String) as string, client_secret_expires_at: 0 });
    expect(await (await register(METADATA)).json()).not.toHaveProperty("client_secret_expires_at");
  });

  it("keeps nothing of it that is never used", async () => {
    const more = {
      contacts: ["a@client.example"],
      "client_name#de": "Notizen",
      logo_uri: "https://client.example/logo.png",
      jwks_uri: "https://client.example/keys",
      software_id: "notes",
      padding: "x",
    };
    const { client_id } = await (await register({ ...METADATA, ...more })).json<{ client_id: string }>();
    const kept = JSON.parse((await clientOf(client_id))?.value ?? "{}") as object;
    expect(kept).toMatchObject({ clientId: client_id, clientName: "Notes", redirectUris: METADATA.redirect_uris });
    expect(Object.keys(kept).filter((name) => /contacts|i18n|logo|jwks|software|padding|uri$/i.test(name))).toEqual([]);
  });

  it.each([
    ["a script as its redirect URI", { redirect_uris: ["javascript:alert(1)"] }],
    ["plain http to another host", { redirect_uris: ["http://client.example/callback"] }],
    ["a fragment in its redirect URI", { redirect_uris: ["https://client.example/callback#x"] }],
    ["a user name in its redirect URI", { redirect_uris: ["https://a@client.example/callback"] }],
    ["no redirect URI", { redirect_uris: [] }],
    ["too many redirect URIs", { redirect_uris: Array.from({ length: 11 }, (_, n) => `https://client.example/${n}`) }],
    ["more than 2 KiB", { redirect_uris: [1, 2].map((n) => `https://client.example/${n}${"x".repeat(1100)}`) }],
    ["a script as its logo", { logo_uri: "javascript:alert(1)" }],
    ["data as its page", { client_uri: "data:text/html,x" }],
    ["the implicit grant", { grant_types: ["implicit"], response_types: ["token"] }],
    ["a name without end", { client_name: "x".repeat(2000) }],
    ["a name that is none", { client_name: { a: 1 } }],
  ])("is refused with %s", async (_, change) => {
    const before = await clients();
    const response = await register({ ...METADATA, ...change });
    expect(response.status).toBe(400);
    expect((await response.json<{ error: string }>()).error).toMatch(
      /^invalid_(client_metadata|redirect_uri|request)$/,
    );
    expect(await clients()).toBe(before);
  });

  it.each(["", "null", "[]", "{", "1"])("is refused where the body is %j", async (body) => {
    expect((await register(body)).status).toBe(400);
  });

  it("is refused beyond 8 KiB, whatever it says of its length", async () => {
    const padded = { ...METADATA, contacts: ["x".repeat(LIMITS.appRegistrationBytes)] };
    expect((await register(padded)).status).toBe(413);
    const stream = new Response(JSON.stringify(padded)).body as ReadableStream;
    expect((await register(stream)).status).toBe(413);
  });

  it("fits what known clients send", async () => {
    const hosts = ["127.0.0.1:33418", "localhost:33418", "127.0.0.1", "localhost"].map((host) => `http://${host}/`);
    const codes = ["https://insiders.vscode.dev/redirect", "https://vscode.dev/redirect"];
    const metadata = {
      client_name: "Visual Studio Code",
      client_uri: "https://code.visualstudio.com",
      logo_uri: `https://code.visualstudio.com/${"x".repeat(500)}.png`,
      tos_uri: "https://code.visualstudio.com/license",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      redirect_uris: [...hosts, ...codes, "cursor://anysphere.cursor-retrieval/oauth/user-x/callback"],
      token_endpoint_auth_method: "none",
      application_type: "native",
      contacts: ["x".repeat(2000)],
    };
    const response = await register(metadata);
    expect(response.status, await response.text()).toBe(201);
  });

  it("is limited from everywhere, in ten minutes", async () => {
    const end = Math.floor(Date.now() / 600_000) * 600 + 600;
    const before = await clients();
    const counter = env.DB.prepare("update oauth_records set value = ? where key >= ? and key <= ?");
    expect((await register(METADATA)).status).toBe(201);
    const keys = [`registrations:${end}`, `registrations:${end + 600}`] as const;
    const most = LIMITS.appRegistrationsPerTenMinutes;
    expect((await counter.bind(String(most - 1), ...keys).run()).meta.changes).toBeGreaterThan(0);
    expect((await register(METADATA)).status).toBe(201);
    const refused = await register(METADATA);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ error: "temporarily_unavailable", code: "rate_limited" });
    expect(await clients()).toBe(Number(before) + 2);
    await counter.bind("0", ...keys).run();
    expect((await register(METADATA)).status).toBe(201);
  });

  it("is limited by address", async () => {
    const address = newAddress();
    const bindings = limited({ registrations: RATES.registrations });
    for (let n = 0; n < RATES.registrations; n++) {
      expect((await register(METADATA, address, bindings)).status).toBe(201);
    }
    const refused = await register(METADATA, address, bindings);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("Retry-After")).toBe("60");
    expect(await refused.json()).toMatchObject({ error: "temporarily_unavailable", code: "rate_limited" });
    expect((await register(METADATA, newAddress(), bindings)).status).toBe(201);
  });
});
