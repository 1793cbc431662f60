/** Contract 14.15: twenty of the largest requests at once stay within what one isolate may hold. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { ARRIVING, FETCHED, countHeldBytes, hold } from "../../src/memory.ts";
import { releaseBody, readWholeBody } from "../../src/surfaces/request/body.ts";
import { gzip } from "../../src/lib/gzip.ts";
import { newId } from "../../src/lib/ids.ts";
import { MCP_ORIGIN, messageOf } from "../helpers/mcp.ts";
import { connected } from "../helpers/mcp-connected.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { sample } from "../helpers/sample.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

const MIB = 1024 * 1024;

/** Six hold as much at most as the contract's twenty, which `npm run test:exhaustive` tries: the others wait until there is room. */
const AT_ONCE = inject("exhaustive") ? 20 : 6;

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});
afterEach(() => vi.useRealTimers());

/** A blog with copies of an article, each with so many bytes of a character. Returns the path of its list. */
async function blogOf(count: number, character: number, bytes: number): Promise<string> {
  const { _id, blogId } = await newArticle(await newTenant());
  const ids = JSON.stringify(Array.from({ length: count }, () => newId()));
  const { results } = await env.DB.prepare("select name from pragma_table_info('articles')").all<{ name: string }>();
  const names = results.map(({ name }) => name);
  const content = `replace(hex(zeroblob(${bytes})), '00', char(${character}))`;
  const values: Record<string, string> = { id: "value", slug: "value", version: "value", search_id: "null", content };
  await env.DB.prepare(
    `insert into articles (${names.join()}) select ${names.map((name) => values[name] ?? name).join()}
     from articles, json_each(?) where articles.id = ?`,
  )
    .bind(ids, _id)
    .run();
  return `/api/articles?blogId=${blogId}`;
}

/** Sends a request {@link AT_ONCE} times; returns how many were done and refused, and the most bytes that were held. */
async function atOnce(request: () => Promise<{ status: number; headers: Headers }>) {
  let most = 0;
  const watch = () => (most = Math.max(most, countHeldBytes()));
  const add = Reflect.get(Set.prototype, "add") as (this: Set<unknown>, value: unknown) => unknown;
  // Each share is added to what is held.
  vi.spyOn(Set.prototype, "add").mockImplementation(function (this: Set<unknown>, value) {
    add.call(this, value);
    watch();
    return this;
  });
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, request));
  vi.restoreAllMocks();
  const refused = answers.filter(({ status }) => status === 503);
  for (const { headers } of refused) expect(headers.get("Retry-After")).toBe("2");
  const done = answers.filter(({ status }) => status < 300).length;
  expect(done + refused.length).toBe(AT_ONCE);
  // For docs/operations.md (npm run rig).
  return { done, refused: refused.length, most };
}

/** Returns a text in one line, of a number of bytes that 4096 divides, that gzip makes hardly shorter. */
const randomText = (length: number): string =>
  Array.from({ length: length / 4096 }, () =>
    btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(3072)))),
  ).join("");

/** Sends, and reads the response to its end. */
async function sent(path: string, options?: Send) {
  const response = await send(path, options);
  const { byteLength } = await response.arrayBuffer();
  expect(byteLength).toBeLessThan(8.5 * MIB);
  return response;
}

it.each([
  ["/api/articles", 400],
  ["/mcp", 400],
])("a large body is not read on before there is room for it: %s", async (path, status) => {
  const others = await hold(LIMITS.heldBytes);
  let read = 0;
  const chunk = new Uint8Array(MIB / 8).fill(32);
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    read += chunk.length;
    controller.enqueue(chunk);
    if (read === MIB) controller.close();
  };
  const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
  const { apiKey } = tenant;
  const given = path === "/mcp" ? messageOf("tools/list", {}, { token: await connected(tenant) }).headers : {};
  const headers = { ...given, "Content-Length": String(MIB) };
  const bindings = { BASE_URL: MCP_ORIGIN } as unknown as Partial<Env>;
  const response = send(path, { ...(path !== "/mcp" && { as: { apiKey } }), body, headers, bindings, method: "POST" });
  await scheduler.wait(100);
  // The chunk that shows that it is large, and one that is on its way.
  expect(read).toBeLessThanOrEqual(2 * chunk.length);
  others.end();
  expect((await response).status).toBe(status);
  expect(read).toBe(MIB);
});

it.each([
  [ARRIVING, 22],
  [FETCHED, 11],
])("contract 14.15: who sends slowly has a part of it, and keeps no reader waiting: %s", async (part, most) => {
  const senders = Array.from({ length: most + 3 }, () => hold(MIB, part));
  const [first] = await Promise.all(senders.slice(0, most));
  expect(countHeldBytes()).toBe(most * MIB);
  // The two that hold the most.
  for (const path of [`/blogs/${tenant.blogId}/sitemap.xml`, `/api/articles?blogId=${tenant.blogId}&fields=html`])
    expect((await send(path)).status, path).toBe(200);
  // What has arrived is no longer slow, and makes room for what has not.
  await first?.change(0);
  for (const sender of senders) (await sender).end();
  expect(countHeldBytes()).toBe(0);
});

