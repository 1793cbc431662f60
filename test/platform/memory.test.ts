/** Contract 14.15: twenty of the largest requests at once stay within what one isolate may hold. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { heldBody, openHolding, room } from "../../src/surfaces/request/memory.ts";
import { gzip } from "../../src/lib/gzip.ts";
import { newId } from "../../src/lib/ids.ts";
import { MCP_ORIGIN, messageOf } from "../helpers/mcp.ts";
import { connected } from "../helpers/mcp-connected.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

const MIB = 1024 * 1024;

/** Ten hold as much at most as the contract's twenty, which `npm run test:exhaustive` tries: the others wait until there is room. */
const AT_ONCE = inject("exhaustive") ? 20 : 10;

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});
afterEach(() => vi.restoreAllMocks());

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
  const watch = () => (most = Math.max(most, room.held));
  const timer = setInterval(watch, 1);
  const open = room.open.bind(room);
  vi.spyOn(room, "open").mockImplementation((full) => {
    const { reserve, end } = open(full);
    const watched = async <T>(work: Promise<T>): Promise<T> => work.finally(watch);
    return {
      end,
      reserve: async (bytes) => {
        const { change } = await watched(reserve(bytes));
        return { change: (wanted) => watched(change(wanted)) };
      },
    };
  });
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, request));
  clearInterval(timer);
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
])("a large body is not read before there is room for it: %s", async (path, status) => {
  const others = room.open(() => new Error("no room"));
  await others.reserve(LIMITS.heldBytes);
  const asked = Promise.withResolvers<void>();
  const open = room.open.bind(room);
  vi.spyOn(room, "open").mockImplementation((full) => {
    const { reserve, end } = open(full);
    return { end, reserve: (bytes) => (asked.resolve(), reserve(bytes)) };
  });
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
  await asked.promise;
  expect(read).toBe(0);
  others.end();
  expect((await response).status).toBe(status);
  expect(read).toBe(MIB);
});

it.each([
  ["reserveArriving", 36, 18],
  ["reserveFetched", 18, 36],
] as const)(
  "who sends slowly has a part of the room, and keeps no reader waiting: %s",
  async (slowly, most, others) => {
    const senders = Array.from({ length: 20 }, openHolding);
    const [first, ...waiting] = senders.map((sender) => sender[slowly](3 * MIB));
    await first;
    const reader = openHolding();
    await reader.reserve(others * MIB);
    expect(room.held).toBe((most + others) * MIB);
    reader.end();
    // What has arrived is no longer slow, and makes room for what has not.
    await (await first)?.change(0);
    for (const [index, next] of waiting.entries()) {
      await next;
      senders[index]?.end();
    }
    senders.at(-1)?.end();
    expect(room.held).toBe(0);
  },
);

it("a large source of topic ideas is held while it is read", async () => {
  const reserved: number[] = [];
  const open = room.open.bind(room);
  vi.spyOn(room, "open").mockImplementation((full) => {
    const holding = open(full);
    return { ...holding, reserve: (bytes) => (reserved.push(bytes), holding.reserve(bytes)) };
  });
  const sources = ["five-megabytes", "understated", "gzip"].map((name) => ({
    kind: "feed",
    url: `${env.FEEDS.url}/${name}/held`,
  }));
  await sendJson(200, "/api/topics/research", { as: tenant, body: { sources } });
  expect(reserved.filter((bytes) => bytes === 4 * LIMITS.sourceBytes)).toHaveLength(2);
});

it("a body in pieces is held by the most that it may have, whatever its Content-Length says", async () => {
  const reserved: number[] = [];
  const headers = { "Content-Length": "2", "Transfer-Encoding": "chunked" };
  const request = new Request("https://edgepress.test", { method: "POST", headers, body: "{}" });
  await heldBody(request, MIB, async (bytes) => (reserved.push(bytes), { change: () => Promise.resolve() }));
  expect(reserved).toEqual([2 * MIB]);
});

it("a message to /mcp takes nothing of the room for what arrives once it has", async () => {
  const [one, other] = [openHolding(), openHolding()];
  const headers = { "Content-Length": String(2 * MIB) };
  const request = new Request("https://edgepress.test/mcp", { method: "POST", headers, body: "x".repeat(2 * MIB) });
  await heldBody(request, 2 * MIB, one.reserveArriving);
  await other.reserveArriving(36 * MIB);
  expect(room.held).toBe((16 + 36) * MIB);
  for (const { end } of [one, other]) end();
});

describe(`${AT_ONCE} at once`, () => {
  const note = (what: string, { done, refused, most }: Awaited<ReturnType<typeof atOnce>>): void => {
    console.warn(`${AT_ONCE} ${what}: ${done} done, ${refused} refused, ${(most / MIB).toFixed(0)} MiB held at most`);
    expect(most).toBeLessThanOrEqual(LIMITS.heldBytes);
    // Less would mean that nothing was counted.
    expect(most).toBeGreaterThan(LIMITS.heldBytes / 2);
    expect(done).toBeGreaterThan(1);
    expect(room.held).toBe(0);
  };

  it.each([
    ["pages of 1 MiB each", 12, 120, MIB],
    ["pages of control characters, six bytes each as JSON", 30, 1, 349_000],
    ["pages of a hundred contents that one query reads", 100, 120, 20_000],
  ])("%s", async (what, count, character, bytes) => {
    const path = await blogOf(count, character, bytes);
    note(what, await atOnce(() => sent(path)));
  });

  it.each(["/revisions/1", "/revisions/1/diff?with=2"])("former states of 1 MiB: %s", async (path) => {
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
    expect(files).toHaveLength(3);
    const texts = await Promise.all(files.map((file) => textOf(file)));
    expect(texts.flatMap((text) => Array.from(text.matchAll(/%A8-\d+<\/loc>/g)))).toHaveLength(2100);
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(5_000_000);
  });
});
