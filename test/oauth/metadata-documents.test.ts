/** Client ID metadata documents: the identifier of a client is the address of its description. */
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  authorized,
  authorizeUrl,
  exchange,
  newAddress,
  REDIRECT,
  VERIFIER,
  type Tokens,
} from "../helpers/connected.ts";
import { VERSION } from "../../src/lib/version.ts";
import { answer, sentTo } from "../helpers/consenting.ts";
import { signedIn } from "../helpers/console.ts";
import { send, ORIGIN } from "../helpers/requests.ts";
import { givingUp } from "../helpers/giving-up.ts";
import { newTenant } from "../helpers/tenant.ts";
import { newMember } from "../helpers/people.ts";

const newClientId = () => `https://apps.example.com/${crypto.randomUUID()}/client.json`;

const OUTSIDE = /^https:\/\/(apps\.example\.com|127\.0\.0\.1|db\.internal)[:/]/;

/** What other hosts say, in place of the network, for addresses have to be https and public. Returns those asked. */
function outside(respond: (url: string, init?: RequestInit) => Response | Promise<Response>) {
  const real = globalThis.fetch;
  const fetched: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!OUTSIDE.test(url)) return real(input as RequestInfo, init);
    fetched.push(url);
    return respond(url, init);
  });
  return fetched;
}

const documentOf = (clientId: string, more: object = {}) =>
  Response.json({
    client_id: clientId,
    client_name: "Documented",
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: "none",
    ...more,
  });

/** The document, as something else. */
const typed = (type: string) => async (url: string) =>
  new Response(await documentOf(url).text(), { headers: { "Content-Type": type } });

function assertionOf(clientId: string): string {
  const part = (claims: object) => btoa(JSON.stringify(claims)).replaceAll("=", "");
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: clientId, sub: clientId, aud: ORIGIN, iat: now, exp: now + 60, jti: crypto.randomUUID() };
  return `${part({ alg: "RS256", typ: "JWT" })}.${part(claims)}.eA`;
}

const errorOf = async (response: Response) => {
  const { error } = await response.json<{ error: string }>();
  return `${response.status} ${error}`;
};

async function asked(clientId: string) {
  const tenant = await newTenant();
  const person = await signedIn(tenant.organizationId);
  const url = new URL(await authorizeUrl({ clientId, scopes: ["articles:read"], resource: "/api" }));
  return { ...tenant, ...person, page: await person.browser.get(url.pathname + url.search) };
}

