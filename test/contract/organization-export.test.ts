/** Contract 22.8: everything of an organization, for its owner. */
import { env, exports } from "cloudflare:workers";
import { TextWriter, ZipReader } from "@zip.js/zip.js/lib/zip-core-native.js";
import { beforeAll, expect, it } from "vitest";
import { encodeRowCursor } from "../../src/domain/cursor.ts";
import { parseSettings } from "../../src/env.ts";
import { newId } from "../../src/lib/ids.ts";
import { toPlainRow } from "../../src/lib/rows.ts";
import { openOrganizationStore } from "../../src/store/organization.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { BELONGINGS } from "../../src/store/export/belongings.ts";
import { hiddenFields, newPerson, signedIn, type Browser } from "../helpers/console.ts";
import { countingDatabase } from "../helpers/counting.ts";
import { newWorld, type World } from "../helpers/operations.ts";
import { outcome } from "../helpers/outcome.ts";
import { ORIGIN, send, sendJson, type Credential } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";
import { subscribe } from "../helpers/webhooks.ts";

const PATH = "/api/organization/export";
const PAGE = "/console/settings/export";
type Begun = { tables: string[]; organization: { id: string; lastWrite: { id: string } } };
type Row = Record<string, unknown>;

let world: World;
let as: Credential;

beforeAll(async () => {
  world = await newWorld();
  as = { operatorToken: world.tenant.operatorToken };
});

const begin = () => sendJson<Begun>(200, PATH, { as, method: "POST" });

/** Reads all pages of a table. */
async function readTable(table: string, by = as): Promise<Row[][]> {
  const pages: Row[][] = [];
  for (let url: string | undefined = `${PATH}?table=${table}`; url !== undefined;) {
    const response: Response = await send(url, { as: by });
    expect(response.status).toBe(200);
    pages.push(await response.json());
    const link = /<([^>]*)>; rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
    url = link && new URL(link).pathname + new URL(link).search;
  }
  return pages;
}

/** Submits the form of the console. It does not wait for the end, as `send` does: the ZIP is written while it is read. */
async function download(browser: Browser): Promise<Response> {
  const body = new URLSearchParams(hiddenFields((await browser.get(PAGE)).text, PAGE));
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return exports.default.fetch(`${ORIGIN}${PAGE}`, {
    method: "POST",
    body,
    headers: { Origin: ORIGIN, Cookie: cookie },
  });
}

it("has every row of the organization as it is stored, and no secret", async () => {
  const { secret } = await subscribe(world.tenant);
  const { tables } = await begin();
  let all = "";
  for (const table of tables) {
    const rows = (await readTable(table)).flat();
    all += JSON.stringify(rows);
    const { where = "", exported = where } = BELONGINGS[table] ?? {};
    const { results } = await env.DB.prepare(`select count(*) as n from "${table}" where ${exported}`)
      .bind(world.tenant.organizationId)
      .all<{ n: number }>();
    expect([table, rows.length]).toEqual([table, results[0]?.n]);
  }
  const { results } = await env.DB.prepare("select hash from credentials union select token_hash from previews").all<{
    hash: string;
  }>();
  for (const text of [secret, "whsec_", ...results.map(({ hash }) => hash)]) expect(all).not.toContain(text);
  expect(tables).not.toContain("credentials");
  expect(await outcome(`${PATH}?table=credentials`, { as })).toBe("404 not_found");
  const [article] = (await readTable("articles")).flat();
  const stored = await env.DB.prepare("select * from articles where id = ?").bind(article?.["id"]).first<Row>();
  expect(article).toEqual(stored && toPlainRow(stored));
});

it("comes in pages of a bounded size, and a cursor is of this list", async () => {
  const time = new Date().toISOString();
  await env.DB.prepare(
    `insert into audit (id, organization_id, actor_kind, actor_id, action, resource_id, request_id, creation_time)
     select 'x' || value, ?1, 'user', 'u', 'a', hex(zeroblob(?2)), 'r', ?3 from json_each('[1, 2, 3]')`,
  )
    .bind(world.tenant.organizationId, LIMITS.exportPageBytes / 4, time)
    .run();
  const pages = await readTable("audit");
  expect(pages.length).toBeGreaterThan(3);
  for (const page of pages.slice(0, -1)) expect(JSON.stringify(page).length).toBeLessThan(2 * LIMITS.exportPageBytes);
  const blogs = await send(`/api/articles?blogId=${world.tenant.blogId}&limit=1`, { as });
  const foreign = /cursor=([^&>]*)/.exec(blogs.headers.get("Link") ?? "")?.[1] ?? "none";
  expect(await outcome(`${PATH}?table=audit&cursor=${foreign}`, { as })).toBe("400 invalid_cursor");
});

it("has a row that is larger than a page alone, and then the rest", async () => {
  const tenant = await newTenant();
  await env.DB.prepare(
    `insert into audit (id, organization_id, actor_kind, actor_id, action, resource_id, request_id, creation_time)
     select 'x' || key, ?1, 'user', 'u', 'a', hex(zeroblob(value)), 'r', ?2 from json_each(?3)`,
  )
    .bind(tenant.organizationId, new Date().toISOString(), JSON.stringify([1, LIMITS.exportPageBytes / 2, 1, 1]))
    .run();
  const pages = await readTable("audit", { operatorToken: tenant.operatorToken });
  const ids = pages.map((page) => page.flatMap(({ id }) => /^x\d$/.exec(String(id)) ?? []));
  expect(ids).toEqual([["x0"], ["x1"], ["x2", "x3"], []]);
});

