/** Contract 18.14 to 18.16: links to previews. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { newPreviewToken } from "../../src/domain/secrets.ts";
import { newId } from "../../src/lib/ids.ts";
import { countingDatabase } from "../helpers/counting.ts";
import { limited } from "../helpers/limiter.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { issueKey, send, sendJson, type Credential } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { EdgeCache } from "../platform/edge-cache.ts";
import { end, expectEnded, JSON_ONLY, open, PAGE, pathOf, previewsOf, type NewPreview } from "../helpers/previews.ts";

let tenant: Tenant;
let as: Credential;
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const { draft, create, list, linked } = previewsOf(() => tenant);

describe("contract 18.14: preview links", () => {
  it("are created, listed without their token, and revoked", async () => {
    const { article, link } = await linked();
    expect(link.url).toBe(`${new URL(link.url).origin}/previews/${link.token}`);
    expect(Date.parse(link.expirationTime) - Date.parse(link.creationTime)).toBeLessThanOrEqual(3_600_000);
    expect(Date.parse(link.expirationTime) - Date.parse(link.creationTime)).toBeGreaterThan(3_590_000);
    const { url: _, token, ...stored } = link;
    expect(await list(article._id)).toEqual([stored]);
    const one = `${pathOf(article._id)}/${link._id}`;
    expect(await sendJson(200, one, { as, method: "DELETE" })).toEqual({ _id: link._id });
    await expectEnded(token);
    expect(await list(article._id)).toEqual([]);
    await refusalOf(await send(one, { as, method: "DELETE" }), "not_found");
  });

  it("store a hash, and no token", async () => {
    const { link } = await linked();
    const row = await env.DB.prepare("select * from previews where id = ?").bind(link._id).first();
    expect(JSON.stringify(row)).not.toContain(link.token);
    expect(JSON.stringify(row)).not.toContain(link.token.slice(4, 20));
  });

  it("last from a minute to 30 days", async () => {
    const { _id } = await draft();
    for (const expiresInSeconds of [59, 30 * 86_400 + 1, 90.5, "60", null]) {
      await refusalOf(await send(pathOf(_id), { as, body: { expiresInSeconds } }), "invalid_request");
    }
    const { creationTime, expirationTime } = await create(_id, { expiresInSeconds: 30 * 86_400 });
    expect(Date.parse(expirationTime) - Date.parse(creationTime)).toBeGreaterThan(29.9 * 86_400_000);
    const { results } = await env.DB.prepare("select id from previews where article_id = ?").bind(_id).all();
    expect(results).toHaveLength(1);
  });

  it("are 20 for an article at most, also when many come at once; ended ones do not count", async () => {
    const { _id } = await draft();
    const made = await Promise.all(
      Array.from({ length: LIMITS.previewsOfArticle + 3 }, () => send(pathOf(_id), { as, body: {} })),
    );
    expect(made.filter(({ status }) => status === 200)).toHaveLength(LIMITS.previewsOfArticle);
    await refusalOf(await send(pathOf(_id), { as, body: {} }), "preview_limit");
    await end(_id);
    expect((await send(pathOf(_id), { as, body: {} })).status).toBe(200);
  });

  it("are 1000 for an organization at most", async () => {
    const other = await newTenant();
    const by = { apiKey: other.apiKey };
    const [article, another] = [await newArticle(other), await newArticle(other)];
    const { _id } = await create(article._id, {}, by);
    await env.DB.prepare(
      `insert into previews (${COPIED}, id, article_id, token_hash)
       select ${COPIED}, 'copy ' || j.key, article_id, 'copy ' || j.key from previews p join json_each(?2) j where p.id = ?1`,
    )
      .bind(_id, JSON.stringify(Array.from({ length: LIMITS.previews - 2 }, () => null)))
      .run();
    expect((await send(pathOf(another._id), { as: by, body: {} })).status).toBe(200);
    await refusalOf(await send(pathOf(another._id), { as: by, body: {} }), "preview_limit");
    // Another organization has its own.
    await create((await draft())._id);
  });

  it("are sealed for a repeated call: only its caller gets the token again", async () => {
    const { _id } = await draft();
    const headers = { "Idempotency-Key": newId() };
    const first = await sendJson<NewPreview>(200, pathOf(_id), { as, body: {}, headers });
    expect(await sendJson<NewPreview>(200, pathOf(_id), { as, body: {}, headers })).toEqual(first);
    expect(await list(_id)).toHaveLength(1);
    const other = await issueKey({ operatorToken: tenant.operatorToken }, ["articles:write"]);
    const theirs = await send(pathOf(_id), { as: { apiKey: other.secret }, body: {}, headers });
    await refusalOf(theirs, "idempotency_key_reused");
    const { results } = await env.DB.prepare("select answer from idempotency where organization_id = ?")
      .bind(tenant.organizationId)
      .all();
    expect(JSON.stringify(results)).not.toContain(first.token);
  });
});

describe("contract 18.15: what a link shows", () => {
  it("is the article in its eleven members, as it is stored at that moment", async () => {
    const { article, link } = await linked();
    expect(await (await open(link.token)).json()).toEqual(article);
    const changed = await sendJson<ArticleBody>(200, "/api/articles", {
      as,
      body: { _id: article._id, title: "Another secret" },
    });
    expect(await (await open(link.token)).json()).toEqual(changed);
  });

  it("is the working copy of a published article, if it has one", async () => {
    const article = await newArticle(tenant, { title: "Public", content: "Public text" });
    const { token } = await create(article._id);
    expect(await (await open(token)).json()).toEqual(article);
    const saved = { title: "Not yet public", content: "New text" };
    const unshown = { publishTime: "2026-01-01T00:00:00Z", tags: ["Secret"], authors: ["Ada"], seo: { title: "S" } };
    const body = { ...saved, ...unshown };
    await sendJson(200, `/api/articles/${article._id}/draft`, { as, method: "PUT", body });
    expect(await (await open(token)).json()).toEqual({ ...article, ...saved });
    const page = await send(`/previews/${token}`, { headers: PAGE });
    const text = await page.text();
    expect(text).toContain("Preview of unpublished changes to a published article");
    expect(text).toContain("<span>by Ada</span><span>tags: Secret</span>");
    await sendJson(200, `/api/articles/${article._id}/draft`, { as, method: "DELETE" });
    expect(await (await open(token)).json()).toEqual(article);
  });

  it("is a page for browsers, without scripts, and never kept, indexed or referred to", async () => {
    const { link } = await linked();
    const response = await send(`/previews/${link.token}`, { headers: PAGE });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain("<strong>Not yet.</strong>");
    expect(text).toContain("Preview of a draft");
    expect(text).not.toContain("<script");
    expect(text).not.toContain(link.token);
    const shown = await open(link.token);
    for (const { headers } of [response, shown]) {
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(headers.get("X-Robots-Tag")).toContain("noindex");
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(headers.get("Vary")).toBe("Accept");
      expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
      expect(headers.get("Content-Security-Policy")).not.toContain("script-src");
    }
    const refused = await send(`/previews/${link.token}`, { method: "POST", body: {}, headers: JSON_ONLY });
    await refusalOf(refused, "method_not_allowed");
  });

  it("has a text from right to left in its language and direction, below an English heading", async () => {
    const { _id } = await draft({ locale: "ar", description: "وصف", content: "نص" });
    const { token } = await create(_id);
    const text = await (await open(token, { headers: PAGE })).text();
    expect(text).toContain('<p class="lead" lang="ar" dir="rtl">وصف</p>');
    expect(text).toContain('<div class="prose" lang="ar" dir="rtl">');
    const [before = ""] = text.split('<h2 id="reading">Text</h2>');
    expect(before).not.toContain('lang="ar"');
  });

  it("is for pages of other sites, too, and so is what they are refused (contract 2.6, 2.7)", async () => {
    const { link } = await linked();
    const headers = { ...JSON_ONLY, Origin: "https://reader.example" };
    for (const token of [link.token, "epv_unknown"]) {
      const shown = await open(token, { headers });
      expect(shown.headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(shown.headers.get("Access-Control-Allow-Credentials")).toBeNull();
      const preflight = await send(`/previews/${token}`, { method: "OPTIONS", headers });
      expect([preflight.status, await preflight.text()]).toEqual([204, ""]);
      expect(preflight.headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
      expect(preflight.headers.get("Access-Control-Allow-Methods")).toBe("GET, HEAD");
      expect(preflight.headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(preflight.headers.get("Cache-Control")).toBe("no-store");
    }
    const refused = await send(`/previews/${link.token}`, { method: "DELETE", headers });
    expect(refused.headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
  });

  it("is never in the edge's cache", async () => {
    const { article, link } = await linked();
    const edge = new EdgeCache();
    for (const headers of [JSON_ONLY, PAGE, JSON_ONLY]) {
      expect((await edge.fetch(`/previews/${link.token}`, { headers })).from).toBe("BYPASS");
    }
    await sendJson(200, `${pathOf(article._id)}/${link._id}`, { as, method: "DELETE" });
    const after = await edge.fetch(`/previews/${link.token}`, { headers: JSON_ONLY });
    expect([after.status, after.from]).toEqual([404, "BYPASS"]);
    expect(edge.paths).toEqual([]);
  });

  it("is nothing else: the token opens no other route", async () => {
    const { article, link } = await linked();
    const token = { apiKey: link.token };
    for (const path of [`/api/articles?blogId=${tenant.blogId}`, `/api/articles/${article._id}`, "/api/me"]) {
      await refusalOf(await send(path, { as: token }), "credentials_invalid");
    }
    await refusalOf(await send("/previews", { headers: JSON_ONLY }), "not_found");
    await refusalOf(await send("/previews/", { headers: JSON_ONLY }), "not_found");
  });

  it("costs no query if the token cannot be one, and one query if it is unknown", async () => {
    const { token } = await newPreviewToken();
    const wrong = `${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`;
    for (const [asked, queries] of [
      [token, 1],
      [wrong, 0],
      ["x", 0],
    ] as const) {
      const { db, counts } = countingDatabase();
      expect((await open(asked, { bindings: { DB: db } })).status).toBe(404);
      expect(counts).toMatchObject({ queries, rowsRead: 0 });
    }
  });
});

describe("contract 18.15: how often", () => {
  // The number is in wrangler.toml, and test/faults/rate-limits.test.ts checks it.
  it("pages are rendered is bounded for each link; what is not rendered is not", async () => {
    const bindings = limited({ renderings: 2 });
    const [{ link }, { link: other }] = [await linked(), await linked()];
    for (let n = 0; n < 2; n++) expect((await open(link.token, { bindings, headers: PAGE })).status).toBe(200);
    const refused = await open(link.token, { bindings, headers: PAGE });
    expect(refused.status).toBe(429);
    expect(await refused.text()).not.toContain("Not yet.");
    expect((await open(link.token, { bindings })).status).toBe(200);
    expect((await open(other.token, { bindings, headers: PAGE })).status).toBe(200);
  });
});

/** The columns of a link that a copy of it may share. */
const COPIED = "organization_id, blog_id, actor_kind, actor_id, creation_time, expiration_time";