describe("a client with a metadata document", () => {
  afterEach(() => vi.restoreAllMocks());

  it("is connected without a registration, and shown with its domain", async () => {
    const clientId = newClientId();
    const fetched = outside((url) => documentOf(url));
    const { page, browser, blogId } = await asked(clientId);
    expect(page.text).toContain("<bdi>Documented</bdi>");
    expect(page.text).toContain("It is published by <strong>apps.example.com</strong>");
    expect(page.text).not.toContain("not verified");
    const code = sentTo(await answer(browser, page)).searchParams.get("code") ?? "";
    const response = await exchange({ grant_type: "authorization_code", code, client_id: clientId });
    const tokens = (await response.json()) as Tokens;
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    expect((await send(`/api/articles?blogId=${blogId}`, { headers })).status).toBe(200);
    expect((await browser.get("/console/account")).text).toContain("apps.example.com");
    expect(new Set(fetched)).toEqual(new Set([clientId]));
  });

  it.each([
    ["is not there", () => new Response("no", { status: 404 })],
    ["is no JSON", () => new Response("<html>")],
    ["is what somebody uploaded as a text", typed("text/plain")],
    ["is what somebody uploaded as a page", typed("text/html; charset=utf-8")],
    ["is another's", () => documentOf("https://apps.example.com/other.json")],
    ["has no name", (url: string) => documentOf(url, { client_name: "" })],
    ["has a script as its redirect URI", (url: string) => documentOf(url, { redirect_uris: ["javascript:alert(1)"] })],
    ["is too large", (url: string) => documentOf(url, { padding: "x".repeat(6000) })],
    ["cannot be reached", () => Promise.reject(new TypeError("network"))],
  ])("is refused on a page where the document %s", async (_, respond) => {
    outside(respond);
    const { page } = await asked(newClientId());
    expect(page.status).toBe(400);
    expect(page.headers.has("Location")).toBe(false);
    expect(page.text).toContain("apps.example.com");
  });

  it("is refused where its host redirects to the document of another", async () => {
    const fetched = outside((url, { redirect } = {}) => {
      // As a fetch that follows would end, with the address that it was asked for in the document.
      if (redirect !== "manual") return documentOf(url);
      return new Response(null, { status: 302, headers: { Location: "https://apps.example.com/of-others.json" } });
    });
    const { page } = await asked(newClientId());
    expect(page.status).toBe(400);
    expect(page.text).not.toContain("published by");
    expect(fetched.filter((url) => url.includes("of-others"))).toEqual([]);
  });

  it("is asked for by name: hosts turn away clients that do not say who they are", async () => {
    const agents: (string | null)[] = [];
    outside((url, init) => {
      agents.push(new Headers(init?.headers).get("User-Agent"));
      return documentOf(url);
    });
    expect((await asked(newClientId())).page.status).toBe(200);
    expect(agents).toContain(`Edgepress/${VERSION}`);
    expect(agents).not.toContain(null);
  });

  it("may have a type of its own that is JSON", async () => {
    outside(typed("application/client-metadata+json"));
    const { page } = await asked(newClientId());
    expect(page.status).toBe(200);
  });

  it("is refused where its document never comes", async () => {
    const fetched = outside(
      (_, init) =>
        new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("aborted")))),
    );
    const { page } = await givingUp(
      10_000,
      () => asked(newClientId()),
      async () => fetched.length > 0,
    );
    expect(page.status).toBe(400);
  });

  it.each([
    ["https://127.0.0.1:8443/jwks", 400],
    ["https://db.internal/jwks", 400],
    ["https://apps.example.com/jwks", 200],
  ])("has to have its keys where the service may look: %s", async (jwks_uri, status) => {
    outside((url) => documentOf(url, { token_endpoint_auth_method: "private_key_jwt", jwks_uri }));
    const { page } = await asked(newClientId());
    expect(page.status).toBe(status);
    if (status === 400) expect(page.text).toContain("keys is not allowed");
  });

  it("has no keys fetched from elsewhere where its document changes afterwards", async () => {
    const clientId = newClientId();
    const keys = { jwks_uri: "https://apps.example.com/jwks" };
    const fetched = outside((url) => documentOf(url, { token_endpoint_auth_method: "private_key_jwt", ...keys }));
    const { page, browser } = await asked(clientId);
    const code = sentTo(await answer(browser, page)).searchParams.get("code") ?? "";
    const prove = () =>
      exchange({
        grant_type: "authorization_code",
        code,
        client_id: clientId,
        client_assertion: assertionOf(clientId),
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      });
    const asksFor = (address: string) => fetched.includes(address);
    expect((await prove()).status).toBe(401);
    expect(asksFor("https://apps.example.com/jwks")).toBe(true);
    keys.jwks_uri = "https://127.0.0.1:8443/jwks";
    expect(await errorOf(await prove())).toBe("401 invalid_client");
    expect(asksFor("https://127.0.0.1:8443/jwks")).toBe(false);
  });

  it("that fails while its page is open is not connected, and people are told", async () => {
    const clientId = newClientId();
    let count = 0;
    let most = Infinity;
    outside((url) => (++count > most ? new Response("no", { status: 503 }) : documentOf(url)));
    for (const more of [0, 1]) {
      const { page, browser, userId } = await asked(clientId);
      most = count + more;
      const refused = await answer(browser, page);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain("The app&#39;s details at apps.example.com could not be loaded");
      most = Infinity;
      const { results } = await env.DB.prepare("select disconnect_time from connected_apps where user_id = ?")
        .bind(userId)
        .all();
      expect(results.map((row) => row["disconnect_time"] === null)).toEqual(more === 0 ? [] : [false]);
    }
  });
});

