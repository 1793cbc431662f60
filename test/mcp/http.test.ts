/** /mcp as HTTP: who may ask, from where, and how. */
import { env } from "cloudflare:workers";
import { RATES } from "../../src/domain/rates.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { MCP_SCOPES } from "../../src/domain/principal.ts";
import { connectApp, newAddress } from "../helpers/connected.ts";
import { send } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { limited } from "../helpers/limiter.ts";
import { ERAS, messagesOf, post, request, type Message } from "../helpers/mcp.ts";
import { connected } from "../helpers/mcp-connected.ts";
import { newMember } from "../helpers/people.ts";
import { refusalOf } from "../helpers/refusals.ts";

let tenant: Tenant;
let token: string;
beforeAll(async () => {
  tenant = await newTenant();
  token = await connected(tenant);
});

const METADATA = "https://edgepress.test/.well-known/oauth-protected-resource/mcp";

async function challenged(response: Response, code: string): Promise<void> {
  const body = await response.json<{ code: string; status: number; requestId: string }>();
  expect([response.status, body.code, body.status]).toEqual([401, code, 401]);
  expect(body.requestId).toBe(response.headers.get("X-Request-Id"));
  expect(response.headers.get("WWW-Authenticate")).toContain(`resource_metadata="${METADATA}"`);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
}

it("very many arguments are refused before any of them is looked at (contract 14.1)", async () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`a${n}`, 1]));
  const response = await post("tools/call", { name: "list_blogs", arguments: many }, { token });
  const [message] = await messagesOf(response);
  expect([response.status, message?.error?.message]).toEqual([400, expect.stringContaining("more than 5000 values")]);
});

describe("the token", () => {
  it.each(["POST", "GET", "DELETE"])("%s without one is led to the authorization server", async (method) => {
    const bindings = { BASE_URL: "https://edgepress.test" } as unknown as Partial<Env>;
    const response = await send("/mcp", { method, bindings, ...(method === "POST" && { body: {} }) });
    expect(response.headers.get("WWW-Authenticate")).toMatch(/^Bearer (?!.*error=)/);
    expect(response.headers.get("WWW-Authenticate")).toContain(`scope="${MCP_SCOPES.join(" ")}"`);
    await challenged(response, "credentials_missing");
  });

  it("an API key or operator token is none", async () => {
    const headers = [`Basic ${btoa(tenant.apiKey)}`, `Token ${tenant.operatorToken}`, `Bearer ${tenant.apiKey}`];
    for (const Authorization of headers) {
      const response = await post("tools/list", {}, { headers: { Authorization } });
      expect(await response.clone().json()).toMatchObject({ detail: expect.stringContaining("only with REST") });
      await challenged(response, "credentials_invalid");
    }
  });

  it("one for REST is none", async () => {
    const { userId } = await newMember(tenant.organizationId, "owner");
    const asked = { userId, organizationId: tenant.organizationId, scopes: MCP_SCOPES, resource: "/api" } as const;
    await challenged(await post("tools/list", {}, { token: await connectApp(asked) }), "credentials_invalid");
  });

  it("one of a member who was removed is none any more", async () => {
    const { userId, memberId } = await newMember(tenant.organizationId, "writer");
    const { organizationId } = tenant;
    const own = await connectApp({ userId, organizationId, scopes: MCP_SCOPES, resource: "/mcp", role: "writer" });
    expect((await post("tools/list", {}, { token: own })).status).toBe(200);
    await env.DB.prepare("delete from members where id = ?").bind(memberId).run();
    await challenged(await post("tools/list", {}, { token: own }), "credentials_invalid");
  });

  it("too many wrong ones from an address are refused for a while", async () => {
    const headers = { Authorization: "Bearer wrong", "CF-Connecting-IP": "203.0.113.77" };
    const statuses: number[] = [];
    const bindings = limited({ failures: 2 });
    for (let n = 0; n < 4; n++) statuses.push((await post("tools/list", {}, { headers, bindings })).status);
    expect(statuses).toEqual([401, 401, 429, 429]);
  });
});

