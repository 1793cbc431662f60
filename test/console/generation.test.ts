/** Generating articles in the console, with a real model server that behaves as named. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { hiddenFields, unescaped, type Browser, type Page } from "../helpers/console.ts";
import { choicesOf, errorAt, fieldOf, generateBy, LIST, pathOf } from "../helpers/console-articles.ts";
import { IDEAS, ideasOf, memberOf, storeIdea } from "../helpers/console-topics.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { askedOf, baseUrl, hold, release, script, untilAsked } from "../helpers/generating.ts";
import { writeDocument } from "../helpers/written.ts";
import { consumeGeneration, UNDELIVERED } from "../helpers/queued-generations.ts";

const FORM = "/console/articles/generate";

let tenant: Tenant;
let browser: Browser;
beforeEach(async () => {
  tenant = await newTenant("Written & Co");
  browser = await memberOf(tenant, "writer");
});

/** A writer whose deployment has this model, and other settings. Nothing is delivered to its queue. */
const writerWith = (behaviour: string, { name = newId(), ...settings }: Record<string, string> = {}) =>
  memberOf(tenant, "writer", { ...settingsOf(behaviour, name), ...settings });

const settingsOf = (behaviour: string, name: string) => ({
  AI_BASE_URL: baseUrl(behaviour, name),
  AI_MODEL: "test",
  GENERATIONS: UNDELIVERED,
});

const locationOf = ({ status, headers }: Page): string => {
  expect(status).toBe(303);
  return headers.get("location") ?? "";
};

const idOf = (path: string): string => path.split("/").at(-1) ?? "";

const generate = (path: string, entered: Readonly<Record<string, string>>): Promise<Page> =>
  generateBy(browser, path, entered);

const formPath = (more = "") => `${FORM}?blog=${tenant.blogId}${more}`;

/** What is entered for a short article. */
const SHORT = { topic: "Morning walks", keywords: "walks", words: "300", locale: "en", published: "false" };

const articles = (): Promise<ArticleBody[]> =>
  sendJson<ArticleBody[]>(200, `/api/articles?blogId=${tenant.blogId}`, { as: { apiKey: tenant.apiKey } });

