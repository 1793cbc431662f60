/** Contract 10.9, 15.1: OAuth, by a client library that nobody here wrote (oauth4webapi). */
import { env } from "cloudflare:workers";
import * as oauth from "oauth4webapi";
import { describe, expect, it } from "vitest";
import { MCP_SCOPES, SCOPES } from "../../src/domain/principal.ts";
import { newAddress, REDIRECT } from "../helpers/connected.ts";
import { answer, sentTo } from "../helpers/consenting.ts";
import { signedIn } from "../helpers/console.ts";
import { send, ORIGIN } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";

/** Brings the library's requests to the Worker. */
const options = {
  [oauth.customFetch]: async (url: string, { method, headers, body }: oauth.CustomFetchOptions<string, unknown>) => {
    const { pathname, search } = new URL(url);
    return send(pathname + search, {
      method,
      headers: { ...headers, "CF-Connecting-IP": newAddress() },
      type: null,
      ...(body !== undefined && body !== null && { body: String(body as string | URLSearchParams) }),
    });
  },
};

async function discovered() {
  const issuer = new URL(ORIGIN);
  const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...options });
  return oauth.processDiscoveryResponse(issuer, response);
}

async function registered(as: oauth.AuthorizationServer, metadata: object = {}): Promise<oauth.Client> {
  const asked = { client_name: "Notes", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none", ...metadata };
  const response = await oauth.dynamicClientRegistrationRequest(as, asked, options);
  return oauth.processDynamicClientRegistrationResponse(response);
}

/** The whole way of an application, from discovery to its tokens. */
async function connected({ scope = "articles:read articles:write", resource = `${ORIGIN}/api` } = {}) {
  const tenant = await newTenant();
  const person = await signedIn(tenant.organizationId);
  const as = await discovered();
  const client = await registered(as);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(String(as.authorization_endpoint));
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(resource !== "" && { resource }),
  }).toString();
  const page = await person.browser.get(url.pathname + url.search);
  const callback = sentTo(await answer(person.browser, page));
  const parameters = oauth.validateAuthResponse(as, client, callback, state);
  const response = await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), parameters, REDIRECT, verifier, {
    ...options,
    ...(resource !== "" && { additionalParameters: { resource } }),
  });
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response);
  return { ...tenant, ...person, as, client, tokens };
}

const articles = (token: string, blogId: string) =>
  send(`/api/articles?blogId=${blogId}`, { headers: { Authorization: `Bearer ${token}` } });

describe("the authorization server", () => {
  it("describes itself (RFC 8414)", async () => {
    expect(await discovered()).toMatchObject({
      issuer: ORIGIN,
      authorization_endpoint: `${ORIGIN}/console/authorize`,
      token_endpoint: `${ORIGIN}/oauth/token`,
      registration_endpoint: `${ORIGIN}/oauth/register`,
      revocation_endpoint: expect.stringContaining(`${ORIGIN}/oauth/`) as string,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      scopes_supported: SCOPES,
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
  });

  it.each([
    ["", "/mcp", MCP_SCOPES],
    ["/mcp", "/mcp", MCP_SCOPES],
    ["/api", "/api", SCOPES],
  ] as const)(
    "describes its resources (RFC 9728) at /.well-known/oauth-protected-resource%s",
    async (suffix, path, scopes) => {
      const response = await send(`/.well-known/oauth-protected-resource${suffix}`, {
        headers: { Origin: "https://x.example" },
      });
      expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(await response.json()).toMatchObject({
        resource: ORIGIN + path,
        authorization_servers: [ORIGIN],
        scopes_supported: scopes,
        bearer_methods_supported: ["header"],
      });
    },
  );

  it("knows no other resource", async () => {
    expect((await send("/.well-known/oauth-protected-resource/other")).status).toBe(404);
    expect((await send("/oauth/other")).status).toBe(404);
  });

  it.each([
    ["https://press.example", "https://press.example"],
    ["https://press.example/", "https://press.example"],
    ["https://Press.Example:443", "https://press.example"],
    ["https://bücher.example:8443", "https://xn--bcher-kva.example:8443"],
    ["http://127.0.0.1:8787", "http://127.0.0.1:8787"],
    ["press.example", ORIGIN],
    ["https://press.example/blog", ORIGIN],
    ["https://press.example/?a", ORIGIN],
    ["https://a@press.example", ORIGIN],
    ["http://press.example", ORIGIN],
    ["ftp://press.example", ORIGIN],
  ])("names its issuer by the base URL of the settings, where that is an origin: %s", async (baseUrl, issuer) => {
    const bindings = { BASE_URL: baseUrl } as object as Partial<Env>;
    const response = await send("/.well-known/oauth-authorization-server", { bindings });
    expect(await response.json()).toMatchObject({ issuer });
    const resource = await send("/.well-known/oauth-protected-resource/mcp", { bindings });
    expect(await resource.json()).toMatchObject({ resource: `${issuer}/mcp`, authorization_servers: [issuer] });
  });

  it.each(["/oauth/token", "/oauth/register", "/.well-known/oauth-authorization-server"])(
    "lets clients in browsers use %s",
    async (path) => {
      const headers = { Origin: "https://client.example", "Access-Control-Request-Method": "POST" };
      const preflight = await send(path, { method: "OPTIONS", headers });
      expect(preflight.status).toBe(204);
      expect(["*", "https://client.example"]).toContain(preflight.headers.get("Access-Control-Allow-Origin"));
      expect(preflight.headers.has("Access-Control-Allow-Credentials")).toBe(false);
    },
  );
});

describe("an application", () => {
  it("discovers, registers, asks, exchanges, calls, refreshes and revokes", async () => {
    const { as, client, tokens, blogId } = await connected();
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3600, scope: "articles:read articles:write" });
    expect((await articles(tokens.access_token, blogId)).status).toBe(200);

    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, oauth.None(), String(tokens.refresh_token), options),
    );
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect((await articles(refreshed.access_token, blogId)).status).toBe(200);

    const revoked = await oauth.revocationRequest(as, client, oauth.None(), String(refreshed.refresh_token), options);
    await oauth.processRevocationResponse(revoked);
    expect((await articles(refreshed.access_token, blogId)).status).toBe(401);
    expect((await articles(tokens.access_token, blogId)).status).toBe(401);
  });

  it("that names no resource gets a token for MCP", async () => {
    const { tokens, blogId } = await connected({ resource: "" });
    expect(tokens["resource"]).toBe(`${ORIGIN}/mcp`);
    expect((await articles(tokens.access_token, blogId)).status).toBe(401);
  });

  it("may be confidential, and then has to prove itself", async () => {
    const as = await discovered();
    const client = await registered(as, { token_endpoint_auth_method: "client_secret_basic" });
    expect(client["client_secret"]).toEqual(expect.any(String));
    const form = { type: "application/x-www-form-urlencoded", method: "POST" };
    const response = await send("/oauth/token", {
      ...form,
      body: `grant_type=refresh_token&refresh_token=a:b:c&client_id=${client.client_id}&client_secret=wrong`,
    });
    expect(response.status).toBe(401);
  });

  it("sees in the audit log of its organization who connected it", async () => {
    const { organizationId, userId } = await connected();
    const row = await env.DB.prepare(
      "select actor_kind, actor_id from audit where organization_id = ? and action = 'apps.connect'",
    )
      .bind(organizationId)
      .first();
    expect(row).toEqual({ actor_kind: "user", actor_id: userId });
  });
});
