/** Topic ideas in the console: the list, judging, and the search for new ones. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { unescaped, type Browser } from "../helpers/console.ts";
import { addFeed, between, blogOf, IDEAS, ideasOf, memberOf, sourcesOf, storeIdea } from "../helpers/console-topics.ts";
import { telling } from "../helpers/refreshing.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { PATIENCE } from "../helpers/webhooks.ts";

let tenant: Tenant;
let browser: Browser;
beforeEach(async () => {
  tenant = await newTenant("Ideas & Co");
  browser = await memberOf(tenant);
});

const listPath = (more = "") => `${IDEAS}?blog=${tenant.blogId}${more}`;
const sourcesPath = () => sourcesOf(tenant).page;

/** A form as the page would send it. */
const form = (more: Record<string, string> = {}) => ({ _organization: tenant.organizationId, _key: newId(), ...more });

/** The titles on a page, in their order. */
const titlesOn = (text: string): string[] =>
  [...text.matchAll(/<h2 lang="[^"]*">(?:<a [^>]*>)?([^<]*)/g)].map(([, title = ""]) => unescaped(title));

const itemOf = (text: string, title: string): string => between(text, `>${title}<`, "</li><li><div>");

describe("the list of ideas", () => {
  it("has the best first, with what is known of each", async () => {
    await storeIdea(tenant, { title: "Second", score: 10, summary: "What it says." });
    const now = new Date();
    const creationTime = new Date(now.getTime() - 3 * 86_400_000).toISOString();
    await storeIdea(tenant, {
      title: "First",
      score: 20,
      summary: "Only the item.",
      angle: "What could be written.",
      url: "https://example.com/first?a=1&b=2",
      sourceName: "Gazette",
      mentions: [
        { url: "https://example.com/first?a=1&b=2", source: { kind: "feed", name: "Gazette" } },
        { url: "https://other.example.com/x", source: { kind: "lobsters", name: "Lobsters" } },
      ],
      keywords: ["ferries", "trains"],
      creationTime,
    });
    const { text } = await browser.get(IDEAS);
    expect(titlesOn(text)).toEqual(["First", "Second"]);
    expect(unescaped(text)).toContain(
      '<a href="https://example.com/first?a=1&b=2" target="_blank" rel="noopener noreferrer nofollow">First</a>',
    );
    const first = itemOf(text, "First");
    expect(first).toContain("What could be written.");
    expect(first).not.toContain("Only the item.");
    // Its own item is a mention, too, and is shown once.
    expect(first.match(/Gazette/g)).toHaveLength(1);
    expect(first).toContain('<a href="https://other.example.com/x" target="_blank"');
    expect(first).toContain(">ferries<");
    expect(first).toContain(`<time datetime="${creationTime}">3 days ago</time>`);
    expect(itemOf(text, "Second")).toContain("What it says.");
  });

  it("shows what waits for a decision, or one status, or all", async () => {
    for (const status of ["new", "used", "dismissed"]) await storeIdea(tenant, { title: `It is ${status}`, status });
    const shown = async (more: string) => titlesOn((await browser.get(listPath(more))).text).sort();
    expect(await shown("")).toEqual(["It is new"]);
    expect(await shown("&status=used")).toEqual(["It is used"]);
    expect(await shown("&status=dismissed")).toEqual(["It is dismissed"]);
    expect(await shown("&status=")).toEqual(["It is dismissed", "It is new", "It is used"]);
  });

  it("makes nothing but text of what sources write", async () => {
    await storeIdea(tenant, {
      title: "<script>alert(1)</script>",
      summary: '"><img src=x onerror=alert(1)>',
      url: "javascript:alert(document.cookie)",
      sourceName: "<b>bold</b>",
      keywords: ['" onmouseover="alert(1)'],
      mentions: [
        { url: "JavaScript:alert(2)", source: { kind: "feed", name: "Twin" } },
        { url: "data:text/html,<script>", source: { kind: "feed", name: "Other twin" } },
      ],
    });
    const { text } = await browser.get(listPath());
    expect(text).toContain("&lt;script&gt;alert(1)");
    expect(text).toContain("Other twin");
    expect(text).not.toMatch(/<script>|<img|<b>|href="\s*(?:javascript|data):(?!image)|" onmouseover="/i);
  });
});

describe("judging an idea", () => {
  it("dismisses and restores it, and goes back to where one was", async () => {
    const id = await storeIdea(tenant, { title: "Judged" });
    const path = listPath("&status=");
    const dismissed = await browser.submit(path, `${IDEAS}/${id}`);
    expect(dismissed.status).toBe(303);
    expect(dismissed.headers.get("Location")).toBe(`${path}&done=topic-dismissed`);
    expect(await ideasOf(tenant)).toMatchObject([{ status: "dismissed" }]);
    const { text } = await browser.get(path);
    expect(itemOf(text, "Judged")).toContain("Restore");
    expect(itemOf(text, "Judged")).not.toContain("Generate article");
    const restored = await browser.submit(path, `${IDEAS}/${id}`);
    expect(restored.headers.get("Location")).toBe(`${path}&done=topic-restored`);
    expect(await ideasOf(tenant)).toMatchObject([{ status: "new" }]);
  });

  it("leads to the form of a generation", async () => {
    const id = await storeIdea(tenant);
    const link = `/console/articles/generate?blog=${tenant.blogId}&topic=${id}`;
    expect(unescaped((await browser.get(listPath())).text)).toContain(`href="${link}"`);
  });

  it("is over once it has become an article", async () => {
    const { _id: articleId } = await newArticle(tenant);
    const id = await storeIdea(tenant, { title: "Written", status: "used", articleId });
    const { text } = await browser.get(listPath("&status=used"));
    expect(text).toContain(`href="/console/articles/${articleId}"`);
    expect(text).not.toContain(`action="${IDEAS}/${id}"`);
    const refused = await browser.post(`${IDEAS}/${id}`, form({ status: "dismissed", here: "" }));
    expect(refused.status).toBe(409);
    expect(await ideasOf(tenant)).toMatchObject([{ status: "used" }]);
  });
});

describe("looking for new ideas", () => {
  it("reads the sources, tells what each gave, and fills the list", async () => {
    await addFeed(browser, tenant, telling("Slow ferries are back in Norway", "Night trains are late"));
    const begun = await browser.submit(listPath(), `${IDEAS}/refresh`);
    expect(begun.status).toBe(303);
    const path = begun.headers.get("Location") ?? "";
    expect(path).toMatch(/^\/console\/topics\/refreshes\//);
    const { text, headers } = await vi.waitFor(async () => {
      const page = await browser.get(path);
      expect(page.text).toContain("Topic ideas refreshed");
      return page;
    }, PATIENCE);
    expect(headers.get("Refresh")).toBeNull();
    const ideas = await ideasOf(tenant);
    expect(ideas.length).toBeGreaterThan(0);
    expect(text).toContain(`${ideas.length} new idea`);
    expect(titlesOn((await browser.get(listPath())).text).sort()).toEqual(ideas.map(({ title }) => title).sort());
  });

  it("says of every source how it stands, and loads again while it runs", async () => {
    const id = await storeRefresh("running", [
      { state: "open" },
      { state: "claimed" },
      { state: "read", found: 9, created: 3, merged: 2, refused: { "has no title": 1, "is known": 3 } },
      { state: "read", found: 5, created: 0, refused: { "is known": 5 } },
      { state: "read", found: 1, created: 1 },
      { state: "read", found: 0 },
      { state: "unchanged" },
      { state: "failed", reason: "status", detail: "It answered 404." },
    ]);
    const { text, headers, status } = await browser.get(`${IDEAS}/refreshes/${id}`);
    expect(status).toBe(200);
    expect(headers.get("Refresh")).toMatch(/^\d+$/);
    expect(text).toContain("6 of 8 sources read.");
    for (const words of [
      "Waiting",
      "Reading",
      "Nothing new",
      "It answered 404.",
      "9 items: 3 new ideas; 2 covered by existing ideas; skipped: no title (1), already known (3).",
      "5 items: no new ideas; skipped: already known (5).",
      "1 item: 1 new idea.",
      "The source is empty.",
    ]) {
      expect(text).toContain(words);
    }
  });
});

type StoredSource = { state: string; refused?: Record<string, number> } & Record<string, unknown>;

/** Stores a refresh of feeds that stand like this; returns its id. */
async function storeRefresh(state: string, sources: readonly StoredSource[], of = tenant): Promise<string> {
  const id = newId();
  const time = new Date().toISOString();
  const rows = sources.map(({ refused = {}, ...source }, position) => {
    const row: Record<string, unknown> = {
      refresh_id: id,
      position,
      organization_id: of.organizationId,
      source: JSON.stringify({ kind: "feed", name: `Feed ${position}`, url: "https://example.com/" }),
      refused: JSON.stringify(refused),
      enqueue_time: time,
      ...source,
    };
    const names = Object.keys(row);
    const sql = `insert into topic_refresh_sources (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`;
    return env.DB.prepare(sql).bind(...Object.values(row));
  });
  const refresh = env.DB.prepare(
    "insert into topic_refreshes (id, organization_id, blog_id, state, creation_time) values (?, ?, ?, ?, ?)",
  ).bind(id, of.organizationId, of.blogId, state, time);
  await env.DB.batch([refresh, ...rows]);
  return id;
}

describe("who may do what", () => {
  it("a reader reads, sees no button, and changes nothing", async () => {
    await addFeed(browser, tenant);
    const id = await storeIdea(tenant, { title: "Seen" });
    const reader = await memberOf(tenant, "reader");
    const { text } = await reader.get(listPath());
    expect(titlesOn(text)).toEqual(["Seen"]);
    expect(text).not.toMatch(/Dismiss(?!ed)|Generate article|>Refresh<|topics\/sources/);
    expect((await reader.get(sourcesPath())).status).toBe(403);
    const sent = form({ status: "dismissed", blogId: tenant.blogId, index: "0", topicRefresh: "daily" });
    const before = [await ideasOf(tenant), await blogOf(tenant)];
    for (const action of [
      `${IDEAS}/${id}`,
      `${IDEAS}/refresh`,
      sourcesPath(),
      sourcesOf(tenant).remove,
      sourcesOf(tenant).rhythm,
    ]) {
      expect([action, (await reader.post(action, sent)).status]).toEqual([action, 403]);
    }
    expect([await ideasOf(tenant), await blogOf(tenant)]).toEqual(before);
  });

  it("a writer judges and looks, but names no sources", async () => {
    const id = await storeIdea(tenant);
    await addFeed(browser, tenant);
    const writer = await memberOf(tenant, "writer");
    expect((await writer.get(listPath())).text).not.toContain("topics/sources");
    expect((await writer.submit(listPath(), `${IDEAS}/${id}`)).status).toBe(303);
    expect((await writer.submit(listPath(), `${IDEAS}/refresh`)).status).toBe(303);
    expect((await writer.get(sourcesPath())).status).toBe(403);
    expect((await writer.post(sourcesOf(tenant).remove, form({ index: "0" }))).status).toBe(403);
    expect((await blogOf(tenant)).topicSources).toHaveLength(1);
  });
});