describe("a share", () => {
  it("is refused after ten seconds, and given once somebody ends", async () => {
    const others = await hold(LIMITS.heldBytes);
    const growing = await hold(0);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const refused = expect(hold(1)).rejects.toMatchObject({ code: "not_ready", details: { retryAfterSeconds: 2 } });
    await growing.change(18 * MIB);
    vi.setSystemTime(Date.now() + 10_001);
    await refused;
    const waiting = hold(MIB);
    others.end();
    for (const { end } of [growing, await waiting]) end();
    expect(countHeldBytes()).toBe(0);
  });

  it("ends by itself, as the work of a caller who leaves is dropped, and is not counted for who goes on", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const slow = await hold(36 * MIB);
    vi.setSystemTime(Date.now() + 15_001);
    expect(countHeldBytes()).toBe(0);
    const other = await hold(50 * MIB);
    const refused = expect(slow.change(30 * MIB)).rejects.toThrow("Too many large requests");
    vi.setSystemTime(Date.now() + 10_001);
    await refused;
    await slow.change(22 * MIB);
    expect(countHeldBytes()).toBe(72 * MIB);
    for (const { end } of [slow, other]) end();
  });
});

it("a body is held by what has arrived of it, and then leaves room for what has not", async () => {
  const headers = { "Content-Length": String(8 * MIB) };
  const { readable, writable } = new TransformStream<Uint8Array>();
  const request = new Request("https://edgepress.test", { method: "POST", headers, body: readable });
  const body = readWholeBody(request, 8 * MIB);
  const writer = writable.getWriter();
  await writer.write(new Uint8Array(1));
  expect(countHeldBytes()).toBe(0);
  await writer.write(new Uint8Array(2 * MIB - 1));
  await vi.waitFor(() => expect(countHeldBytes()).toBe(2 * MIB));
  await writer.close();
  expect((await body).byteLength).toBe(2 * MIB);
  const next = await hold(22 * MIB, ARRIVING);
  expect(countHeldBytes()).toBe((16 + 22) * MIB);
  next.end();
  releaseBody(request);
  expect(countHeldBytes()).toBe(0);
});

it("a body of which nothing arrives for ten seconds is refused", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { readable, writable } = new TransformStream<Uint8Array>();
  const request = new Request("https://edgepress.test", { method: "POST", body: readable });
  const refused = expect(readWholeBody(request, MIB)).rejects.toMatchObject({ code: "invalid_request" });
  await writable.getWriter().write(new Uint8Array(MIB / 2));
  await vi.advanceTimersByTimeAsync(10_001);
  await refused;
  vi.useRealTimers();
  releaseBody(request);
});

describe(`${AT_ONCE} at once`, () => {
  const note = (what: string, { done, refused, most }: Awaited<ReturnType<typeof atOnce>>): void => {
    console.warn(`${AT_ONCE} ${what}: ${done} done, ${refused} refused, ${(most / MIB).toFixed(0)} MiB held at most`);
    expect(most).toBeLessThanOrEqual(LIMITS.heldBytes);
    // Less would mean that nothing was counted.
    expect(most).toBeGreaterThan(LIMITS.heldBytes / 3);
    expect(done).toBeGreaterThan(1);
    expect(countHeldBytes()).toBe(0);
  };

  const pages = [
    ["pages of a hundred contents that one query reads", 100, 120, 20_000],
    ["pages of control characters, six bytes each as JSON", 30, 1, 349_000],
    ["pages of 1 MiB each", 12, 120, MIB],
  ] as const;

  it.each(sample(pages, 0, 1))("%s", async (what, count, character, bytes) => {
    const path = await blogOf(count, character, bytes);
    note(what, await atOnce(() => sent(path)));
  });

  // These are held by the same code as a page.
  const states = it.runIf(inject("exhaustive"));
  states.each(["/revisions/1", "/revisions/1/diff?with=2"])("former states of 1 MiB: %s", async (path) => {
    const { _id } = await newArticle(tenant);
    const as = { apiKey: tenant.apiKey };
    for (const title of ["Two", "Three"]) await sendJson(200, "/api/articles", { as, body: { _id, title } });
    // Compressed contents that hardly became smaller: they take the most, because D1 returns each byte as a number.
    for (const number of [1, 2]) {
      const stored = await gzip(randomText(MIB));
      await env.DB.prepare("update revisions set content = ? where article_id = ? and number = ?")
        .bind(stored, _id, number)
        .run();
    }
    note(path, await atOnce(() => sent(`/api/articles/${_id}${path}`, { as })));
  });

  it("articles of 1 MiB that are saved", async () => {
    const body = JSON.stringify({ blogId: tenant.blogId, content: '"'.repeat(MIB - 200) });
    const headers = { "Content-Length": String(body.length) };
    note("saves of 2 MiB", await atOnce(() => sent("/api/articles", { as: tenant, body, headers })));
  });

  it("files of a site map with long addresses fit into memory, and name no alternates that would not (contract 20.5)", async () => {
    const own = await newTenant();
    await env.DB.prepare("drop trigger if exists rendering_of_new_article").run();
    // Percent-encoded, each of these addresses has more than 2,000 bytes. The last one is an article in a hundred languages.
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2100)
       insert into articles (id, organization_id, blog_id, title, description, slug, locale, cover_url, published, version,
         creation_time, last_edit_time, content) select ?1 || i, ?1, ?2, '', '', ?3 || '-' || min(i, 2001), 'en-' || (1000 + i), '',
         1, 'v', '', '2026-01-01', '' from n`,
    )
      .bind(own.organizationId, own.blogId, "\u{10428}".repeat(190))
      .run();
    const path = `/blogs/${own.blogId}/sitemap.xml`;
    const textOf = async (at: string): Promise<string> => (await send(at)).text();
    const index = await textOf(path);
    const files = Array.from(index.matchAll(/<sitemap><loc>([^<]*)<\/loc><\/sitemap>/g), ([, url]) => url ?? "");
    expect(files.length).toBeGreaterThan(2);
    const texts = await Promise.all(files.map((file) => textOf(file)));
    expect(texts.flatMap((text) => Array.from(text.matchAll(/%A8-\d+<\/loc>/g)))).toHaveLength(2100);
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(5_000_000);
  });
});