describe("an article about something", () => {
  it("becomes a draft unless one says otherwise, with its checks and its cost on the page", async () => {
    const empty = await browser.get(formPath());
    expect(choicesOf(empty, "published")).toEqual(["false*", "true"]);
    const { published: _, ...entered } = SHORT;
    const page = await generate(formPath(), entered);
    expect(page.status).toBe(200);
    const [article] = await articles();
    expect(article).toMatchObject({ published: false, locale: "en", blogId: tenant.blogId });
    expect(page.text).toContain(`href="/console/articles/${article?._id}"`);
    expect(unescaped(page.text)).toContain(article?.title ?? "none");
    expect(page.text).toContain("Keyword in first paragraph");
    expect(page.text).toMatch(/badge good">Passed</);
    expect(page.text).toMatch(/<dt>Tokens<\/dt><dd[^>]*>[\d,]+ input, [\d,]+ output</);
    expect(page.text).toContain("test (127.0.0.1)");
  });

  it("is written from the addresses in lines of their own, and one that cannot be read is named there", async () => {
    const good = await writeDocument("48 minutes.", "text/plain");
    const wrong = await browser.submit(formPath(), FORM, { ...SHORT, sources: `${good}\r\n\r\n ${good}x ` });
    expect(errorAt(wrong, "sources")).toContain("404");
    expect(fieldOf(wrong, "sources")).toContain(good);
    const page = await generate(formPath(), { ...SHORT, sources: `\n${good}\n` });
    expect(page.text).toContain(">Sources<");
  });

  it("is published at once where that is chosen", async () => {
    await generate(formPath(), { ...SHORT, published: "true" });
    expect(await articles()).toMatchObject([{ published: true }]);
  });

  it("has the images that were chosen, where there is a model for them", async () => {
    const settings = { ...settingsOf("ok", newId()), AI_IMAGE_MODEL: "painter" };
    const writer = await memberOf(tenant, "writer", settings);
    const written = async (entered: Readonly<Record<string, string>>) => {
      const place = locationOf(await writer.submit(formPath(), FORM, { ...SHORT, ...entered }));
      await consumeGeneration(tenant, idOf(place), settings);
      return (await writer.get(place)).text;
    };
    expect(await written({})).not.toContain("painter");
    expect(await written({ topic: "Evening walks", images: "coverImage" })).toContain("1 from painter");
    expect((await articles()).filter(({ coverUrl }) => coverUrl !== "")).toHaveLength(1);
  });
});

describe("an article from an idea", () => {
  it("shows the idea, and marks it as used", async () => {
    const id = await storeIdea(tenant, {
      title: "Ferries & trains",
      angle: "Slower is nicer.",
      keywords: ["ferries", "trains"],
      url: "https://example.com/ferries",
    });
    const path = formPath(`&topic=${id}`);
    const form = await browser.get(path);
    expect(unescaped(form.text)).toContain(">Ferries & trains</a>");
    expect(form.text).toContain("Slower is nicer.");
    // They stand with the idea; in the field, a source's words would pass for the writer's.
    expect(form.text).toContain(">trains</li>");
    expect(fieldOf(form, "keywords")).toBe("");
    expect(form.text).not.toContain('name="topic"');
    await generate(path, { words: "300", keywords: "ferries", locale: "en" });
    const [article] = await articles();
    expect(await ideasOf(tenant)).toMatchObject([{ status: "used", articleId: article?._id }]);

    const late = await browser.submit(formPath(), FORM, { ...SHORT, topicId: id });
    expect(late.status).toBe(409);
    expect(late.text).toContain("Somebody has already generated an article from this topic idea.");
    expect(await articles()).toHaveLength(1);
  });
});

describe("a generation that is refused", () => {
  const ENTERED = { ...SHORT, topic: "Kept & <b>whole</b>", instructions: "Kept, too." };

  it.each([
    ["no model is configured", "ok", { AI_BASE_URL: "", AI_MODEL: "" }, 503, "No text model is configured."],
    [
      "there were too many",
      "ok",
      { AI_GENERATIONS_PER_DAY: "0" },
      429,
      "The organization has used up its generations for now.",
    ],
  ] as const)("says so where %s, and keeps what was entered", async (_, behaviour, settings, status, sentence) => {
    const writer = await writerWith(behaviour, { ...settings });
    // The form is that of another writer: without a model, it is not offered.
    const { _person, ...hidden } = hiddenFields((await browser.get(formPath())).text, FORM);
    const page = await writer.post(FORM, { ...hidden, ...ENTERED, images: "coverImage" });
    expect([page.status, page.text.includes(sentence) ? sentence : page.text]).toEqual([status, sentence]);
    expect(fieldOf(page, "topic")).toBe(ENTERED.topic);
    expect(fieldOf(page, "instructions")).toBe(ENTERED.instructions);
    expect(choicesOf(page, "words")).toContain("300*");
    expect(page.text).toMatch(/value="coverImage" checked/);
    expect(page.text).not.toMatch(/value="inlineImages" checked/);
    // It is not on its way, and some of these last.
    expect(page.text).not.toContain("a minute or two");
    expect(await articles()).toEqual([]);
  });

  it("is told of beforehand where no model is configured", async () => {
    const { text: able } = await browser.get(formPath());
    expect(able).toContain("a minute or two");
    expect(able).not.toContain("No text model is configured.");
    const unable = await writerWith("ok", { AI_BASE_URL: "localhost:9720/v1" });
    const { text } = await unable.get(formPath());
    expect(text).toMatch(/No text model is configured\.[\s\S]*AI_BASE_URL/);
    expect(text).not.toContain(`action="${FORM}"`);
    expect(text).not.toContain("a minute or two");
    const { _person, ...hidden } = hiddenFields(able, FORM);
    const sent = await unable.post(FORM, { ...hidden, ...SHORT });
    expect(sent.text).toMatch(/<button type="submit" disabled[^>]*>Generate article/);
    // A script enables a button that has it.
    expect(sent.text).not.toContain("data-busy");
    expect(sent.text.split("No text model is configured.")).toHaveLength(2);
  });

  it.each([
    ["topic", { topic: " " }, "topic"],
    ["too many keywords", { keywords: "a,b,c,d,e,f,g,h,i,j,k" }, "keywords"],
    ["too many keywords, with the commas of other keyboards", { keywords: "a، b、c，d,e,f,g,h,i,j,k" }, "keywords"],
    ["no language", { otherLocale: "not a language!" }, "otherLocale"],
    ["an endless tone", { tone: "t".repeat(101) }, "tone"],
  ])("names the field: %s", async (_, entered, field) => {
    const page = await browser.submit(formPath(), FORM, { ...SHORT, ...entered });
    expect(page.status).toBe(400);
    expect(errorAt(page, field)).toBeTruthy();
    expect(await articles()).toEqual([]);
  });
});

describe("the page of a generation", () => {
  const asAdmin = () => ({ operatorToken: tenant.operatorToken });

  async function begin(behaviour = "ok") {
    const name = newId();
    const writer = await writerWith(behaviour, { name });
    const sent = { ...hiddenFields((await writer.get(formPath())).text, FORM), ...SHORT };
    const place = locationOf(await writer.post(FORM, sent));
    const consume = () => consumeGeneration(tenant, idOf(place), settingsOf(behaviour, name));
    return { name, writer, sent, place, consume };
  }

  it("shows by itself how far it is, and the form sent again leads there", async () => {
    const { name, writer, sent, place, consume } = await begin();
    const waiting = await writer.get(place);
    expect(waiting.headers.get("refresh")).toBe("3");
    expect(waiting.text).toContain("Waiting to begin. You can close this page");
    await hold(name);
    const work = consume();
    await untilAsked(name);
    expect(locationOf(await writer.post(FORM, sent))).toBe(place);
    expect((await writer.get("/console/generations")).text).toContain(`href="${place}"`);
    await release(name);
    await work;
    const done = await writer.get(place);
    expect([done.headers.has("refresh"), done.text.includes("<progress")]).toEqual([false, false]);
    const [article] = await articles();
    await sendJson(200, `/api/articles/${article?._id}`, { as: asAdmin(), method: "DELETE" });
    expect((await writer.get(place)).text).toContain("The article has been deleted since.");
  });

  it.each([
    ["status-500", "The AI provider could not be reached, or failed."],
    ["refusal", "The model refused to write this."],
    ["rate-limited-300", "The AI provider is busy."],
  ])("says why it failed: %s", async (behaviour, sentence) => {
    const { writer, place, consume } = await begin(behaviour);
    await consume();
    const page = await writer.get(place);
    expect([page.headers.has("refresh"), page.text.includes(sentence)]).toEqual([false, true]);
    expect(await articles()).toEqual([]);
  });

  it("tries again, and pays only for what is missing; a reader cannot", async () => {
    const { name, writer, place, consume } = await begin();
    await script(name, [{ match: '"description"', answer: "broken", status: 500 }]);
    await consume();
    const before = (await askedOf(name)).length;
    const reader = await memberOf(tenant, "reader");
    expect((await reader.get(place)).text).not.toContain("Try again");
    expect(locationOf(await writer.submit(place, `${place}/resume`))).toBe(place);
    await consume();
    expect(await askedOf(name)).toHaveLength(before + 1);
    expect((await writer.get(place)).text).toContain("Review draft");
  });

  it("offers nothing to go on with where nothing is kept", async () => {
    const { writer, place } = await begin();
    await env.DB.prepare("update generations set state = 'failed', code = 'ai_timeout' where id = ?")
      .bind(idOf(place))
      .run();
    expect((await writer.get(place)).text).toContain("Try again");
    await env.DB.prepare("delete from generation_answers where generation_id = ?").bind(idOf(place)).run();
    expect((await writer.get(place)).text).not.toContain("Try again");
  });
});

describe("who may generate", () => {
  it("is no reader: no page leads there, and nothing is written", async () => {
    const reader = await memberOf(tenant, "reader");
    const article = await newArticle(tenant, { content: "A text." });
    const topicId = await storeIdea(tenant);
    for (const path of [LIST, pathOf(article), IDEAS]) expect((await reader.get(path)).text).not.toContain(FORM);
    for (const more of ["", `&topic=${topicId}`, `&article=${article._id}`]) {
      expect((await reader.get(formPath(more))).status).toBe(403);
    }
    const sent = { _organization: tenant.organizationId, _key: newId(), blogId: tenant.blogId, ...SHORT };
    expect((await reader.post(FORM, sent)).status).toBe(403);
    expect(await articles()).toHaveLength(1);
  });
});
