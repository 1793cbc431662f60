/** Contract 7.2, 7.3: `topicSources` and `topicRefresh` of a blog. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import type { BlogRecord } from "../../src/store/blogs/blogs.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { limited } from "../helpers/limiter.ts";
import { refusalOf, storingNothing, type Problem } from "../helpers/refusals.ts";
import { FORUMS, seen } from "../helpers/sources.ts";
import { received, subscribe } from "../helpers/webhooks.ts";

/** The forums of the test server instead of the public ones. */
const bindings = { FORUM_BASE_URLS: JSON.stringify(FORUMS) } as Partial<Env>;

const put = (tenant: Tenant, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  send(`/api/blogs/${tenant.blogId}`, { as: tenant, method: "PUT", body, headers, bindings });

async function stored(tenant: Tenant, body: unknown): Promise<BlogRecord> {
  const response = await put(tenant, body);
  if (response.status !== 200) throw new Error(await response.text());
  return response.json<BlogRecord>();
}

const blogOf = (tenant: Tenant, options: Send = {}): Promise<BlogRecord> =>
  sendJson<BlogRecord>(200, `/api/blogs/${tenant.blogId}`, { as: tenant, ...options });

/** What is wrong with which path. */
const wrong = async (tenant: Tenant, topicSources: unknown): Promise<Record<string, string>> => {
  const { errors = [] }: Problem = await refusalOf(await put(tenant, { topicSources }), "invalid_request");
  return Object.fromEntries(errors.map(({ path, message }) => [path, message]));
};

/** A feed of the test server; each has an address of its own. */
const feed = (path = "feeds/wordpress.xml", name = newId()) => ({
  kind: "feed",
  url: `${env.FEEDS.url}/${path}?${name}`,
});

describe("topicSources", () => {
  it("new ones are tried as often as research is allowed; those that are there cost nothing", async () => {
    const tenant = await newTenant();
    const once = { ...bindings, ...limited({ researches: 1 }) };
    const set = (topicSources: unknown) =>
      send(`/api/blogs/${tenant.blogId}`, { as: tenant, method: "PUT", body: { topicSources }, bindings: once });
    const first = feed();
    expect((await set([first])).status).toBe(200);
    await refusalOf(await set([first, feed()]), "rate_limited");
    expect((await set([first])).status).toBe(200);
    expect((await blogOf(tenant)).topicSources).toMatchObject([first]);
  });

  it("is empty for a new blog, whose sources are read on request", async () => {
    expect(await blogOf(await newTenant())).toMatchObject({ topicSources: [], topicRefresh: "manual" });
  });

  it("each kind has its own members; what is left out gets its default, and the source its own name", async () => {
    const tenant = await newTenant();
    const url = feed().url;
    const { topicSources } = await stored(tenant, {
      topicSources: [
        { kind: "feed", url },
        { kind: "hackernews" },
        { kind: "hackernews", query: "rust" },
        { kind: "discourse", url: `${env.FEEDS.url}/discourse` },
        { kind: "discourse", url: `${env.FEEDS.url}/discourse`, category: "support", tag: "release" },
        { kind: "reddit", subreddit: "programming" },
        { kind: "stackexchange", tag: "typescript" },
        { kind: "lobsters", tag: "databases" },
        { kind: "lobsters" },
        { kind: "lemmy", url: `${env.FEEDS.url}/lemmy/c/kilns` },
      ],
    });
    const name = expect.stringMatching(/\S/) as string;
    expect(topicSources).toEqual([
      { kind: "feed", name, url },
      { kind: "hackernews", name, query: "" },
      { kind: "hackernews", name, query: "rust" },
      { kind: "discourse", name, url: `${env.FEEDS.url}/discourse`, category: "", tag: "" },
      { kind: "discourse", name, url: `${env.FEEDS.url}/discourse`, category: "support", tag: "release" },
      { kind: "reddit", name, subreddit: "programming" },
      { kind: "stackexchange", name, site: "stackoverflow", tag: "typescript" },
      { kind: "lobsters", name, tag: "databases" },
      { kind: "lobsters", name, tag: "" },
      { kind: "lemmy", name, url: `${env.FEEDS.url}/lemmy/c/kilns` },
    ]);
    expect((await blogOf(tenant)).topicSources).toEqual(topicSources);
  });

  it("a source's name is what the feed calls itself, unless another is given; an empty one is none", async () => {
    const tenant = await newTenant();
    const [own, given, empty] = [feed("feeds/rss-2.0.xml"), feed("feeds/rss-2.0.xml"), feed("feeds/rss-2.0.xml")];
    const sources = [own, { ...given, name: "Rockets" }, { ...empty, name: "" }];
    const { topicSources } = await stored(tenant, { topicSources: sources });
    expect(topicSources.map(({ name }) => name)).toEqual(["Lift Off", "Rockets", "Lift Off"]);
    const again = [own, { ...given, name: "" }, { ...empty, name: "Renamed" }];
    const renamed = await stored(tenant, { topicSources: again });
    expect(renamed.topicSources.map(({ name }) => name)).toEqual(["Lift Off", "Rockets", "Renamed"]);
  });

  it("adding one tries it, and one that is there is not tried again", async () => {
    const tenant = await newTenant();
    const [first, second] = [newId(), newId()];
    await stored(tenant, { topicSources: [feed("feeds/ghost.xml", first)] });
    expect(await seen(first)).toHaveLength(1);
    await stored(tenant, { topicSources: [feed("feeds/ghost.xml", second), feed("feeds/ghost.xml", first)] });
    expect([(await seen(first)).length, (await seen(second)).length]).toEqual([1, 1]);
    await stored(tenant, { name: "Other", topicSources: [] });
    expect((await blogOf(tenant)).topicSources).toEqual([]);
  });

  it("a whole blog can be sent back as it was read", async () => {
    const tenant = await newTenant();
    const read = await stored(tenant, { topicSources: [feed(), { kind: "hackernews" }], topicRefresh: "daily" });
    const again = await stored(tenant, { ...read, name: "Back" });
    expect(again).toEqual({ ...read, name: "Back", lastEditTime: again.lastEditTime });
  });

  it("says what is wrong with each that cannot be read, by its place, and changes nothing", async () => {
    const tenant = await newTenant();
    await stored(tenant, { topicSources: [feed()] });
    const asked = [
      feed(),
      feed("status-404/x"),
      feed("feeds/page-without-feed.html"),
      feed("reset/x"),
      feed("empty/x"),
      { kind: "feed", url: "http://192.168.0.1/feed.xml" },
      { kind: "feed", url: "nonsense" },
      { kind: "reddit", subreddit: "private" },
      { kind: "stackexchange", tag: "x", site: "no" },
      feed(),
      feed("five-megabytes/x"),
      feed(`redirect-to/${encodeURIComponent("http://10.0.0.1/")}`),
    ];
    await storingNothing(async () => {
      const said = await wrong(tenant, asked);
      expect(Object.keys(said)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10, 11].map((index) => `topicSources.${index}`));
      expect(said["topicSources.1"]).toBe("It answered 404.");
      expect(said["topicSources.10"]).toBe("It is larger than 2 MiB.");
      expect(said["topicSources.11"]).toContain("redirects to an address that is not allowed");
      for (const message of Object.values(said)) expect(message).toMatch(/^\S.*\.$/);
    });
  });

  it("a repetition is named, whatever its name, and not tried twice", async () => {
    const tenant = await newTenant();
    const name = newId();
    const source = feed("feeds/ghost.xml", name);
    const asked = [source, { kind: "hackernews" }, { ...source, name: "Again" }, { kind: "hackernews", query: "" }];
    expect(await wrong(tenant, asked)).toEqual({
      "topicSources.2": "is a duplicate",
      "topicSources.3": "is a duplicate",
    });
    expect(await seen(name)).toHaveLength(1);
  });

  it("there are 20 at most", async () => {
    const tenant = await newTenant();
    const twenty = Array.from({ length: 20 }, () => feed("feeds/rss-2.0.xml"));
    expect(Object.keys(await wrong(tenant, [...twenty, feed()]))).toEqual(["topicSources"]);
    expect((await stored(tenant, { topicSources: twenty })).topicSources).toHaveLength(20);
  });

  it.each([
    ["no kind", {}, "topicSources.0.kind"],
    ["an unknown kind", { kind: "usenet" }, "topicSources.0.kind"],
    ["a member of another kind", { kind: "lobsters", tag: "a", url: "https://a.example" }, "topicSources.0.url"],
    ["an unknown member", { kind: "feed", url: "https://a.example", x: 1 }, "topicSources.0.x"],
    ["a feed without a URL", { kind: "feed" }, "topicSources.0.url"],
    ["an empty URL", { kind: "feed", url: "" }, "topicSources.0.url"],
    ["a URL of two lines", { kind: "feed", url: "https://a.example/\nb" }, "topicSources.0.url"],
    ["a URL that is too long", { kind: "feed", url: `https://a.example/${"a".repeat(2048)}` }, "topicSources.0.url"],
    ["a subreddit that is a path", { kind: "reddit", subreddit: "a/../b" }, "topicSources.0.subreddit"],
    ["a subreddit with r/", { kind: "reddit", subreddit: "r/typescript" }, "topicSources.0.subreddit"],
    ["a tag that is a path", { kind: "lobsters", tag: "a/b" }, "topicSources.0.tag"],
    ["an instance without a community", { kind: "lemmy", url: "https://lemmy.example/" }, "topicSources.0.url"],
    ["a community with a query", { kind: "lemmy", url: "https://lemmy.example/c/a?sort=New" }, "topicSources.0.url"],
    ["a tag with a query", { kind: "lobsters", tag: "a?b" }, "topicSources.0.tag"],
    ["no tag", { kind: "stackexchange" }, "topicSources.0.tag"],
    ["a site that is an address", { kind: "stackexchange", site: "a/b", tag: "a" }, "topicSources.0.site"],
    [
      "a category that is a path",
      { kind: "discourse", url: "https://a.example", category: "a/b" },
      "topicSources.0.category",
    ],
    ["a name of two lines", { kind: "hackernews", name: "a\nb" }, "topicSources.0.name"],
    ["a name that is too long", { kind: "hackernews", name: "a".repeat(301) }, "topicSources.0.name"],
    ["a number as a name", { kind: "hackernews", name: 1 }, "topicSources.0.name"],
    ["null", null, "topicSources.0"],
  ])("of the wrong shape are named by their path: %s", async (_, source, path) => {
    expect(Object.keys(await wrong(await newTenant(), [source]))).toEqual([path]);
  });

  it("dots are no path of a tag", async () => {
    const tenant = await newTenant();
    for (const tag of [".", ".."]) {
      await storingNothing(async () => {
        expect(Object.keys(await wrong(tenant, [{ kind: "lobsters", tag }]))).toEqual(["topicSources.0.tag"]);
        const site = { kind: "discourse", url: `${env.FEEDS.url}/discourse` };
        expect(Object.keys(await wrong(tenant, [{ ...site, tag }]))).toEqual(["topicSources.0.tag"]);
        expect(Object.keys(await wrong(tenant, [{ ...site, category: tag }]))).toEqual(["topicSources.0.category"]);
      });
    }
  });

  it("a refused change tries its sources in vain: nothing is stored", async () => {
    const tenant = await newTenant();
    const other = await newTenant();
    await storingNothing(async () => {
      await refusalOf(await put(tenant, { topicSources: [feed()] }, { "If-Match": '"old"' }), "precondition_failed");
      const { vanityId } = await blogOf(other);
      await refusalOf(await put(tenant, { topicSources: [feed()], vanityId }), "vanity_id_taken");
      const time = "2020-01-01T00:00:00.000Z";
      await refusalOf(await put(tenant, { topicSources: [feed()], creationTime: time }), "immutable_field");
    });
  });

  it("of another organization's blog are not tried", async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    const name = newId();
    for (const blogId of [other.blogId, newId()]) {
      const body = { topicSources: [feed("feeds/ghost.xml", name)] };
      const response = await send(`/api/blogs/${blogId}`, { as: tenant, method: "PUT", body, bindings });
      await refusalOf(response, "blog_forbidden");
    }
    expect(await seen(name)).toEqual([]);
  });

  it("are no member of a creation, and of no public blog", async () => {
    const tenant = await newTenant();
    const response = await send("/api/blogs", { as: tenant, body: { name: "x", topicSources: [] } });
    expect((await refusalOf(response, "invalid_request")).errors?.map(({ path }) => path)).toEqual(["topicSources"]);
    const shown = await sendJson(200, `/blogs/${tenant.blogId}`);
    expect(Object.keys(shown)).not.toContain("topicSources");
    expect(Object.keys(shown)).not.toContain("topicRefresh");
  });

  it("change the ETag of the blog", async () => {
    const tenant = await newTenant();
    const etag = (await put(tenant, { topicSources: [feed()] })).headers.get("ETag") ?? "";
    await refusalOf(await put(tenant, { topicSources: [] }, { "If-Match": '"another"' }), "precondition_failed");
    expect((await put(tenant, { topicSources: [] }, { "If-Match": etag })).status).toBe(200);
    await refusalOf(await put(tenant, { topicSources: [] }, { "If-Match": etag }), "precondition_failed");
  });
});

describe("topicRefresh", () => {
  it("is manual or daily", async () => {
    const tenant = await newTenant();
    for (const topicRefresh of ["daily", "daily", "manual", "daily"]) {
      expect(await stored(tenant, { topicRefresh })).toMatchObject({ topicRefresh });
      expect(await blogOf(tenant)).toMatchObject({ topicRefresh });
    }
    const { errors } = await refusalOf(await put(tenant, { topicRefresh: "hourly" }), "invalid_request");
    expect(errors?.map(({ path }) => path)).toEqual(["topicRefresh"]);
  });
});

describe("blog.created", () => {
  it("shows the blog as REST does", async () => {
    const tenant = await newTenant();
    const { name } = await subscribe(tenant);
    const created = await sendJson<BlogRecord>(200, "/api/blogs", { as: tenant, body: { name: "Announced" } });
    const [request] = await received(name);
    const { data } = JSON.parse(request?.body ?? "") as { data: unknown };
    expect(data).toEqual(created);
    expect(data).toEqual(await sendJson(200, `/api/blogs/${created._id}`, { as: tenant }));
  });
});
