/** The address of a deployment: from its settings alone, whatever host a request names. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { authorizeUrl, connectApp, newAddress, register } from "../helpers/connected.ts";
import { newBrowser, newPerson } from "../helpers/console.ts";
import { issueKey, send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { askedOf, generate, SHORT } from "../helpers/generating.ts";
import { dump } from "../helpers/refusals.ts";
import { seenBy } from "../helpers/webhooks.ts";

const BASE = "https://press.example.com";
const EVIL = "https://evil.example";

const without = (url = "") => ({ ENVIRONMENT: "production", BASE_URL: url }) as object as Partial<Env>;
const production = without(BASE);

let tenant: Tenant;
let person: Awaited<ReturnType<typeof newPerson>>;
beforeAll(async () => {
  tenant = await newTenant("Addressed");
  person = await newPerson(tenant.organizationId);
  for (const slug of ["first", "second"]) await newArticle(tenant, { slug, published: true });
});

afterEach(() => vi.restoreAllMocks());

/** A request as a forger sends it: to another host, which every header names, too. */
const forged = (path: string, options: Parameters<typeof send>[1] = {}) =>
  send(`${EVIL}${path}`, {
    bindings: production,
    ...options,
    headers: { Host: "evil.example", "X-Forwarded-Host": "evil.example", ...options.headers },
  });

