/** `@edgepress/client` in workerd, against the service: reads, the cache, lists, writes and their errors. */
import { beforeAll, expect, it, vi } from "vitest";
import {
  createClient,
  EdgepressError,
  etagOf,
  memoryCache,
  type ClientOptions,
} from "../../packages/client/src/index.ts";
import { ORIGIN, send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;

/** What was sent, and how it was answered. */
const calls: { url: string; init: RequestInit; status: number }[] = [];

async function toService(url: string, init: RequestInit): Promise<Response> {
  const { pathname, search } = new URL(url);
  const response = await send(pathname + search, {
    method: init.method ?? "GET",
    headers: init.headers as Record<string, string>,
    type: null,
    ...(typeof init.body === "string" && { body: init.body }),
  });
  calls.push({ url, init, status: response.status });
  return response;
}

const newClient = (options: Partial<ClientOptions> = {}) => createClient({ url: ORIGIN, fetch: toService, ...options });
const statuses = () => calls.splice(0).map(({ status }) => status);
const refusal = (call: Promise<unknown>): Promise<EdgepressError> =>
  call.then(
    () => Promise.reject(new Error("it was not refused")),
    (error: unknown) => (error instanceof EdgepressError ? error : Promise.reject(error)),
  );

beforeAll(async () => {
  tenant = await newTenant("Client");
  for (const title of ["One", "Two", "Three"]) await newArticle(tenant, { title });
  await newArticle(tenant, { title: "Four", published: false });
  await sendJson(200, `/api/blogs/${tenant.blogId}`, {
    as: tenant,
    method: "PUT",
    body: { vanityId: "client-reads" },
  });
  calls.splice(0);
});

it("reads anonymously by vanityId and slug, with the fields that were asked for", async () => {
  const client = newClient();
  const article = await client.articles.get("two", { blogId: "client-reads", fields: ["title", "url"] });
  expect(article).toEqual({ title: "Two", url: expect.stringContaining("/client-reads/en/two") });
  expect(await client.articles.get("one", { blogId: "client-reads" })).toMatchObject({ title: "One", published: true });
  // The blog is asked for once.
  expect(statuses()).toEqual([200, 200, 200]);
  expect((await refusal(client.articles.get("four", { blogId: tenant.blogId }))).code).toBe("not_found");
  expect((await refusal(client.articles.get(".."))).code).toBe("not_found");
});

it("goes through lists page by page, and no further than it is read", async () => {
  const client = newClient();
  const list = client.articles.list({ blogId: tenant.blogId, limit: 2, fields: ["title"] });
  calls.splice(0);
  expect(await list.all()).toEqual([{ title: "Three" }, { title: "Two" }, { title: "One" }]);
  expect(statuses()).toEqual([200, 200]);
  for await (const { title } of list) {
    expect(title).toBe("Three");
    break;
  }
  expect(statuses()).toEqual([304]);
  const { value: page } = await list.pages().next();
  const rest = client.articles.list({ blogId: tenant.blogId, cursor: String(page?.next), fields: ["title"] });
  expect(await rest.all()).toEqual([{ title: "One" }]);
});

it("does not get again what has not changed, and sees what has", async () => {
  const client = newClient();
  const { _id } = await newArticle(tenant, { title: "Cached", slug: "cached" });
  const read = () => client.articles.get(_id, {});
  calls.splice(0);
  const first = await read();
  first.title = "changed by its reader";
  expect((await read()).title).toBe("Cached");
  expect(statuses()).toEqual([200, 304]);
  await sendJson(200, "/api/articles", { as: tenant, body: { _id, title: "Newer" } });
  expect((await read()).title).toBe("Newer");
  expect(statuses()).toEqual([200]);
});

it("keeps apart in a shared cache what different credentials read", async () => {
  const cache = memoryCache();
  const keys: string[] = [];
  const set = vi.spyOn(cache, "set").mockImplementation((key) => void keys.push(key));
  await newClient({ cache, apiKey: tenant.apiKey }).articles.list({ blogId: tenant.blogId }).all();
  await newClient({ cache }).articles.list({ blogId: tenant.blogId }).all();
  expect(set).toHaveBeenCalled();
  expect(new Set(keys).size).toBe(2);
  expect(keys.join(" ")).not.toContain(tenant.apiKey);
});

it("shows what there is in the best of several locales, also in lists", async () => {
  const client = newClient();
  const { blogId } = tenant;
  await newArticle(tenant, { title: "Dois", slug: "two", locale: "pt" });
  const theirs = { blogId, locale: "pt-BR", fallback: ["pt", "en"] };
  const article = await client.articles.get("two", { ...theirs, fields: ["title", "locale"] });
  expect(article).toEqual({ title: "Dois", locale: "pt" });
  const listed = await client.articles.list({ ...theirs, slug: "two", fields: ["title"] }).all();
  expect(listed).toEqual([{ title: "Dois" }]);
});

it("searches a blog as its readers do: published articles, also with a key", async () => {
  for (const options of [{}, { apiKey: tenant.apiKey }]) {
    const client = newClient(options);
    const found = await client.blogs.search("client-reads", { q: "three" });
    expect(found).toMatchObject([{ title: "Three", slug: "three" }]);
    expect(await client.blogs.search(tenant.blogId, { q: "four" })).toEqual([]);
    expect((await refusal(client.blogs.search(tenant.blogId, { q: "" }))).code).toBe("invalid_request");
  }
});

it("asks for a blog's mails by a request that a page of any site may send", async () => {
  const client = newClient({ apiKey: tenant.apiKey });
  calls.splice(0);
  expect(await client.blogs.subscribe("client-reads", { email: "ada@example.com" })).toEqual({ status: "pending" });
  expect(Object.keys(calls[0]?.init.headers ?? {})).toEqual(["Accept", "Content-Type"]);
  const error = await refusal(client.blogs.subscribe(tenant.blogId, { email: "nobody" }));
  expect([error.code, error.errors[0]?.path]).toEqual(["invalid_request", "email"]);
});

it("writes with an Idempotency-Key, and with If-Match where it is given", async () => {
  const client = newClient({ apiKey: tenant.apiKey });
  const created = await client.articles.create({ title: "Written", blogId: tenant.blogId }, { idempotencyKey: "once" });
  const again = await client.articles.create({ title: "Written", blogId: tenant.blogId }, { idempotencyKey: "once" });
  expect(again._id).toBe(created._id);
  const read = await client.articles.get(created._id);
  calls.splice(0);
  await client.articles.update(created._id, { title: "Rewritten" }, { ifMatch: etagOf(read) });
  expect(calls[0]?.init.headers).toHaveProperty("Idempotency-Key", expect.stringMatching(/^[0-9a-f-]{36}$/));
  const stale = await refusal(client.articles.update(created._id, { title: "Lost" }, { ifMatch: etagOf(read) }));
  expect([stale.code, stale.status]).toEqual(["precondition_failed", 412]);
  const { token } = await client.previews.create(created._id);
  expect((await newClient().previews.get(token)).title).toBe("Rewritten");
  expect(await client.articles.delete(created._id)).toEqual({ _id: created._id });
});

it("creates nothing in place of an update whose identifier is missing", async () => {
  const client = newClient({ apiKey: tenant.apiKey });
  const { code } = await refusal(client.articles.update(undefined as unknown as string, { title: "Stray" }));
  expect(code).toBe("not_found");
  const titles = (await client.articles.list({ blogId: tenant.blogId }).all()).map(({ title }) => title);
  expect(titles).not.toContain("Stray");
});

it("says everything that is wrong with a request", async () => {
  const client = newClient({ apiKey: tenant.apiKey });
  const error = await refusal(client.articles.create({ blogId: tenant.blogId, title: "a\nb", coverUrl: "no" }));
  expect(error.code).toBe("invalid_request");
  expect(error.errors.map(({ path }) => path)).toEqual(["title", "coverUrl"]);
  expect(error.requestId).toMatch(/./);
  expect(error.message).toBe(error.detail);
});
