/** Writes whose answer D1 loses: before the transaction was stored, or after. */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { losing } from "../helpers/failing-database.ts";
import { newId } from "../../src/lib/ids.ts";
import { askedOf, assisted, script } from "../helpers/generating.ts";
import { call, everyWrite, newWorld, reaching, validInput, type World } from "../helpers/operations.ts";
import { refusalOf, storingNothing, tables } from "../helpers/refusals.ts";
import { sendJson } from "../helpers/requests.ts";
import { sample, spread } from "../helpers/sample.ts";
import { newTenant } from "../helpers/tenant.ts";

/** Nobody can repeat the deletion of the organization (contract 10.17). Generations leave nothing in the audit log until they are stored. */
const UNREPEATED = new Set(["deleteOrganization", "startGeneration", "resumeGeneration", "proposeUpdate"]);
const writes = everyWrite.filter(({ name, route }) => !route.operation.lengthy && !UNREPEATED.has(name));
const some = spread(writes, 6);

const LICENCE = 'insert into "audit"';

/** Tables that queues and what follows an answer write to. */
const BESIDE = /^(purges|last_times|local_mails|deliver|topic)/;

let names: readonly string[] = [];
beforeAll(async () => {
  // A lost write is tried again after pauses of up to a second, which are a fiftieth here.
  const wait = globalThis.setTimeout;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms = 0) =>
    wait(run, ms > 1000 ? ms : ms / 50)) as typeof setTimeout);
  names = (await tables()).filter((name) => !BESIDE.test(name));
});
afterAll(() => void vi.restoreAllMocks());

/** The number of rows of each other table. */
async function counts(): Promise<Record<string, number>> {
  const results = await env.DB.batch<{ n: number }>(
    names.map((name) => env.DB.prepare(`select count(*) as n from "${name}"`)),
  );
  return Object.fromEntries(names.map((name, index) => [name, results[index]?.results[0]?.n ?? -1]));
}

/** Returns how many rows the work added to each table. */
async function added(work: () => Promise<void>): Promise<Record<string, number>> {
  const before = await counts();
  await work();
  const after = Object.entries(await counts()).map(([name, n]) => [name, n - (before[name] ?? 0)] as const);
  return Object.fromEntries(after.filter(([, n]) => n !== 0));
}

/** Sends a write in a world; returns the rows that it added. What it answered has to be what was stored with it. */
async function write({ route, title }: (typeof writes)[number], world: World, DB: D1Database) {
  const as = reaching(route, world);
  const headers = { "Idempotency-Key": title };
  const input = validInput(route, world);
  let answered: unknown;
  const rows = await added(async () => {
    const response = await call(route, input, { as, headers, bindings: { DB } });
    const body = await response.text();
    expect([200, 202], `${title}: ${body}`).toContain(response.status);
    answered = [body, response.headers.get("ETag")];
  });
  const replayed = await call(route, input, { as, headers });
  expect(replayed.headers.get("Idempotent-Replayed")).toBe("true");
  expect([await replayed.text(), replayed.headers.get("ETag")]).toEqual(answered);
  return rows;
}

describe("an article", () => {
  it("is stored once, with one event, and answered whole, also without an Idempotency-Key", async () => {
    for (const moment of ["before", "after"] as const) {
      const { apiKey, blogId } = await newTenant();
      const bindings = { DB: losing(moment, LICENCE) };
      const body = { blogId, title: "Kept", content: "All of it", published: true };
      const article = await sendJson<{ _id: string }>(200, "/api/articles", { as: { apiKey }, body, bindings });
      expect(article).toMatchObject(body);
      const query = "select (select count(*) from articles where blog_id = ?1) as articles, count(*) as events";
      const found = await env.DB.prepare(`${query} from events where blog_id = ?1 and kind = 'article.created'`)
        .bind(blogId)
        .first();
      expect(found).toEqual({ articles: 1, events: 1 });
      expect(await sendJson(200, `/api/articles/${article._id}`, { as: { apiKey } })).toEqual(article);
    }
  });

  it("is a 503 with Retry-After while D1 is gone, and nothing is stored", async () => {
    const { route } = writes.find(({ name }) => name === "saveArticle") ?? {};
    if (route === undefined) throw new Error("no route");
    const world = await newWorld();
    const as = reaching(route, world);
    await storingNothing(async () => {
      const bindings = { DB: losing("before", LICENCE, "for good") };
      const response = await call(route, validInput(route, world), { as, bindings });
      expect(response.headers.get("Retry-After")).toBe("5");
      await refusalOf(response, "not_ready");
    });
  });
});

describe("help with a text", () => {
  const losses = [
    ["before", 'insert into "generations"'],
    ["after", 'insert into "generations"'],
    ["after", 'update "generations"'],
  ] as const;

  it.each(losses)("is given once, of one request to the model, if what is lost is %s %s", async (moment, text) => {
    const tenant = await newTenant();
    const bindings = { DB: losing(moment, text) };
    const name = newId();
    await script(name, [{ answer: { content: "Which leaves at six." } }]);
    const body = { task: "correct", text: "Wich leaves at six." };
    expect((await assisted(tenant, { name, bindings, body })).text).toBe("Which leaves at six.");
    expect(await askedOf(name)).toHaveLength(1);
    const { results } = await env.DB.prepare("select state from generations where organization_id = ?")
      .bind(tenant.organizationId)
      .all();
    expect(results).toEqual([{ state: "answered" }]);
  });
});

// Last, as it deletes subscriptions that wait for deliveries: the relay does not come to rest without a sweep.
describe("every write (contract 13.6)", () => {
  /** The rows that each write adds where nothing is lost, by its title. */
  const expected = new Map<string, Record<string, number>>();
  beforeAll(async () => {
    const world = await newWorld();
    for (const each of some) expected.set(each.title, await write(each, world, env.DB));
  });

  const losses = [
    ["its transaction is lost, twice", () => losing("before", LICENCE, 2)],
    ["its answer is lost", () => losing("after", LICENCE)],
    ["its transaction is late, and overtaken by its repetition", () => losing("late", LICENCE)],
  ] as const;

  it("is carried out once and answered, whatever is lost of it", async () => {
    // In a world, each write loses something once: which, differs from write to write. In three worlds, each loses all.
    for (const nth of sample([0, 1, 2], 0, 1)) {
      const world = await newWorld();
      for (const each of some) {
        const [what, lost] = losses[(each.turn + nth) % losses.length] ?? losses[0];
        const rows = await write(each, world, lost());
        expect(rows["audit"], `${each.title}: ${what}`).toBe(1);
        expect(rows, `${each.title}: ${what}`).toEqual(expected.get(each.title));
      }
    }
  });
});
