/** Calls with an Idempotency-Key that end in the middle: after the claim, after the commit, or much too late. */
import { env } from "cloudflare:workers";
import { parseSettings } from "../../src/env.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import type { IdempotencyClaim, Writer } from "../../src/store/core/writer.ts";
import { openIdempotency } from "../../src/store/core/idempotency.ts";
import { openOrganizationStore } from "../../src/store/organization.ts";
import { losing } from "../helpers/failing-database.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { quiet, refusalOf, storingNothing } from "../helpers/refusals.ts";
import { withSessions } from "../helpers/sessions.ts";

const KEY = "crash";

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

const request = (title = "crashed"): Send => ({
  as: { apiKey: tenant.apiKey },
  body: { blogId: tenant.blogId, title },
  headers: { "Idempotency-Key": KEY },
});
const save = (more: Send = {}) => send("/api/articles", { ...request(), ...more });

/** A database that is gone for good before a transaction: 1 is the claim, 2 the write. */
function goneBefore(batch: number): D1Database {
  let batches = 0;
  const check = () => {
    if (batches >= batch) throw new Error("D1_ERROR: the database is gone: SQLITE_IOERR");
  };
  return withSessions({
    prepare(text: string) {
      check();
      return env.DB.prepare(text);
    },
    batch(statements: D1PreparedStatement[]) {
      batches++;
      check();
      return env.DB.batch(statements);
    },
  });
}

type Row = { token: string; answer: string | null };

const rowOf = (key = KEY) =>
  env.DB.prepare("select token, answer from idempotency where organization_id = ? and key = ?")
    .bind(tenant.organizationId, key)
    .first<Row>();

async function claimAge(seconds: number): Promise<void> {
  const time = new Date(Date.now() - seconds * 1000).toISOString();
  await env.DB.prepare("update idempotency set lease_time = ?, creation_time = ? where organization_id = ?")
    .bind(time, time, tenant.organizationId)
    .run();
}

async function written(): Promise<{ articles: number; events: number; audit: number }> {
  const id = tenant.organizationId;
  const results = await env.DB.batch<{ n: number }>([
    env.DB.prepare("select count(*) as n from articles where organization_id = ?").bind(id),
    env.DB.prepare("select count(*) as n from events where organization_id = ? and kind like 'article.%'").bind(id),
    env.DB.prepare("select count(*) as n from audit where organization_id = ? and action like 'articles.%'").bind(id),
  ]);
  const [articles = -1, events = -1, audit = -1] = results.map((result) => result.results[0]?.n);
  return { articles, events, audit };
}

const NOTHING = { articles: 0, events: 0, audit: 0 };
const ONCE = { articles: 1, events: 1, audit: 1 };

/** Leaves a claim behind that nobody will settle, as a Worker does that is gone; returns it. */
async function crash(): Promise<IdempotencyClaim> {
  await refusalOf(await save({ bindings: { DB: goneBefore(2) } }), "internal");
  const row = await rowOf();
  expect(row).toMatchObject({ answer: null });
  expect(await written()).toEqual(NOTHING);
  return { key: KEY, token: row?.token ?? "" };
}

/** The store of the call that holds a claim. */
function storeOf(idempotency: IdempotencyClaim) {
  const writer: Writer = {
    db: env.DB,
    organizationId: tenant.organizationId,
    pinnedBlogId: null,
    actor: { kind: "person", id: newId() },
    requestId: newId(),
    now: () => new Date(),
    quota: parseSettings(env).quota,
    announce: () => undefined,
    afterwards: () => undefined,
    idempotency,
  };
  const article = {
    blogId: tenant.blogId,
    title: "late",
    description: "",
    content: "",
    coverUrl: "",
    slug: { derived: "late" },
    published: true,
  };
  const store = openOrganizationStore(writer);
  return {
    lateWrites: [
      () => store.createArticle(article),
      () => store.createBlog({ name: "late", coverUrl: "", locales: ["en"], vanityId: { derived: `late-${newId()}` } }),
      () => store.createContact({ blogId: tenant.blogId, email: "late@example.com", name: "" }),
    ],
    keys: openIdempotency(writer),
  };
}

