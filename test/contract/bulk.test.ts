/** Contract 18.22: many articles at once. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { issueKey, send, sendJson } from "../helpers/requests.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { withSessions } from "../helpers/sessions.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { received, subscribe } from "../helpers/webhooks.ts";

type Outcome = { _id: string; outcome: string; code: string | null; detail: string | null };

let tenant: Tenant;
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const bulk = (action: string, articleIds: readonly string[], headers = {}) =>
  sendJson<Outcome[]>(200, "/api/articles/bulk", { as, body: { action, articleIds }, headers });
const drafts = (count: number) =>
  Promise.all(Array.from({ length: count }, () => newArticle(tenant, { published: false })));
const stateOf = async (id: string) => {
  const response = await send(`/api/articles/${id}`, { as });
  return response.status === 404 ? "gone" : ((await response.json()) as ArticleBody).published ? "published" : "draft";
};

describe("POST /api/articles/bulk", () => {
  it("changes each for itself, in the order of the request, and says what became of each", async () => {
    const [one, two] = await drafts(2);
    const { _id: live } = await newArticle(tenant);
    const missing = newId();
    const ids = [one?._id ?? "", live, missing, two?._id ?? ""];
    const outcomes = await bulk("publish", ids);
    expect(outcomes.map(({ _id, outcome, code }) => [_id, outcome, code])).toEqual([
      [ids[0], "changed", null],
      [live, "unchanged", null],
      [missing, "refused", "not_found"],
      [ids[3], "changed", null],
    ]);
    expect(await Promise.all(ids.map(stateOf))).toEqual(["published", "published", "gone", "published"]);
    expect((await bulk("unpublish", [live])).map(({ outcome }) => outcome)).toEqual(["changed"]);
    expect((await bulk("delete", [live, ids[0] ?? ""])).map(({ outcome }) => outcome)).toEqual(["changed", "changed"]);
    expect(await Promise.all([live, ids[0] ?? ""].map(stateOf))).toEqual(["gone", "gone"]);
  });

  it("fires one event for each that changed, and writes it into the audit log", async () => {
    const { name } = await subscribe(tenant, "ok", { events: ["article.updated"] });
    const made = await drafts(3);
    const ids = made.map(({ _id }) => _id);
    await bulk("publish", [...ids, newId()]);
    const seen = await received(name, 3);
    const changed = seen.map(({ body }) => (JSON.parse(body) as { data: ArticleBody }).data._id);
    expect(changed.toSorted()).toEqual(ids.toSorted());
    const { results } = await env.DB.prepare(
      "select resource_id as id from audit where organization_id = ? and action = 'articles.publish' and resource_id in (select value from json_each(?))",
    )
      .bind(tenant.organizationId, JSON.stringify(ids))
      .all<{ id: string }>();
    expect(results).toHaveLength(3);
  });

  it("takes an Idempotency-Key for all: a repeated request changes nothing and gets the same answer", async () => {
    const ids = (await drafts(2)).map(({ _id }) => _id);
    const headers = { "Idempotency-Key": newId() };
    const first = await bulk("delete", ids, headers);
    expect(first.map(({ outcome }) => outcome)).toEqual(["changed", "changed"]);
    expect(await bulk("delete", ids, headers)).toEqual(first);
    const other = await send("/api/articles/bulk", { as, headers, body: { action: "publish", articleIds: ids } });
    await refusalOf(other, "idempotency_key_reused");
  });

  it("refuses what is not 1 to 100 different ids, and changes nothing", async () => {
    const [draft] = await drafts(1);
    const id = draft?._id ?? "";
    await storingNothing(async () => {
      const many = Array.from({ length: LIMITS.bulkArticles + 1 }, newId);
      for (const articleIds of [[], [id, id], many, [1], "x"]) {
        const response = await send("/api/articles/bulk", { as, body: { action: "publish", articleIds } });
        await refusalOf(response, "invalid_request");
      }
      const wrong = await send("/api/articles/bulk", { as, body: { action: "archive", articleIds: [id] } });
      await refusalOf(wrong, "invalid_request");
    });
  });

  it("schedules all of them at one time; each that cannot be is refused for itself", async () => {
    const [one] = await drafts(1);
    const { _id: live } = await newArticle(tenant);
    const body = { action: "schedule", articleIds: [one?._id ?? "", live] };
    const schedule = { publishTime: "2031-07-01T09:00", timeZone: "Europe/Lisbon" };
    const outcomes = await sendJson<Outcome[]>(200, "/api/articles/bulk", { as, body: { ...body, schedule } });
    expect(outcomes.map(({ outcome, code }) => [outcome, code])).toEqual([
      ["changed", null],
      ["refused", "invalid_request"],
    ]);
    const found = await sendJson<{ publishTime: string }>(200, `/api/articles/${one?._id}/schedule`, { as });
    expect(found.publishTime).toBe("2031-07-01T08:00:00.000Z");
    for (const wrong of [undefined, {}, { publishTime: "2001-07-01T09:00" }, { timeZone: "x" }]) {
      const response = await send("/api/articles/bulk", { as, body: { ...body, schedule: wrong } });
      expect(JSON.stringify(await refusalOf(response, "invalid_request"))).toContain("schedule");
    }
    const needless = await send("/api/articles/bulk", { as, body: { ...body, action: "publish", schedule } });
    await refusalOf(needless, "invalid_request");
  });

  it("leaves what is scheduled, or deleted later, as it is if it was so already", async () => {
    const [first] = await drafts(1);
    const id = first?._id ?? "";
    const outcomes = async (action: string, more = {}, caller = as) => {
      const body = { action, articleIds: [id], ...more };
      const [one] = await sendJson<Outcome[]>(200, "/api/articles/bulk", { as: caller, body });
      return one?.outcome;
    };
    const at = (publishTime: string) => ({ schedule: { publishTime } });
    const writes = () =>
      env.DB.prepare("select count(*) as count from audit where resource_id = ?").bind(id).first("count");
    const other = {
      apiKey: (await issueKey({ operatorToken: tenant.operatorToken }, ["articles:read", "articles:write"])).secret,
    };
    expect(await outcomes("schedule", at("2031-01-01T09:00Z"))).toBe("changed");
    const before = await writes();
    expect(await outcomes("schedule", at("2031-01-01T10:00+01:00"))).toBe("unchanged");
    expect(await writes()).toBe(before);
    expect(await outcomes("schedule", at("2031-01-01T11:00Z"))).toBe("changed");
    // It is to be done in the name of somebody else.
    expect(await outcomes("schedule", at("2031-01-01T11:00Z"), other)).toBe("changed");
    expect([await outcomes("deleteLater"), await outcomes("deleteLater")]).toEqual(["changed", "unchanged"]);
    await sendJson(200, "/api/articles", { as, body: { _id: id, title: "Edited" } });
    expect(await outcomes("deleteLater")).toBe("changed");
    expect([await outcomes("keep"), await outcomes("keep")]).toEqual(["changed", "unchanged"]);
    expect(await outcomes("delete")).toBe("changed");
    expect(await bulk("keep", [id])).toMatchObject([{ outcome: "refused", code: "not_found" }]);
  });

  it("ends where the key is revoked in between, and what was changed stays changed", async () => {
    const { _id: keyId, secret } = await issueKey({ operatorToken: tenant.operatorToken }, ["articles:write"]);
    const ids = (await drafts(10)).map(({ _id }) => _id);
    const DB = revokingAfter(8, keyId);
    const response = await send("/api/articles/bulk", {
      as: { apiKey: secret },
      body: { action: "publish", articleIds: ids },
      bindings: { DB },
    });
    await refusalOf(response, "credentials_invalid");
    const states = await Promise.all(ids.map(stateOf));
    expect(states).toContain("draft");
    expect(states).toContain("published");
  });
});

/** Returns the database, which revokes a key after some transactions. */
function revokingAfter(transactions: number, keyId: string): D1Database {
  let left = transactions;
  return withSessions({
    prepare: (text: string) => env.DB.prepare(text),
    async batch(statements: D1PreparedStatement[]) {
      if (--left === 0) await env.DB.prepare("delete from credentials where id = ?").bind(keyId).run();
      return env.DB.batch(statements);
    },
  });
}
