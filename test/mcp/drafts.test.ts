/** Drafts stay drafts, and what is public changes only by the tools that say so. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { askedOf, baseUrl } from "../helpers/generating.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { newIdeas } from "../helpers/ideas.ts";
import { messagesOf, post, type Message } from "../helpers/mcp.ts";
import { connected, fail, succeed, textOf } from "../helpers/mcp-connected.ts";

type Written = Omit<ArticleBody, "content"> & { contentLength: number; version: string };
type Generated = { article: Written; metadata: { checks: unknown[] } };

let tenant: Tenant;
let token: string;
beforeEach(async () => {
  tenant = await newTenant();
  token = await connected(tenant);
});

const stored = (id: string) => sendJson<ArticleBody>(200, `/api/articles/${id}`, { as: { apiKey: tenant.apiKey } });

const events = async (): Promise<string[]> =>
  (
    await env.DB.prepare("select kind from events where organization_id = ? and kind like 'article.%' order by seq")
      .bind(tenant.organizationId)
      .all<{ kind: string }>()
  ).results.map(({ kind }) => kind);

describe("create_article", () => {
  it("stores a draft, and says all of it but its content", async () => {
    const created = await succeed<Written>(token, "create_article", { title: "Quince", content: "# Hello\n" });
    expect(created).toMatchObject({
      blogId: tenant.blogId,
      title: "Quince",
      slug: "quince",
      published: false,
      contentLength: 8,
    });
    expect(created).not.toHaveProperty("content");
    expect(await stored(created._id)).toMatchObject({ published: false, content: "# Hello\n" });
    expect(await events()).toEqual(["article.created"]);
  });

  it("does not publish, and says so to whoever asks for it", async () => {
    const failure = await fail(token, "create_article", { title: "Quince", published: true });
    expect(failure).toMatchObject({ code: "invalid_request", errors: [{ path: "published" }] });
    expect(await events()).toEqual([]);
  });

  it("with an idempotencyKey, a repeated call makes one article", async () => {
    const input = { title: "Quince", idempotencyKey: newId() };
    const first = await succeed<Written>(token, "create_article", input);
    expect(await succeed(token, "create_article", input)).toEqual(first);
    expect((await fail(token, "create_article", { ...input, title: "Other" })).code).toBe("idempotency_key_reused");
    expect(await events()).toEqual(["article.created"]);
  });
});

describe("update_article", () => {
  it("changes the members that are passed, and leaves the draft a draft", async () => {
    const { _id } = await newArticle(tenant, { title: "Quince", content: "Old", published: false });
    const updated = await succeed<Written>(token, "update_article", { articleId: _id, content: "New" });
    expect(updated).toMatchObject({ _id, title: "Quince", published: false, contentLength: 3 });
    expect(await stored(_id)).toMatchObject({ title: "Quince", content: "New", published: false });
  });

  it("changes the working copy of a published article, which readers do not see (contract 18.13)", async () => {
    const { _id } = await newArticle(tenant, { title: "Quince", content: "As published" });
    const { version } = await succeed<{ version: string }>(token, "get_article", { idOrSlug: _id });
    const edited = await succeed<Written>(token, "update_article", { articleId: _id, content: "Next", version });
    expect(edited).toMatchObject({ _id, title: "Quince", published: true, contentLength: 4, workingCopy: true });
    expect(await stored(_id)).toMatchObject({ title: "Quince", content: "As published" });
    expect(await events()).toEqual(["article.created"]);
    const { code, detail, next } = await fail(token, "update_article", { articleId: _id, title: "B", version });
    expect(code).toBe("precondition_failed");
    // In the words of the tools: they have no If-Match.
    expect(`${detail} ${next}`).toMatch(/^It has changed.* `version`/);
    type Read = Written & { content: string };
    const live = await succeed<Read>(token, "get_article", { idOrSlug: _id });
    expect(live).toMatchObject({ content: "As published", hasUnpublishedChanges: true, version });
    const copy = await succeed<Read>(token, "get_article", { idOrSlug: _id, workingCopy: true });
    expect(copy).toMatchObject({ content: "Next", hasUnpublishedChanges: true, version: edited.version });
    expect(await succeed(token, "list_articles", {})).toMatchObject({ articles: [{ hasUnpublishedChanges: true }] });
    const more = await succeed<Written>(token, "update_article", { articleId: _id, title: "B", version: copy.version });
    expect(more).toMatchObject({ title: "B", contentLength: 4, workingCopy: true });
  });

  it("without any field, begins no working copy", async () => {
    const { _id } = await newArticle(tenant, { title: "Quince", content: "As published" });
    const { version } = await succeed<Written>(token, "get_article", { idOrSlug: _id });
    const same = await succeed<Written>(token, "update_article", { articleId: _id, version });
    expect(same).toMatchObject({ title: "Quince", contentLength: 12, workingCopy: false, version });
    const shown = await succeed(token, "get_article", { idOrSlug: _id, workingCopy: true });
    expect(shown).toMatchObject({ content: "As published", hasUnpublishedChanges: false, version });
    expect((await fail(token, "update_article", { articleId: _id, version: newId() })).code).toBe(
      "precondition_failed",
    );
    const begun = await succeed<Written>(token, "update_article", { articleId: _id, title: "Medlar" });
    expect(await succeed(token, "update_article", { articleId: _id })).toEqual(begun);
  });

  it("an article that is published between the look and the write is not changed for its readers", async () => {
    const { _id } = await newArticle(tenant, { title: "Quince", content: "As published", published: false });
    let looked = false;
    const DB = {
      prepare(text: string) {
        looked ||= /^select .* from "articles"/.test(text);
        return env.DB.prepare(text);
      },
      async batch(statements: D1PreparedStatement[]) {
        const publish = env.DB.prepare("update articles set published = 1, version = ? where id = ? and published = 0");
        if (looked) await publish.bind(newId(), _id).run();
        return env.DB.batch(statements);
      },
      withSession: (constraint: D1SessionConstraint) => env.DB.withSession(constraint),
    } as unknown as D1Database;
    const input = { articleId: _id, content: "Changed" };
    expect(await succeed(token, "update_article", input, { bindings: { DB } })).toMatchObject({ workingCopy: true });
    expect(await stored(_id)).toMatchObject({ content: "As published", published: true });
  });

  it("with the version that get_article gave, it overwrites nobody's work", async () => {
    const { _id } = await newArticle(tenant, { title: "Quince", published: false });
    const { version } = await succeed<{ version: string }>(token, "get_article", { idOrSlug: _id });
    const { version: next } = await succeed<Written>(token, "update_article", { articleId: _id, title: "A", version });
    const failure = await fail(token, "update_article", { articleId: _id, title: "B", version });
    expect(failure.code).toBe("precondition_failed");
    expect(failure.next).toContain("get_article");
    expect(await succeed(token, "update_article", { articleId: _id, title: "C", version: next })).toMatchObject({
      title: "C",
    });
  });
});

describe("restore_revision", () => {
  it("restores into the working copy of a published article, and a draft as it is (contract 18.13)", async () => {
    const { _id } = await newArticle(tenant, { title: "Quince", content: "First" });
    await sendJson(200, "/api/articles", { as: tenant, body: { _id, content: "Second" } });
    const restored = await succeed<Written>(token, "restore_revision", { articleId: _id, revision: 1 });
    expect(restored).toMatchObject({ contentLength: 5, workingCopy: true, hasUnpublishedChanges: true });
    expect(await stored(_id)).toMatchObject({ content: "Second", published: true });
    await succeed(token, "discard_working_copy", { articleId: _id });
    await sendJson(200, "/api/articles", { as: tenant, body: { _id, published: false } });
    const draft = await succeed<Written>(token, "restore_revision", { articleId: _id, revision: 1 });
    expect(draft).toMatchObject({ workingCopy: false, hasUnpublishedChanges: false, published: false });
    expect(await stored(_id)).toMatchObject({ content: "First", published: false });
    expect((await fail(token, "restore_revision", { articleId: _id, revision: 99 })).code).toBe("not_found");
  });
});

describe("publish_article and unpublish_article", () => {
  it("publish the unpublished changes, with their version only as they were read", async () => {
    const { _id } = await newArticle(tenant, { title: "Quince", content: "As published" });
    const { version } = await succeed<Written>(token, "update_article", { articleId: _id, content: "Next" });
    await succeed(token, "update_article", { articleId: _id, title: "Medlar" });
    expect((await fail(token, "publish_article", { articleId: _id, version })).code).toBe("precondition_failed");
    expect(await stored(_id)).toMatchObject({ title: "Quince", content: "As published" });
    const published = await succeed<Written>(token, "publish_article", { articleId: _id });
    expect(published).toMatchObject({ published: true, hasUnpublishedChanges: false, contentLength: 4 });
    expect(await stored(_id)).toMatchObject({ title: "Medlar", content: "Next" });
    expect(await succeed(token, "publish_article", { articleId: _id })).toEqual(published);
    expect(await events()).toEqual(["article.created", "article.updated"]);
  });

  it("publish, and take back, nothing else", async () => {
    const { _id } = await newArticle(tenant, { title: "Quince", content: "Text", published: false });
    expect(await succeed(token, "publish_article", { articleId: _id })).toMatchObject({ published: true });
    expect(await stored(_id)).toMatchObject({ title: "Quince", content: "Text", published: true });
    const { version } = await succeed<Written>(token, "publish_article", { articleId: _id });
    expect((await fail(token, "unpublish_article", { articleId: _id, version: newId() })).code).toBe(
      "precondition_failed",
    );
    expect(await succeed(token, "unpublish_article", { articleId: _id, version })).toMatchObject({ published: false });
    expect((await fail(token, "publish_article", { articleId: _id, title: "x" })).code).toBe("invalid_request");
  });
});

describe("delete_article", () => {
  it("deletes, with the version if one is passed", async () => {
    const { _id } = await newArticle(tenant, { title: "Quince" });
    expect((await fail(token, "delete_article", { articleId: _id, version: newId() })).code).toBe(
      "precondition_failed",
    );
    expect(await succeed(token, "delete_article", { articleId: _id })).toEqual({ _id });
    expect((await fail(token, "delete_article", { articleId: _id })).code).toBe("not_found");
    expect(await events()).toEqual(["article.created", "article.deleted"]);
  });
});

describe("generate_article", () => {
  const bindingsOf = (name: string) =>
    ({
      AI_BASE_URL: baseUrl("ok", name),
      AI_MODEL: "test",
      AI_API_KEY: "key",
      AI_IMAGE_MODEL: "test-image",
    }) as unknown as Partial<Env>;

  it.each([
    {},
    { published: true, coverImage: true, inlineImages: true },
    { published: "yes", coverImage: 1, inlineImages: null },
  ])("always stores a draft without images: %j", async (more) => {
    const name = newId();
    const input = { topic: "Morning walks", words: 300, ...more };
    const { article } = await succeed<Generated>(token, "generate_article", input, { bindings: bindingsOf(name) });
    expect(article).toMatchObject({ published: false, coverUrl: "" });
    const { content, published } = await stored(article._id);
    expect([published, content.includes("![")]).toEqual([false, false]);
    const asked = await askedOf(name);
    expect(asked.length).toBeGreaterThan(0);
    expect(JSON.stringify(asked)).not.toContain("images/generations");
    const media = await env.DB.prepare("select count(*) as n from media where organization_id = ?")
      .bind(tenant.organizationId)
      .first();
    expect(media).toEqual({ n: 0 });
  });

  it("from an idea, which it uses", async () => {
    const [topicId = ""] = await newIdeas(tenant, [{ title: "Ferries" }]);
    const { article } = await succeed<Generated>(token, "generate_article", { topicId, words: 300 });
    const { topics } = await succeed<{ topics: { status: string; articleId: string }[] }>(token, "list_topics", {
      blogId: tenant.blogId,
    });
    expect(topics).toMatchObject([{ status: "used", articleId: article._id }]);
    expect((await fail(token, "generate_article", { topicId })).code).toBe("topic_used");
  });

  it("says what went wrong with a model, and stores nothing", async () => {
    const bindings = { AI_BASE_URL: "", AI_MODEL: "" } as unknown as Partial<Env>;
    const failure = await fail(token, "generate_article", { topic: "Walks" }, { bindings });
    expect(failure.code).toBe("ai_not_configured");
    expect(failure.next).toContain("create_article");
    expect(await events()).toEqual([]);
  });

  it.each(["2026-07-28", "2025-11-25"] as const)("tells of its progress whoever asks for it (%s)", async (era) => {
    const params = { name: "generate_article", arguments: { topic: "Morning walks", words: 300 } };
    const _meta = { progressToken: "token-1" };
    const intervals = vi.spyOn(globalThis, "setInterval");
    const response = await post("tools/call", { ...params, _meta }, { token, era });
    expect(response.headers.get("Content-Type")).toBe("text/event-stream");
    const messages = await messagesOf(response);
    // The platform notices that a client has left only when it writes.
    expect(intervals.mock.calls.map(([, pause]) => pause)).toContain(2000);
    intervals.mockRestore();
    const progress = messages.filter(({ method }) => method === "notifications/progress");
    const counted = progress.map(({ params }: Message) => params as { progress: number; total: number });
    const done = counted.map(({ progress: n }) => n);
    expect(done).toEqual([...new Set(done)].toSorted((a, b) => a - b));
    expect(counted.at(-1)?.progress).toBe(counted.at(-1)?.total);
    const first = { progressToken: "token-1", message: expect.stringContaining("call again with idempotencyKey") };
    expect(progress.slice(0, 2).map(({ params }) => params)).toMatchObject([
      first,
      { message: "Planning the article." },
    ]);
    expect(progress.at(-1)?.params).toMatchObject({ message: "The draft is stored." });
    expect(textOf(messages.at(-1))).toMatchObject({ article: { published: false } });
    const quiet = await messagesOf(await post("tools/call", params, { token, era }));
    expect(quiet).toHaveLength(1);
  });
});

it("a working copy whose article was changed meanwhile leads to what a tool can do", async () => {
  const { _id: articleId } = await newArticle(tenant);
  await succeed(token, "update_article", { articleId, title: "New" });
  await sendJson(200, "/api/articles", { as: tenant, body: { _id: articleId, description: "Meanwhile" } });
  const refused = await fail(token, "publish_article", { articleId });
  expect(refused).toMatchObject({ code: "article_changed", next: expect.stringContaining("discard_working_copy") });
  await succeed(token, "discard_working_copy", { articleId });
  await succeed(token, "update_article", { articleId, title: "New" });
  await succeed(token, "publish_article", { articleId });
  expect(await stored(articleId)).toMatchObject({ title: "New", description: "Meanwhile" });
});