describe("host and origin", () => {
  const ask = (headers: Record<string, string>, bindings: Record<string, unknown> = {}, path = "/mcp") =>
    send(path, {
      body: { jsonrpc: "2.0", id: 1, method: "ping" },
      headers: {
        Accept: "application/json, text/event-stream",
        Authorization: `Bearer ${token}`,
        "CF-Connecting-IP": newAddress(),
        ...headers,
      },
      bindings: { BASE_URL: "https://edgepress.test", ...bindings } as unknown as Partial<Env>,
    });

  it("the service's own pass", async () => {
    expect((await ask({})).status).toBe(200);
    expect((await ask({ Host: "edgepress.test" })).status).toBe(200);
    expect((await ask({ Origin: "https://edgepress.test" })).status).toBe(200);
  });

  it.each([
    { Host: "evil.example" },
    { Host: "edgepress.test.evil.example" },
    { Host: "edgepress.test:8443" },
    { Host: "evil.example/edgepress.test" },
    { Origin: "https://evil.example" },
    { Origin: "http://edgepress.test" },
    { Origin: "https://edgepress.test.evil.example" },
    { Origin: "null" },
    { Origin: "file://" },
  ])("%j does not", async (headers) => {
    await refusalOf(await ask(headers), "origin_forbidden");
  });

  it("a local run answers under loopback names only, and to their pages", async () => {
    const at = (origin: string, headers: Record<string, string> = {}) =>
      ask(headers, { BASE_URL: "" }, `${origin}/mcp`).then(({ status }) => status);
    // Past the guard: the token is another base URL's.
    for (const host of ["localhost:8787", "127.0.0.1:8787", "[::1]:8787"]) {
      expect(await at(`http://${host}`), host).toBe(401);
      expect(await at("http://localhost:8787", { Origin: `http://${host}` }), host).toBe(401);
    }
    for (const host of ["evil.example", "192.168.1.7:8787", "localhost.evil.example", "127.0.0.1.nip.io"]) {
      expect(await at(`http://${host}`), host).toBe(403);
      expect(await at("http://localhost:8787", { Host: host }), host).toBe(403);
      expect(await at("http://localhost:8787", { Origin: `http://${host}` }), host).toBe(403);
    }
  });

  it("a local run answers under them also where BASE_URL names one of them, as npm start has it", async () => {
    const at = async (origin: string, headers: Record<string, string> = {}) => {
      const from = { "CF-Connecting-IP": newAddress(), ...headers };
      return (await ask(from, { BASE_URL: "http://127.0.0.1:8787" }, `${origin}/mcp`)).status;
    };
    for (const host of ["localhost:8787", "127.0.0.1:8787", "[::1]:8787"]) {
      expect(await at(`http://${host}`), host).toBe(401);
      expect(await at("http://127.0.0.1:8787", { Host: host }), host).toBe(401);
    }
    expect(await at("http://192.168.1.7:8787")).toBe(403);
    expect(await at("http://localhost:8787", { Host: "evil.example" })).toBe(403);
  });

  it("in production, a page under loopback is another site", async () => {
    const production = { ENVIRONMENT: "production" };
    expect((await ask({}, production)).status).toBe(200);
    expect((await ask({}, production, "http://localhost:8787/mcp")).status).toBe(403);
    await refusalOf(await ask({ Origin: "http://localhost:6274" }, production), "origin_forbidden");
    await refusalOf(await ask({ Host: "localhost" }, production), "origin_forbidden");
  });

  it("no page of another site is told that it may read", async () => {
    const response = await ask({ Origin: "https://edgepress.test" });
    expect(response.headers.get("Access-Control-Allow-Origin")).toBeNull();
  });
});

