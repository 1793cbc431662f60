/** An organization moves to another database while it works (docs/architecture.md, "Moving"). */
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { DAY_MS } from "../../src/lib/time.ts";
import { listOwnedTables, selectPart } from "../../src/store/export/belongings.ts";
import { bindD1 } from "../../src/store/export/database.ts";
import { openBare, remembered } from "../../src/store/database.ts";
import { runMoves } from "../../src/store/moving/move.ts";
import { UNIQUE } from "../../src/store/moving/rows.ts";
import { listMemberships } from "../../src/store/people/system-memberships.ts";
import { newWriter, type Written } from "../helpers/busy-writer.ts";
import { newBrowser, newPerson, openSession } from "../helpers/console.ts";
import { dyingAt } from "../helpers/dying.ts";
import { newMachine, tokenOf, works } from "../helpers/machines.ts";
import { consumed, relayedUntil } from "../helpers/relay.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { prepareShards, shards } from "../helpers/shards.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { received, receiverUrl, seenBy } from "../helpers/webhooks.ts";

const bindings = shards;
const whole = { ...env, ...shards };
beforeAll(prepareShards);

/** How far the clock of moves is ahead: identifiers must not be of another day in the files that follow. */
let ahead = 0;
const pass = (milliseconds: number) => void (ahead += milliseconds);

/** Begins a move, some time after this isolate has last remembered where something is. */
async function begin(organizationId: string, source: string, target: string) {
  remembered.clear();
  const time = new Date().toISOString();
  await env.DB.prepare(
    "insert into moves (organization_id, source, target, creation_time, time) values (?1, ?2, ?3, ?4, ?4)",
  )
    .bind(organizationId, source, target, time)
    .run();
}

const stateOf = (organizationId: string) =>
  env.DB.prepare("select state from moves where organization_id = ?").bind(organizationId).first<string>("state");

const announced: string[] = [];
let lease: string | undefined;

async function run(bindingsOfRun: typeof whole = whole, steps?: number) {
  const announce = async (organizationId: string) => void announced.push(organizationId);
  const ran = await runMoves(bindingsOfRun, {
    now: () => new Date(Date.now() + ahead),
    announce,
    lease,
    ...(steps && { steps }),
  });
  lease = ran.lease;
  return ran.ran;
}

/** Runs the steps of a move one by one until it is in this state, with something in between. */
async function runUntil(
  organizationId: string,
  state: string | null,
  between: () => Promise<unknown> = async () => {},
) {
  for (let steps = 0; steps < 400; steps++) {
    const now = await stateOf(organizationId);
    if (now === state) return;
    if ((await run(whole, 1)) === "waiting") pass(5000);
    const next = await stateOf(organizationId);
    if (next !== state && (now !== next || steps % 25 === 0)) await between();
  }
  throw new Error(`The move is still ${await stateOf(organizationId)}.`);
}

/** What differs by itself between two databases. */
const ITS_OWN = new Set(["seq", "since_seq", "search_id", "indexed_version"]);
const LEFT = new Set(["suspensions", "users", "accounts", "oauth_records", "purges"]);

/** Returns all rows of an organization, by their tables. */
async function dump(name: string, organizationId: string) {
  const db = bindD1(openBare(whole, name));
  const dumped: Record<string, unknown[]> = {};
  for (const { table, belonging } of await listOwnedTables(db)) {
    if (LEFT.has(table.name)) continue;
    const { where, values } = selectPart(belonging, organizationId);
    const rows = await db.query(`select * from ${table.name} where ${where}`, values);
    const own = (column: string) => ITS_OWN.has(column) || column === belonging.numbered?.column;
    dumped[table.name] = rows
      .map((row) => JSON.stringify(Object.entries(row).filter(([column]) => !own(column))))
      .toSorted();
  }
  return dumped;
}

const listEvents = async (name: string, organizationId: string) =>
  (
    await openBare(whole, name)
      .prepare("select id from events where organization_id = ? order by seq")
      .bind(organizationId)
      .all<{ id: string }>()
  ).results.map(({ id }) => id);

const triggersOf = async (name: string) =>
  (
    await openBare(whole, name)
      .prepare("select name, sql from sqlite_schema where type = 'trigger' order by name")
      .all<{ name: string; sql: string }>()
  ).results.map(({ name: trigger, sql }) => `${trigger} ${sql.replaceAll(/\s+/g, " ")}`);

async function move(tenant: Tenant, source: string, target: string, between: () => Promise<unknown>) {
  const { organizationId } = tenant;
  const triggers = [await triggersOf(source), await triggersOf(target)];
  await begin(organizationId, source, target);
  await runUntil(organizationId, "finishing", between);
  expect(await dump(target, organizationId)).toEqual(await dump(source, organizationId));
  expect(await listEvents(target, organizationId)).toEqual(await listEvents(source, organizationId));
  await between();
  await runUntil(organizationId, "switched");
  expect([await triggersOf(source), await triggersOf(target)]).toEqual(triggers);
}

