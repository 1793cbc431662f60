/**
 * Generation and topics from outside: the service as `npm start` runs it, a real model server, real feed servers. Its first
 * start was killed half way. It is killed again, and started again by invitation only.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { startFeedServer } from "../helpers/feed-server.ts";
import { startModelServer } from "../helpers/model-server.ts";
import { accountIn, rowsIn, setLease } from "./database.ts";
import { killHalfway, testFailures } from "./failing-run.ts";
import { cleanUp, freePort, WAIT, start, type Local, type Run } from "./local-run.ts";
import { newPeople, PASSWORD, START } from "./people.ts";
import { oidcSettings, startProvider, type Claims } from "./provider.ts";
import { newVisitor } from "./visitor.ts";

const article = z.looseObject({
  _id: z.string(),
  title: z.string(),
  content: z.string(),
  coverUrl: z.string(),
  published: z.boolean(),
});
const generated = z.object({ article, metadata: z.looseObject({ images: z.array(z.object({ url: z.string() })) }) });
const seen = z.array(z.object({ path: z.string(), answered: z.boolean(), gone: z.boolean() }));
const refresh = z.object({
  _id: z.string(),
  state: z.string(),
  sources: z.array(z.object({ source: z.looseObject({ kind: z.string() }), state: z.string(), created: z.number() })),
});
const topics = z.array(
  z.looseObject({
    _id: z.string(),
    status: z.string(),
    articleId: z.string().nullable(),
    source: z.object({ kind: z.string() }),
  }),
);

const { state, port } = await killHalfway();
let models: Awaited<ReturnType<typeof startModelServer>>;
let feeds: Awaited<ReturnType<typeof startFeedServer>>;
let run: Run;
let local: Local;
let people: ReturnType<typeof newPeople>;
/** The demo's owner, once they were here by the provider. */
let owner: Claims;
const provider = await startProvider(await freePort());

/** Settings for a model that is known to its server by a name. */
const settings = (name: string, signUp: string) => ({
  ...oidcSettings(provider.port),
  SIGN_UP: signUp,
  AI_BASE_URL: `${models.url}/ok/${name}/v1`,
  AI_MODEL: "of-the-test",
  AI_API_KEY: "sk-of-the-test",
  AI_IMAGE_MODEL: "painter",
  FORUM_BASE_URLS: JSON.stringify(
    Object.fromEntries(
      ["hackernews", "reddit", "stackexchange", "lobsters"].map((kind) => [kind, `${feeds.url}/recent/${kind}`]),
    ),
  ),
});

beforeAll(async () => {
  models = await startModelServer();
  feeds = await startFeedServer();
  run = await start(state, port, settings("first", "open"));
  provider.serve(run.baseUrl);
  local = await run.ready();
  people = newPeople(provider, local);
});

afterEach(() => tell("_release", "first"));

afterAll(async () => {
  await cleanUp();
  await models.close();
  await feeds.close();
  await provider.stop();
});

/** Keeps the model from answering, or lets it go on. */
const tell = (what: "_hold" | "_release", name: string) => fetch(`${models.url}/${what}/${name}`, { method: "POST" });

const asked = async (name: string) => seen.parse(await (await fetch(`${models.url}/_seen/${name}`)).json());

function call(method: string, path: string, body?: object, more: RequestInit = {}): Promise<Response> {
  const headers = {
    Authorization: `Basic ${btoa(`${local.apiKey}:`)}`,
    "Content-Type": "application/json",
    ...(more.headers as Record<string, string>),
  };
  return fetch(`${run.baseUrl}${path}`, { method, ...more, headers, ...(body && { body: JSON.stringify(body) }) });
}

async function json<T>(schema: z.ZodType<T>, ...request: Parameters<typeof call>): Promise<T> {
  const response = await call(...request);
  const text = await response.text();
  expect(response.ok, text).toBe(true);
  return schema.parse(JSON.parse(text));
}

const order = (more: object = {}) => ({ blogId: local.blogId, topic: "The first ferry", words: 300, ...more });

