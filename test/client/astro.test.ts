/** `@edgepress/astro` against the service, with the parts of Astro that a loader uses. */
import { beforeAll, expect, it } from "vitest";
import { edgepressLiveLoader, edgepressLoader } from "../../packages/astro/src/index.ts";
import { createClient } from "../../packages/client/src/index.ts";
import { seedArticles } from "../helpers/counting.ts";
import { ORIGIN, send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

const statuses: number[] = [];
const newClient = (apiKey?: string) =>
  createClient({
    url: ORIGIN,
    apiKey,
    fetch: async (url, init) => {
      const response = await send(url.slice(ORIGIN.length), { headers: init.headers as Record<string, string> });
      if (url.includes("/api/articles")) statuses.push(response.status);
      return response;
    },
  });
const client = newClient();

/** Astro's store and its memory between builds. */
function newAstro() {
  type Stored = { id: string; digest: string; data: Record<string, unknown>; rendered?: { html: string } };
  const entries = new Map<string, Stored>();
  const meta = new Map<string, string>();
  const said: string[] = [];
  const store = {
    get: (id: string) => entries.get(id),
    keys: () => [...entries.keys()],
    set: (entry: Stored) => entries.set(entry.id, entry) !== undefined,
    delete: (id: string) => void entries.delete(id),
  };
  const context = {
    store,
    meta: { get: (name: string) => meta.get(name), set: (name: string, value: string) => void meta.set(name, value) },
    logger: { info: (text: string) => void said.push(text) },
    parseData: <T>({ data }: { data: T }) => Promise.resolve(data),
    generateDigest: (data: object) => JSON.stringify(data),
  };
  return { entries, said, context };
}

let tenant: Tenant;

beforeAll(async () => {
  tenant = await newTenant("Astro");
  await newArticle(tenant, { title: "First", content: "## Begin\n\nText." });
  await newArticle(tenant, { title: "Second" });
  await newArticle(tenant, { title: "Draft", published: false });
});

it("loads what is published, and at the next build only what has changed", async () => {
  const { entries, said, context } = newAstro();
  const loader = edgepressLoader({ client, blogId: tenant.blogId });
  await loader.load(context);
  expect([...entries.keys()].toSorted()).toEqual(["en/first", "en/second"]);
  expect(entries.get("en/first")).toMatchObject({
    data: { title: "First", excerpt: "Text." },
    rendered: { html: expect.stringContaining(`<h2 id="h-begin">`), metadata: { headings: [{ slug: "h-begin" }] } },
  });
  expect(entries.get("en/first")?.data).not.toHaveProperty("html");
  statuses.splice(0);

  await loader.load(context);
  expect(statuses.splice(0)).toEqual([304]);

  const _id = String(entries.get("en/second")?.data["_id"]);
  await sendJson(200, "/api/articles", { as: tenant, body: { _id, title: "Second, again" } });
  await loader.load(context);
  expect(entries.get("en/second")?.data).toMatchObject({ title: "Second, again" });
  expect(said.at(-1)).toBe("2 articles, 1 of them new or changed, 0 gone");

  await sendJson(200, `/api/articles/${_id}`, { as: tenant, method: "DELETE" });
  await loader.load(context);
  expect([...entries.keys()]).toEqual(["en/first"]);
});

it("loads everything again after Astro's cache was emptied", async () => {
  const { entries, context } = newAstro();
  const loader = edgepressLoader({ client, blogId: tenant.blogId });
  await loader.load(context);
  const before = entries.size;
  entries.clear();
  await loader.load(context);
  expect(entries.size).toBe(before);
});

it("follows the pages of a long list, and reads again only those that have changed", async () => {
  const blog = await newTenant("Long");
  await seedArticles(blog, 600);
  const { entries, said, context } = newAstro();
  const load = async () => {
    statuses.splice(0);
    await edgepressLoader({ client, blogId: blog.blogId }).load(context);
    return [statuses.splice(0), said.at(-1)];
  };
  expect(await load()).toEqual([[200, 200, 200], "300 articles, 300 of them new or changed, 0 gone"]);
  expect(entries.size).toBe(300);
  expect(await load()).toEqual([[304, 304, 304], "300 articles, 0 of them new or changed, 0 gone"]);
  expect(entries.size).toBe(300);

  // Of entries in the order of the list, one in the middle page.
  const id = [...entries.keys()][150] ?? "";
  const _id = entries.get(id)?.data["_id"];
  await sendJson(200, "/api/articles", { as: blog, body: { _id, title: "Changed" } });
  expect(await load()).toEqual([[304, 200, 304], "300 articles, 1 of them new or changed, 0 gone"]);
  expect(entries.get(id)?.data).toMatchObject({ title: "Changed" });

  // The newest come first, so that all others move on by one: the pages are sent again, and the entries stay.
  await newArticle(blog, { title: "Newest" });
  expect(await load()).toEqual([[200, 200, 200, 200], "301 articles, 1 of them new or changed, 0 gone"]);
  expect(entries.has("en/newest")).toBe(true);

  await sendJson(200, `/api/articles/${String(_id)}`, { as: blog, method: "DELETE" });
  expect((await load())[1]).toBe("300 articles, 0 of them new or changed, 1 gone");
  expect(entries.has(id)).toBe(false);
  expect(entries.size).toBe(300);
});

it("loads live what a page asks for", async () => {
  const live = edgepressLiveLoader({ client, blogId: tenant.blogId });
  const list = await live.loadCollection({ filter: { most: 1 } });
  expect(list).toMatchObject({ entries: [{ id: "en/first" }] });
  expect(await live.loadEntry({ filter: { id: "en/first" } })).toMatchObject({
    id: "en/first",
    data: { title: "First" },
    rendered: { html: expect.stringContaining("Text.") },
    cacheHint: { tags: ["edgepress", expect.stringMatching(/^article-/)] },
  });
  expect(await live.loadEntry({ filter: { id: "en/draft" } })).toBeUndefined();
  // What visitors ask for, too: no locale, a text that no slug can be.
  for (const id of ["nothing", ".git/config", "en_US/first", "en/first\0", `en/${"x".repeat(3000)}`]) {
    expect(await live.loadEntry({ filter: { id } }), id).toBeUndefined();
  }
  const unknown = edgepressLiveLoader({ client, blogId: "no-such-blog" });
  expect(await unknown.loadCollection({})).toMatchObject({ error: { code: "not_found" } });
});

it("loads live what was created last first, and what was published last where drafts are left out", async () => {
  const blog = await newTenant("Ordered");
  const { _id } = await newArticle(blog, { title: "Late", published: false });
  await newArticle(blog, { title: "Early" });
  await sendJson(200, "/api/articles", { as: blog, body: { _id, published: true } });
  const found = async (options: { published?: boolean }) => {
    const { entries } = await edgepressLiveLoader({ client, blogId: blog.blogId, ...options }).loadCollection({});
    return entries?.map(({ id }) => id);
  };
  expect(await found({})).toEqual(["en/early", "en/late"]);
  expect(await found({ published: true })).toEqual(["en/late", "en/early"]);
});

it("loads live with a key only what its options name, in a list and by its id", async () => {
  const blog = await newTenant("Narrow");
  await newArticle(blog, { title: "Public" });
  await newArticle(blog, { title: "Secret", published: false });
  const narrow = { client: newClient(blog.apiKey), blogId: blog.blogId };
  const found = async (options: { published?: boolean; locale?: string }) => {
    const live = edgepressLiveLoader({ ...narrow, ...options });
    const listed = await live.loadCollection({});
    const load = async (id: string) => ((await live.loadEntry({ filter: { id } })) === undefined ? [] : [id]);
    return {
      listed: listed.entries?.map(({ id }) => id),
      loaded: [await load("en/public"), await load("en/secret")].flat(),
    };
  };
  const only = (...ids: string[]) => ({ listed: ids, loaded: ids });
  expect(await found({ published: true })).toEqual(only("en/public"));
  expect(await found({ published: false })).toEqual(only("en/secret"));
  expect(await found({ published: true, locale: "de" })).toEqual(only());
  // The service takes a locale in any capitals.
  expect(await found({ published: true, locale: "EN" })).toEqual(only("en/public"));
  expect(await found({})).toEqual({ listed: ["en/secret", "en/public"], loaded: ["en/public", "en/secret"] });
});

it("loads live no other language than its options name, whatever the filter says", async () => {
  const blog = await newTenant("Tongues");
  await newArticle(blog, { title: "One" });
  await newArticle(blog, { title: "Eins", locale: "de" });
  const live = edgepressLiveLoader({ client, blogId: blog.blogId, locale: "EN" });
  const listed = async (locale?: string) => {
    const { entries } = await live.loadCollection({ filter: { locale } as { locale?: string } });
    return entries?.map(({ id }) => id);
  };
  expect([await listed("en"), await listed("de"), await listed()]).toEqual([["en/one"], [], ["en/one"]]);
});