/** Ends the day for which the old rows are kept. */
async function removeOld(tenant: Tenant, source: string) {
  const { organizationId } = tenant;
  pass(DAY_MS + 60_000);
  await runUntil(organizationId, null);
  expect(Object.values(await dump(source, organizationId)).flat()).toEqual([]);
}

const listTitles = async ({ key, titles }: ReturnType<typeof newWriter>, blogId: string) => {
  const found = await sendJson<Written[]>(200, `/api/articles?blogId=${blogId}&limit=100`, key);
  return { found: found.map(({ title }) => title).toSorted(), written: titles.toSorted() };
};

it("goes from database to database with all its rows, while it writes, and sends each event once", async () => {
  const tenant = await newTenant("Mover");
  const { organizationId, blogId, operatorToken } = tenant;
  const writer = newWriter(tenant, bindings);
  const person = await newPerson(organizationId);
  const name = newId();
  const as = { operatorToken };
  await sendJson(200, "/api/webhooksubscriptions", { as, bindings, body: { url: receiverUrl("ok", name) } });
  await writer.write();
  const browser = newBrowser(bindings);
  await openSession(browser, person.userId, organizationId);
  const machine = await newMachine(browser);
  const token = await tokenOf(machine, {}, bindings);
  const route = ["DB", "DB_1", "DB_2"] as const;
  for (const [n, target] of route.slice(1).entries()) {
    const source = route[n] ?? "DB";
    await move(tenant, source, target, () => writer.write());
    await removeOld(tenant, source);
    const { found, written } = await listTitles(writer, blogId);
    expect(found).toEqual(written);
    expect(await works(token, bindings)).toBe(true);
    expect(await works(await tokenOf(machine, {}, bindings), bindings)).toBe(true);
    const last = await writer.create();
    for (const path of [`/api/articles/${last.slug}`, `/api/articles/${last._id}`])
      expect(await sendJson(200, path, { bindings })).toMatchObject({ _id: last._id });
    expect((await listMemberships(whole, person.userId)).map((each) => each.organizationId)).toEqual([organizationId]);
    for (const queue of ["edgepress-events", "edgepress-deliveries"])
      for (let turns = 0; turns < 15; turns++) await consumed(queue, [{ organizationId }], bindings);
  }
  const { results } = await openBare(whole, "DB_2")
    .prepare("select id from events where organization_id = ? and kind like 'article.%' order by id")
    .bind(organizationId)
    .all<{ id: string }>();
  const sent = await received(name, results.length);
  const ids = sent.flatMap(({ headers }) =>
    (headers["x-service-event"] ?? "").startsWith("article.") ? [headers["webhook-id"]] : [],
  );
  expect(new Set(ids)).toEqual(new Set(results.map(({ id }) => id)));
  expect(ids).toHaveLength(results.length);
}, 120_000);

/** Only one database may write for an organization: the others have nothing of it, or a fence. */
async function expectOneOwner(organizationId: string, places: readonly string[]) {
  const home = await env.DB.prepare("select shard from homes where organization_id = ?")
    .bind(organizationId)
    .first<string>("shard");
  for (const place of places.filter((each) => each !== (home ?? "DB"))) {
    const other = await openBare(whole, place)
      .prepare(
        `select exists (select 1 from organizations where id = ?1) as "has",
          exists (select 1 from suspensions where organization_id = ?1 and kind in ('moving', 'arriving')) as "fenced"`,
      )
      .bind(organizationId)
      .first<{ has: number; fenced: number }>();
    expect([place, other]).toEqual([
      place,
      expect.toSatisfy((row: typeof other) => row?.has === 0 || row?.fenced === 1),
    ]);
  }
}

it("goes on after each interruption, and has one owner at any time", async () => {
  const tenant = await newTenant("Interrupted");
  const { organizationId, blogId } = tenant;
  const writer = newWriter(tenant, bindings);
  await writer.write();
  await begin(organizationId, "DB", "DB_1");
  let refused = 0;
  for (let state: string | null = "copying"; state !== "switched";) {
    for (let nth = 1, died = true; died; nth += state === "copying" ? 3 : nth < 12 ? 1 : 5) {
      const { dying, hasDied } = dyingAt(nth, nth % 2 === 0);
      await run(dying as typeof whole, 1).catch((error: unknown) => {
        if (!hasDied()) throw error;
      });
      died = hasDied();
      await expectOneOwner(organizationId, ["DB", "DB_1"]);
      if (died && state === "switching") refused += await writer.tryOnce();
      pass(61_000);
    }
    const next = await stateOf(organizationId);
    if (next !== state && next !== "finishing") await writer.write();
    state = next;
  }
  expect(refused).toBeGreaterThan(0);
  await removeOld(tenant, "DB");
  await writer.write();
  const { found, written } = await listTitles(writer, blogId);
  expect(found).toEqual(written);
}, 120_000);

