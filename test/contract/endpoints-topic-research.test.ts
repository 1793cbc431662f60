/** Contract 7.6: looking at sources without storing anything, POST /api/topics/research. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newKey, newTenant, type Tenant } from "../helpers/tenant.ts";
import { newIdeas } from "../helpers/ideas.ts";
import { limited } from "../helpers/limiter.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";

type Idea = {
  title: string;
  url: string;
  score: number;
  source: { kind: string; name: string };
  mentions: { url: string; source: { name: string } }[];
  known: { topicId: string; status: string } | null;
};
type Research = {
  blogId: string;
  sources: {
    source: { kind: string; name: string };
    state: string;
    found: number;
    reason: string | null;
    refused: unknown[];
  }[];
  ideas: Idea[];
};

const feed = (path: string): { kind: string; url: string } => ({ kind: "feed", url: `${env.FEEDS.url}/${path}` });

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

const research = (body: object, more: { bindings?: Partial<Env> } = {}) =>
  sendJson<Research>(200, "/api/topics/research", { as: { apiKey: tenant.apiKey }, body, ...more });

const setSources = (sources: readonly object[]) =>
  env.DB.prepare("update blogs set topic_sources = ? where id = ?")
    .bind(JSON.stringify(sources.map((source, n) => ({ name: `Source ${n}`, ...source }))), tenant.blogId)
    .run();

describe("what it shows", () => {
  it("ideas of the sources that are named, the best first, and what became of each source", async () => {
    const { blogId, sources, ideas } = await research({
      sources: [feed("recent/feeds/wordpress.xml"), feed("feeds/nowhere.xml")],
    });
    expect(blogId).toBe(tenant.blogId);
    expect(sources).toMatchObject([
      { source: { kind: "feed", name: expect.any(String) }, state: "read", reason: null },
      { state: "failed", found: 0, reason: "status" },
    ]);
    expect(ideas.length).toBeGreaterThan(0);
    expect(ideas.map(({ score }) => score)).toEqual(ideas.map(({ score }) => score).toSorted((a, b) => b - a));
    for (const idea of ideas) expect(idea).toMatchObject({ source: sources[0]?.source, known: null });
  });

  it("the blog's own sources where none are named; those beyond the limit are left", async () => {
    await setSources(Array.from({ length: 7 }, (_, n) => feed(`recent/feeds/wordpress.xml?${n}`)));
    const { sources } = await research({});
    const states = sources.map(({ state }) => state);
    expect(states).toEqual([...Array.from({ length: LIMITS.researchSources }, () => "read"), "left", "left"]);
    expect(sources[6]?.source).toEqual({ kind: "feed", name: "Source 6" });
  });

  it("what several sources tell of is one idea", async () => {
    const one = await research({ sources: [feed("recent/feeds/wordpress.xml")] });
    const both = await research({
      sources: [1, 2].map((n) => Object.assign(feed(`recent/feeds/wordpress.xml?${n}`), { name: `Number ${n}` })),
    });
    expect(both.ideas.map(({ url }) => url)).toEqual(one.ideas.map(({ url }) => url));
    for (const [place, { mentions, score }] of both.ideas.entries()) {
      expect(mentions).toHaveLength(2);
      expect(score).toBeCloseTo((one.ideas[place]?.score ?? 0) + 0.5, 3);
    }
  });

  it("another source that tells of the same under another address makes an idea better", async () => {
    const told = (name: string, title: string) =>
      ({ kind: "feed", name, url: `${env.FEEDS.url}/told/${encodeURIComponent(title)}?${name}` }) as const;
    const first = told("first", "Four slow ferries are back on the river");
    const second = told("second", "Four slow ferries are back on the river!");
    const alone = await research({ sources: [first] });
    const { ideas } = await research({ sources: [first, second] });
    expect(ideas).toMatchObject([
      {
        mentions: [
          { source: { name: "first" } },
          { url: "https://told.example.com/second/0", source: { name: "second" } },
        ],
      },
    ]);
    expect(ideas[0]?.score).toBeCloseTo((alone.ideas[0]?.score ?? 0) + 0.5, 3);
  });

  it("the same ideas, in the same order, as a refresh finds; and then it knows them", async () => {
    await setSources([feed("recent/feeds/wordpress.xml")]);
    const before = await research({});
    const { _id } = await sendJson<{ _id: string }>(202, "/api/topics/refresh", {
      as: { apiKey: tenant.apiKey },
      body: { blogId: tenant.blogId },
      bindings: { AI_BASE_URL: "", AI_MODEL: "" } as unknown as Partial<Env>,
    });
    const path = `/api/topics/refreshes/${_id}`;
    const as = { apiKey: tenant.apiKey };
    await expect.poll(async () => (await sendJson<{ state: string }>(200, path, { as })).state).toBe("done");
    const topics = await sendJson<(Idea & { _id: string })[]>(200, `/api/topics?blogId=${tenant.blogId}`, { as });
    const shown = ({ url, source }: Idea) => ({ url, source: source.kind });
    expect(before.ideas.map(shown)).toEqual(topics.map(shown));
    const again = await research({});
    expect(again.ideas.map(({ known }) => known)).toEqual(
      topics.map(({ _id: topicId }) => ({ topicId, status: "new" })),
    );
  });

  it("an idea that the blog has under another address is known by its title", async () => {
    const [first] = (await research({ sources: [feed("recent/feeds/wordpress.xml")] })).ideas;
    const [topicId] = await newIdeas(tenant, [{ title: first?.title ?? "", status: "dismissed" }]);
    const ideas = (await research({ sources: [feed("recent/feeds/wordpress.xml")] })).ideas;
    expect(ideas.find(({ url }) => url === first?.url)?.known).toEqual({ topicId, status: "dismissed" });
  });

  it("what is an article of the blog already is no idea", async () => {
    const { ideas } = await research({ sources: [feed("recent/feeds/wordpress.xml")] });
    await newArticle(tenant, { title: ideas[0]?.title ?? "" });
    const after = await research({ sources: [feed("recent/feeds/wordpress.xml")] });
    expect(after.ideas.map(({ url }) => url)).not.toContain(ideas[0]?.url);
    expect(after.sources[0]?.refused).toContainEqual({ reason: "is already an article of the blog", count: 1 });
  });

  it("as many ideas as are asked for", async () => {
    const sources = [feed("recent/feeds/sixty-items.xml")];
    expect((await research({ sources })).ideas).toHaveLength(20);
    expect((await research({ sources, limit: 3 })).ideas).toHaveLength(3);
    expect((await research({ sources, limit: 50 })).ideas.length).toBeGreaterThan(20);
  });
});

describe("what it refuses", () => {
  const refused = async (body: object, code: Parameters<typeof refusalOf>[1]) =>
    refusalOf(await send("/api/topics/research", { as: { apiKey: tenant.apiKey }, body }), code);

  it("sources that are too many, none, twice there, or of no kind", async () => {
    const one = feed("recent/feeds/wordpress.xml");
    const many = Array.from({ length: LIMITS.researchSources + 1 }, (_, n) => feed(`feeds/${n}.xml`));
    for (const sources of [
      many,
      [],
      [one, one],
      [{ kind: "file", url: "file:///etc/passwd" }],
      [{ kind: "feed" }],
      "x",
    ]) {
      const { errors } = await refused({ sources }, "invalid_request");
      expect(errors?.[0]?.path).toMatch(/^sources/);
    }
    for (const limit of [0, 51, 1.5, "5"]) await refused({ sources: [one], limit }, "invalid_request");
  });

  it("a blog without sources, where none are named", async () => {
    await refused({}, "no_topic_sources");
  });

  it("several blogs, where none is named", async () => {
    await sendJson(200, "/api/blogs", { as: { operatorToken: tenant.operatorToken }, body: { name: "Second" } });
    await refused({ sources: [feed("recent/feeds/wordpress.xml")] }, "blog_required");
  });

  it("addresses where the service may not send requests: that is the source's failure", async () => {
    const targets = [
      "http://169.254.169.254/latest",
      "http://10.0.0.1/",
      "http://metadata.google.internal/",
      "ftp://example.com/",
    ];
    const { sources } = await research({ sources: targets.map((url) => ({ kind: "feed", url })) });
    expect(sources.map(({ state, reason }) => [state, reason])).toEqual(targets.map(() => ["failed", "target"]));
  });

  it("more than ten a minute", async () => {
    await setSources([feed("recent/feeds/wordpress.xml")]);
    const apiKey = await newKey({ operatorToken: tenant.operatorToken }, ["topics:read"]);
    const bindings = limited({ researches: 2 });
    const body = { sources: [feed("recent/feeds/wordpress.xml")] };
    const ask = () => send("/api/topics/research", { as: { apiKey }, body, bindings });
    for (let n = 0; n < 2; n++) expect((await ask()).status).toBe(200);
    const response = await ask();
    expect(response.headers.get("Retry-After")).toBe("60");
    expect(response.headers.get("RateLimit-Policy")).toBe('"rate_limited";q=10;w=60');
    await refusalOf(response, "rate_limited");
    // Others have their own.
    expect((await research({}, { bindings })).ideas.length).toBeGreaterThan(0);
  });

  it("429 beyond the organization's researches in a minute, with whichever key", async () => {
    const bindings = limited({ organizationResearches: 1 });
    const body = { sources: [feed("feeds/rss-2.0.xml")] };
    await research(body, { bindings });
    const apiKey = await newKey({ operatorToken: tenant.operatorToken }, ["topics:read"]);
    await refusalOf(await send("/api/topics/research", { as: { apiKey }, body, bindings }), "rate_limited");
  });
});

it("nothing is stored", async () => {
  await setSources([feed("recent/feeds/wordpress.xml")]);
  await newArticle(tenant);
  const apiKey = await newKey({ operatorToken: tenant.operatorToken }, ["topics:read"]);
  await send("/api/topics?blogId=x", { as: { apiKey } });
  await storingNothing(async () => {
    expect((await send("/api/topics/research", { as: { apiKey }, body: {} })).status).toBe(200);
  });
});
