/** Contract 15.1, 15.2, 15.3, 15.4: the sentences about the Model Context Protocol server. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { baseUrl, script } from "../helpers/generating.ts";
import { newWorld, type World } from "../helpers/operations.ts";
import { answer, request } from "../helpers/mcp.ts";
import { connected, fail, succeed } from "../helpers/mcp-connected.ts";
import { TOOL_NAMES, type ToolName } from "../helpers/mcp-tools.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody } from "../helpers/tenant.ts";
import { PROSE } from "../helpers/prose.ts";

type Annotations = Record<"readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint", boolean>;

let world: World;
let token: string;
beforeAll(async () => {
  world = await newWorld();
  token = await connected(world.tenant);
});

const stored = (id: string) =>
  sendJson<ArticleBody>(200, `/api/articles/${id}`, { as: { operatorToken: world.tenant.operatorToken } });

it("is signed in by OAuth", async () => {
  expect((await request("tools/list", {}, { token })).result).toBeDefined();
  for (const Authorization of [`Basic ${btoa(world.tenant.apiKey)}`, `Token ${world.tenant.operatorToken}`]) {
    const message = await request("tools/list", {}, { headers: { Authorization } });
    expect(message).toMatchObject({ status: 401, code: "credentials_invalid" });
  }
});

it("is limited to the organization of the signed-in account, also for what is published", async () => {
  const other = await newTenant();
  const { _id } = await newArticle(other);
  expect((await fail(token, "get_article", { idOrSlug: _id })).code).toBe("not_found");
  const { blogs } = await succeed<{ blogs: { _id: string }[] }>(token, "list_blogs");
  expect(blogs.map((blog) => blog._id)).toEqual([world.tenant.blogId]);
});

describe("it reads and searches blogs and articles, compares locales", () => {
  it("reads blogs and articles", async () => {
    const { tenant, article, draft } = world;
    expect(await succeed(token, "get_blog", { blogId: tenant.blogId })).toMatchObject({ _id: tenant.blogId });
    const { articles } = await succeed<{ articles: ArticleBody[] }>(token, "list_articles", { blogId: tenant.blogId });
    expect(articles.map(({ _id }) => _id)).toEqual(expect.arrayContaining([article._id, draft._id]));
    expect(await succeed(token, "get_article", { idOrSlug: draft.slug })).toMatchObject({ _id: draft._id });
  });

  it("searches articles", async () => {
    await newArticle(world.tenant, { title: "Lighthouses", content: "A lamp on the cape", published: false });
    const { articles } = await succeed<{ articles: ArticleBody[] }>(token, "search_articles", { query: "lamp cape" });
    expect(articles).toMatchObject([{ title: "Lighthouses", snippet: "A **lamp** on the **cape**" }]);
  });

  it("compares locales: which exist, are missing, are older, and differ in structure", async () => {
    const { tenant } = world;
    const write = (locale: string, content: string) => newArticle(tenant, { slug: "walks", locale, content });
    await write("de", "## A");
    await write("en", "## A\n\n## B");
    const own = await succeed<{ slugs: unknown[] }>(token, "compare_locales", {
      blogId: tenant.blogId,
      slug: "walks",
      structure: true,
    });
    expect(own.slugs).toMatchObject([
      {
        slug: "walks",
        missing: [],
        articles: [
          { locale: "en", stale: false, structure: null },
          {
            locale: "de",
            stale: true,
            structure: { differences: [{ part: "headings", original: "2 2", translation: "2" }] },
          },
        ],
      },
    ]);
  });
});

it("it researches topic ideas from bounded community-forum and feed sources", async () => {
  const source = { kind: "feed", url: `${env.FEEDS.url}/recent/feeds/wordpress.xml` };
  const { ideas } = await succeed<{ ideas: unknown[] }>(token, "research_topics", { sources: [source] });
  expect(ideas.length).toBeGreaterThan(0);
  const six = Array.from({ length: 6 }, (_, n) => ({ ...source, url: `${source.url}?${n}` }));
  expect((await fail(token, "research_topics", { sources: six })).code).toBe("invalid_request");
  const stored = await env.DB.prepare("select count(*) as n from topics where organization_id = ?")
    .bind(world.tenant.organizationId)
    .first();
  expect(stored).toEqual({ n: 1 });
});

it("it creates or edits drafts", async () => {
  const { _id } = await succeed<ArticleBody>(token, "create_article", { title: "A draft" });
  await succeed(token, "update_article", { articleId: _id, title: "Still a draft" });
  expect(await stored(_id)).toMatchObject({ title: "Still a draft", published: false });
});

it("it publishes only on request: by publish_article, and by nothing else", async () => {
  const { _id } = await succeed<ArticleBody>(token, "create_article", { title: "To be published" });
  for (const [name, input] of [
    ["create_article", { title: "x", published: true }],
    ["update_article", { articleId: _id, published: true }],
  ] as const) {
    expect((await fail(token, name, input)).code).toBe("invalid_request");
  }
  expect((await stored(_id)).published).toBe(false);
  await succeed(token, "publish_article", { articleId: _id });
  expect((await stored(_id)).published).toBe(true);
});

it("nothing else changes what readers see", async () => {
  const { tenant } = world;
  const named = { tags: ["Porto"], authors: ["Ada Lovelace"] };
  const original = await newArticle(tenant, {
    title: "Shown",
    content: "First",
    slug: "shown",
    locale: "en",
    ...named,
  });
  await sendJson(200, "/api/articles", { as: tenant, body: { _id: original._id, content: "Second" } });
  const seen = async () => {
    const fields = "title,content,slug,coverUrl,seo,tags,authors,publishTime,lastEditTime";
    return (await send(`/api/articles?blogId=${tenant.blogId}&fields=${fields}`)).text();
  };
  const before = await seen();
  const { blogId } = tenant;
  const { _id } = await succeed<ArticleBody>(token, "create_article", {
    blogId,
    title: "Zu",
    slug: "shown",
    locale: "de",
  });
  const others = { tags: ["Lisbon"], authors: [] };
  for (const [name, input] of [
    ["create_article", { blogId, title: "Vu", slug: "shown", locale: "fr", ...others }],
    ["update_article", { articleId: _id, ...others }],
  ] as const) {
    expect(await fail(token, name, input), name).toMatchObject({ code: "invalid_request", errors: [{ path: "tags" }] });
  }
  await succeed(token, "update_article", { articleId: _id, tags: ["porto"], authors: ["Ada Lovelace"] });
  await succeed(token, "update_article", { articleId: original._id, title: "Changed", slug: "changed", ...others });
  await succeed(token, "restore_revision", { articleId: original._id, revision: 1 });
  await succeed(token, "create_preview_link", { articleId: original._id });
  expect(await seen()).toBe(before);
  await succeed(token, "publish_article", { articleId: original._id });
  expect(await seen()).toContain("Lisbon");
});

it("it generates text-only SEO drafts: generate_article always disables inline and cover images", async () => {
  const input = { topic: "Morning walks", words: 300, published: true, coverImage: true, inlineImages: true };
  const { article, metadata } = await succeed<{ article: ArticleBody; metadata: { checks: { name: string }[] } }>(
    token,
    "generate_article",
    input,
    { bindings: { AI_IMAGE_MODEL: "test-image" } as unknown as Partial<Env> },
  );
  expect(article).toMatchObject({ published: false, coverUrl: "" });
  expect((await stored(article._id)).content).not.toContain("![");
  expect(metadata.checks.map(({ name }) => name)).toContain("keyword_in_title");
});

it.each([
  ["a translation", { locale: "de" }],
  ["a rewrite", { words: 300 }],
])("nor has %s the images of its article", async (_, more) => {
  const source = await newArticle(world.tenant, {
    coverUrl: "https://images.example.com/cover.jpg",
    content: `${PROSE.en} ![a](https://images.example.com/a.jpg)\n\n![b][b]\n\n## Two\n\n${PROSE.en}\n\n[b]: https://images.example.com/b.jpg`,
  });
  const input = { articleId: source._id, ...more, coverImage: true, inlineImages: true };
  const name = newId();
  // A model that repeats what it reads.
  const parts = ["Translate this part", '"opening"', '"section"', '"section"', '"section"'];
  const answer = { lead: source.content, content: source.content };
  await script(
    name,
    parts.map((part) => ({ match: part, answer })),
  );
  const bindings = { AI_BASE_URL: baseUrl("ok", name), AI_IMAGE_MODEL: "test-image" } as unknown as Partial<Env>;
  const { article, metadata } = await succeed<{ article: ArticleBody; metadata: { degradations: string[] } }>(
    token,
    "generate_article",
    input,
    { bindings },
  );
  expect(metadata.degradations.join()).toMatch(/images that nobody provided were removed/);
  expect(article).toMatchObject({ published: false, coverUrl: "" });
  expect((await stored(article._id)).content).not.toMatch(/!\[|images\.example/);
});

/** By hand: what writes. */
const WRITES: ReadonlySet<ToolName> = new Set([
  "create_article",
  "update_article",
  "edit_article",
  "restore_revision",
  "discard_working_copy",
  "create_preview_link",
  "upload_media",
  "create_embed",
  "request_approval",
  "schedule_article",
  "publish_article",
  "unpublish_article",
  "generate_article",
  "start_generation",
  "refresh_topics",
  "delete_article",
] as const);

it("every create, update, generation and deletion tool is marked as a destructive write", async () => {
  type Listed = { tools: { name: ToolName; annotations: Annotations }[] };
  const { tools } = await answer<Listed>("tools/list", {}, { token });
  expect(tools.map(({ name }) => name).toSorted()).toEqual(TOOL_NAMES.toSorted());
  for (const { name, annotations } of tools) {
    const { readOnlyHint, destructiveHint } = annotations;
    const writes = WRITES.has(name);
    expect([name, readOnlyHint, destructiveHint]).toEqual([name, !writes, writes]);
  }
});

// It does not expose credentials, sender configuration, contacts or organization identifiers: test/mcp/secrecy.test.ts
// searches every answer, error and schema for them.
