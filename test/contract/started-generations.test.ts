/** Contract 8.9: generations for which nobody waits. */
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sweepGenerations } from "../../src/background/generations/consumer.ts";
import { newId } from "../../src/lib/ids.ts";
import { askedOf, baseUrl, hold, release, script, SHORT, untilAsked } from "../helpers/generating.ts";
import { consumeGeneration, generatorOf, UNDELIVERED } from "../helpers/queued-generations.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { issueKey, send, sendJson, type Credential } from "../helpers/requests.ts";
import { newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

type Body = { _id: string; state: string; code: string | null; articleId: string | null } & Record<string, unknown>;

let tenant: Tenant;
let as: Credential;
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const settingsOf = (name: string, behaviour = "ok") => ({
  AI_BASE_URL: baseUrl(behaviour, name),
  AI_MODEL: "test",
  AI_API_KEY: "sk-secret-of-the-test",
  GENERATIONS: UNDELIVERED,
});

const start = (name: string, more: object = {}, by = as) =>
  send("/api/generations", {
    as: by,
    body: { blogId: tenant.blogId, ...SHORT, published: false, ...more },
    bindings: settingsOf(name) as unknown as Partial<Env>,
  });

const started = async (...given: Parameters<typeof start>) => (await (await start(...given)).json()) as Body;

const get = (id: string) => sendJson<Body>(200, `/api/generations/${id}`, { as });

const resume = (id: string, name: string) =>
  send(`/api/generations/${id}/resume`, {
    as,
    method: "POST",
    bindings: settingsOf(name) as unknown as Partial<Env>,
  });

/** Does what the queue does with the message of a generation. */
const consume = (id: string, name: string) => consumeGeneration(tenant, id, settingsOf(name));

describe("a started generation", () => {
  it("runs at once, and is done by the queue in the name of the caller", async () => {
    const name = newId();
    const response = await start(name);
    expect(response.status).toBe(202);
    const { _id, ...rest } = (await response.json()) as Body;
    expect(rest).toMatchObject({ state: "running", articleId: null, progress: null, inputTokens: 0 });
    expect(await askedOf(name)).toEqual([]);
    await hold(name);
    const work = consume(_id, name);
    await untilAsked(name);
    await release(name);
    await work;
    const done = await get(_id);
    const asked = (await askedOf(name)).length;
    expect(done).toMatchObject({
      state: "stored",
      progress: null,
      inputTokens: 100 * asked,
      metadata: { topic: SHORT.topic },
    });
    const article = await sendJson<ArticleBody>(200, `/api/articles/${done.articleId}`, { as });
    expect(article.published).toBe(false);
    // A repeated message does nothing.
    await consume(_id, name);
    expect(await askedOf(name)).toHaveLength(asked);
  });

  it("is taken up again after a crash, by the sweep, with what it has paid for", async () => {
    const name = newId();
    const { _id } = await started(name);
    await script(name, [{ match: '"description"', answer: "broken", status: 500 }]);
    await consume(_id, name);
    const before = (await askedOf(name)).length;
    expect(await get(_id)).toMatchObject({
      state: "failed",
      code: "ai_unavailable",
    });
    // As if the service had died before it could record that.
    await env.DB.prepare("update generations set state = 'running', code = null, lease_time = '2026' where id = ?")
      .bind(_id)
      .run();
    const sent: unknown[] = [];
    await sweepGenerations(generatorOf(settingsOf(name), sent));
    expect(sent).toContainEqual({ body: { generationId: _id, organizationId: tenant.organizationId } });
    await consume(_id, name);
    expect(await get(_id)).toMatchObject({ state: "stored", inputTokens: 100 * before });
    expect(await askedOf(name)).toHaveLength(before + 1);
  });

  it("stores nothing for a caller who may no longer write", async () => {
    const { secret, _id: apiKeyId } = await issueKey({ operatorToken: tenant.operatorToken }, ["articles:write"]);
    const name = newId();
    const { _id } = await started(name, {}, { apiKey: secret });
    await sendJson(200, `/api/apikeys/${apiKeyId}`, { as: { operatorToken: tenant.operatorToken }, method: "DELETE" });
    await consume(_id, name);
    expect(await get(_id)).toMatchObject({ state: "failed", code: "credentials_invalid", articleId: null });
    expect(await askedOf(name)).toEqual([]);
  });

  it("is limited as any generation, and refused before it is stored", async () => {
    const name = newId();
    await refusalOf(await start(name, { slug: undefined, topic: undefined }), "invalid_request");
    const limits = { ...settingsOf(name), AI_GENERATIONS_PER_MINUTE: "0" } as unknown as Partial<Env>;
    const body = { blogId: tenant.blogId, ...SHORT };
    await refusalOf(await send("/api/generations", { as, body, bindings: limits }), "generation_limit");
    const key = await issueKey({ operatorToken: tenant.operatorToken }, ["articles:draft"]);
    await refusalOf(await start(name, { published: true }, { apiKey: key.secret }), "scope_missing");
  });
});

describe("a call whose service died before it stored its response, repeated with its Idempotency-Key", () => {
  const die = (key: string) =>
    env.DB.prepare("update idempotency set answer = null, lease_time = '2026' where key = ?").bind(key).run();
  const as = () => ({ apiKey: own.apiKey });
  const headers = { "Idempotency-Key": newId() };
  let own: Tenant;
  beforeEach(async () => {
    own = await newTenant();
    headers["Idempotency-Key"] = newId();
  });
  const list = () => sendJson<Body[]>(200, "/api/generations", { as: as() });
  const call = (path: string, name: string) => {
    const body = { blogId: own.blogId, ...SHORT, published: false };
    return send(path, { as: as(), body, headers, bindings: settingsOf(name) as unknown as Partial<Env> });
  };

  it.each(["running", "stored", "failed"])("finds the generation that it started: %s", async (state) => {
    const name = newId();
    const { _id } = (await (await call("/api/generations", name)).json()) as Body;
    await env.DB.prepare("update generations set state = ?, turn = 'x', lease_time = '2999' where id = ?")
      .bind(state, _id)
      .run();
    await die(headers["Idempotency-Key"]);
    const again = await call("/api/generations", name);
    expect([again.status, await again.json()]).toMatchObject([202, { _id, state }]);
    expect(await list()).toHaveLength(1);
  });

  it("waits for the one that it has asked for, and pays for no other", async () => {
    const name = newId();
    await hold(name);
    const first = call("/api/articles/generate", name);
    await untilAsked(name);
    await die(headers["Idempotency-Key"]);
    await refusalOf(await call("/api/articles/generate", name), "idempotency_in_progress");
    expect(await list()).toHaveLength(1);
    expect(await askedOf(name)).toHaveLength(1);
    await release(name);
    // Its claim was taken over, so it stores nothing.
    await refusalOf(await first, "idempotency_in_progress");
    const third = await call("/api/articles/generate", name);
    expect(third.status).toBe(200);
    expect(await list()).toMatchObject([{ state: "stored" }]);
  });
});

describe("a resumed generation", () => {
  it("asks only for what is missing", async () => {
    const name = newId();
    const { _id } = await started(name);
    await script(name, [{ match: '"description"', answer: "broken", status: 500 }]);
    await consume(_id, name);
    const before = (await askedOf(name)).length;
    const response = await resume(_id, name);
    expect([response.status, await response.json()]).toMatchObject([202, { _id, state: "running", code: null }]);
    await refusalOf(await resume(_id, name), "generation_state");
    await consume(_id, name);
    expect(await get(_id)).toMatchObject({ state: "stored", inputTokens: 100 * before });
    expect(await askedOf(name)).toHaveLength(before + 1);
    await refusalOf(await resume(_id, name), "generation_state");
  });

  it("needs what its order needs", async () => {
    const name = newId();
    const { _id } = await started(name, { published: true });
    await env.DB.prepare("update generations set state = 'failed' where id = ?").bind(_id).run();
    const key = await issueKey({ operatorToken: tenant.operatorToken }, ["articles:draft"]);
    const refused = await send(`/api/generations/${_id}/resume`, {
      as: { apiKey: key.secret },
      method: "POST",
      bindings: settingsOf(name) as unknown as Partial<Env>,
    });
    await refusalOf(refused, "scope_missing");
  });
});

it("an organization has three of them done at a time", async () => {
  const own = await newTenant();
  const name = newId();
  const ids = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const body = { blogId: own.blogId, ...SHORT };
      const bindings = settingsOf(name) as unknown as Partial<Env>;
      return (await sendJson<Body>(202, "/api/generations", { as: { apiKey: own.apiKey }, body, bindings }))._id;
    }),
  );
  await hold(name);
  const work = ids.slice(0, 3).map((id) => consume(id, name));
  await untilAsked(name, 3);
  await consume(ids[3] ?? "", name);
  expect(await askedOf(name)).toHaveLength(3);
  await release(name);
  await Promise.all(work);
});
