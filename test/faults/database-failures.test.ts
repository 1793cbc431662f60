/** Writes whose transaction fails at each of its statements: all or nothing, and another try succeeds. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import type { LoadedRoute } from "../../src/surfaces/rest/routes.ts";
import { countingDatabase } from "../helpers/counting.ts";
import { newFile } from "../helpers/media.ts";
import {
  call,
  everyRoute,
  everyWrite,
  newWorld,
  reaching,
  validInput,
  type Input,
  type World,
} from "../helpers/operations.ts";
import { newSchedule } from "../helpers/world-rows.ts";
import { quiet, refusalOf, storingNothing } from "../helpers/refusals.ts";
import { sample, spread } from "../helpers/sample.ts";

// A generation keeps a ledger of what failed: test/faults/generation.test.ts. An upload records its file before the item: a
// failure leaves a row that counts nothing, which the sweep deletes with the file (test/faults/uploads.test.ts).
const writes = everyWrite.filter(
  ({ name, route }) =>
    !route.operation.lengthy &&
    !("upload" in route) &&
    !["createEmbed", "startGeneration", "resumeGeneration", "proposeUpdate"].includes(name),
);

/** A valid input; an article in a new locale changes its blog, a second invitation cancels the first. */
const inputOf = (route: LoadedRoute, world: World): Input => {
  const input = validInput(route, world);
  if (route.path === "/api/invitations") return { ...input, email: world.invited };
  // A translation of an article whose tags and authors it replaces.
  return route.path === "/api/articles" ? { ...input, locale: "fr", slug: world.article.slug } : input;
};

const PAST = /\/(?:revisions|draft)\//;
const TERMS = /^\/api\/(?:articles$|tags|authors)/;

/** Of two worlds, the one in which the writes are watched, and the one in which they fail. */
type Worlds = Readonly<Record<"watched" | "failing", World>>;

let shared: Worlds;
beforeAll(async () => {
  shared = { watched: await faultyWorld(), failing: await faultyWorld() };
  await addExpired(shared.failing);
});

/** The worlds of a route: two that most writes share, which can be made one after another; others have their own. */
async function worldsOf(route: LoadedRoute): Promise<Worlds> {
  const isInvitation = route.path === "/api/invitations";
  const isAlone = route.operation.effect === "delete" || [PAST, TERMS].some((paths) => paths.test(route.path));
  if (!isAlone && !isInvitation) return shared;
  const worlds = { watched: await faultyWorld(route), failing: await faultyWorld(route) };
  await addExpired(worlds.failing);
  return worlds;
}

/** A world whose member has invited somebody and connected an application: who removes them ends both. */
async function faultyWorld(route?: LoadedRoute): Promise<World> {
  const world = await newWorld();
  if (route?.operation.effect === "delete") {
    // Who deletes the article changes the idea that became it, and its files.
    await newFile(world.tenant.organizationId, world.article._id);
    await env.DB.prepare("update topics set article_id = ? where id = ?").bind(world.article._id, world.topicId).run();
  }
  if (PAST.test(route?.path ?? "")) await newPast(world);
  if (TERMS.test(route?.path ?? "")) await giveTerms(world);
  await env.DB.prepare("update invitations set inviter_id = (select user_id from members where id = ?) where id = ?")
    .bind(world.memberId, world.invitationId)
    .run();
  await env.DB.prepare(
    `insert into connected_apps
       (id, organization_id, user_id, client_id, client_name, scopes, resource, creation_time)
     select ?, organization_id, user_id, 'client', 'Client', '[]', 'https://edgepress.test/mcp', creation_time
     from members where id = ?`,
  )
    .bind(newId(), world.memberId)
    .run();
  return world;
}

/** Gives the draft the first tag and author, and the published article the others. */
async function giveTerms({ article, draft, tagId, otherTagId, authorId, otherAuthorId }: World): Promise<void> {
  const rows = [
    [draft, "tag", tagId],
    [article, "tag", otherTagId],
    [draft, "author", authorId],
    [article, "author", otherAuthorId],
  ] as const;
  const insert = env.DB.prepare(
    "insert into slug_terms (blog_id, slug, kind, term_id, position) values (?, ?, ?, ?, 0)",
  );
  await env.DB.batch(rows.map(([{ blogId, slug }, kind, id]) => insert.bind(blogId, slug, kind, id)));
  // The working copies have them too: a change of a term rewrites these.
  const names = "(select json_group_array(json_object('slug', slug, 'name', name)) from terms where id in (?, ?))";
  await env.DB.prepare(
    `update working_copies set members = json_set(members, '$.tags', json(${names}), '$.authors', json(${names}))
     where article_id in (?, ?)`,
  )
    .bind(tagId, otherTagId, authorId, otherAuthorId, article._id, draft._id)
    .run();
}

/**
 * Lets the next change of an article delete its oldest state, and its former state and working copy be in a new locale,
 * which changes its blog. The published article becomes a draft, so that publishing its working copy ends a schedule, too.
 */
async function newPast({ article, tenant }: World): Promise<void> {
  await newSchedule(article);
  const put = (text: string, ...values: unknown[]) => env.DB.prepare(text).bind(tenant.organizationId, ...values);
  await env.DB.batch([
    put(
      "update articles set revision = ?2, published = 1 - published where organization_id = ?1",
      LIMITS.revisions + 2,
    ),
    put("update revisions set members = json_set(members, '$.locale', 'fr') where organization_id = ?1"),
    put("update working_copies set members = json_set(members, '$.locale', 'fr') where organization_id = ?1"),
  ]);
}

