/** Health, logs and timings: enough to run the service by, and never a secret. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import packageJson from "../../package.json";
import worker from "../../src/worker.ts";
import { send, sendJson, authorization, ORIGIN } from "../helpers/requests.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";

afterEach(() => vi.restoreAllMocks());

/** Runs the work; returns the lines that it logged. */
async function logged(work: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  await work();
  vi.restoreAllMocks();
  return lines;
}

async function fetchWith(more: object, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const context = createExecutionContext();
  const response = await worker.fetch(new Request(new URL(path, ORIGIN), { headers }), { ...env, ...more }, context);
  await waitOnExecutionContext(context);
  return response;
}

const fail = () => {
  throw new Error("the disk is on fire");
};
const DISK_ON_FIRE = { withSession: fail, prepare: fail, batch: fail } as unknown as D1Database;

describe("/healthz", () => {
  it("says that D1 answers, which version this is, and which schema D1 has", async () => {
    const schema = env.MIGRATIONS.at(-1)?.name.replace(/\.sql$/, "");
    expect(await sendJson(200, "/healthz")).toEqual({ status: "ok", version: packageJson.version, schema, late: [] });
  });

  it("says that the sweep is late if it has never run three minutes after the migrations", async () => {
    const age = (minutes: number) =>
      env.DB.prepare(`update d1_migrations set applied_at = datetime('now', ?)`).bind(`-${minutes} minutes`).run();
    await age(2);
    expect(await sendJson(200, "/healthz")).toMatchObject({ late: [] });
    await age(4);
    expect(await sendJson(200, "/healthz")).toMatchObject({ status: "ok", late: ["sweep"] });
    await age(0);
  });

  it("is 503 with a remedy where D1 does not answer", async () => {
    const broken = {
      prepare: () => {
        throw new Error("D1 is down");
      },
    };
    const response = await fetchWith({ DB: broken }, "/healthz");
    expect(response.status).toBe(503);
    const body = await response.json<{ code: string; detail: string }>();
    expect(body.code).toBe("not_ready");
    expect(body.detail).toContain("npm run migrate");
    expect(JSON.stringify(body)).not.toContain("D1 is down");
  });
});

describe("a setting that cannot be used", () => {
  it.each([
    ["OIDC_ISSUER", { OIDC_ISSUER: "accounts.example.com", OIDC_CLIENT_ID: "edgepress" }],
    ["BASE_URL", { BASE_URL: "https://press.example.com/path" }],
  ])("counts as left out, and the log says so once: %s", async (name, more) => {
    const bindings = { ...env, ...more };
    const context = createExecutionContext();
    const statuses: number[] = [];
    const lines = await logged(async () => {
      for (const path of ["/healthz", "/openapi.json"]) {
        statuses.push((await worker.fetch(new Request(new URL(path, ORIGIN)), bindings, context)).status);
      }
      await waitOnExecutionContext(context);
    });
    expect(statuses).toEqual([200, 200]);
    expect(lines.filter((line) => line.includes(`${name} is not `))).toHaveLength(1);
  });
});

