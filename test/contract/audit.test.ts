/** Contract 10.12: the audit log has names, and can be narrowed. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { isId, makeLowestId, newId, getIdTime } from "../../src/lib/ids.ts";
import { DAY_MS } from "../../src/lib/time.ts";
import { removeExpired } from "../../src/store/retention.ts";
import { outcome } from "../helpers/outcome.ts";
import { newMember } from "../helpers/people.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

type Entry = {
  _id: string;
  actor: { kind: string; id: string; name: string | null };
  action: string;
  resourceId: string;
  resourceName: string | null;
  creationTime: string;
};

/**
 * Starts a clock that is no earlier than the identifiers, by which the log looks for times: a file before this one may have
 * moved its clock ahead, and they never go back.
 */
function startClock(): void {
  vi.useRealTimers();
  const now = Math.max(Date.now(), Date.parse(getIdTime(newId())));
  vi.useFakeTimers({ toFake: ["Date"], now, shouldAdvanceTime: true });
}

let tenant: Tenant;
beforeAll(async () => {
  startClock();
  tenant = await newTenant();
});
beforeEach(startClock);
afterEach(() => vi.useRealTimers());

const operator = () => ({ operatorToken: tenant.operatorToken });
const read = (query = "") => sendJson<Entry[]>(200, `/api/audit${query}`, { as: operator() });

