import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { VERSION } from "../../src/lib/version";
import type { TopicSource } from "../../src/domain/topic-source";
import { makeDiscourseQuery as discourseQuery } from "../../src/background/topics/forums/discourse";
import { FORUMS, given, read, seen, titles } from "../helpers/sources";

const hackernews = (query: string): TopicSource => ({ kind: "hackernews", name: "HN", query });
const discourse = (category: string, tag: string): TopicSource => ({
  kind: "discourse",
  name: "Kiln",
  url: `${env.FEEDS.url}/discourse/`,
  category,
  tag,
});
const reddit = (subreddit: string): TopicSource => ({ kind: "reddit", name: "Reddit", subreddit });
const stackexchange = (site: string, tag: string): TopicSource => ({ kind: "stackexchange", name: "SE", site, tag });
const lobsters = (tag: string): TopicSource => ({ kind: "lobsters", name: "Lobsters", tag });

/** The path and query that the server saw last for addresses with this name in them. */
const asked = async (name: string): Promise<string | undefined> => (await seen(name)).at(-1)?.url;

describe("Hacker News", () => {
  it("gives the front page: pages, and discussions that are about none", async () => {
    expect(await given(read(hackernews("")))).toMatchObject({
      name: "Hacker News",
      items: [
        {
          url: "https://pages.example.com/sqlite-cache",
          title: "The SQLite page cache, drawn to scale",
          summary: "",
          time: "2026-11-18T11:06:40.000Z",
          engagement: 543,
          keywords: [],
          locale: "en",
        },
        {
          url: "https://news.ycombinator.com/item?id=46001002",
          title: "Ask HN: What do you do with 128 MB?",
          summary: "I have an old router & some time. It has 128 MB of memory. See https://example.com/router",
          time: "2026-11-18T12:06:40.000Z",
          engagement: 304,
        },
        { url: "https://kettle.example.dev/", title: "Show HN: Kettle – a tiny job runner", engagement: 57 },
      ],
      refused: { "is a job posting": 1, "cannot be read": 1 },
    });
    expect(await asked("front_page")).toBe("/hackernews/api/v1/search?tags=front_page&hitsPerPage=50");
  });

  it("searches the last month for what is asked, and leaves out what nobody voted for", async () => {
    expect(await given(read(hackernews("rust & wasm")))).toMatchObject({
      name: "Hacker News: rust & wasm",
      items: [{ url: "https://lwn.example.net/rust", engagement: 3 }],
      refused: { "has fewer than 3 points": 1 },
    });
    const since = Date.UTC(2026, 9, 21) / 1000;
    expect(await asked("rust")).toBe(
      `/hackernews/api/v1/search?tags=story&query=rust+%26+wasm&numericFilters=created_at_i%3E${since}&hitsPerPage=50`,
    );
  });

  it("may find nothing", async () => {
    expect(await given(read(hackernews("nothing")))).toMatchObject({ items: [], refused: {} });
  });
});

describe("Discourse", () => {
  const site = `${env.FEEDS.url}/discourse`;

  it("gives the latest topics of a site, also in a folder", async () => {
    expect(await given(read(discourse("", "")))).toMatchObject({
      name: site.slice("http://".length),
      items: [
        {
          url: `${site}/t/glaze-runs-at-cone-6/981`,
          title: "Glaze runs at cone 6 & nowhere else",
          summary: "",
          time: "2026-11-18T20:44:01.515Z",
          engagement: 42,
          keywords: ["glaze", "cone-6"],
          locale: null,
        },
        {
          url: `${site}/t/kiln-4-2-is-out/979`,
          title: "Kiln 4.2 is out",
          summary: "New in 4.2: a calmer thermocouple…",
          engagement: 11,
          keywords: ["release"],
        },
      ],
      refused: { "is pinned": 1, "is not listed": 1, "cannot be read": 1 },
    });
  });

  it.each([
    ["support", "", "support", "My kiln trips the breaker"],
    ["", "release", "release", "Kiln 4.2 is out"],
    ["support", "release", "support, release", "Kiln 4.2 is out"],
  ])("narrows by the category %j and the tag %j", async (category, tag, name, title) => {
    const reading = await given(read(discourse(category, tag)));
    expect(reading.name).toMatch(new RegExp(`/discourse: ${name}$`));
    expect(titles(reading.items)).toEqual([title]);
  });

  it("has no such category", async () => {
    expect(await read(discourse("nothing", ""))).toEqual({
      kind: "failed",
      reason: "status",
      detail: "It answered 404.",
    });
  });

  it("is not what is at that address", () => {
    const source = {
      ...discourse("", ""),
      kind: "discourse",
      url: "https://a.example.com",
      category: "",
      tag: "",
    } as const;
    expect(discourseQuery(source).list({ topics: [] })).toBe("It did not answer as Discourse does.");
  });

  it("is refused at an address that is not allowed, or is none", async () => {
    for (const url of ["http://10.0.0.1", "nonsense"]) {
      expect(await read({ ...discourse("", ""), url } as TopicSource)).toMatchObject({ reason: "target" });
    }
  });
});

