/** Contract 13.3, 13.4: Idempotency-Keys under load and in the wrong hands. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "../../src/domain/principal.ts";
import { removeExpired } from "../../src/store/retention.ts";
import { issueKey, issueToken, send, sendJson } from "../helpers/requests.ts";
import { call, everyWrite, newWorld, reaching, validInput, type World } from "../helpers/operations.ts";
import { UNDELIVERED } from "../helpers/queued-generations.ts";
import { dump, quiet, refusalOf, storingNothing, tables } from "../helpers/refusals.ts";
import { spread } from "../helpers/sample.ts";

const keyed = (key: string) => ({ "Idempotency-Key": key });

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

const as = () => ({ apiKey: world.tenant.apiKey });
const operator = () => ({ operatorToken: world.tenant.operatorToken });
const titled = (title: string) => ({ blogId: world.tenant.blogId, title });

/** How many rows each table has of an organization; of a table that does not name organizations, all. */
async function countsOf({ tenant }: World): Promise<Record<string, number>> {
  const counts = await env.DB.prepare(await counting())
    .bind(tenant.organizationId)
    .first<Record<string, number>>();
  if (counts === null) throw new Error("There are no counts.");
  return counts;
}

let query: string | undefined;

/** The query of {@link countsOf}, with a column for each table. */
async function counting(): Promise<string> {
  const { results } = await env.DB.prepare(
    `select t.name as name, max(c.name = 'organization_id') as owned from sqlite_schema t, pragma_table_info(t.name) c
     where t.type = 'table' and t.name in (select value from json_each(?)) group by t.name`,
  )
    .bind(JSON.stringify((await tables()).filter((name) => !BY_THEMSELVES.has(name))))
    .all<{ name: string; owned: 0 | 1 }>();
  const columns = results.map(
    ({ name, owned }) => `(select count(*) from "${name}"${owned ? " where organization_id = ?1" : ""}) as "${name}"`,
  );
  return (query ??= `select ${columns.join()}`);
}

/** Tables that the consumer of purges and the sweep write to. */
const BY_THEMSELVES = new Set(["purges", "last_times"]);

describe("every write", () => {
  // Nobody can call again for an organization that was deleted (contract 10.17).
  const repeatable = everyWrite.filter(({ name }) => name !== "deleteOrganization");
  const writes = spread(repeatable, 5);
  /** For each rule a world, in which all writes are made one after the other. */
  let worlds: Readonly<Record<"once" | "again" | "other", World>>;
  let narrow: string;
  beforeAll(async () => {
    worlds = { once: await newWorld(), again: await newWorld(), other: await newWorld() };
    const operator = { operatorToken: worlds.again.tenant.operatorToken };
    narrow = (await issueKey(operator, ["articles:read"])).secret;
  });

  it.each(writes)("$title does its work once for ten identical calls at the same time", async ({ route, title }) => {
    const own = worlds.once;
    const credential = reaching(route, own);
    const input = validInput(route, own);
    await quiet();
    const before = await countsOf(own);
    // What a queue does later is none of its work.
    const bindings = { GENERATIONS: UNDELIVERED } as unknown as Partial<Env>;
    const calls = Array.from({ length: 10 }, () =>
      call(route, input, { as: credential, headers: keyed(title), bindings }),
    );
    const bodies = new Set<string>();
    let done = 0;
    for (const response of await Promise.all(calls)) {
      if (response.status === 409) {
        expect(response.headers.get("Retry-After")).toBe("1");
        await refusalOf(response, "idempotency_in_progress");
        continue;
      }
      done++;
      expect([200, 202]).toContain(response.status);
      bodies.add(await response.text());
    }
    expect(done).toBeGreaterThan(0);
    expect(bodies.size).toBe(1);
    await quiet();
    const after = await countsOf(own);
    const more = (table: string) => (after[table] ?? 0) - (before[table] ?? 0);
    // Help with a text changes nothing: it leaves its cost in the ledger, and no trace in the audit log.
    // Nor does what a queue does later.
    const isHelp = ["assistArticle", "outlineArticle"].includes(route.name);
    const isLedger =
      isHelp || ["startGeneration", "resumeGeneration", "proposeUpdate", "undoChanges"].includes(route.name);
    expect([more("audit"), more("idempotency")]).toEqual([isLedger ? 0 : 1, 1]);
    if (isHelp) expect(more("generations")).toBe(1);
    // A refresh finds as many ideas as its source has; an article may have several tags, authors, sources and former states; a merge
    // tells of both terms.
    const several = new Set([
      ...(route.name.startsWith("merge") ? ["events"] : []),
      "revisions",
      "trashed_rows",
      "topics",
      "topic_items",
      "slug_terms",
      "article_sources",
      "term_articles",
    ]);
    const single = Object.keys(after).filter((table) => !several.has(table));
    for (const table of single) expect(Math.abs(more(table)), table).toBeLessThanOrEqual(1);
  });

  it.each(writes)(
    "$title is answered again to the letter, with its status and its ETag, to who has its scope in its organization",
    async ({ route, title }) => {
      const own = worlds.again;
      await quiet();
      const credential = reaching(route, own);
      const input = validInput(route, own);
      const options = { as: credential, headers: keyed(title) };
      const first = await call(route, input, options);
      const body = await first.text();
      await storingNothing(async () => {
        const second = await call(route, input, options);
        expect(second.headers.get("Idempotent-Replayed")).toBe("true");
        expect([second.status, second.headers.get("ETag")]).toEqual([first.status, first.headers.get("ETag")]);
        expect(await second.text()).toBe(body);
        const without = await call(route, input, { as: { apiKey: narrow }, headers: keyed(title) });
        await refusalOf(without, "scope_missing", "operator_required");
        await refusalOf(await call(route, input, { headers: keyed(title) }), "credentials_missing");
      });
      expect(first.headers.get("Idempotent-Replayed")).toBeNull();

      const { other } = worlds;
      const elsewhere = { as: reaching(route, other), headers: keyed(title) };
      const response = await call(route, validInput(route, other), elsewhere);
      expect(response.headers.get("Idempotent-Replayed")).toBeNull();
      expect([200, 202], await response.text()).toContain(response.status);
    },
  );
});