describe("a deployment without BASE_URL", () => {
  const bindings = without();

  it("has no site where there is no blog of that name, and says so as ever", async () => {
    for (const path of ["/nowhere", "/nowhere/en/first", "/nowhere/search?q=word"]) {
      expect((await send(path, { bindings })).status, path).toBe(404);
    }
  });

  it.each(["", "https://press.example.com/path", "http://press.example.com", "press.example.com"])(
    "says 503 with the remedy where it would have to name its address: %j",
    async (url) => {
      const paths = [
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-protected-resource/api",
        "/console",
        "/console/sign-in",
        "/console/forgot-password",
        "/console/authorize?client_id=edgepress-cli",
      ];
      for (const path of paths) {
        const response = await send(path, { bindings: without(url) });
        expect(response.status, path).toBe(503);
        expect(await response.text(), path).toContain("BASE_URL");
        expect(response.headers.get("Cache-Control"), path).toMatch(/no-store/);
      }
    },
  );

  it("issues nothing to applications, and accepts none of their tokens", async () => {
    const { userId } = person;
    const scopes = ["articles:read"] as const;
    const tokens = { "/api/blogs": "/api", "/mcp": "/mcp" } as const;
    for (const [path, resource] of Object.entries(tokens)) {
      const token = await connectApp({ userId, organizationId: tenant.organizationId, scopes, resource });
      const headers = { Authorization: `Bearer ${token}`, Accept: "application/json, text/event-stream" };
      const body = path === "/mcp" ? { jsonrpc: "2.0", id: 1, method: "ping" } : undefined;
      const response = await send(path, { headers, body, bindings });
      expect(await response.json(), path).toMatchObject({ status: 503, code: "not_ready" });
    }
    const anonymous = await send("/mcp", { body: { jsonrpc: "2.0", id: 1, method: "ping" }, bindings });
    expect(anonymous.status).toBe(503);
    expect(anonymous.headers.get("WWW-Authenticate")).toBeNull();

    const type = "application/x-www-form-urlencoded";
    const token = await send("/oauth/token", { body: "grant_type=authorization_code&code=a", type, bindings });
    const registration = await send("/oauth/register", { body: { redirect_uris: [`${BASE}/back`] }, bindings });
    for (const response of [token, registration]) {
      expect(response.status).toBe(503);
      const refused = { error: "temporarily_unavailable", code: "not_ready" };
      expect(await response.json()).toMatchObject({
        ...refused,
        error_description: expect.stringContaining("BASE_URL"),
      });
    }
  });

  it("sends no mail and stores no link", async () => {
    const mails = { ...bindings, MAIL_WEBHOOK_URL: `${env.RECEIVER.url}/ok/unaddressed` } as object as Partial<Env>;
    const before = await dump();
    const as = { operatorToken: tenant.operatorToken };
    const body = { email: "somebody@example.com", role: "reader" };
    const invited = await send("/api/invitations", { as, body, bindings: mails });
    expect(await invited.json()).toMatchObject({ code: "not_ready", detail: expect.stringContaining("BASE_URL") });
    const forgotten = await newBrowser(mails).post("/console/forgot-password", { email: person.email });
    expect(forgotten.status).toBe(503);
    const { verifications, invitations } = await dump();
    expect({ verifications, invitations }).toEqual({
      verifications: before["verifications"],
      invitations: before["invitations"],
    });
    expect(await seenBy("unaddressed")).toEqual([]);
  });

  it("asks no model for an article with images, and writes one without", async () => {
    const more = { ...bindings, AI_IMAGE_MODEL: "painter" } as object as Partial<Env>;
    const name = crypto.randomUUID();
    const writing = await newTenant("Writing");
    const refused = await generate(writing, { name, bindings: more });
    expect(await refused.json()).toMatchObject({ status: 503, code: "not_ready" });
    expect(await askedOf(name)).toEqual([]);
    const plain = { ...SHORT, coverImage: false, inlineImages: false };
    expect((await generate(writing, { bindings: more, body: plain })).status).toBe(200);
  });

  it("serves readers, keys and operators, and names no host", async () => {
    const path = `/api/articles?blogId=${tenant.blogId}&limit=1`;
    const list = await send(path, { bindings });
    expect(list.status).toBe(200);
    const [, next = ""] = /^<(\/api\/articles\?[^>]*)>; rel="next"$/.exec(list.headers.get("Link") ?? "") ?? [];
    const second = await send(next, { bindings });
    const articles = [...(await list.json<{ slug: string }[]>()), ...(await second.json<{ slug: string }[]>())];
    expect(new Set(articles.map(({ slug }) => slug))).toEqual(new Set(["first", "second"]));

    const as = { operatorToken: tenant.operatorToken };
    const { secret } = await issueKey(as, ["articles:write"]);
    const body = { blogId: tenant.blogId, title: "Written" };
    expect((await send("/api/articles", { as: { apiKey: secret }, body, bindings })).status).toBe(200);
    expect((await send("/api/members", { as, bindings })).status).toBe(200);

    const nobody = await send("/api/blogs", { bindings });
    expect(nobody.status).toBe(401);
    const challenge = nobody.headers.get("WWW-Authenticate");
    expect(challenge).toBe('Basic realm="edgepress", charset="UTF-8", Token realm="edgepress"');
    expect(await nobody.json()).toMatchObject({ type: "/docs/errors#credentials_missing" });
    const home = await send("/", { bindings });
    expect([home.status, home.headers.get("Location")]).toEqual([302, "/docs"]);
  });

  it("is healthy, but says what is missing: in /healthz, and once in the log", async () => {
    const lines: string[] = [];
    vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
    const answer = await sendJson(200, "/healthz", { bindings });
    expect(answer).toMatchObject({ status: "ok", missing: ["BASE_URL"], late: [] });
    expect(lines.filter((line) => line.includes("BASE_URL"))).toHaveLength(1);
    expect(await sendJson(200, "/healthz", { bindings: production })).not.toHaveProperty("missing");
  });
});

it("says of a BASE_URL with a path that it is not an origin: in the refusal and in the log", async () => {
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  const refused = await send("/mcp", { body: {}, bindings: without(`${BASE}/blog`) });
  expect(await refused.json()).toMatchObject({
    code: "not_ready",
    detail: expect.stringMatching(/`BASE_URL` is not set, or not an origin.*without a path/),
  });
  expect(lines.filter((line) => /BASE_URL is not an https origin.*without a path.*ignored/.test(line))).toHaveLength(1);
});