it("stays where it is if the move is cancelled, and nothing of it is left elsewhere", async () => {
  const tenant = await newTenant("Cancelled");
  const { organizationId, blogId } = tenant;
  const writer = newWriter(tenant, bindings);
  await writer.write();
  const triggers = [await triggersOf("DB"), await triggersOf("DB_1")];
  await begin(organizationId, "DB", "DB_1");
  await runUntil(organizationId, "resting", () => writer.write());
  lease = undefined;
  await env.DB.prepare("update moves set state = 'cancelled', cursor = null, lease_time = '' where organization_id = ?")
    .bind(organizationId)
    .run();
  await runUntil(organizationId, null, () => writer.write());
  expect([await triggersOf("DB"), await triggersOf("DB_1")]).toEqual(triggers);
  expect(Object.values(await dump("DB_1", organizationId)).flat()).toEqual([]);
  const left = "select count(*) as n from directory where organization_id = ? and gone = 0";
  expect(await env.DB.prepare(left).bind(organizationId).first<number>("n")).toBe(0);
  const { found, written } = await listTitles(writer, blogId);
  expect(found).toEqual(written);
}, 120_000);

it("may be cancelled in the midst of a step", async () => {
  const { organizationId } = await newTenant("Cancelled soon");
  await begin(organizationId, "DB", "DB_1");
  const cancel = "update moves set state = 'cancelled' where organization_id = ?";
  const batch = async (statements: D1PreparedStatement[]) => {
    await env.DB.prepare(cancel).bind(organizationId).run();
    return env.TEST_DB_1.batch(statements);
  };
  const DB_1 = new Proxy(env.TEST_DB_1, {
    get: (db, name: "batch" | "prepare") => (name === "batch" ? batch : db[name].bind(db)),
  });
  expect(await run(Object.assign({}, whole, { DB_1 }), 1)).toBe("waiting");
  await runUntil(organizationId, null);
  expect(Object.values(await dump("DB_1", organizationId)).flat()).toEqual([]);
});

it("sends nothing new while it waits for what is being sent, and writes go on", async () => {
  const tenant = await newTenant("Resting");
  const { organizationId, operatorToken } = tenant;
  const writer = newWriter(tenant, bindings);
  const name = newId();
  await sendJson(200, "/api/webhooksubscriptions", {
    as: { operatorToken },
    bindings,
    body: { url: receiverUrl("ok", name) },
  });
  const first = await writer.create();
  await received(name);
  const events = { as: { operatorToken }, bindings };
  const page = await send("/api/events?limit=1", events);
  const next = /<([^>]+)>; rel="next"/.exec(page.headers.get("Link") ?? "")?.[1] ?? "";
  await env.DB.prepare("update deliveries set state = 'claimed', claim_time = ? where organization_id = ?")
    .bind(new Date().toISOString(), organizationId)
    .run();
  await begin(organizationId, "DB", "DB_1");
  await runUntil(organizationId, "resting");
  const second = await writer.create();
  expect(await run()).toBe("waiting");
  for (const queue of ["edgepress-events", "edgepress-deliveries"])
    await consumed(queue, [{ organizationId }], bindings);
  expect(await seenBy(name)).toHaveLength(1);
  await env.DB.prepare("update deliveries set state = 'succeeded' where state = 'claimed' and organization_id = ?")
    .bind(organizationId)
    .run();
  await runUntil(organizationId, "switched");
  expect(announced).toContain(organizationId);
  await relayedUntil(tenant, name, 2, bindings);
  expect(await sendJson(200, `/api/articles/${first._id}`, { bindings })).toMatchObject({ _id: first._id });
  // A cursor of the feed that was given before misses nothing.
  const { pathname, search } = new URL(next, "https://edgepress.test");
  const behind = await sendJson<{ data: { _id: string } }[]>(
    200,
    `${pathname}${search.replace("limit=1", "limit=50")}`,
    events,
  );
  expect(behind.map(({ data }) => data._id)).toContain(second._id);
}, 120_000);

it("knows each name that only one row may have", async () => {
  const db = bindD1(env.DB);
  const known = new Set(UNIQUE.map(({ table, columns }) => `${table} ${columns.join()}`));
  const unknown: string[] = [];
  for (const { table, belonging } of await listOwnedTables(db)) {
    const indexes = await db.query(
      `select (select group_concat(name) from pragma_index_info(i.name)) as columns from pragma_index_list('${table.name}') as i
        where i."unique" = 1 and i.origin = 'c'`,
    );
    const names = indexes.map(({ columns }) => String(columns));
    // Of those that nobody chooses, each is new.
    const isRandom = (name: string) => /^(hash|mail_hash|token_hash|search_id)$/.test(name) || LEFT.has(table.name);
    const isKey = (name: string) => name === belonging.numbered?.identity.join();
    unknown.push(...names.filter((name) => !isRandom(name) && !isKey(name)).map((name) => `${table.name} ${name}`));
  }
  expect(unknown.filter((name) => !known.has(name))).toEqual([]);
});