// The first request of all: what it leaves half done when it is answered must not hang those that follow.
it("lets people sign in after a visitor who was only sent on", async () => {
  const visitor = newVisitor(run.baseUrl);
  expect(people.at(await visitor.get("/console"))).toMatch(/^\/console\/sign-in/);
  const form = { email: "nobody@example.com", password: PASSWORD, next: "/console" };
  expect((await visitor.post("/console/sign-in", form)).status).toBe(401);
  owner = people.stranger({ email: local.email });
  expect(people.at(await people.signIn(owner))).toBe("/console");
});

describe("after a start that was killed", () => testFailures(() => ({ state, run, local })));

describe("generation", () => {
  it("is named in local.json and in the banner, with a request that can be pasted", () => {
    expect(local.model).toBe("of-the-test");
    expect(run.output()).toContain("/api/articles/generate");
    expect(run.output()).not.toContain("sk-of-the-test");
  });

  it("writes an article with images that anybody may read", async () => {
    const answer = await json(generated, "POST", "/api/articles/generate", order());
    expect(answer.article.published).toBe(true);
    const found = await fetch(`${run.baseUrl}/api/articles/${answer.article._id}`);
    expect(article.parse(await found.json())).toEqual(answer.article);
    expect(answer.metadata.images.length).toBeGreaterThan(1);
    expect(answer.article.coverUrl).toBe(answer.metadata.images[0]?.url);
    for (const { url } of answer.metadata.images) {
      const image = await fetch(url);
      expect([image.status, image.headers.get("Content-Type")]).toEqual([200, "image/png"]);
      expect(new Uint8Array(await image.arrayBuffer()).slice(1, 4)).toEqual(new TextEncoder().encode("PNG"));
    }
    expect((await call("DELETE", `/api/articles/${answer.article._id}`)).status).toBe(200);
    expect((await fetch(answer.article.coverUrl)).status).toBe(404);
  });

  it("streams its steps while it works", async () => {
    await tell("_hold", "first");
    const response = await call("POST", "/api/articles/generate", order({ published: false }), {
      headers: { Accept: "text/event-stream" },
    });
    const parts: string[] = [];
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      // The model goes on only once the first part is here.
      if (parts.length === 0) await tell("_release", "first");
      parts.push(decoder.decode(bytes, { stream: true }));
    }
    expect(parts[0]).toMatch(/^event: step\ndata: /);
    expect(parts[0]).not.toContain("event: result");
    const rest = parts.join("");
    expect(rest).toContain('data: {"step":"outline","done":0,"total":');
    expect(rest.trimEnd().split("\n\n").at(-1)).toMatch(/^event: result\ndata: \{"article":/);
  });

  it("stops when the stream is given up: the model's connection is closed, and nothing is stored", async () => {
    const before = { articles: rowsIn(state, "articles"), seen: (await asked("first")).length };
    await tell("_hold", "first");
    const leaving = new AbortController();
    const response = await call("POST", "/api/articles/generate", order(), {
      headers: { Accept: "text/event-stream" },
      signal: leaving.signal,
    });
    await response.body?.getReader().read();
    const since = async () => (await asked("first")).slice(before.seen);
    await vi.waitFor(async () => expect(await since()).toHaveLength(1), WAIT);
    leaving.abort();
    await vi.waitFor(
      () => expect(rowsIn(state, "generations").at(-1)).toMatchObject({ state: "failed", code: "canceled" }),
      WAIT,
    );
    expect(rowsIn(state, "articles")).toEqual(before.articles);
    await vi.waitFor(async () => expect(await since()).toMatchObject([{ gone: true }]), WAIT);
  });
});

