/** Contract 14.4, 14.5: what an organization and a person may have, beside what they store. */
import { env } from "cloudflare:workers";
import { RATES } from "../../src/domain/rates.ts";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import type { Role } from "../../src/domain/principal.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { hiddenFields, newBrowser, newPerson } from "../helpers/console.ts";
import { fieldOf, NEW, pathOf, valuesOf } from "../helpers/console-articles.ts";
import { answer, asked } from "../helpers/consenting.ts";
import { send, sendJson, type Credential } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { limited } from "../helpers/limiter.ts";
import { outcome, problemOf } from "../helpers/outcome.ts";
import { refusalOf } from "../helpers/refusals.ts";

const time = new Date().toISOString();
const ids = (count: number) => JSON.stringify(Array.from({ length: count }, newId));
const operator = ({ operatorToken }: Tenant) => ({ operatorToken });

/** Adds API keys, which expire at some time; the organization has two credentials already. */
const addKeys = ({ organizationId }: Tenant, count: number, expirationTime: string | null = null) =>
  env.DB.prepare(
    `insert into credentials (id, organization_id, kind, name, hash, hint, scopes, expiration_time, creation_time)
     select value, ?1, 'key', 'key', value, 'hint', '[]', ?2, ?3 from json_each(?4)`,
  )
    .bind(organizationId, expirationTime, time, ids(count))
    .run();

describe("what costs far more than other reads is counted for all callers of an organization together", () => {
  const dear = [
    { name: "searches", most: 120, pathOf: () => "/api/search?query=ferry" },
    { name: "searches", most: 120, pathOf: () => "/api/media?query=ferry" },
    {
      name: "comparisons",
      most: 30,
      pathOf: ({ blogId }: Tenant) => `/api/blogs/${blogId}/locales?structure=true`,
    },
  ] as const;

  it.each(dear)("$name", async ({ name, most, pathOf }) => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    const bindings = limited({ [name]: 2 });
    const ask = (of: Tenant, as: Credential) => send(pathOf(of), { as, bindings });
    for (let n = 0; n < 2; n++) expect((await ask(tenant, { apiKey: tenant.apiKey })).status).toBe(200);
    const response = await ask(tenant, operator(tenant));
    expect(response.headers.get("Retry-After")).toBe("60");
    expect(response.headers.get("RateLimit-Policy")).toBe(`"rate_limited";q=${most};w=60`);
    await refusalOf(response, "rate_limited");
    expect((await ask(other, operator(other))).status).toBe(200);
    const plain = await send(`/api/blogs/${tenant.blogId}/locales`, { as: operator(tenant), bindings });
    expect(plain.status).toBe(200);
  });
});

describe("changes of many articles at once", () => {
  it("are 12 a minute, deletions of tags among them; what is kept from deletion counts against nothing", async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    const bindings = limited({ bulk: RATES.bulk });
    const { _id } = await newArticle(tenant);
    const change = (of: Tenant, action: string, id = _id) =>
      send("/api/articles/bulk", { as: operator(of), body: { action, articleIds: [id] }, bindings });
    for (let n = 1; n < 12; n++) expect((await change(tenant, "publish")).status).toBe(200);
    const body = { blogId: tenant.blogId, name: "Short-lived" };
    const tag = await sendJson<{ _id: string }>(200, "/api/tags", { as: operator(tenant), body });
    await sendJson(200, `/api/tags/${tag._id}`, { as: operator(tenant), method: "DELETE", bindings });
    const response = await change(tenant, "publish");
    expect(response.headers.get("RateLimit-Policy")).toBe('"rate_limited";q=12;w=60');
    await refusalOf(response, "rate_limited");
    expect((await change(tenant, "keep")).status).toBe(200);
    expect((await change(other, "publish", (await newArticle(other))._id)).status).toBe(200);
  });
});

describe("comparisons of former states", () => {
  it("count with the comparisons of structures, those that find nothing too", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    const as = { apiKey: tenant.apiKey };
    await sendJson(200, "/api/articles", { as, body: { _id, content: "Other lines" } });
    const bindings = limited({ comparisons: 3 });
    const compare = (number: number) => send(`/api/articles/${_id}/revisions/${number}/diff`, { as, bindings });
    expect((await send(`/api/blogs/${tenant.blogId}/locales?structure=true`, { as, bindings })).status).toBe(200);
    expect((await compare(1)).status).toBe(200);
    await refusalOf(await compare(9), "not_found");
    await refusalOf(await compare(1), "rate_limited");
    expect((await send(`/api/articles/${_id}/revisions/1`, { as, bindings })).status).toBe(200);
  });
});