/** Adds as many credentials as an organization may have; they have expired, so a new one takes their place. */
async function addExpired(world: World): Promise<void> {
  await env.DB.prepare(
    `insert into credentials (id, organization_id, kind, name, hash, hint, scopes, expiration_time, creation_time)
     select value, ?, 'key', 'expired', value, 'hint', '[]', '2020', '2020' from json_each(?)`,
  )
    .bind(world.tenant.organizationId, JSON.stringify(Array.from({ length: LIMITS.credentials }, newId)))
    .run();
}

/** What a route's operation writes, as the event of a trigger: `insert on articles`. */
async function faultsOf(route: LoadedRoute, world: World, headers: Record<string, string>): Promise<string[]> {
  const { db, ran } = countingDatabase();
  const options = { as: reaching(route, world), headers, bindings: { DB: db } };
  const response = await call(route, inputOf(route, world), options);
  expect([200, 202], await response.text()).toContain(response.status);
  // One that finds nothing to write cannot fail.
  const written = ran.filter(({ rowsWritten }) => rowsWritten > 0);
  const faults = written.flatMap(({ text }) => {
    const [, verb, table = ""] = /^\s*(insert|update|delete)(?: into| from)? "(\w+)"/i.exec(text) ?? [];
    return verb === undefined ? [] : [`${verb} on ${table}`];
  });
  return [...new Set(faults)].filter((fault) => !BESIDE.has(fault));
}

/** Never writes a row; and what comes after the answer: the note of a credential's use, a mail. */
const BESIDE = new Set(["insert on assertions", "update on credentials", "insert on local_mails"]);

/** Lets one kind of statement fail meanwhile, with a message that nobody should see. */
async function failing(fault: string, work: () => Promise<void>): Promise<void> {
  const raise = "select raise(abort, 'boom: insert into secret_table')";
  await env.DB.prepare(`create trigger fault before ${fault} begin ${raise}; end`).run();
  try {
    await work();
  } finally {
    await env.DB.prepare("drop trigger fault").run();
  }
}

describe.each(spread(writes, 5))("$title", ({ route, title, turn }) => {
  it("is stored whole or not at all, is a 500 that tells nothing, and may be repeated", async () => {
    const keyed = { "Idempotency-Key": title };
    const worlds = await worldsOf(route);
    await quiet();
    const faults = await faultsOf(route, worlds.watched, keyed);
    // The audit log, the claim and the answer of its Idempotency-Key, and its own table, unless that is beside all others, or
    // there is nothing to open again.
    const hasNone = ["updateApiKey", "beginExport", "redeliverMissing"].includes(route.name);
    expect(faults.length, faults.join()).toBeGreaterThanOrEqual(hasNone ? 3 : 4);
    const world = worlds.failing;
    const as = reaching(route, world);
    const input = inputOf(route, world);
    await storingNothing(async () => {
      for (const [nth, fault] of faults.entries()) {
        const ways = fault.includes("idempotency") ? [keyed] : sample([{}, keyed], turn + nth, 1);
        await failing(fault, async () => {
          for (const headers of ways) {
            const problem = await refusalOf(await call(route, input, { as, headers }), "internal");
            expect(problem.detail, fault).not.toContain("boom");
          }
        });
      }
    });
    const response = await call(route, input, { as, headers: keyed });
    expect([200, 202], await response.text()).toContain(response.status);
    expect(response.headers.get("Idempotent-Replayed")).toBeNull();
  });
});

/** A database that is gone after so many queries. */
function goneAfter(queries: number): D1Database {
  let left = queries;
  const gone = () => {
    throw new Error("D1_ERROR: secret_table is gone: SQLITE_ERROR");
  };
  const prepare = (text: string) => (left-- > 0 ? env.DB.prepare(text) : gone());
  const database: unknown = { prepare, batch: gone, withSession: () => ({ prepare: gone, batch: gone }) };
  return database as D1Database;
}

describe("reads", () => {
  const reads = everyRoute.filter(({ route }) => route.operation.effect === "read");

  it("are 500 without a reason while the database is gone, and nothing is cached", async () => {
    const world = await newWorld();
    for (const { route } of spread(reads, 20)) {
      // Authentication is one query, and still works.
      const callers = [{ as: reaching(route, world), DB: goneAfter(1) }];
      if (route.operation.anonymous) callers.push({ as: {}, DB: goneAfter(0) });
      for (const { as, DB } of callers) {
        const response = await call(route, validInput(route, world), { as, bindings: { DB } });
        expect((await refusalOf(response, "internal")).detail).not.toContain("secret_table");
      }
    }
  });
});

describe("a queue that takes nothing", () => {
  const failures: readonly [string, () => Promise<never>][] = [
    ["it answers late with an error", () => Promise.reject(new Error("queue lost"))],
    [
      "it fails at once",
      () => {
        throw new Error("queue lost");
      },
    ],
  ];

  it.each(failures)("does not make a failure of a write that is stored: %s", async (_, fail) => {
    const world = await newWorld();
    await quiet();
    const queue: unknown = { send: fail };
    const bindings = { EVENTS: queue as Env["EVENTS"] };
    const telling = writes.filter(({ name }) => ["saveArticle", "createBlog", "createContact"].includes(name));
    const answers: number[] = [];
    for (const { route } of telling) {
      const response = await call(route, inputOf(route, world), { as: reaching(route, world), bindings });
      answers.push(response.status);
    }
    const { results } = await env.DB.prepare(
      "select kind from events where organization_id = ? and fan_out_time is null order by kind",
    )
      .bind(world.tenant.organizationId)
      .all();
    // The sweep would send them; the next test waits for a relay at rest.
    await env.DB.prepare("update events set fan_out_time = enqueue_time where fan_out_time is null").run();
    expect(answers).toEqual([200, 200, 200]);
    expect(results).toEqual(["article.created", "blog.created", "contact.created"].map((kind) => ({ kind })));
  });
});