describe("topics", () => {
  it("come from feeds and all five forums; what cannot be read is refused with the reason", async () => {
    const sources = [
      { kind: "feed", url: `${feeds.url}/recent/feeds/ghost.xml` },
      { kind: "feed", url: `${feeds.url}/feeds/shift-jis.xml` },
      { kind: "hackernews" },
      { kind: "discourse", url: `${feeds.url}/recent/discourse` },
      { kind: "reddit", subreddit: "programming" },
      { kind: "stackexchange", tag: "typescript" },
      { kind: "lobsters", tag: "databases" },
    ];
    const dead = { kind: "feed", url: `${feeds.url}/feeds/nowhere.xml` };
    const refused = await call("PUT", `/api/blogs/${local.blogId}`, { topicSources: [...sources, dead] });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      errors: [{ path: "topicSources.7", message: expect.stringContaining("404") }],
    });

    const blog = z.object({ topicSources: z.array(z.looseObject({ name: z.string() })) });
    const { topicSources } = await json(blog, "PUT", `/api/blogs/${local.blogId}`, { topicSources: sources });
    expect(topicSources.map(({ name }) => name)).not.toContain("");

    const { _id } = await json(refresh, "POST", "/api/topics/refresh", { blogId: local.blogId });
    const done = await vi.waitFor(async () => {
      const found = await json(refresh, "GET", `/api/topics/refreshes/${_id}`);
      expect(found.state).toBe("done");
      return found;
    }, WAIT);
    expect(done.sources.map(({ state: reached }) => reached)).toEqual(sources.map(() => "read"));
    for (const { source, created } of done.sources) expect(created, source.kind).toBeGreaterThan(0);
    const ideas = await json(topics, "GET", `/api/topics?blogId=${local.blogId}&status=new`);
    expect(new Set(ideas.map(({ source }) => source.kind))).toEqual(new Set(sources.map(({ kind }) => kind)));
  });

  it("become articles, which they name", async () => {
    const [idea] = await json(topics, "GET", `/api/topics?blogId=${local.blogId}&status=new&limit=1`);
    const body = { topicId: idea?._id, words: 300, published: false };
    const answer = await json(generated, "POST", "/api/articles/generate", body);
    const used = await json(topics, "GET", `/api/topics?blogId=${local.blogId}&status=used`);
    expect(used).toMatchObject([{ _id: idea?._id, articleId: answer.article._id }]);
  });
});

describe("a service that is killed while it generates", () => {
  /** What there was before, and afterwards. */
  let articles: { before: unknown; after: unknown };
  const key = { headers: { "Idempotency-Key": "killed" } };

  beforeAll(async () => {
    const before = { articles: rowsIn(state, "articles"), seen: (await asked("first")).length };
    await tell("_hold", "first");
    const lost = call("POST", "/api/articles/generate", order(), key).catch(() => null);
    await vi.waitFor(async () => expect((await asked("first")).length).toBeGreaterThan(before.seen), WAIT);
    await run.killGroup();
    await lost;
    articles = { before: before.articles, after: rowsIn(state, "articles") };
    // Its claim runs out within a minute. So that this does not hang on how long the start takes: within an hour.
    expect(setLease(state, "killed", new Date(Date.now() + 3_600_000))).toBe(1);
    run = await start(state, run.port, settings("after", "invitation"));
    await run.ready();
  });

  it("has stored nothing, and goes on afterwards", async () => {
    expect(articles.after).toEqual(articles.before);
    const response = await call("POST", "/api/articles/generate", order(), key);
    // Until the claim of the lost call runs out, nobody can know that it is lost.
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ code: "idempotency_in_progress" });
    const answer = await json(generated, "POST", "/api/articles/generate", order());
    expect(answer.article.published).toBe(true);
  });

  describe("started again by invitation only", () => {
    it("refuses strangers", async () => {
      const [visitor, person] = [newVisitor(run.baseUrl), people.stranger()];
      await people.expectRefusal(await people.signIn(person, visitor), visitor, /invitation/);
      expect(accountIn(state, person.email)).toBeNull();
    });

    it("lets in who comes from their invitation, and they can accept it", async () => {
      const person = people.stranger();
      const link = await people.invite(person.email);
      const visitor = newVisitor(run.baseUrl);
      expect((await visitor.get(link)).text).toContain(`${START}?next=${encodeURIComponent(link)}`);
      const back = await people.signIn(person, visitor, link);
      expect([back.status, people.at(back)]).toEqual([200, link]);
      const joined = await visitor.post(link);
      expect([joined.status, new URL(joined.url).pathname]).toEqual([200, "/console"]);
      expect((await visitor.get(link)).status).toBe(404);
    });

    it("knows those who had an account before", async () => {
      expect(people.at(await people.signIn(owner))).toBe("/console");
    });
  });
});
