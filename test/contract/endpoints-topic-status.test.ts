/** Contract 7.4: PATCH /api/topics/{id}. */
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import type { TopicRecord } from "../../src/store/topics/topics.ts";
import { newIdeas, TOPIC_MEMBERS } from "../helpers/ideas.ts";
import { headerOf, outcome } from "../helpers/outcome.ts";
import { topicsOf } from "../helpers/refreshing.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { issueKey, send, sendJson, type Credential } from "../helpers/requests.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";

describe("PATCH /api/topics/{id}", () => {
  const patch = (as: object, body: unknown, headers: Record<string, string> = {}) => ({
    as,
    body,
    headers,
    method: "PATCH",
  });

  it.each(
    (["new", "used", "dismissed"] as const).flatMap((from) =>
      (["new", "used", "dismissed"] as const).map((to) => [from, to] as const),
    ),
  )("sets the status: %s to %s", async (from, to) => {
    const tenant = await newTenant();
    const [id] = await newIdeas(tenant, [{ status: from }]);
    const [before] = await topicsOf(tenant);
    const response = await send(`/api/topics/${id}`, patch(tenant, { status: to }));
    const after = await response.json<TopicRecord>();
    expect(response.status).toBe(200);
    expect(after).toEqual({ ...before, status: to, lastEditTime: after.lastEditTime });
    expect(Object.keys(after)).toEqual(TOPIC_MEMBERS);
    expect(after.lastEditTime > (before?.lastEditTime ?? "")).toBe(true);
    expect(await topicsOf(tenant)).toEqual([after]);
    expect(headerOf(response, "ETag")).toMatch(/^"[0-9a-f-]{36}"$/);
  });

  it("409 topic_used: one that became an article stays used", async () => {
    const tenant = await newTenant();
    const article = await newArticle(tenant);
    const [id] = await newIdeas(tenant, [{ status: "used", articleId: article._id }]);
    const path = `/api/topics/${id}`;
    await storingNothing(async () => {
      for (const status of ["new", "dismissed"]) {
        await refusalOf(await send(path, patch(tenant, { status })), "topic_used");
        expect(await outcome(path, patch(tenant, { status }, { "If-Match": "*" }))).toBe("409 topic_used");
      }
      const stale = patch(tenant, { status: "new" }, { "If-Match": `"${newId()}"` });
      expect(await outcome(path, stale)).toBe("412 precondition_failed");
    });
    expect(await sendJson(200, path, patch(tenant, { status: "used" }))).toMatchObject({ articleId: article._id });
    // Without its article it is free again, and who knew it finds it changed.
    const etag = headerOf(await send(path, patch(tenant, { status: "used" })), "ETag");
    await sendJson(200, `/api/articles/${article._id}`, { as: tenant, method: "DELETE" });
    expect(await outcome(path, patch(tenant, { status: "new" }, { "If-Match": etag }))).toBe("412 precondition_failed");
    expect(await sendJson(200, path, patch(tenant, { status: "new" }))).toMatchObject({
      status: "new",
      articleId: null,
    });
  });
});

describe("POST /api/articles with topicId (contract 4.3)", () => {
  const create = (as: Credential, body: object) => send("/api/articles", { as, body });

  it("uses the idea up, in the idea's blog; an Idempotency-Key repeats the answer", async () => {
    const tenant = await newTenant();
    await sendJson(200, "/api/blogs", { as: tenant, body: { name: "Second" } });
    const [topicId] = await newIdeas(tenant, [{ status: "dismissed" }]);
    const asked = { as: tenant, body: { title: "T", topicId }, headers: { "Idempotency-Key": newId() } };
    const article = await sendJson<{ _id: string; blogId: string }>(200, "/api/articles", asked);
    expect(article.blogId).toBe(tenant.blogId);
    expect(await topicsOf(tenant)).toMatchObject([{ _id: topicId, status: "used", articleId: article._id }]);
    expect(await sendJson(200, "/api/articles", asked)).toEqual(article);
    const refusal = await refusalOf(await create(tenant, { topicId }), "topic_used");
    expect(refusal.detail).toContain(article._id);
  });

  it("of several at once, one article gets it", async () => {
    const tenant = await newTenant();
    const [topicId] = await newIdeas(tenant, [{}]);
    const all = await Promise.all(Array.from({ length: 5 }, () => create(tenant, { topicId, published: true })));
    expect(all.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    await Promise.all(all.filter(({ status }) => status !== 200).map((response) => refusalOf(response, "topic_used")));
    expect(await sendJson(200, `/api/articles?blogId=${tenant.blogId}`, { as: tenant })).toHaveLength(1);
  });

  it("stores nothing if the idea is nobody's, another organization's, or beyond a pinned key", async () => {
    const [tenant, neighbour] = [await newTenant(), await newTenant()];
    const second = await sendJson<{ _id: string }>(200, "/api/blogs", { as: tenant, body: { name: "Second" } });
    const operator = { operatorToken: tenant.operatorToken };
    const { secret } = await issueKey(operator, ["articles:write"], { blogId: second._id });
    const [own] = await newIdeas(tenant, [{}]);
    const [foreign] = await newIdeas(neighbour, [{}]);
    await storingNothing(async () => {
      for (const topicId of [newId(), foreign]) await refusalOf(await create(tenant, { topicId }), "not_found");
      await refusalOf(await create({ apiKey: secret }, { topicId: own }), "not_found");
      const elsewhere = await refusalOf(await create(tenant, { topicId: own, blogId: second._id }), "invalid_request");
      expect(elsewhere.errors?.map(({ path }) => path)).toEqual(["blogId"]);
    });
    expect(await topicsOf(tenant)).toMatchObject([{ status: "new", articleId: null }]);
  });

  it("400 in an update", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    const [topicId] = await newIdeas(tenant, [{}]);
    const refusal = await refusalOf(await create(tenant, { _id, topicId }), "invalid_request");
    expect(refusal.errors?.map(({ path }) => path)).toEqual(["topicId"]);
  });
});
