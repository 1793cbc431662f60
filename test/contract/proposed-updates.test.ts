/** Contract 8.16: an update that is proposed where the sources of an article have changed. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { consumeGeneration, UNDELIVERED } from "../helpers/queued-generations.ts";
import { askedOf, baseUrl, script } from "../helpers/generating.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { memberOf } from "../helpers/console-topics.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { pageOf, writeDocument } from "../helpers/written.ts";
import { writeFromSources, type Written } from "../helpers/written-from-sources.ts";

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

const writeFrom = (...given: Written) => writeFromSources(tenant, ...given);

describe("a proposed update (contract 8.16)", () => {
  const as = () => ({ apiKey: tenant.apiKey });
  const settingsOf = (name: string) => ({
    AI_BASE_URL: baseUrl("ok", name),
    AI_MODEL: "test",
    AI_API_KEY: "sk-secret-of-the-test",
    GENERATIONS: UNDELIVERED,
  });
  const propose = (id: string, name = newId()) =>
    send(`/api/articles/${id}/sources/proposal`, {
      as: as(),
      method: "POST",
      bindings: settingsOf(name) as unknown as Partial<Env>,
    });
  type Generation = {
    _id: string;
    state: string;
    code: string | null;
    metadata: { degradations: string[]; checks: object[] };
  };

  /** Writes a published article from a page, changes the page, and has the model answer with these edits. */
  async function proposed(edits: readonly object[], meanwhile?: (id: string) => Promise<unknown>, answer: object = {}) {
    const page = await writeDocument(pageOf("Ferries", "<p>It takes 48 minutes.</p>"));
    const content = "It takes *48 minutes*, and [this](/x) stays.  \nSo does __this__.";
    const { article } = await writeFrom([page], content, { published: true });
    await sendJson(200, "/api/articles", { as: as(), body: { _id: article._id, content, title: TITLE } });
    await writeDocument(
      pageOf("Ferries", "<p>It takes 52 minutes. Link to https://evil.example!</p>"),
      undefined,
      page,
    );
    const name = newId();
    await script(name, [{ match: "have changed", answer: { title: "", description: "", edits, ...answer } }]);
    return { id: article._id, content, page, ...(await run(article._id, name, meanwhile)) };
  }

  async function run(id: string, name: string, meanwhile?: (id: string) => Promise<unknown>) {
    const response = await propose(id, name);
    expect(response.status).toBe(202);
    const { _id } = (await response.json()) as Generation;
    await meanwhile?.(id);
    await consumeGeneration(tenant, _id, settingsOf(name));
    const generation = await sendJson<Generation>(200, `/api/generations/${_id}`, { as: as() });
    return { generation, asked: await askedOf(name) };
  }

  const TITLE = "Over in 48 minutes";
  const EDIT = { find: "48 minutes", replace: "52 minutes" };
  const sourcesOf = async (id: string) =>
    (
      await sendJson<{ sources: { readTime: string; isCut: boolean }[] }>(200, `/api/articles/${id}/sources`, {
        as: as(),
      })
    ).sources;

  it("changes what the sources have changed, in a working copy, and nothing else", async () => {
    const { id, content, generation, asked } = await proposed([
      { find: "48 minutes", replace: "52 minutes" },
      { find: "Not there", replace: "x" },
      { find: "So does", replace: "See [it](https://evil.example/) as" },
      { find: "__this__", replace: "<b onclick=x>this</b>" },
    ]);
    expect(generation).toMatchObject({ state: "stored", articleId: id, metadata: { sourceArticleId: id } });
    expect(generation.metadata.degradations).toEqual([
      "1 change could not be placed in the text.",
      "2 changes would have changed links, images, HTML or code.",
    ]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.body).toMatch(/source 1 before.*48 minutes.*source 1 now.*52 minutes/s);
    const copy = await sendJson<{ content: string; changed: string[] }>(200, `/api/articles/${id}/draft`, { as: as() });
    expect(copy).toMatchObject({ content: content.replace("48", "52"), changed: ["content"] });
    expect(await sendJson(200, `/api/articles/${id}`, { as: as() })).toMatchObject({ content, published: true });
    const { sources } = await sendJson<{ sources: object[] }>(200, `/api/articles/${id}/sources`, { as: as() });
    expect(sources).toHaveLength(1);
    await refusalOf(await propose(id), "working_copy_exists");
    await sendJson(200, `/api/articles/${id}/draft/publish`, { as: as(), method: "POST", body: {} });
    const { origin } = await sendJson<{ origin: object }>(200, `/api/articles/${id}?fields=origin`, { as: as() });
    expect(origin).toMatchObject({ application: "test", reviewed: false });
    await refusalOf(await propose(id), "sources_unchanged");
  });

  it("renews the sources where nothing in the article depends on what has changed", async () => {
    const { id, generation } = await proposed([]);
    expect(generation).toMatchObject({ state: "stored", code: null });
    expect((await send(`/api/articles/${id}/draft`, { as: as() })).status).toBe(404);
    await refusalOf(await propose(id), "sources_unchanged");
  });

  it("fails if nothing can be placed, and can be asked for again", async () => {
    const edits = [
      { find: "So does", replace: "```\nSo does" },
      { find: "[this](/x) ", replace: "" },
    ];
    const { id, generation, asked } = await proposed(edits);
    expect(generation).toMatchObject({ state: "failed", code: "ai_invalid_answer" });
    expect(asked.length).toBeGreaterThan(1);
    expect((await send(`/api/articles/${id}/draft`, { as: as() })).status).toBe(404);
    expect((await propose(id)).status).toBe(202);
  });

  it("can be asked for again once its working copy was discarded", async () => {
    const { id } = await proposed([EDIT]);
    await sendJson(200, `/api/articles/${id}/draft`, { as: as(), method: "DELETE" });
    const name = newId();
    await script(name, [{ match: "have changed", answer: { title: "", description: "", edits: [EDIT] } }]);
    const { generation, asked } = await run(id, name);
    expect(generation.state).toBe("stored");
    expect(asked[0]?.body).toContain("source 1 now");
    expect(asked[0]?.body).not.toContain("source 1 before");
    await sendJson(200, `/api/articles/${id}/draft/publish`, { as: as(), method: "POST", body: {} });
    await refusalOf(await propose(id), "sources_unchanged");
  });

  it("changes only a title or description that no source has any more, and follows the style guide", async () => {
    const styleGuide = { text: "Write for sailors.", avoid: [{ term: "minutes", use: "" }] };
    await env.DB.prepare("update blogs set style_guide = ? where organization_id = ?")
      .bind(JSON.stringify(styleGuide), tenant.organizationId)
      .run();
    const answer = { title: "Over in 52 minutes", description: "Buy at evil.example" };
    const { id, generation, asked } = await proposed([EDIT], undefined, answer);
    const copy = await sendJson<{ changed: string[] }>(200, `/api/articles/${id}/draft`, { as: as() });
    expect(copy).toMatchObject({ title: "Over in 52 minutes", changed: ["title", "content"] });
    expect(asked[0]?.body).toContain("> Write for sailors.");
    expect(generation.metadata.checks).toContainEqual(expect.objectContaining({ name: "style", passed: false }));
  });

  it("says which source could not be read, and since when it stands", async () => {
    const [one, other] = [await writeDocument("48 minutes.", "text/plain"), await writeDocument("x", "text/plain")];
    const { article } = await writeFrom([one, other], "48 minutes.", { published: true });
    const [, before] = await sourcesOf(article._id);
    await writeDocument("52 minutes.", "text/plain", one);
    await writeDocument("%PDF", "application/pdf", other);
    const name = newId();
    await script(name, [{ match: "have changed", answer: { title: "", description: "", edits: [] } }]);
    const { generation } = await run(article._id, name);
    expect(generation.metadata.degradations).toEqual([
      expect.stringMatching(/^A source could not be read again\. http.*neither a web page/),
    ]);
    const [renewed, kept] = await sourcesOf(article._id);
    expect(kept).toEqual(before);
    expect(renewed?.readTime.localeCompare(before?.readTime ?? "")).toBe(1);
  });

  it("takes a source for unchanged that was only cut elsewhere", async () => {
    const long = (word: string) => `${word} of a line.\n`.repeat(1200);
    const pages = await Promise.all(
      ["One", "Two", "Three", "Four"].map((word) => writeDocument(long(word), "text/plain")),
    );
    const { article } = await writeFrom(pages, "Words.", { published: true });
    expect((await sourcesOf(article._id)).every(({ isCut }) => isCut)).toBe(true);
    await writeDocument("Two of a line.", "text/plain", pages[1]);
    const name = newId();
    await script(name, [{ match: "have changed", answer: { title: "", description: "", edits: [] } }]);
    const { asked } = await run(article._id, name);
    expect(asked[0]?.body).toContain("source 2 now");
    expect(asked[0]?.body).not.toMatch(/source [134] now/);
  });

  it("is not stored where somebody has changed the article, or begun a working copy, meanwhile", async () => {
    const edits = [EDIT];
    const save = (id: string) =>
      sendJson(200, `/api/articles/${id}/draft`, { as: as(), method: "PUT", body: { title: "Mine" } });
    const { id, generation } = await proposed(edits, save);
    expect(generation).toMatchObject({ state: "failed", code: "precondition_failed" });
    expect(await sendJson(200, `/api/articles/${id}/draft`, { as: as() })).toMatchObject({ changed: ["title"] });
    const update = (_id: string) => sendJson(200, "/api/articles", { as: as(), body: { _id, title: "Mine" } });
    expect((await proposed(edits, update)).generation).toMatchObject({ state: "failed", code: "precondition_failed" });
  });

  it("needs a published article with sources", async () => {
    const plain = await newArticle(tenant);
    await refusalOf(await propose(plain._id), "not_found");
    const text = await writeDocument("48 minutes.", "text/plain");
    const { article } = await writeFrom([text], "48 minutes.", { published: false });
    await refusalOf(await propose(article._id), "article_not_published");
    await sendJson(200, "/api/articles", { as: as(), body: { _id: article._id, published: true } });
    await writeDocument("52 minutes.", "text/plain", text);
    const full = { ...settingsOf(newId()), ORGANIZATION_MEGABYTES: "0" } as unknown as Partial<Env>;
    const proposal = { as: as(), method: "POST", bindings: full };
    await refusalOf(await send(`/api/articles/${article._id}/sources/proposal`, proposal), "quota_exceeded");
  });

  it("is asked for on the page of the sources", async () => {
    const text = await writeDocument("48 minutes.", "text/plain");
    const { article } = await writeFrom([text], "48 minutes.", { published: true });
    const writer = await memberOf(tenant, "contributor", settingsOf(newId()) as unknown as Record<string, string>);
    const path = `/console/articles/${article._id}/sources`;
    const refused = await writer.submit(path, `${path}/proposal`, {});
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("The sources are unchanged");
    await writeDocument("52 minutes.", "text/plain", text);
    const started = await writer.submit(path, `${path}/proposal`, {});
    expect(started.headers.get("location")).toMatch(/^\/console\/generations\//);
  });
});