describe("the log", () => {
  it("has one line of JSON a request, with id, route, status, duration and organization", async () => {
    const tenant = await newTenant();
    const article = await newArticle(tenant);
    let requestId: string | null = null;
    const lines = await logged(async () => {
      const response = await send(`/api/articles/${article._id}?locale=en`, { as: { apiKey: tenant.apiKey } });
      requestId = response.headers.get("X-Request-Id");
    });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      level: "info",
      requestId,
      method: "GET",
      route: "/api/articles/:idOrSlug",
      status: 200,
      durationMs: expect.any(Number),
      organization: tenant.organizationId,
    });
  });

  it("never has a secret, a body or a query, whatever goes wrong", async () => {
    const tenant = await newTenant();
    const marker = "SENSITIVE-MARKER";
    const secrets: string[] = [tenant.apiKey, tenant.operatorToken];
    const lines = await logged(async () => {
      const as = { operatorToken: tenant.operatorToken };
      await send("/api/articles", { as: { apiKey: tenant.apiKey }, body: { title: marker, blogId: tenant.blogId } });
      await send("/api/articles", { as: { apiKey: tenant.apiKey }, body: `{"${marker}":` });
      await send(`/api/articles?blogId=${marker}&nonsense=${marker}`);
      await send("/api/articles", { headers: { Authorization: `Basic ${btoa(marker)}` } });
      const key = await sendJson<{ secret: string }>(200, "/api/apikeys", { as, body: { name: marker } });
      const hook = { url: `https://example.com/${marker}` };
      const subscription = await sendJson<{ secret: string }>(200, "/api/webhooksubscriptions", { as, body: hook });
      const broken = {
        prepare: () => {
          throw new Error("D1 is down");
        },
      };
      await fetchWith({ DB: broken }, `/api/articles/${marker}`, authorization({ apiKey: tenant.apiKey }));
      secrets.push(key.secret, subscription.secret);
    });
    expect(lines.length).toBeGreaterThanOrEqual(8);
    for (const secret of [marker, ...secrets]) {
      expect(lines.join("\n")).not.toContain(secret);
      expect(lines.join("\n")).not.toContain(btoa(secret));
    }
  });

  it("has a request for another host too, where D1 cannot tell what the host shows", async () => {
    const bindings = { ...env, DB: DISK_ON_FIRE, BASE_URL: "https://press.example.com" };
    const context = createExecutionContext();
    let response = new Response();
    const lines = await logged(async () => {
      response = await worker.fetch(new Request("https://other.example.com/api/me"), bindings, context);
    });
    const requestId = response.headers.get("X-Request-Id");
    expect(await response.json()).toMatchObject({ code: "internal", requestId });
    expect(lines.some((line) => line.includes(`"requestId":"${requestId}"`) && line.includes("on fire"))).toBe(true);
  });

  it("has the reason of a 500, which the response does not", async () => {
    let response = new Response();
    const lines = await logged(async () => {
      response = await fetchWith({ DB: DISK_ON_FIRE }, "/api/articles/some-slug");
    });
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).not.toContain("disk");
    expect(text).not.toContain("stack");
    expect(JSON.parse(text)).toMatchObject({ code: "internal", requestId: response.headers.get("X-Request-Id") });
    expect(lines.join("\n")).toContain("the disk is on fire");
  });
});

describe("Server-Timing", () => {
  it("is sent outside production only", async () => {
    expect((await fetchWith({}, "/healthz")).headers.get("Server-Timing")).toMatch(/total;dur=\d+/);
    const production = await fetchWith({ ENVIRONMENT: "production" }, "/healthz");
    expect(production.headers.has("Server-Timing")).toBe(false);
  });
});

describe("a limiter that fails", () => {
  it("lets everybody through, and shows in the log", async () => {
    const tenant = await newTenant();
    const failing = { limit: () => Promise.reject(new Error("the limiter is down")) };
    let response = new Response();
    const lines = await logged(async () => {
      response = await fetchWith({ LIMIT_600: failing }, "/api/blogs", authorization({ apiKey: tenant.apiKey }));
    });
    expect(response.status).toBe(200);
    expect(lines.join("\n")).toContain("rate limit failed");
  });
});

describe("a replica that fails", () => {
  it("is made up for by the primary, and shows in the log", async () => {
    const tenant = await newTenant();
    const article = await newArticle(tenant);
    const failing = { prepare: () => ({ bind: () => ({ all: () => Promise.reject(new Error("no replica")) }) }) };
    const db = { prepare: env.DB.prepare.bind(env.DB), withSession: () => failing };
    let response = new Response();
    const lines = await logged(async () => {
      response = await fetchWith({ DB: db }, `/api/articles/${article._id}`);
    });
    expect(response.status).toBe(200);
    expect(lines.join("\n")).toMatch(/"warn","message":"replica read failed","error":"Error: no replica"/);
  });
});

describe("a replica that hangs", () => {
  it("costs a bounded wait: the primary answers instead", async () => {
    const tenant = await newTenant();
    const article = await newArticle(tenant);
    const hanging = { prepare: () => ({ bind: () => ({ all: () => new Promise(() => undefined) }) }) };
    const db = { prepare: env.DB.prepare.bind(env.DB), withSession: () => hanging };
    const response = await fetchWith({ DB: db }, `/api/articles/${article._id}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ _id: article._id });
  });
});