describe("a key that was used", () => {
  it("is refused with another body, operation, path, precondition or pin, and nothing is done", async () => {
    const headers = keyed("used");
    await sendJson(200, "/api/articles", { as: as(), body: titled("used"), headers });
    const pinned = { apiKey: (await issueKey(operator(), SCOPES, { blogId: world.tenant.blogId })).secret };
    await storingNothing(async () => {
      const others: [string, Parameters<typeof send>[1]][] = [
        ["/api/articles", { as: as(), body: titled("Used") }],
        ["/api/articles", { as: as(), body: { ...titled("used"), published: true } }],
        ["/api/articles", { as: as(), body: { ...titled("used"), _id: world.article._id } }],
        ["/api/blogs", { as: as(), body: { name: "used" } }],
        [`/api/articles/${world.article._id}`, { as: as(), method: "DELETE" }],
        ["/api/articles", { as: as(), body: titled("used"), headers: { "If-Match": '"x"' } }],
        ["/api/articles", { as: pinned, body: titled("used") }],
      ];
      for (const [path, options] of others) {
        const response = await send(path, { ...options, headers: { ...headers, ...options?.headers } });
        await refusalOf(response, "idempotency_key_reused");
      }
    });
  });

  it("is replayed to another credential of the organization, but never a secret", async () => {
    const colleague = { operatorToken: (await issueToken(operator())).secret };
    const body = titled("shared");
    const first = await sendJson(200, "/api/articles", { as: operator(), body, headers: keyed("colleague") });
    expect(await sendJson(200, "/api/articles", { as: colleague, body, headers: keyed("colleague") })).toEqual(first);
    for (const { route } of everyWrite.filter((each) => each.route.operation.showsSecret)) {
      const input = validInput(route, world);
      const headers = keyed(`secret ${route.path}`);
      const shown = await call(route, input, { as: operator(), headers });
      const { secret } = (await shown.json()) as { secret: string };
      const response = await call(route, input, { as: colleague, headers });
      expect(await response.clone().text()).not.toContain(secret);
      await refusalOf(response, "idempotency_key_reused");
    }
  });

  it("whose body was malformed or forbidden may be used again", async () => {
    const headers = keyed("typo");
    await refusalOf(await send("/api/articles", { as: as(), body: { titel: "x" }, headers }), "invalid_request");
    await refusalOf(await send("/api/articles", { as: as(), body: "{", headers }), "invalid_json");
    await refusalOf(await send("/api/articles", { body: titled("x"), headers }), "credentials_missing");
    await sendJson(200, "/api/articles", { as: as(), body: titled("right"), headers });
  });
});

describe("the table of answers", () => {
  it("has no secret in plain text, nor has any other table but the signing keys' own", async () => {
    // A secret can be replaced once, and tests before this one have done so.
    const url = "https://example.com/dump";
    const { _id: subscriptionId } = await sendJson<{ _id: string }>(200, "/api/webhooksubscriptions", {
      as: operator(),
      body: { url },
    });
    for (const { route } of everyWrite.filter((each) => each.route.operation.showsSecret)) {
      const response = await call(route, validInput(route, { ...world, subscriptionId }), {
        as: operator(),
        headers: keyed(`dump ${route.path}`),
      });
      const answer = (await response.json()) as { secret?: string; token?: string; link?: string };
      const secret = answer.secret ?? answer.token ?? answer.link?.split("/").at(-1) ?? "";
      expect(secret.length).toBeGreaterThanOrEqual(40);
      for (const [table, rows] of Object.entries(await dump())) {
        // Mails of local runs are there to be read.
        if (table === "local_mails") continue;
        // Signing keys are kept as they are, in their own column.
        const shown = JSON.stringify(
          table === "webhook_subscriptions" ? rows.map((row) => ({ ...row, secret: "" })) : rows,
        );
        expect(shown.includes(secret.slice(6, 30)), table).toBe(false);
        expect(shown.includes(btoa(secret).slice(8, 32)), table).toBe(false);
      }
    }
  });

  it("is cleared of what is older, by the sweep", async () => {
    await sendJson(200, "/api/articles", { as: as(), body: titled("old"), headers: keyed("old") });
    await removeExpired(env.DB, new Date(Date.now() + 86_400_000 - 60_000));
    const find = () => env.DB.prepare("select 1 from idempotency where key = 'old'").first();
    expect(await find()).not.toBeNull();
    await removeExpired(env.DB, new Date(Date.now() + 86_400_000 + 60_000));
    expect(await find()).toBeNull();
  });

  it("fits into a row of D1, which has 2,000,000 bytes, for the largest article that can be written", async () => {
    // A line break has one byte in the content and two in JSON.
    const largest = { ...titled("largest"), content: "\n".repeat(1_040_000), description: "\u0001".repeat(2000) };
    await sendJson(200, "/api/articles", {
      as: as(),
      body: { ...largest, description: "" },
      headers: keyed("largest"),
    });
    const row = await env.DB.prepare(
      "select max(octet_length(coalesce(answer, '')) + octet_length(coalesce(content, ''))) as bytes from idempotency",
    ).first<{ bytes: number }>();
    expect(row?.bytes).toBeLessThan(2_000_000);
  });
});