describe("Reddit", () => {
  it("gives a subreddit's hot posts", async () => {
    expect(await given(read(reddit("programming")))).toMatchObject({
      name: "r/programming",
      items: [
        {
          url: "https://blog.example.com/reading?a=1&b=2",
          title: "Why I stopped writing <T> & started reading",
          summary: "",
          time: "2026-11-18T11:07:40.000Z",
          engagement: 955,
          keywords: ["opinion"],
          locale: null,
        },
        {
          url: "https://www.reddit.com/r/programming/comments/1ccccc/post/",
          title: "How do you name things?",
          summary: "I never know. a b",
          engagement: 117,
        },
        { url: "https://www.reddit.com/r/programming/comments/1ddddd/post/", title: "My desk" },
      ],
      refused: {
        "is pinned": 1,
        "is for adults only": 1,
        "was removed": 2,
        "is an advertisement": 1,
        "cannot be read": 1,
      },
    });
    const [request] = await seen("/r/programming/");
    expect(request?.url).toBe("/reddit/r/programming/hot.json?limit=50&raw_json=1");
    expect(request?.headers["user-agent"]).toBe(`Edgepress/${VERSION}`);
  });

  it.each([
    ["nobodyhasthis", "unreadable", "There is no subreddit of that name."],
    ["private", "status", "It answered 403: r/private is not open to everybody (private)."],
    [
      "datacentre",
      "status",
      expect.stringMatching(/^It answered 403\. Reddit refuses .*\/r\/datacentre\/\.rss.*another source\.$/),
    ],
    ["busy", "status", "It answered 429: too many requests. It asks for a wait of 60 seconds."],
  ])("says why %s cannot be read", async (subreddit, reason, detail) => {
    expect(await read(reddit(subreddit))).toEqual({ kind: "failed", reason, detail });
  });
});

describe("Stack Exchange", () => {
  it("gives a site's hot questions of a tag", async () => {
    expect(await given(read(stackexchange("stackoverflow", "typescript")))).toMatchObject({
      name: "stackoverflow: typescript",
      items: [
        {
          url: "https://stackoverflow.com/questions/79800001/slug",
          title: `Why does "satisfies" narrow <T> here but not in C++'s sense?`,
          summary: "I have this: const a = {} satisfies Map<string, T>; It narrows & I want to know why.",
          time: "2026-11-18T11:06:40.000Z",
          engagement: 9,
          keywords: ["typescript", "generics"],
        },
        { title: "How to parse dates", engagement: 1 },
      ],
      refused: { "is closed": 1, "cannot be read": 1 },
    });
    expect(await asked("tagged=typescript")).toBe(
      "/stackexchange/2.3/questions?order=desc&sort=hot&tagged=typescript&site=stackoverflow&pagesize=50&filter=withbody",
    );
  });

  it("needs no tag", async () => {
    const reading = await given(read(stackexchange("stackoverflow", "")));
    expect([reading.name, ...titles(reading.items)]).toEqual(["stackoverflow", "Untagged hot question"]);
  });

  it.each([
    ["throttled", "too many requests from this IP, more requests available in 38211 seconds."],
    ["nowhere", "No site found for name `nowhere`."],
  ])("explains a refusal: %s", async (site, reason) => {
    const detail = `Stack Exchange refuses to answer: ${reason}`;
    expect(await read(stackexchange(site, "x"))).toMatchObject({ kind: "failed", reason: "status", detail });
  });
});