describe("the audit log", () => {
  it("names who wrote, and what", async () => {
    const key = await sendJson<{ _id: string; secret: string }>(200, "/api/apikeys", {
      as: operator(),
      body: { name: "CI", scopes: ["articles:write"] },
    });
    const body = { blogId: tenant.blogId, title: "The first ferry" };
    const { _id } = await sendJson<ArticleBody>(200, "/api/articles", { as: { apiKey: key.secret }, body });
    const [created] = await read("?limit=1");
    expect(created).toMatchObject({
      actor: { kind: "key", id: key._id, name: "CI" },
      action: "articles.create",
      resourceName: "The first ferry",
    });
    await sendJson(200, "/api/articles", { as: operator(), body: { _id, title: "Renamed" } });
    expect((await read("?limit=2")).map(({ resourceName }) => resourceName)).toEqual(["Renamed", "Renamed"]);
    await sendJson(200, `/api/articles/${_id}`, { as: operator(), method: "DELETE" });
    await sendJson(200, `/api/apikeys/${key._id}`, { as: operator(), method: "DELETE" });
    const [revoked, deleted, , first] = await read("?limit=4");
    expect([revoked?.action, revoked?.resourceName]).toEqual(["apikeys.revoke", null]);
    expect([deleted?.action, deleted?.resourceName]).toEqual(["articles.delete", "Renamed"]);
    expect([first?.actor.name, first?.resourceName]).toEqual([null, null]);
  });

  it("tells publishing and unpublishing from editing", async () => {
    const save = (body: object) => sendJson<ArticleBody>(200, "/api/articles", { as: operator(), body });
    const { _id } = await save({ blogId: tenant.blogId, title: "The first ferry" });
    await save({ _id, title: "Renamed", published: true });
    await save({ _id, title: "Again", published: true });
    await save({ _id, published: false });
    await save({ _id, title: "Draft" });
    expect((await read("?limit=5")).map(({ action }) => action)).toEqual([
      "articles.update",
      "articles.unpublish",
      "articles.update",
      "articles.publish",
      "articles.create",
    ]);
  });

  it("is narrowed by who, by the kind of thing and by time", async () => {
    const all = await read();
    const [newest] = all;
    const oldest = all.at(-1);
    const actor = newest?.actor.id ?? "";
    expect(await read(`?actor=${actor}`)).toEqual(all.filter((entry) => entry.actor.id === actor));
    expect(await read("?kind=articles")).toEqual(all.filter(({ action }) => action.startsWith("articles.")));
    expect(await read(`?kind=blogs&actor=${actor}`)).toEqual(
      all.filter((entry) => entry.action.startsWith("blogs.") && entry.actor.id === actor),
    );
    const time = all[2]?.creationTime ?? "";
    expect(await read(`?from=${time}`)).toEqual(all.filter(({ creationTime }) => creationTime >= time));
    expect(await read(`?to=${time}`)).toEqual(all.filter(({ creationTime }) => creationTime < time));
    expect(await read(`?to=${oldest?.creationTime}`)).toEqual([]);
    expect(await outcome("/api/audit?kind=nothing", { as: operator() })).toBe("400 invalid_request");
  });

  it("is narrowed by the time that it shows, also where a clock that went back has made the ids later", async () => {
    vi.setSystemTime(Date.now() - 1500);
    const { _id } = await sendJson<{ _id: string }>(200, "/api/blogs", { as: operator(), body: { name: "Then" } });
    startClock();
    const [entry] = await read("?kind=blogs&limit=1");
    expect(entry?.resourceId).toBe(_id);
    const after = new Date(Date.parse(entry?.creationTime ?? "") + 1).toISOString();
    const inTime = async (query: string) => (await read(query)).some(({ resourceId }) => resourceId === _id);
    expect([await inTime(`?from=${entry?.creationTime}`), await inTime(`?to=${after}`)]).toEqual([true, true]);
    expect([await inTime(`?from=${after}`), await inTime(`?to=${entry?.creationTime}`)]).toEqual([false, false]);
  });

  it("has the end of an old connection when it ended, and keeps it as long as the entries beside it", async () => {
    const { memberId, userId } = await newMember(tenant.organizationId, "writer");
    const old = Date.now() - 100 * DAY_MS;
    const connection = makeLowestId(new Date(old));
    await env.DB.prepare(
      `insert into connected_apps (id, organization_id, user_id, client_id, client_name, scopes, resource, creation_time)
       values (?, ?, ?, 'client', 'Old', '[]', '/api', ?)`,
    )
      .bind(connection, tenant.organizationId, userId, new Date(old).toISOString())
      .run();
    const from = new Date().toISOString();
    await sendJson(200, `/api/members/${memberId}`, { as: operator(), method: "DELETE" });
    await removeExpired(env.DB, new Date());
    const entries = await read(`?from=${from}&kind=apps`);
    expect(entries).toMatchObject([{ action: "apps.disconnect", resourceId: connection, resourceName: "Old" }]);
    expect(isId(entries[0]?._id ?? "")).toBe(true);
  });

  it("names nothing of another organization", async () => {
    const other = await newTenant("Other");
    const body = { blogId: other.blogId, title: "Not yours" };
    const as = { operatorToken: other.operatorToken };
    const { _id } = await sendJson<ArticleBody>(200, "/api/articles", { as, body });
    await env.DB.prepare(
      `insert into audit (id, organization_id, actor_kind, actor_id, action, resource_id, request_id, creation_time)
       values (?1, ?2, 'key', 'gone', 'articles.update', ?3, '', '2036-01-01T00:00:00.000Z')`,
    )
      .bind(makeLowestId(new Date("2036-01-01")), tenant.organizationId, _id)
      .run();
    expect((await read("?limit=1"))[0]).toMatchObject({ resourceId: _id, resourceName: null });
  });

  it("looks through a bounded number of entries for those that fit, and then goes on", async () => {
    const own = await newTenant("Long");
    await sendJson(200, "/api/blogs", { as: { operatorToken: own.operatorToken }, body: { name: "First" } });
    const ids = JSON.stringify(Array.from({ length: LIMITS.auditScanned + 5 }, (_, n) => n));
    await env.DB.prepare(
      `insert into audit (id, organization_id, actor_kind, actor_id, action, resource_id, request_id, creation_time)
       select '0f000000-0000-7000-8000-' || printf('%012d', value), ?1, 'key', 'k', 'topics.update', '', '', '2036-01-01T00:00:00.000Z'
       from json_each(?2)`,
    )
      .bind(own.organizationId, ids)
      .run();
    const as = { operatorToken: own.operatorToken };
    const first = await send("/api/audit?kind=blogs&limit=10", { as });
    expect(await first.json()).toEqual([]);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("Link") ?? "")?.[1] ?? "";
    const second = await send(next, { as });
    expect((await second.json<Entry[]>()).map(({ action }) => action)).toEqual(["blogs.create"]);
    expect(second.headers.has("Link")).toBe(false);
  });
});