describe("a token request", () => {
  afterEach(() => vi.restoreAllMocks());

  const FORM = "application/x-www-form-urlencoded";
  const client_id = newClientId();
  const encoded = encodeURIComponent(client_id);
  const assertion = assertionOf(client_id);

  const ask = (body: string, headers: Record<string, string>) =>
    send("/oauth/token", {
      method: "POST",
      body,
      type: FORM,
      headers: { "CF-Connecting-IP": newAddress(), ...headers },
    });

  it.each([
    ["a code", `grant_type=authorization_code&code=${crypto.randomUUID()}:grant:secret&client_id=${encoded}`, {}],
    ["a refresh token", `grant_type=refresh_token&refresh_token=a:b:c&client_id=${encoded}`, {}],
    ["no token at all", `grant_type=refresh_token&refresh_token=x&client_id=${encoded}`, {}],
    ["a revocation", `token=a:b:c&client_id=${encoded}`, {}],
    [
      "an assertion",
      `grant_type=authorization_code&code=a:b:c&client_assertion=${assertion}&client_assertion_type=x`,
      {},
    ],
    ["a second identifier", `grant_type=refresh_token&refresh_token=a:b:c&client_id=&client_id=${encoded}`, {}],
    ["a second assertion", `token=a:b:c&client_assertion=&client_assertion=${assertion}&client_assertion_type=x`, {}],
    ["what is no assertion", `token=a:b:c&client_assertion=x&client_assertion_type=x&client_id=edgepress-cli`, {}],
    ["a Basic header", "token=a:b:c", { Authorization: `Basic ${btoa(`${encoded}:secret`)}` }],
    ["a basic header, in other letters", "token=a:b:c", { Authorization: `bAsIc \t ${btoa(`${encoded}:`)}` }],
    ["a header with the bare address", "token=a:b:c", { Authorization: `Basic ${btoa("https%3A//127.0.0.1/x:y")}` }],
  ])("that is about no grant of its client has nothing fetched: by %s", async (_, body, headers) => {
    const fetched = outside((url) => documentOf(url));
    const response = await ask(body, headers as Record<string, string>);
    expect(response.headers.has("WWW-Authenticate")).toBe("Authorization" in headers);
    expect(await errorOf(response)).toBe("401 invalid_client");
    expect(fetched).toEqual([]);
  });

  it("of a client whose address is refused has nothing fetched, whatever grants it has", async () => {
    const fetched = outside((url) => documentOf(url));
    const { organizationId } = await newTenant();
    const { userId } = await newMember(organizationId, "owner");
    const { code } = await authorized({ organizationId, userId, scopes: ["articles:read"], resource: "/api" });
    const clientId = "https://127.0.0.1:8443/client.json";
    await env.DB.prepare("update oauth_records set value = json_set(value, '$.clientId', ?) where key like ?")
      .bind(clientId, `grant:${code.split(":")[0]}:%`)
      .run();
    const response = await exchange({ grant_type: "authorization_code", code, client_id: clientId });
    expect(await errorOf(response)).toBe("401 invalid_client");
    expect(fetched).toEqual([]);
  });

  it("over the limit of its address is refused before anything is looked at", async () => {
    const { organizationId } = await newTenant();
    const { userId } = await newMember(organizationId, "owner");
    const asking = await authorized({ organizationId, userId, scopes: ["articles:read"], resource: "/api" });
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code: asking.code,
      client_id: asking.clientId,
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
    }).toString();
    const keys: string[] = [];
    const limiter = (success: boolean): RateLimit => ({ limit: async ({ key }) => (keys.push(key), { success }) });
    const exchanged = (success: boolean) =>
      send("/oauth/token", {
        method: "POST",
        body,
        type: FORM,
        headers: { "CF-Connecting-IP": "2001:db8:1:2:3::4" },
        bindings: { LIMIT_300: limiter(success) },
      });
    const refused = await exchanged(false);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("RateLimit-Policy")).toBe('"rate_limited";q=300;w=60');
    expect(await refused.json()).toMatchObject({ error: "temporarily_unavailable", code: "rate_limited" });
    expect((await exchanged(true)).status).toBe(200);
    expect(keys).toEqual(["tokens 2001:db8:1:2::/64", "tokens 2001:db8:1:2::/64"]);
  });
});