describe("methods and bodies", () => {
  it.each(["GET", "DELETE", "PUT", "PATCH", "OPTIONS"])(
    "%s is 405: there is nothing to listen to or to end",
    async (method) => {
      const response = await post("ping", {}, { token, method, body: undefined });
      expect([response.status, response.headers.get("Allow")]).toEqual([405, "POST"]);
    },
  );

  it("a body that is not JSON, is too large, or is of another type is refused", async () => {
    const raw = (body: string, type = "application/json") => post("ping", {}, { token, body, type, era: "2025-11-25" });
    expect((await raw("{")).status).toBe(400);
    expect((await raw("[]")).status).toBe(400);
    expect((await raw("{}", "text/plain")).status).toBe(415);
    expect(
      (await raw(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${"x".repeat(2_100_000)}"}}`)).status,
    ).toBe(413);
  });

  it("every response has an id, and none may be kept", async () => {
    for (const era of ERAS) {
      const response = await post("tools/list", {}, { token, era });
      expect(response.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.headers.get("Cache-Control")).toMatch(/no-(store|cache)/);
      await response.text();
    }
  });

  it("nothing is kept between requests: no session is begun, and none is asked for", async () => {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const response = await post("initialize", params, { token, era: "2025-11-25" });
    expect(response.headers.get("Mcp-Session-Id")).toBeNull();
    const [message] = await messagesOf(response);
    expect(message?.result).toMatchObject({ protocolVersion: "2025-11-25", serverInfo: { name: "edgepress" } });
    expect((await request("tools/list", {}, { token, era: "2025-11-25" })).result).toHaveProperty("tools");
  });
});

describe("limits", () => {
  it("a connection has as many requests as a key has", async () => {
    const own = await connected(tenant);
    const bindings = limited({ calls: 5, organizationCalls: RATES.organizationCalls });
    const ping = () => post("ping", {}, { token: own, era: "2025-11-25", bindings });
    for (let n = 0; n < 5; n++) expect((await ping()).status).toBe(200);
    const refused = await ping();
    expect(refused.headers.get("Retry-After")).toBe("60");
    await refusalOf(refused, "rate_limited");
  });

  it("the calls of one request count as if each came by itself", async () => {
    const own = await connected(tenant);
    await newArticle(tenant);
    const batch = Array.from({ length: 19 }, (_, id) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "list_blogs", arguments: {} },
    }));
    const headers = { "MCP-Protocol-Version": "2025-03-26" };
    const bindings = limited({ calls: 30, organizationCalls: RATES.organizationCalls });
    const options = { token: own, era: "2025-11-25", body: batch, headers, bindings } as const;
    const messages: Message[] = [];
    for (let n = 0; n < 2; n++) messages.push(...(await messagesOf(await post("", {}, options))));
    const codeOf = ({ result }: Message) => (result?.["structuredContent"] as { code?: string } | undefined)?.code;
    const refused = messages.filter((message) => codeOf(message) === "rate_limited");
    expect([messages.length, refused.length]).toEqual([38, 8]);
    expect(refused[0]?.result).toMatchObject({ isError: true, structuredContent: { retryAfter: 60 } });
  });

  describe("several messages in one request", () => {
    const batchOf = (length: number, method = "ping", params = {}) =>
      Array.from({ length }, (_, id) => ({ jsonrpc: "2.0", id, method, params }));
    const sendBatch = (body: object[], bindings: Partial<Env> = {}) =>
      post("", {}, { token, era: "2025-11-25", body, bindings, headers: { "MCP-Protocol-Version": "2025-03-26" } });

    it("more than 20 are refused as a whole", async () => {
      expect(await messagesOf(await sendBatch(batchOf(20)))).toHaveLength(20);
      const creations = batchOf(21, "tools/call", { name: "create_article", arguments: { title: "One of many" } });
      const before = await env.DB.prepare("select count(*) as n from articles").first("n");
      const response = await sendBatch(creations);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        jsonrpc: "2.0",
        id: null,
        error: { code: -32_600, message: expect.stringContaining("20 messages") },
      });
      expect(await env.DB.prepare("select count(*) as n from articles").first("n")).toBe(before);
    });

    it("three of them read at once at most", async () => {
      await newArticle(tenant);
      let [now, most] = [0, 0];
      const DB = new Proxy(env.DB, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== "function") return value;
          if (name !== "batch") return value.bind(target) as unknown;
          return async (statements: D1PreparedStatement[]) => {
            most = Math.max(most, ++now);
            const results = await target.batch(statements);
            await new Promise((resolve) => setTimeout(resolve, 5));
            now--;
            return results;
          };
        },
      });
      const searches = batchOf(12, "tools/call", { name: "search_articles", arguments: { query: "word" } });
      expect(await messagesOf(await sendBatch(searches, { DB }))).toHaveLength(12);
      expect(most).toBe(3);
    });
  });
});
