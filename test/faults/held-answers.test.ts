/** A request that is held open until its sender may no more: it is answered with nothing, and costs nothing. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { parseSettings } from "../../src/env.ts";
import { newId } from "../../src/lib/ids.ts";
import { SCOPES } from "../../src/domain/principal.ts";
import { openOrganizationStore } from "../../src/store/organization.ts";
import { connect } from "../helpers/connected.ts";
import { issueKey, issueToken, send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { askedOf, baseUrl, SHORT } from "../helpers/generating.ts";
import { held } from "../helpers/held.ts";
import { messageOf, MCP_ORIGIN, type Era } from "../helpers/mcp.ts";
import { newMember } from "../helpers/people.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { sample } from "../helpers/sample.ts";
import { seen } from "../helpers/sources.ts";

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant("Held");
});

/** A caller, and what ends it. */
type Caller = { readonly authorization: string; readonly end: () => Promise<unknown> };

const sql = (query: string, ...values: string[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .run();

async function application(resource: "/api" | "/mcp") {
  const { organizationId } = tenant;
  const { userId, memberId } = await newMember(organizationId, "owner");
  const { access_token, connectionId } = await connect({ userId, organizationId, scopes: SCOPES, resource });
  return { authorization: `Bearer ${access_token}`, memberId, connectionId };
}

const disconnected = async (resource: "/api" | "/mcp"): Promise<Caller> => {
  const { authorization, connectionId } = await application(resource);
  const end = () =>
    sql("update connected_apps set disconnect_time = '2026-01-01T00:00:00Z' where id = ?", connectionId);
  return { authorization, end };
};

const demoted = async (resource: "/api" | "/mcp"): Promise<Caller> => {
  const { authorization, memberId } = await application(resource);
  return { authorization, end: () => sql("update members set role = 'reader' where id = ?", memberId) };
};

const operator = () => ({ operatorToken: tenant.operatorToken });

const CALLERS: Record<string, () => Promise<Caller>> = {
  "a key that is revoked": async () => {
    const { _id, secret } = await issueKey(operator(), SCOPES);
    const end = () => send(`/api/apikeys/${_id}`, { as: operator(), method: "DELETE" });
    return { authorization: `Basic ${btoa(secret)}`, end };
  },
  "a token that expires": async () => {
    const { _id, secret } = await issueToken(operator(), { expirationTime: "2999-01-01T00:00:00.000Z" });
    const end = () => sql("update credentials set expiration_time = '2020-01-01T00:00:00.000Z' where id = ?", _id);
    return { authorization: `Token ${secret}`, end };
  },
  "an application that is disconnected": () => disconnected("/api"),
  "an application whose person loses their role": () => demoted("/api"),
};

type Asked = {
  readonly method?: string;
  readonly body: object;
  readonly headers?: Record<string, string>;
  readonly bindings?: Record<string, unknown>;
};

/** Asks as a caller that ends meanwhile; the request has to be refused for that. */
async function expectRefused(path: string, { authorization, end }: Caller, asked: Asked): Promise<Response> {
  const headers = { "Content-Type": "application/json", ...asked.headers, Authorization: authorization };
  const response = await held(path, { ...asked, headers, body: JSON.stringify(asked.body), meanwhile: end });
  await refusalOf(response.clone() as Response, "credentials_invalid");
  return response;
}

/** Every way to ask with another of the callers: what they may is asked for at one place. All meet with `npm run test:exhaustive`. */
const heldBy = (turn: number) => describe.each(sample(Object.entries(CALLERS), turn, 1));

heldBy(0)("%s", (_, callerOf) => {
  it("researches nothing: no source is read", async () => {
    const name = newId();
    const sources = [{ kind: "feed", url: `${env.FEEDS.url}/told/Ferries?${name}` }];
    await expectRefused("/api/topics/research", await callerOf(), { body: { blogId: tenant.blogId, sources } });
    expect(await seen(name)).toEqual([]);
  });
});

heldBy(1)("%s", (_, callerOf) => {
  it("tries no new sources of a blog", async () => {
    const name = newId();
    const body = { topicSources: [{ kind: "feed", url: `${env.FEEDS.url}/told/Ferries?${name}` }] };
    await expectRefused(`/api/blogs/${tenant.blogId}`, await callerOf(), { method: "PUT", body });
    expect(await seen(name)).toEqual([]);
  });
});

heldBy(2)("%s", (_, callerOf) => {
  it.each(["application/json", "text/event-stream"])("generates nothing: no model is asked (%s)", async (accept) => {
    const name = newId();
    await expectRefused("/api/articles/generate", await callerOf(), {
      body: { blogId: tenant.blogId, ...SHORT },
      headers: { Accept: accept },
      bindings: { AI_BASE_URL: baseUrl("ok", name), AI_MODEL: "test", AI_API_KEY: "sk-test" },
    });
    expect(await askedOf(name)).toEqual([]);
    const query = env.DB.prepare("select count(*) as n from generations where organization_id = ?");
    expect(await query.bind(tenant.organizationId).first()).toEqual({ n: 0 });
  });
});

heldBy(3)("%s", (_, callerOf) => {
  it.each(["application/json", "text/event-stream"])("helps with no text: no model is asked (%s)", async (accept) => {
    const name = newId();
    await expectRefused("/api/articles/assist", await callerOf(), {
      body: { blogId: tenant.blogId, task: "tags", text: "A text." },
      headers: { Accept: accept },
      bindings: { AI_BASE_URL: baseUrl("ok", name), AI_MODEL: "test", AI_API_KEY: "sk-test" },
    });
    expect(await askedOf(name)).toEqual([]);
  });
});

heldBy(4)("%s", (_, callerOf) => {
  it("begins no refresh", async () => {
    await sql("update blogs set topic_sources = ? where id = ?", '[{"kind":"hackernews","name":""}]', tenant.blogId);
    await expectRefused("/api/topics/refresh", await callerOf(), { body: { blogId: tenant.blogId } });
    const query = env.DB.prepare("select count(*) as n from topic_refreshes where blog_id = ?");
    expect(await query.bind(tenant.blogId).first()).toEqual({ n: 0 });
  });
});

heldBy(5)("%s", (_, callerOf) => {
  it("learns nothing of an idempotent call: neither its answer, nor that its key is taken", async () => {
    const body = { blogId: tenant.blogId, title: "Secret", published: false };
    const headers = { "Idempotency-Key": newId() };
    await sendJson(200, "/api/articles", { as: { apiKey: tenant.apiKey }, body, headers });
    for (const asked of [body, { ...body, title: "Another" }]) {
      const response = await expectRefused("/api/articles", await callerOf(), { body: asked, headers });
      expect(response.headers.get("Idempotent-Replayed")).toBeNull();
    }
  });
});

heldBy(6)("%s", (_, callerOf) => {
  it("takes no Idempotency-Key from those who may", async () => {
    const body = { blogId: tenant.blogId, title: "Mine" };
    const headers = { "Idempotency-Key": newId() };
    await expectRefused("/api/articles", await callerOf(), { body: { ...body, title: "Late" }, headers });
    const { title } = await sendJson(200, "/api/articles", { as: { apiKey: tenant.apiKey }, body, headers });
    expect(title).toBe("Mine");
  });
});

it("a person who loses their role is told so", async () => {
  const { organizationId } = tenant;
  const { userId, memberId } = await newMember(organizationId, "writer");
  const store = openOrganizationStore({
    db: env.DB,
    organizationId,
    pinnedBlogId: null,
    actor: { kind: "user", id: userId, role: "writer" },
    requestId: newId(),
    now: () => new Date(),
    quota: parseSettings(env).quota,
    announce: () => undefined,
    afterwards: () => undefined,
  });
  await store.requireAuthorized();
  await sql("update members set role = 'reader' where id = ?", memberId);
  await expect(store.requireAuthorized()).rejects.toMatchObject({ code: "role_forbidden" });
});

describe("over MCP", () => {
  const single = (method: string, params: object, era: Era) => messageOf(method, params, { era });

  async function expectChallenged({ authorization, end }: Caller, headers: Record<string, string>, body: object) {
    const response = await held("/mcp", {
      headers: { "Content-Type": "application/json", ...headers, Authorization: authorization },
      body: JSON.stringify(body),
      meanwhile: end,
      bindings: { BASE_URL: MCP_ORIGIN },
    });
    const text = await response.text();
    expect({ status: response.status, code: (JSON.parse(text) as { code: string }).code }).toEqual({
      status: 401,
      code: "credentials_invalid",
    });
    expect(response.headers.get("WWW-Authenticate")).toContain("invalid_token");
    expect(text).not.toContain("Unseen");
  }

  const applications = [
    ["an application that is disconnected", () => disconnected("/mcp")],
    ["an application whose person loses their role", () => demoted("/mcp")],
  ] as const;
  describe.each(sample(applications, 0, 1))("%s", (_, callerOf) => {
    it.each(["2026-07-28", "2025-11-25"] as const)("reads nothing (%s)", async (era) => {
      const { _id } = await newArticle(tenant, { title: "Unseen", published: false });
      for (const [method, params] of [
        ["tools/call", { name: "get_article", arguments: { idOrSlug: _id } }],
        ["resources/read", { uri: `edgepress://articles/${_id}` }],
      ] as const) {
        const { headers, body } = single(method, params, era);
        await expectChallenged(await callerOf(), headers, body);
      }
    });

    it("reads nothing by several calls at once", async () => {
      const { _id } = await newArticle(tenant, { title: "Unseen", published: false });
      const calls = [1, 2].map(() =>
        single("tools/call", { name: "get_article", arguments: { idOrSlug: _id } }, "2025-11-25"),
      );
      const bodies = calls.map(({ body }) => body);
      await expectChallenged(await callerOf(), calls[0]?.headers ?? {}, bodies);
    });
  });
});