describe("articles that the console renders for a person", () => {
  // The number of contract 14.5 is in src/domain/rates.ts, and test/faults/rate-limits.test.ts checks wrangler.toml.
  const visitor = async (tenant: Tenant, role: Role) => {
    const browser = newBrowser(limited({ renderings: 2 }));
    await browser.signIn((await newPerson(tenant.organizationId, role)).email);
    return browser;
  };

  it("a further preview is refused in the editor, with what was entered; saving is not", async () => {
    const tenant = await newTenant();
    const browser = await visitor(tenant, "writer");
    const values = { ...hiddenFields((await browser.get(NEW)).text, NEW), ...valuesOf(tenant), content: "Entered." };
    const preview = () => browser.post("/console/articles/preview", values);
    for (let n = 0; n < 2; n++) expect((await preview()).text).toContain('id="preview"');
    const refused = await preview();
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(refused.text).toContain("Wait a minute, then try again.");
    expect(fieldOf(refused, "content")).toBe("Entered.");
    expect(refused.text).not.toContain('id="preview"');
    expect((await browser.post(NEW, values)).status).toBe(303);
  });

  it("a page of an article counts for readers, to whom it shows the text", async () => {
    const tenant = await newTenant();
    const path = pathOf(await newArticle(tenant, {}));
    const [reader, writer] = [await visitor(tenant, "reader"), await visitor(tenant, "writer")];
    for (const [browser, last] of [
      [reader, 429],
      [writer, 200],
    ] as const) {
      for (let n = 0; n < 2; n++) expect((await browser.get(path)).status).toBe(200);
      expect((await browser.get(path)).status).toBe(last);
    }
  });
});

describe("API keys and access tokens of an organization: 100 together", () => {
  it("the 100th is created, the next of either kind is 409; revoking one makes room", async () => {
    const tenant = await newTenant();
    const as = operator(tenant);
    await addKeys(tenant, LIMITS.credentials - 3);
    const { _id } = await sendJson<{ _id: string }>(200, "/api/accesstokens", { as, body: { name: "100th" } });
    for (const path of ["/api/apikeys", "/api/accesstokens"]) {
      const problem = await problemOf(path, { as, body: { name: "101st" } });
      expect(problem).toMatchObject({ status: 409, code: "credential_limit" });
      expect(problem.detail).toContain(`at most ${LIMITS.credentials} `);
    }
    await sendJson(200, `/api/accesstokens/${_id}`, { as, method: "DELETE" });
    expect(await outcome("/api/apikeys", { as, body: { name: "again" } })).toBe("200");
  });

  it("ten created at once do not exceed it", async () => {
    const tenant = await newTenant();
    await addKeys(tenant, LIMITS.credentials - 5);
    const create = () => outcome("/api/apikeys", { as: operator(tenant), body: { name: "key" } });
    const outcomes = await Promise.all(Array.from({ length: 10 }, create));
    expect(outcomes.toSorted()).toEqual([...Array(3).fill("200"), ...Array(7).fill("409 credential_limit")]);
  });

  it("expired ones stay listed until their place is needed, and never add up", async () => {
    const tenant = await newTenant();
    const as = operator(tenant);
    const keys = () => sendJson<object[]>(200, "/api/apikeys", { as });
    await addKeys(tenant, 96, "2020-01-01T00:00:00.000Z");
    await sendJson(200, "/api/apikeys", { as, body: { name: "99th" } });
    await sendJson(200, "/api/apikeys", { as, body: { name: "100th" } });
    expect(await keys()).toHaveLength(99);
    await sendJson(200, "/api/apikeys", { as, body: { name: "101st" } });
    expect(await keys()).toHaveLength(4);
  });
});

describe("blogs of an organization: 1,000", () => {
  it("one of two gets the last place; a vanityId that is taken is told where there is room", async () => {
    const tenant = await newTenant();
    const as = operator(tenant);
    await env.DB.prepare(
      `insert into blogs (id, organization_id, name, vanity_id, cover_url, locales, version, creation_time, last_edit_time)
       select value, ?1, 'blog', value, '', '["en"]', value, ?2, ?2 from json_each(?3)`,
    )
      .bind(tenant.organizationId, time, ids(LIMITS.blogs - 2))
      .run();
    const vanityId = `taken-${newId().slice(-12)}`;
    await sendJson(200, "/api/blogs", { as: operator(await newTenant()), body: { name: "x", vanityId } });
    expect(await outcome("/api/blogs", { as, body: { name: "x", vanityId } })).toBe("409 vanity_id_taken");
    const outcomes = await Promise.all(["a", "b"].map((name) => outcome("/api/blogs", { as, body: { name } })));
    expect(outcomes.toSorted()).toEqual(["200", "409 blog_limit"]);
    expect((await problemOf("/api/blogs", { as, body: { name: "x" } })).detail).toContain("1,000");
  });
});

describe("connected applications of a person: 100", () => {
  it("the next is refused on the page of consent, until one is disconnected", async () => {
    const { browser, path, userId, organizationId } = await asked();
    await env.DB.prepare(
      `insert into connected_apps (id, organization_id, user_id, client_id, client_name, scopes, resource, creation_time)
       select value, ?1, ?2, 'client', 'App', '[]', '/api', ?3 from json_each(?4)`,
    )
      .bind(organizationId, userId, time, ids(LIMITS.connectedApps))
      .run();
    const refused = await answer(browser, await browser.get(path));
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("at most 100 connected apps");
    await env.DB.prepare(
      "update connected_apps set disconnect_time = ?1 where id = (select min(id) from connected_apps where user_id = ?2)",
    )
      .bind(time, userId)
      .run();
    expect((await answer(browser, await browser.get(path))).status).toBe(200);
  });
});