it("says of other settings that are ignored why they are, in the log", async () => {
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  const wrong = {
    SIGN_UP: "Closed",
    ORGANIZATION_CREDENTIALS: "0",
    KEPT_AUDIT_DAYS: "1.5",
    LOG_PERCENT: "",
    AI_API: "gemini",
    AI_PRICES: "0.25",
  };
  await send("/healthz", { bindings: { ...without(BASE), ...(wrong as object) } });
  const said = lines
    .map((line) => JSON.parse(line).message)
    .filter((message) => / is not .* and is ignored$/.test(message));
  expect(said.map((message) => message.split(" ")[0])).toEqual([
    "ORGANIZATION_CREDENTIALS",
    "KEPT_AUDIT_DAYS",
    "SIGN_UP",
    "AI_API",
    "AI_PRICES",
  ]);
});

describe("a deployment with BASE_URL", () => {
  it("says the same of itself under every host", async () => {
    const paths = [
      "/.well-known/oauth-authorization-server",
      "/.well-known/oauth-protected-resource",
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-protected-resource/api",
    ];
    for (const path of paths) {
      const own = await (await send(`${BASE}${path}`, { bindings: production })).text();
      expect(own, path).toContain(BASE);
      expect(await (await forged(path)).text(), path).toBe(own);
    }
  });

  it("leads nobody elsewhere who is refused or goes on to the next page", async () => {
    const refused = await forged("/api/blogs");
    expect(refused.headers.get("WWW-Authenticate")).toContain(`resource_metadata="${BASE}/.well-known/`);
    expect(await refused.json()).toMatchObject({ type: `${BASE}/docs/errors#credentials_missing` });
    const list = await forged(`/api/articles?blogId=${tenant.blogId}&limit=1`);
    expect(list.headers.get("Link")).toMatch(/^<https:\/\/press\.example\.com\/api\/articles\?/);
    expect((await forged("/mcp", { body: { jsonrpc: "2.0", id: 1, method: "ping" } })).status).toBe(403);
  });

  it("registers applications, and shows them to people, as itself", async () => {
    const body = { client_name: "App", redirect_uris: ["https://app.example.com/back"] };
    const registered = await forged("/oauth/register", { body, headers: { "CF-Connecting-IP": newAddress() } });
    expect(registered.status).toBe(201);
    expect(await registered.text()).not.toContain("evil.example");
    const url = new URL(
      await authorizeUrl({ clientId: await register(), scopes: ["articles:read"], resource: "/mcp" }),
    );
    const asked = await forged(`${url.pathname}${url.search}`);
    expect(asked.headers.get("Location")).toMatch(/^\/console\/sign-in\?/);
  });

  it("mails links to itself", async () => {
    const name = crypto.randomUUID();
    const mails = { ...production, MAIL_WEBHOOK_URL: `${env.RECEIVER.url}/ok/${name}`, SIGN_UP: "open" };
    const bindings = mails as object as Partial<Env>;
    const form = { type: "application/x-www-form-urlencoded", headers: { Origin: EVIL }, bindings };
    const email = encodeURIComponent(person.email);
    expect((await forged("/console/forgot-password", { ...form, body: `email=${email}` })).status).toBe(200);
    expect((await forged("/console/sign-up", { ...form, body: "email=new%40example.com" })).status).toBe(200);
    const as = { operatorToken: tenant.operatorToken };
    const invited = await forged("/api/invitations", {
      as,
      body: { email: "i@example.com", role: "reader" },
      bindings,
    });
    expect(await invited.json()).toMatchObject({ link: expect.stringMatching(`^${BASE}/console/invitations/`) });
    const texts = (await seenBy(name)).map(({ body }) => body);
    expect(texts).toHaveLength(3);
    for (const text of texts) {
      expect(text).toContain(`${BASE}/console/`);
      expect(text).not.toContain("evil.example");
    }
  });
});