describe("a call that ends between its claim and its commit", () => {
  it("keeps the key for a minute: 409 with Retry-After, and nothing is done", async () => {
    await crash();
    await quiet();
    const expectKept = async () => {
      const response = await save();
      expect(response.headers.get("Retry-After")).toBe("1");
      await refusalOf(response, "idempotency_in_progress");
    };
    for (const age of [0, 30]) {
      await claimAge(age);
      await storingNothing(expectKept);
    }
    // Nothing in between: the rest of the minute is for a slow machine.
    await claimAge(50);
    await expectKept();
  });

  it("may be repeated after that minute, once", async () => {
    await crash();
    await claimAge(61);
    const retry = await save();
    expect([retry.status, retry.headers.get("Idempotent-Replayed")]).toEqual([200, null]);
    const body = await retry.json();
    expect(await written()).toEqual(ONCE);
    const again = await save();
    expect([again.headers.get("Idempotent-Replayed"), await again.json()]).toEqual(["true", body]);
    expect(await written()).toEqual(ONCE);
  });

  it("may be repeated by several at once, of whom one does the work", async () => {
    await crash();
    await claimAge(61);
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => save()))).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 409).length).toBeGreaterThan(0);
    for (const status of statuses) expect([200, 409]).toContain(status);
    expect(await written()).toEqual(ONCE);
  });

  it("keeps the key from another request, then too", async () => {
    await crash();
    for (const age of [0, 61, 3600]) {
      await claimAge(age);
      await refusalOf(await send("/api/articles", request("another")), "idempotency_key_reused");
    }
    expect(await written()).toEqual(NOTHING);
  });
});

describe("the first caller, who comes back after another has taken its place", () => {
  it("cannot commit while the second one works", async () => {
    const old = await crash();
    await claimAge(61);
    await refusalOf(await save({ bindings: { DB: goneBefore(2) } }), "internal");
    expect((await rowOf())?.token).not.toBe(old.token);
    await quiet();
    await storingNothing(async () => {
      for (const write of storeOf(old).lateWrites)
        await expect(write()).rejects.toMatchObject({ code: "idempotency_in_progress" });
    });
  });

  it("cannot commit after the second one has", async () => {
    const old = await crash();
    await claimAge(61);
    const body = await sendJson(200, "/api/articles", request());
    await quiet();
    await storingNothing(async () => {
      for (const write of storeOf(old).lateWrites)
        await expect(write()).rejects.toMatchObject({ code: "idempotency_in_progress" });
    });
    expect(await sendJson(200, "/api/articles", request())).toEqual(body);
  });

  it("can neither overwrite the answer nor give the key back", async () => {
    const old = await crash();
    await claimAge(61);
    const body = await sendJson(200, "/api/articles", request());
    await quiet();
    await storingNothing(async () => {
      const { keys } = storeOf(old);
      await keys.settle(old, '{"refusal":{"code":"slug_taken","message":"late"}}');
      await keys.release(old);
    });
    expect(await sendJson(200, "/api/articles", request())).toEqual(body);
  });

  it("can still commit where nobody has taken its place, however late", async () => {
    const claim = await crash();
    await claimAge(3600);
    const [createArticle] = storeOf(claim).lateWrites;
    await createArticle?.();
    expect(await written()).toEqual(ONCE);
    expect((await save()).headers.get("Idempotent-Replayed")).toBe("true");
    expect(await written()).toEqual(ONCE);
  });
});

describe("a call whose commit was answered into nothing", () => {
  it("is a 503 to its caller while the database is gone, and is replayed to the one who asks again", async () => {
    const bindings = { DB: losing("after", 'insert into "audit"', "for good") };
    await refusalOf(await save({ bindings }), "not_ready");
    expect(await written()).toEqual(ONCE);
    const again = await save();
    expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([200, "true"]);
    expect(await again.json()).toMatchObject({ title: "crashed" });
    expect(await written()).toEqual(ONCE);
  });
});

describe("a call whose claim was answered into nothing", () => {
  it("claims the key again, and goes on", async () => {
    const bindings = { DB: losing("after", 'insert into "idempotency"') };
    expect((await save({ bindings })).status).toBe(200);
    expect(await written()).toEqual(ONCE);
    expect((await save()).headers.get("Idempotent-Replayed")).toBe("true");
  });

  it("has done nothing where the database is gone, and may be repeated after a minute", async () => {
    const bindings = { DB: losing("after", 'insert into "idempotency"', "for good") };
    await refusalOf(await save({ bindings }), "not_ready");
    expect(await written()).toEqual(NOTHING);
    await refusalOf(await save(), "idempotency_in_progress");
    await claimAge(61);
    expect((await save()).status).toBe(200);
    expect(await written()).toEqual(ONCE);
  });
});