it("has at most 500 rows in a page, whatever the cursor says", async () => {
  const tenant = await newTenant();
  await env.DB.prepare(
    `insert into audit (id, organization_id, actor_kind, actor_id, action, resource_id, request_id, creation_time)
     select printf('x%04d', value), ?1, 'user', 'u', 'a', 'r', 'r', ?2
     from (with recursive c(value) as (select 1 union all select value + 1 from c where value < 700) select value from c)`,
  )
    .bind(tenant.organizationId, new Date().toISOString())
    .run();
  const cursor = encodeRowCursor({ most: 999, key: [tenant.organizationId, "x0001"] });
  const rows = await sendJson<Row[]>(200, `${PATH}?table=audit&cursor=${cursor}`, {
    as: { operatorToken: tenant.operatorToken },
  });
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 500 }, (_, n) => `x${String(n + 2).padStart(4, "0")}`));
});

it("lists files, and returns them in parts", async () => {
  const { organizationId } = world.tenant;
  const key = `${organizationId}/large`;
  const bytes = crypto.getRandomValues(new Uint8Array(65_536));
  const whole = new Uint8Array(LIMITS.exportPageBytes + 10).map((_, at) => bytes[at % bytes.length] ?? 0);
  await env.MEDIA.put(key, whole, { customMetadata: { a: "b" } });
  const files = (await readTable("files")).flat();
  expect(files).toContainEqual(expect.objectContaining({ key, size: whole.length, customMetadata: { a: "b" } }));
  expect(files.length).toBeGreaterThan(1);
  type Part = { base64: string; next: number | null };
  const read = (offset: number) => sendJson<Part>(200, `${PATH}/file?key=${key}&offset=${offset}`, { as });
  const first = await read(0);
  const last = await read(first.next ?? 0);
  expect(last.next).toBeNull();
  const found = Buffer.concat([first, last].map(({ base64 }) => Buffer.from(base64, "base64")));
  expect(found.equals(whole)).toBe(true);
  expect(await outcome(`${PATH}/file?key=${key}&offset=${whole.length}`, { as })).toBe("404 not_found");
});

it("reads once within a request what tables there are: the console makes its ZIP in one", async () => {
  const counter = countingDatabase();
  const { userId } = await newPerson(world.tenant.organizationId, "owner");
  const store = openOrganizationStore({
    db: counter.db,
    organizationId: world.tenant.organizationId,
    pinnedBlogId: null,
    actor: { kind: "user", id: userId, role: "owner" },
    requestId: newId(),
    now: () => new Date(),
    quota: parseSettings(env).quota,
    announce: () => undefined,
    afterwards: () => undefined,
  });
  const { tables } = await store.beginExport();
  for (const table of tables) await store.exportRows(table, undefined);
  const ran = (words: string) => counter.ran.filter(({ text }) => text.includes(words)).length;
  expect([ran('AS "_size"'), ran("pragma_table_info")]).toEqual([tables.length, 1]);
});

it("is a ZIP of all tables in the console, with every page of each", async () => {
  const tenant = await newTenant();
  await env.DB.prepare(
    `insert into audit (id, organization_id, actor_kind, actor_id, action, resource_id, request_id, creation_time)
     select printf('x%02d', value), ?1, 'user', 'u', 'a', 'r', 'r', ?2
     from (with recursive c(value) as (select 1 union all select value + 1 from c where value < 60) select value from c)`,
  )
    .bind(tenant.organizationId, new Date().toISOString())
    .run();
  const { browser } = await signedIn(tenant.organizationId);
  const response = await download(browser);
  expect(response.headers.get("Content-Disposition")).toBe('attachment; filename="organization.zip"');
  const entries = await new ZipReader(response.body ?? new ReadableStream()).getEntries();
  const texts = new Map<string, string>();
  for (const entry of entries) if (!entry.directory) texts.set(entry.filename, await entry.getData(new TextWriter()));
  const begun = JSON.parse(texts.get("export.json") ?? "") as Begun;
  expect([...texts.keys()]).toEqual([...begun.tables.map((table) => `tables/${table}.ndjson`), "export.json"]);
  const rows = (texts.get("tables/audit.ndjson") ?? "").split("\n").slice(0, -1);
  expect(rows.map((row) => JSON.parse(row) as Row)).toEqual(
    (await readTable("audit", { operatorToken: tenant.operatorToken })).flat(),
  );
  expect(rows.length).toBeGreaterThan(60);
});

it("is for owners and operator tokens, and the audit log has who began it", async () => {
  const { organization } = await begin();
  const [entry] = await sendJson<Row[]>(200, "/api/audit?kind=organization", { as });
  expect(entry).toMatchObject({ _id: organization.lastWrite.id, action: "organization.export" });
  const key = { as: { apiKey: world.tenant.apiKey } };
  expect(await outcome(PATH, { ...key, method: "POST" })).toBe("403 operator_required");
  expect(await outcome(`${PATH}?table=articles`, key)).toBe("403 operator_required");
  const admin = await download((await signedIn(world.tenant.organizationId, "admin")).browser);
  expect([admin.status, await admin.text()]).toEqual([403, expect.stringContaining("role")]);
});
