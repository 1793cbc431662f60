/** Contract 18.29: a request to publish is approved by somebody with the right, for exactly what they were shown. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { refusalOf } from "../helpers/refusals.ts";
import { send, sendJson, type Credential } from "../helpers/requests.ts";
import { inMinutes } from "../helpers/schedules.ts";
import { newArticle, newKey, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

type Approval = { articleId: string; state: string; changed: boolean; declined: object | null; action: string };

let tenant: Tenant;
let writer: Credential;
/** May only write drafts. */
let agent: Credential;
beforeAll(async () => {
  tenant = await newTenant();
  writer = { apiKey: tenant.apiKey };
  agent = { apiKey: await newKey({ operatorToken: tenant.operatorToken }, ["articles:read", "articles:draft"]) };
});

const pathOf = (id: string) => `/api/articles/${id}/approval`;
const ask = (id: string, body: object = {}) => sendJson<Approval>(200, pathOf(id), { as: agent, method: "PUT", body });
const newDraft = (title = "Draft") => newArticle(tenant, { title, content: "First", published: false });
const save = (as: Credential, body: object) => sendJson<ArticleBody>(200, "/api/articles", { as, body });
const isPublic = async (id: string) => (await send(`/api/articles/${id}`)).status === 200;

/** Returns the ETag of the request, as it is shown to somebody. */
const look = async (id: string) => (await send(pathOf(id), { as: writer })).headers.get("ETag") ?? "";
const approve = (id: string, etag?: string, { as = writer, action = "publish" } = {}) =>
  send(`${pathOf(id)}/approve`, { as, body: { action }, ...(etag && { headers: { "If-Match": etag } }) });

describe("contract 18.29", () => {
  it("whoever may only write drafts asks, and the article is published once it is approved", async () => {
    const { _id } = await newDraft();
    expect(await ask(_id, { note: "Ready" })).toMatchObject({
      action: "publish",
      state: "waiting",
      changed: false,
      note: "Ready",
    });
    await refusalOf(await approve(_id, await look(_id), { as: agent }), "scope_missing");
    expect(await isPublic(_id)).toBe(false);
    const waiting = await sendJson<Approval[]>(200, "/api/approvals?state=waiting", { as: writer });
    expect(waiting.map(({ articleId }) => articleId)).toContain(_id);
    expect(await (await approve(_id, await look(_id))).json()).toEqual({ articleId: _id, action: "publish" });
    expect(await isPublic(_id)).toBe(true);
    expect((await send(pathOf(_id), { as: writer })).status).toBe(404);
  });

  it("what has changed since it was shown is not published, and the request waits", async () => {
    const { _id } = await newDraft();
    await ask(_id);
    const changes = [
      () => save(agent, { _id, content: "Second" }),
      () => save(agent, { _id, title: "Another" }),
      () => save(agent, { _id, tags: ["new"] }),
      () => ask(_id, { note: "Another note" }),
    ];
    for (const change of changes) {
      const shown = await look(_id);
      await change();
      await refusalOf(await approve(_id, shown), "precondition_failed");
    }
    expect(await isPublic(_id)).toBe(false);
    await save(agent, { _id, content: "Third" });
    // Without a version, it must be as it was when it was asked.
    expect(await sendJson(200, pathOf(_id), { as: writer })).toMatchObject({ changed: true, state: "waiting" });
    await refusalOf(await approve(_id), "precondition_failed");
    expect((await approve(_id, await look(_id))).status).toBe(200);
    expect(await sendJson(200, `/api/articles/${_id}`)).toMatchObject({ content: "Third" });
  });

  it("an approval that is sent again, or altered, does nothing", async () => {
    const { _id } = await newDraft();
    await ask(_id);
    const shown = await look(_id);
    await approve(_id, shown);
    await save(writer, { _id, published: false });
    const { length } = shown;
    const altered = (n: number) => `${shown.slice(0, (n % (length - 2)) + 1)}x${shown.slice((n % (length - 2)) + 2)}`;
    await ask(_id);
    const statuses = new Set<number>();
    for (let n = 0; n < (inject("exhaustive") ? 500 : 50); n++) {
      statuses.add((await approve(_id, shown)).status);
      statuses.add((await approve(_id, altered(n))).status);
    }
    expect([...statuses]).toEqual([412]);
    expect(await isPublic(_id)).toBe(false);
  }, 120_000);

  it("of several approvals at once, one publishes, once", async () => {
    const { _id } = await newDraft();
    await ask(_id);
    const shown = await look(_id);
    const answers = await Promise.all(Array.from({ length: 5 }, () => approve(_id, shown)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { results } = await env.DB.prepare(
      "select action from audit where resource_id = ? and action = 'articles.publish'",
    )
      .bind(_id)
      .all();
    expect(results).toHaveLength(1);
  });

  it("publishes a working copy, unpublishes, schedules and deletes", async () => {
    const live = await newArticle(tenant, { title: "Live" });
    const early = await send(pathOf(live._id), { as: agent, method: "PUT", body: {} });
    expect(await refusalOf(early, "invalid_request")).toMatchObject({ errors: [{ path: "action" }] });
    await sendJson(200, `/api/articles/${live._id}/draft`, { as: agent, method: "PUT", body: { title: "Livelier" } });
    await ask(live._id);
    const shown = await look(live._id);
    await sendJson(200, `/api/articles/${live._id}/draft`, { as: agent, method: "PUT", body: { title: "Liveliest" } });
    expect((await approve(live._id, shown)).status).toBe(412);
    expect((await approve(live._id, await look(live._id))).status).toBe(200);
    expect(await sendJson(200, `/api/articles/${live._id}`)).toMatchObject({ title: "Liveliest" });
    await ask(live._id, { action: "unpublish" });
    await refusalOf(await approve(live._id), "precondition_failed");
    expect((await approve(live._id, undefined, { action: "unpublish" })).status).toBe(200);
    expect(await isPublic(live._id)).toBe(false);
    const publishTime = inMinutes(60);
    await ask(live._id, { publishTime });
    expect((await approve(live._id)).status).toBe(200);
    expect(await sendJson(200, `/api/articles/${live._id}/schedule`, { as: writer })).toMatchObject({ publishTime });
    await ask(live._id, { action: "delete" });
    expect((await approve(live._id, undefined, { action: "delete" })).status).toBe(200);
    expect((await send(`/api/articles/${live._id}`, { as: writer })).status).toBe(404);
  });

  it("a request is declined with a reason, asked again, withdrawn, and ends when the article is published otherwise", async () => {
    const { _id } = await newDraft();
    await ask(_id);
    await sendJson(200, `${pathOf(_id)}/decline`, { as: writer, body: { reason: "Name the source." } });
    expect(await sendJson(200, pathOf(_id), { as: agent })).toMatchObject({
      state: "declined",
      declined: { reason: "Name the source." },
    });
    expect((await approve(_id, await look(_id))).status).toBe(412);
    expect(await ask(_id)).toMatchObject({ state: "waiting", declined: null });
    await sendJson(200, pathOf(_id), { as: agent, method: "DELETE" });
    expect((await approve(_id)).status).toBe(404);
    await ask(_id);
    await save(writer, { _id, published: true });
    expect((await send(pathOf(_id), { as: agent })).status).toBe(404);
  });
});
