/** Contract 22: files of Ghost, WordPress and Markdown are imported by upload: checked, created in the background, undone. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import {
  consumeImports,
  sweepImports,
  type ImportMessage,
  type Importer,
} from "../../src/background/imports/consumer.ts";
import { losing } from "../helpers/failing-database.ts";
import { ghostOf, importerOf, settled, uploadImport, wordpressOf } from "../helpers/importing.ts";
import { newMember } from "../helpers/people.ts";
import { batchOf, HeldQueue } from "../helpers/relay.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

type Listed = {
  readonly number: number;
  readonly slug: string;
  readonly state: string;
  readonly articleId: string | null;
  readonly losses: string[];
  readonly problem: string | null;
};

const GHOST = ghostOf([
  {
    id: "1",
    title: "First",
    slug: "first",
    html: "<p>Hello</p>",
    status: "published",
    published_at: "2020-02-03T04:05:06.000Z",
  },
  { id: "2", title: "Second", slug: "second", html: "<p>Draft</p>", status: "draft", codeinjection_head: "<script>" },
  { id: "3", title: "About", slug: "about", html: "<p>Us</p>", type: "page", status: "published" },
  { id: "4", title: "Again", slug: "first", html: "<p>Twin</p>", status: "published" },
]);

const of = ({ blogId, apiKey }: Tenant) => ({
  as: { apiKey },
  at: (id = "", rest = "") => `/api/blogs/${blogId}/imports${id && `/${id}`}${rest}`,
});

const articlesOf = async (tenant: Tenant) =>
  sendJson<ArticleBody[]>(200, `/api/articles?blogId=${tenant.blogId}&limit=50`, { as: { apiKey: tenant.apiKey } });

it("an export of Ghost is checked, imported and undone, and says what it loses (contract 22.2, contract 22.4)", async () => {
  const tenant = await newTenant();
  const { as, at } = of(tenant);
  const { _id } = await uploadImport(tenant, GHOST, "fileName=ghost.json");
  const checked = await settled(tenant, _id, "checked");
  expect(checked).toMatchObject({ format: "ghost", fileName: "ghost.json", total: 3, bytes: GHOST.length });
  expect(checked.counts).toMatchObject({ ready: 2, drafts: 1, refused: 1, lossy: 1, created: 0 });
  expect(checked.remarks).toContainEqual({ what: "pages left out", times: 1, names: ["page 3 (About)"] });
  expect(await articlesOf(tenant)).toEqual([]);
  const lossy = await sendJson<Listed[]>(200, at(_id, "/articles?lossy=true"), { as });
  expect(lossy).toMatchObject([{ slug: "second", losses: ["injected code left out"] }]);
  await sendJson(200, at(_id, "/start"), { as, method: "POST" });
  expect((await settled(tenant, _id, "done")).counts).toMatchObject({ ready: 0, created: 2, failed: 0 });
  const articles = await articlesOf(tenant);
  expect(articles.map(({ slug, published }) => `${slug} ${published}`).toSorted()).toEqual([
    "first true",
    "second false",
  ]);
  const first = await sendJson<{ publishTime: string; content: string }>(
    200,
    `/api/articles/first?blogId=${tenant.blogId}&fields=publishTime,content`,
    { as },
  );
  expect(first).toEqual({ publishTime: "2020-02-03T04:05:06.000Z", content: "Hello\n" });
  expect((await env.MEDIA.list({ prefix: `imports/${tenant.organizationId}/` })).objects).toEqual([]);
  // What somebody has changed since stays, until it is asked for.
  const second = articles.find(({ slug }) => slug === "second")?._id;
  await sendJson(200, "/api/articles", { as, body: { _id: second, title: "Changed" } });
  const copy = `/api/articles/${articles.find(({ slug }) => slug === "first")?._id}/draft`;
  await sendJson(200, copy, { as, method: "PUT", body: { title: "Changed" } });
  await sendJson(200, at(_id, "/undo"), { as, method: "POST" });
  expect((await settled(tenant, _id, "undone")).counts).toMatchObject({ deleted: 0, kept: 2 });
  expect(await articlesOf(tenant)).toHaveLength(2);
  await sendJson(200, at(_id, "/undo"), { as, body: { force: true } });
  expect((await settled(tenant, _id, "undone")).counts).toMatchObject({ deleted: 2, kept: 0 });
  expect(await articlesOf(tenant)).toEqual([]);
});

it("an export of WordPress brings its pictures and old addresses, and undoing takes them away (contract 22.3)", async () => {
  const tenant = await newTenant();
  const as = { operatorToken: tenant.operatorToken };
  const picture = `${env.FEEDS.url}/pictures/with-location.jpg/${crypto.randomUUID()}`;
  const file = wordpressOf([
    {
      id: "7",
      name: "walks",
      title: "Walks",
      content: `<p><img src="${picture}" alt="A boat"></p>`,
      link: "https://old.example.com/2012/walks/",
    },
    {
      id: "8",
      name: "more",
      title: "More",
      content: `<img src="${picture}"> <img src="/relative.png">`,
      link: "https://old.example.com/2012/more/",
    },
  ]);
  const { _id } = await uploadImport({ ...tenant, as }, file);
  await settled(tenant, _id, "checked");
  await sendJson(200, `/api/blogs/${tenant.blogId}/imports/${_id}/start`, { as, method: "POST" });
  const done = await settled(tenant, _id, "done");
  expect(done.counts).toMatchObject({ created: 2, pictures: 1, redirects: 4, tags: 0, authors: 0 });
  const { content } = await sendJson<ArticleBody>(200, `/api/articles/walks?blogId=${tenant.blogId}`, { as });
  expect(content).toMatch(/^!\[A boat\]\(http.+\/media\/[\da-f-]+#\d+x\d+\)\n$/);
  const moved = async () => sendJson<{ from: string }[]>(200, `/api/blogs/${tenant.blogId}/redirects`, { as });
  expect((await moved()).map(({ from }) => from)).toEqual(expect.arrayContaining(["/2012/more", "/2012/walks"]));
  await sendJson(200, `/api/blogs/${tenant.blogId}/imports/${_id}/undo`, { as, method: "POST" });
  await settled(tenant, _id, "undone");
  expect(await moved()).toEqual([]);
  expect(await sendJson(200, "/api/media", { as })).toEqual([]);
});

it("a message that comes twice, late or after a crash creates nothing twice (contract 22.5)", async () => {
  const tenant = await newTenant();
  const queue = new HeldQueue<ImportMessage>();
  const bindings = { IMPORTS: queue } as unknown as Partial<Env>;
  const posts = Array.from({ length: 45 }, (_, nth) => ({
    id: `${nth}`,
    title: `Post ${nth}`,
    slug: `post-${nth}`,
    html: "<p>x</p>",
    status: "draft",
  }));
  const { _id } = await uploadImport(tenant, ghostOf(posts), "", { bindings });
  const importer = importerOf(queue);
  const handle = (message: ImportMessage, by: Importer = importer) =>
    consumeImports(by, batchOf("edgepress-imports", [message]));
  const message = { importId: _id, organizationId: tenant.organizationId };
  await Promise.all([handle(message), handle(message)]);
  await settled(tenant, _id, "checked");
  const { as, at } = of(tenant);
  await sendJson(200, at(_id, "/start"), { as, method: "POST", bindings });
  // The database fails while articles are created: the article is there, and the import does not know of it.
  const failing = losing("before", 'update "imported_articles"', 1);
  await handle(message, { ...importer, db: failing });
  const later = { ...importer, now: () => new Date(Date.now() + 120_000) };
  queue.held.length = 0;
  await sweepImports(later);
  expect(queue.held).toEqual([message]);
  await Promise.all([handle(message, later), handle(message, later), handle(message, later)]);
  while (queue.held.length > 0) await handle(queue.held.shift() as ImportMessage, later);
  const done = await settled(tenant, _id, "done");
  expect(done.counts).toMatchObject({ created: 45, failed: 0 });
  expect(await articlesOf(tenant)).toHaveLength(45);
});

it.each([
  ["not an export", "hello", /neither an export of Ghost/],
  ["JSON that ends early", '{"db":[{"data":{"posts":[{"id":"1"', /ends too early/],
  ["JSON without posts", "{}", /nothing to import/],
  ["brackets without end", "[".repeat(100_000), /nested too deeply/],
  [
    "XML with entities",
    '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><rss>&b;</rss>',
    /The file /,
  ],
] as const)("%s fails with a reason, and creates nothing (contract 22.1)", async (_, file, problem) => {
  const tenant = await newTenant();
  const { _id } = await uploadImport(tenant, new TextEncoder().encode(file));
  const failed = await settled(tenant, _id, "failed");
  expect(failed.problem).toMatch(problem);
  const { as, at } = of(tenant);
  expect(await sendJson(409, at(_id, "/start"), { as, method: "POST" })).toMatchObject({ code: "import_state" });
  expect(await articlesOf(tenant)).toEqual([]);
});

it("what is no file, or too large, is refused, and a few imports at a time are allowed (contract 22.1)", async () => {
  const tenant = await newTenant();
  const { as, at } = of(tenant);
  expect(await sendJson(400, at(), { as, method: "POST" })).toMatchObject({ code: "invalid_request" });
  expect(await sendJson(400, at(), { as, body: new Uint8Array() })).toMatchObject({ code: "invalid_request" });
  const form = { as, body: "x", type: "multipart/form-data; boundary=x" };
  expect(await sendJson(415, at(), form)).toMatchObject({ code: "unsupported_media_type" });
  const block = new Uint8Array(4 * 1024 * 1024);
  let blocks = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => (blocks++ > 26 ? controller.close() : controller.enqueue(block)),
  });
  expect(await sendJson(413, at(), { as, body: endless })).toMatchObject({ code: "body_too_large" });
  expect(await sendJson(200, at(), { as })).toEqual([]);
  const queue = { IMPORTS: new HeldQueue() } as unknown as Partial<Env>;
  for (let nth = 0; nth < 3; nth++) await uploadImport(tenant, GHOST, "", { bindings: queue });
  expect(await sendJson(409, at(), { as, body: GHOST })).toMatchObject({ code: "import_limit" });
});

it.each([
  ["noted", "after"],
  ["created and not noted", "before"],
] as const)(
  "an import stops when its starter may not write any more, and somebody else goes on, with an article %s (contract 22.5)",
  async (_, when) => {
    const tenant = await newTenant();
    const { as, at } = of(tenant);
    const { _id } = await uploadImport(tenant, GHOST);
    await settled(tenant, _id, "checked");
    const member = await newMember(tenant.organizationId, "writer");
    const queue = new HeldQueue<ImportMessage>();
    await sendJson(200, at(_id, "/start"), {
      as,
      method: "POST",
      bindings: { IMPORTS: queue } as unknown as Partial<Env>,
    });
    const actor = {
      kind: "user",
      id: member.userId,
      role: "writer",
      pinnedBlogId: null,
      grants: ["articles:write"],
      origin: "",
    };
    // An article is created, and the invocation ends.
    const failing = losing(when, 'update "imported_articles"', 1);
    await consumeImports({ ...importerOf(queue), db: failing }, batchOf("edgepress-imports", [{ importId: _id }]));
    expect(await articlesOf(tenant)).toHaveLength(1);
    await env.DB.prepare("update imports set actor = ? where id = ?").bind(JSON.stringify(actor), _id).run();
    await sendJson(200, `/api/members/${member.memberId}`, {
      as: { operatorToken: tenant.operatorToken },
      method: "DELETE",
    });
    const later = { ...importerOf(queue), now: () => new Date(Date.now() + 120_000) };
    await consumeImports(later, batchOf("edgepress-imports", [{ importId: _id }]));
    expect((await settled(tenant, _id, "failed")).problem).toMatch(/may not do that any more/);
    expect(await articlesOf(tenant)).toHaveLength(1);
    await sendJson(200, at(_id, "/start"), { as, method: "POST" });
    expect((await settled(tenant, _id, "done")).counts).toMatchObject({ created: 2, failed: 0 });
    expect(await articlesOf(tenant)).toHaveLength(2);
    await sendJson(200, at(_id, "/undo"), { as, method: "POST" });
    await settled(tenant, _id, "undone");
    expect(await articlesOf(tenant)).toEqual([]);
  },
);

it("an import that is over its time is forgotten with its file (contract 22.6)", async () => {
  const tenant = await newTenant();
  const { as, at } = of(tenant);
  const { _id } = await uploadImport(tenant, GHOST);
  await settled(tenant, _id, "checked");
  await env.DB.prepare("update imports set creation_time = '2020-01-01T00:00:00.000Z' where id = ?").bind(_id).run();
  await sweepImports(importerOf(new HeldQueue()));
  expect((await send(at(_id), { as })).status).toBe(404);
  expect((await env.MEDIA.list({ prefix: `imports/${tenant.organizationId}/` })).objects).toEqual([]);
});