describe("Lobsters", () => {
  it("gives the stories of a tag", async () => {
    expect(await given(read(lobsters("databases")))).toMatchObject({
      name: "Lobsters: databases",
      items: [
        {
          url: "https://trees.example.org/again",
          title: "B-trees, again",
          time: "2026-11-18T15:15:22.000Z",
          engagement: 53,
          keywords: ["databases", "performance"],
          locale: "en",
        },
        {
          url: "https://lobste.rs/s/def456/slug",
          title: "What are you indexing this week?",
          summary: "Feel free to share!",
          engagement: 42,
          keywords: ["ask", "databases"],
        },
      ],
      refused: { "is a job posting": 1, "cannot be read": 1 },
    });
  });

  it("gives the hottest of all", async () => {
    expect(titles((await given(read(lobsters("")))).items)).toEqual(["Programming as weaving"]);
  });
});

describe("Lemmy", () => {
  const lemmy = (community: string): TopicSource => ({
    kind: "lemmy",
    name: "",
    url: `${env.FEEDS.url}/lemmy/c/${community}`,
  });

  it("gives the hot posts of a community", async () => {
    expect(await given(read(lemmy("kilns@kilns.example/")))).toMatchObject({
      name: "kilns@kilns.example",
      items: [
        {
          url: "https://kilns.example.com/cone-6",
          title: "Cone 6 & <nothing> else",
          time: "2026-11-18T11:06:40.123Z",
          engagement: 53,
        },
        {
          url: "https://other.example/post/2",
          summary: "It does so every morning.",
          time: "2026-11-18T10:00:00.500Z",
          engagement: 4,
        },
      ],
      refused: { "is pinned": 1, "is for adults only": 1, "was removed": 1, "cannot be read": 1 },
    });
    expect(await asked("community_name=kilns%40")).toBe(
      "/lemmy/api/v3/post/list?community_name=kilns%40kilns.example&sort=Hot&limit=50",
    );
  });

  it.each([
    ["nothing", "There is no such community."],
    ["closed", "Lemmy refuses to answer: instance_is_private."],
  ])("explains a refusal: %s", async (community, detail) => {
    expect(await read(lemmy(community))).toEqual({ kind: "failed", reason: "status", detail });
  });

  it("is refused at an address that is not allowed, or is none", async () => {
    for (const url of ["http://10.0.0.1/c/kilns", "nonsense"]) {
      expect(await read({ kind: "lemmy", name: "", url })).toMatchObject({ reason: "target" });
    }
  });
});

describe("an API that does not answer as it does", () => {
  const sources = [hackernews(""), reddit("x"), stackexchange("x", ""), lobsters("")];

  it.each(sources.map((source) => [source.kind, source] as const))("is said to: %s", async (kind, source) => {
    const other = (path: string) => ({ baseUrls: { ...FORUMS, [kind]: `${env.FEEDS.url}/${path}?` } });
    expect(await read(source, other("feeds/other.json"))).toMatchObject({
      kind: "failed",
      reason: "unreadable",
      detail: expect.stringMatching(
        /^It did not answer as (?:Hacker News|Reddit|Stack Exchange|Lobsters) does\.$/,
      ) as string,
    });
    expect(await read(source, other("feeds/page.html"))).toEqual({
      kind: "failed",
      reason: "unreadable",
      detail: "It did not answer with JSON.",
    });
    expect(await read(source, other("reset/a"))).toMatchObject({ reason: "connection" });
    expect(await read(source, other("gzip-bomb/a"))).toMatchObject({ reason: "too_large" });
  });

  it("may be unchanged, too", async () => {
    const { validators } = await given(read(lobsters("")));
    // The APIs of the server give none; what was given earlier is sent all the same.
    expect(validators).toEqual({ etag: null, lastModified: null });
    await read(lobsters(""), { validators: { etag: '"known"', lastModified: null } });
    expect((await seen("hottest")).at(-1)?.headers).toMatchObject({ "if-none-match": '"known"' });
  });
});
