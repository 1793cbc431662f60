/** Contract 8.1, 8.2, 8.3 and 8.4: POST /api/articles/generate. */
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { askedOf, eventsOf, generate, generated, hold, release, SHORT, untilAsked } from "../helpers/generating.ts";
import { newWorld, type World } from "../helpers/operations.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { received, subscribe } from "../helpers/webhooks.ts";

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

describe("POST /api/articles/generate", () => {
  it("200: the generated article, which is published by default and stored as it is shown", async () => {
    const { article } = await generated(tenant);
    expect(article).toMatchObject({ blogId: tenant.blogId, locale: "en", published: true });
    expect(article.title).not.toBe("");
    expect(article.content).toContain("\n## ");
    expect(article.content).not.toMatch(/^# /m);
    expect(article.description.length).toBeLessThanOrEqual(160);
    expect(await sendJson(200, `/api/articles/${article._id}`)).toEqual(article);
  });

  it("published false: a draft", async () => {
    const { article } = await generated(tenant, { body: { ...SHORT, published: false } });
    expect(article.published).toBe(false);
    expect((await send(`/api/articles/${article._id}`)).status).toBe(404);
  });

  it("offers the blog's articles about its subject as links before the newest ones", async () => {
    const own = await newTenant();
    const old = await newArticle(own, { title: "Walks along the estuary", slug: "estuary-walks", published: true });
    for (let left = 31; left > 0; left--) await newArticle(own, { title: `Note ${left}`, published: true });
    const name = newId();
    await generated(own, { name });
    const prompts = (await askedOf(name)).map(({ body }) => body).filter((body) => body.includes("Write section"));
    for (const prompt of prompts) expect(prompt).toContain(`/${old.slug} (the blog's article`);
    expect(prompts.length).toBeGreaterThan(1);
  });

  it("fires article.created once the article is stored, as a creation does", async () => {
    const { name } = await subscribe(tenant, "ok", { events: ["article.created"] });
    const { article } = await generated(tenant);
    const [seen] = await received(name);
    const { event, data } = JSON.parse(seen?.body ?? "") as { event: string; data: object };
    const { content: _, ...rest } = article;
    expect({ event, data }).toEqual({ event: "article.created", data: rest });
  });

  it("the metadata says by whom, for how much, and what came of it", async () => {
    const { article, metadata } = await generated(tenant);
    expect(metadata).toMatchObject({
      provider: "127.0.0.1",
      model: "test",
      imageModel: null,
      keywords: expect.arrayContaining([expect.any(String)]),
      images: [],
      topic: SHORT.topic,
      topicId: null,
      sourceArticleId: null,
      repairs: 0,
    });
    const { inputTokens, outputTokens, durationMs, wordCount } = metadata as Record<string, number>;
    // The model server counts 100 and 50 for each question.
    expect(inputTokens).toBe(2 * (outputTokens ?? 0));
    expect(inputTokens).toBeGreaterThanOrEqual(400);
    expect(durationMs).toBeGreaterThanOrEqual(0);
    expect(wordCount).toBeGreaterThan(100);
    const headings = [...article.content.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect((metadata["outline"] as { heading: string }[]).map(({ heading }) => heading)).toEqual(headings);
    expect((metadata["checks"] as { name: string }[]).map(({ name }) => name).toSorted()).toEqual([
      "description",
      "headings",
      "keyword_in_first_paragraph",
      "keyword_in_title",
      "length",
      "links",
      "locale",
      "placeholders",
      "style",
      "title",
    ]);
  });

  it("repairs are counted, and paid for", async () => {
    const { metadata } = await generated(tenant, { behaviour: "wrong-schema-once" });
    expect(metadata["repairs"]).toBe(1);
    const { inputTokens } = (await generated(tenant)).metadata as { inputTokens: number };
    expect(metadata["inputTokens"]).toBe(inputTokens + 100);
  });

  it("locale, slug, keywords and tone are heeded", async () => {
    const name = newId();
    const slug = `slug-${newId().slice(-8)}`;
    const { article, metadata } = await generated(tenant, {
      name,
      body: { topic: "Morgenspaziergänge", locale: "de", slug, keywords: ["Spaziergang"], tone: "drily", words: 300 },
    });
    expect(article).toMatchObject({ slug, locale: "de" });
    const locale = (metadata["checks"] as { name: string }[]).find((check) => check.name === "locale");
    expect(locale).toMatchObject({ passed: true });
    expect((await askedOf(name)).some(({ body }) => body.includes("drily"))).toBe(true);
  });
});

describe("what it is about: exactly one of topic, topicId and articleId", () => {
  let world: World;
  beforeAll(async () => {
    world = await newWorld();
  });

  it.each([
    [{ words: 300 }, ["topic"]],
    [{ topic: "x", topicId: newId() }, ["topic", "topicId"]],
    [{ topic: "x", articleId: newId() }, ["topic", "articleId"]],
  ])("%j is refused", async (body, paths) => {
    const problem = await refusalOf(await generate(world.tenant, { body }), "invalid_request");
    expect(problem.errors?.map(({ path }) => path)).toEqual(paths);
  });

  it("an idea becomes `used` with the article, and names it", async () => {
    const { tenant: owner, topicId } = world;
    const { article, metadata } = await generated(owner, { body: { topicId, words: 300 } });
    const as = { apiKey: owner.apiKey };
    expect(article.published).toBe(true);
    const ideas = await sendJson<object[]>(200, `/api/topics?blogId=${owner.blogId}`, { as });
    expect(ideas).toMatchObject([{ _id: topicId, status: "used", articleId: article._id }]);
    expect(metadata).toMatchObject({ topicId, topic: "An idea" });
    const again = await refusalOf(await generate(owner, { body: { topicId, words: 300 } }), "topic_used");
    expect(again.detail).toContain(article._id);
    // It can be written about again once that article is gone.
    await sendJson(200, `/api/articles/${article._id}`, { as, method: "DELETE" });
    const after = await sendJson<object[]>(200, `/api/topics?blogId=${owner.blogId}`, { as });
    expect(after).toMatchObject([{ _id: topicId, status: "used", articleId: null }]);
    await generated(owner, { body: { topicId, words: 300 } });
  });

  it("an article with another locale is translated under its slug", async () => {
    const source = await newArticle(world.tenant, { title: "Six walks", content: "Begin here.\n\n## One\n\nGo on." });
    const { article, metadata } = await generated(world.tenant, { body: { articleId: source._id, locale: "de" } });
    expect(article).toMatchObject({ slug: source.slug, locale: "de", blogId: source.blogId, published: true });
    expect(article.content).not.toContain("Go on.");
    expect(metadata).toMatchObject({ sourceArticleId: source._id, topic: "Six walks" });
    const name = newId();
    const again = await generate(world.tenant, { name, body: { articleId: source._id, locale: "de" } });
    await refusalOf(again, "slug_taken");
    expect(await askedOf(name)).toEqual([]);
  });

  it("an article in its own locale is rewritten as another article", async () => {
    const source = await newArticle(world.tenant, { title: "Old words", content: "Old words about walks." });
    const { article } = await generated(world.tenant, { body: { articleId: source._id, words: 300 } });
    expect(article._id).not.toBe(source._id);
    expect(article).toMatchObject({ locale: "en", blogId: source.blogId, published: true });
    expect(await sendJson(200, `/api/articles/${source._id}`)).toEqual(source);
  });

  it("a blogId that is not that of the idea or the article is refused", async () => {
    const as = { operatorToken: world.tenant.operatorToken };
    const other = await sendJson<{ _id: string }>(200, "/api/blogs", { as, body: { name: "Other" } });
    const { topicId, article } = world;
    for (const body of [{ topicId }, { articleId: article._id, locale: "de" }]) {
      const problem = await refusalOf(
        await generate(world.tenant, { body: { ...body, blogId: other._id } }),
        "invalid_request",
      );
      expect(problem.errors?.map(({ path }) => path)).toEqual(["blogId"]);
    }
  });

  it("without blogId it goes where a creation would", async () => {
    const single = await newTenant();
    const body = { ...SHORT, blogId: undefined };
    expect((await generated(single, { body })).article.blogId).toBe(single.blogId);
    await sendJson(200, "/api/blogs", { as: { operatorToken: single.operatorToken }, body: { name: "Second" } });
    await refusalOf(await generate(single, { body }), "blog_required");
  });

  it("a slug that is taken is refused before the model is asked", async () => {
    const { slug } = await newArticle(world.tenant, { title: "Taken" });
    const name = newId();
    await refusalOf(await generate(world.tenant, { name, body: { ...SHORT, slug } }), "slug_taken");
    expect(await askedOf(name)).toEqual([]);
  });
});

describe("Accept: text/event-stream", () => {
  const asStream = { Accept: "text/event-stream" };

  it("moves on while a section is written, and never back", async () => {
    const response = await generate(tenant, { headers: asStream, behaviour: "trickle-60" });
    const [, ...steps] = eventsOf(await response.text()).filter(({ event }) => event === "step");
    const done = steps.map(({ data }) => (data as { done: number }).done);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.filter((each) => !Number.isInteger(each)).length).toBeGreaterThan(1);
  });

  it("tells of each step in order, then the result", async () => {
    const response = await generate(tenant, { headers: asStream });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/event-stream");
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    const events = eventsOf(await response.text());
    const steps = events.slice(1, -1);
    expect(events[0]).toMatchObject({ event: "step", data: { step: "started" } });
    expect(new Set(steps.map(({ event }) => event))).toEqual(new Set(["step"]));
    const sections = steps.filter(({ data }) => data.step === "section").map(({ data }) => data);
    const of = sections.length;
    expect(steps.map(({ data }) => data)).toMatchObject([
      { step: "outline", done: 0 },
      ...Array.from({ length: of }, (_, index) => ({ step: "section", section: index + 1, of })),
      { step: "description" },
      { step: "checks" },
      { step: "stored", done: of + 3, total: of + 3 },
    ]);
    const { event, data } = events.at(-1) ?? { event: "", data: {} };
    expect(event).toBe("result");
    const { article } = data as { article: ArticleBody };
    expect(await sendJson(200, `/api/articles/${article._id}`)).toEqual(article);
  });

  it.each([
    ["text/event-stream", true],
    ["TEXT/Event-Stream, */*;q=0.1", true],
    ["application/json, text/event-stream;q=0.5", false],
    ["text/event-stream;q=0, application/json", false],
    ["*/*", false],
  ])("is heeded as it is meant: %s", async (accept, streams) => {
    const response = await generate(tenant, { headers: { Accept: accept } });
    expect(response.headers.get("Content-Type")).toBe(streams ? "text/event-stream" : "application/json");
    await response.text();
  });

  it("what fails on the way is a last `error` with the problem", async () => {
    const response = await generate(tenant, { headers: asStream, behaviour: "cut-off" });
    const events = eventsOf(await response.text());
    expect(events.at(-1)).toMatchObject({ event: "error", data: { code: "ai_cut_off", status: 502 } });
    expect(events.some(({ event }) => event === "result")).toBe(false);
  });

  it("what is refused before the first step has its status", async () => {
    await refusalOf(await generate(tenant, { headers: asStream, body: { words: 300 } }), "invalid_request");
  });
});

describe("Idempotency-Key", () => {
  it("a repetition gets the first answer, and nobody pays for it twice", async () => {
    const name = newId();
    const headers = { "Idempotency-Key": newId() };
    const first = await generate(tenant, { name, headers });
    const answer = await first.json();
    const asked = (await askedOf(name)).length;
    const second = await generate(tenant, { name, headers });
    expect(second.headers.get("Idempotent-Replayed")).toBe("true");
    expect(await second.json()).toEqual(answer);
    const third = await generate(tenant, { name, headers: { ...headers, Accept: "text/event-stream" } });
    expect(eventsOf(await third.text())).toEqual([{ event: "result", data: answer }]);
    expect((await askedOf(name)).length).toBe(asked);
  });

  it("a repetition while the first runs is refused, and does not run", async () => {
    const name = newId();
    const headers = { "Idempotency-Key": newId() };
    await hold(name);
    const first = generate(tenant, { name, headers });
    await untilAsked(name);
    await refusalOf(await generate(tenant, { name, headers }), "idempotency_in_progress");
    expect(await askedOf(name)).toHaveLength(1);
    await release(name);
    expect((await first).status).toBe(200);
  });

  it("a failure is not kept: a repetition tries again", async () => {
    const headers = { "Idempotency-Key": newId() };
    await refusalOf(await generate(tenant, { headers, behaviour: "error-500" }), "ai_unavailable");
    await refusalOf(await generate(tenant, { headers, behaviour: "refusal" }), "ai_refused");
    expect((await generate(tenant, { headers })).status).toBe(200);
  });
});
