/** The sources of topic ideas in the console: adding, which tries them, removing, and how often they are read. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { unescaped, type Browser } from "../helpers/console.ts";
import { errorAt, fieldOf } from "../helpers/console-articles.ts";
import { addFeed, blogOf, feedUrl, memberOf, sourcesOf } from "../helpers/console-topics.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let browser: Browser;
beforeEach(async () => {
  tenant = await newTenant("Ideas & Co");
  browser = await memberOf(tenant);
});

describe("the sources of a blog", () => {
  it("are listed, added by kind, and removed", async () => {
    const added = await addFeed(browser, tenant);
    expect(added.headers.get("Location")).toBe(`${sourcesOf(tenant).page}&done=source-added`);
    const kinds = [
      { kind: "hackernews", query: "rust" },
      { kind: "discourse", url: `${env.FEEDS.url}/discourse`, category: "", tag: "release" },
      { kind: "reddit", subreddit: "programming" },
      { kind: "stackexchange", site: "stackoverflow", tag: "typescript" },
      { kind: "lobsters", tag: "databases", name: "My lobsters" },
    ];
    for (const { kind, ...entered } of kinds) {
      const { status, text } = await browser.submit(
        `${sourcesOf(tenant).page}&kind=${kind}`,
        sourcesOf(tenant).page,
        entered,
      );
      expect([kind, status, status === 303 ? "" : text]).toEqual([kind, 303, ""]);
    }
    const { topicSources } = await blogOf(tenant);
    expect(topicSources).toMatchObject([{ kind: "feed", url: feedUrl(), name: "Slow Software" }, ...kinds]);
    const { text } = await browser.get(sourcesOf(tenant).page);
    for (const { name = "" } of topicSources) expect(unescaped(text)).toContain(`<strong>${name}</strong>`);
    expect(text).toContain("Stack Exchange · typescript · stackoverflow");

    const removed = await browser.submit(sourcesOf(tenant).page, sourcesOf(tenant).remove, { index: "1" });
    expect(removed.headers.get("Location")).toBe(`${sourcesOf(tenant).page}&done=source-removed`);
    expect((await blogOf(tenant)).topicSources).toEqual(topicSources.filter((_, index) => index !== 1));
  });

  it.each([
    ["feed", { url: "status-404/x" }, "url", "It answered 404."],
    ["feed", { url: "feeds/page-without-feed.html" }, "url", "It is a web page, not a feed, and it links to no feed."],
    ["discourse", { url: "hang-up/x", tag: "release" }, "url", "It answered 404."],
    ["reddit", { subreddit: "r/typescript" }, "subreddit", "must be the name of a subreddit, without r/"],
    ["reddit", { subreddit: "nobodyhasthis" }, "subreddit", ""],
    ["stackexchange", { tag: "typescript", site: "nosuchsite" }, "tag", ""],
    ["lobsters", { tag: "a/b" }, "tag", "must be a tag"],
    ["lemmy", { url: "https://lemmy.example" }, "url", "must be the address of a community"],
    ["hackernews", { query: "a\tb" }, "query", "must not contain control characters or line breaks"],
  ] as const)("a %s that cannot be read is refused at its field: %j", async (kind, entered, at, message) => {
    const values = Object.fromEntries(
      Object.entries(entered).map(([name, value]) => [name, name === "url" ? feedUrl(value) : value]),
    ) as Record<string, string>;
    const page = await browser.submit(`${sourcesOf(tenant).page}&kind=${kind}`, sourcesOf(tenant).page, {
      name: "Mine",
      ...values,
    });
    expect(page.status).toBe(400);
    expect(errorAt(page, at)).toContain(message);
    expect(errorAt(page, at)).not.toBe("");
    expect(page.text).not.toContain("topicSources.");
    for (const [name, value] of Object.entries({ name: "Mine", ...values })) expect(fieldOf(page, name)).toBe(value);
    expect((await blogOf(tenant)).topicSources).toEqual([]);
  });

  it("are read when somebody asks for it, or once a day", async () => {
    const saved = await browser.submit(sourcesOf(tenant).page, sourcesOf(tenant).rhythm, { topicRefresh: "daily" });
    expect(saved.headers.get("Location")).toBe(`${sourcesOf(tenant).page}&done=saved`);
    expect(await blogOf(tenant)).toMatchObject({ topicRefresh: "daily" });
    expect((await browser.get(sourcesOf(tenant).page)).text).toContain('<option value="daily" selected="">');
  });
});
