/** Contract 18.5, 18.6: schedules that are not carried out. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { parseSettings } from "../../src/env.ts";
import { recordHealth } from "../../src/store/edge/system-health.ts";
import { auditOf } from "../helpers/history.ts";
import { connect, disconnected } from "../helpers/connected.ts";
import { succeed } from "../helpers/mcp-connected.ts";
import { newMember } from "../helpers/people.ts";
import { issueKey, sendJson } from "../helpers/requests.ts";
import { inMinutes, runAt, schedule, shownTo, type Schedule, type ScheduleShown } from "../helpers/schedules.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});
// A run carries out everything that is due.
beforeEach(() => env.DB.prepare("delete from schedules").run());
afterEach(() => vi.useRealTimers());

const draft = () => newArticle(tenant, { published: false });
const shown = (id: string) => shownTo(as, id);

describe("contract 18.5: whose schedule it is", () => {
  it("a key that was revoked publishes nothing: it failed, and the audit log says so", async () => {
    const { secret, _id: keyId } = await issueKey({ operatorToken: tenant.operatorToken }, ["articles:write"]);
    const { _id } = await draft();
    await schedule({ apiKey: secret }, _id, { publishTime: inMinutes(5) });
    await sendJson(200, `/api/apikeys/${keyId}`, { as: { operatorToken: tenant.operatorToken }, method: "DELETE" });
    await runAt(inMinutes(6));
    await runAt(inMinutes(7));
    expect(await shown(_id)).toMatchObject({
      published: false,
      schedule: { state: "failed", failure: { code: "credentials_invalid" } },
    });
    expect(await auditOf(_id)).toEqual(["articles.create key", "schedules.set key", "schedules.fail schedule"]);
    expect(await sendJson<Schedule[]>(200, "/api/schedules?state=failed", { as })).toHaveLength(1);
    // Somebody else sets it again.
    await schedule(as, _id, { publishTime: inMinutes(5) });
    await runAt(inMinutes(6));
    expect((await shown(_id)).published).toBe(true);
  });

  it.each(["removed", "reader"])("a member who is %s then publishes nothing", async (what) => {
    const { userId, memberId } = await newMember(tenant.organizationId, "writer");
    const { _id } = await draft();
    await schedule(as, _id, { publishTime: inMinutes(5) });
    await env.DB.prepare("update schedules set actor_kind = 'user', actor_id = ? where article_id = ?")
      .bind(userId, _id)
      .run();
    const change =
      what === "removed" ? "delete from members where id = ?" : "update members set role = 'reader' where id = ?";
    await env.DB.prepare(change).bind(memberId).run();
    await runAt(inMinutes(6));
    expect(await shown(_id)).toMatchObject({ published: false, schedule: { failure: { code: "role_forbidden" } } });
  });

  it("an application that was disconnected then publishes nothing", async () => {
    const { organizationId } = tenant;
    const { userId } = await newMember(organizationId, "writer");
    const scopes = ["articles:read", "articles:write"] as const;
    const app = await connect({ userId, organizationId, scopes, resource: "/mcp", role: "writer" });
    const { _id } = await draft();
    await succeed(app.access_token, "schedule_article", { articleId: _id, publishTime: inMinutes(5) });
    await disconnected(app.connectionId, userId);
    await runAt(inMinutes(6));
    expect(await shown(_id)).toMatchObject({
      published: false,
      schedule: { state: "failed", failure: { code: "credentials_invalid" } },
    });
  });

  it("a member who was promoted since still publishes", async () => {
    const { userId, memberId } = await newMember(tenant.organizationId, "writer");
    const { _id } = await draft();
    await schedule(as, _id, { publishTime: inMinutes(5) });
    await env.DB.prepare("update schedules set actor_kind = 'user', actor_id = ? where article_id = ?")
      .bind(userId, _id)
      .run();
    await env.DB.prepare("update members set role = 'admin' where id = ?").bind(memberId).run();
    await runAt(inMinutes(6));
    expect((await shown(_id)).published).toBe(true);
  });
});

describe("contract 18.6: what cannot be carried out", () => {
  it("for good is shown as failed, with its reason, and keeps nobody else waiting", async () => {
    const locales = Array.from({ length: 100 }, (_, n) => `en-x-l${String(n).padStart(3, "0")}`);
    const full = await newTenant();
    const own = { apiKey: full.apiKey };
    await sendJson(200, `/api/blogs/${full.blogId}`, {
      as: { operatorToken: full.operatorToken },
      method: "PUT",
      body: { locales },
    });
    const stuck = await newArticle(full, { published: false, locale: "de" });
    const fine = await newArticle(full, { published: false, locale: locales[0] ?? "" });
    await schedule(own, stuck._id, { publishTime: inMinutes(4) });
    await schedule(own, fine._id, { publishTime: inMinutes(5) });
    await runAt(inMinutes(6));
    const of = (id: string) =>
      sendJson<ScheduleShown>(200, `/api/articles/${id}?fields=published,schedule`, { as: own });
    expect(await of(stuck._id)).toMatchObject({ published: false, schedule: { failure: { code: "invalid_request" } } });
    expect((await of(stuck._id)).schedule?.failure?.detail).toContain("100 locales");
    expect((await of(fine._id)).published).toBe(true);
  });

  it("today, because the organization's events are used up, wait for the next day, and hide no other standstill", async () => {
    // At noon yesterday: what follows within minutes is the same day. Not tomorrow, or the ids of later tests would be of then.
    vi.useFakeTimers({ toFake: ["Date"], now: new Date().setUTCHours(-12, 0, 0, 0) });
    const [busy, other] = [await newTenant(), await newTenant()];
    const own = { apiKey: busy.apiKey };
    const drafts = [];
    for (let n = 0; n < 3; n++) drafts.push((await newArticle(busy, { published: false }))._id);
    for (const id of drafts) await schedule(own, id, { publishTime: inMinutes(5) });
    const published = async () =>
      (await sendJson<ScheduleShown[]>(200, `/api/articles?blogId=${busy.blogId}&published=true`, { as: own })).length;
    const day = env.DB.prepare("select day_events from organizations where id = ?").bind(busy.organizationId);
    // One event is left.
    const quota = { ...parseSettings(env).quota, eventsPerDay: Number(await day.first("day_events")) + 1 };
    const lines: { message?: unknown; organization?: unknown }[] = [];
    const log = (line: object) => void lines.push(line);
    await runAt(inMinutes(6), { quota, log });
    expect(await published()).toBe(1);
    expect(lines).toEqual([expect.objectContaining({ organization: busy.organizationId })]);
    // Until the next day they are neither read nor logged again, and are not late.
    let used = 0;
    const getDatabase = () => (used++, env.DB);
    await runAt(inMinutes(7), { quota, log, getDatabase });
    expect([used, lines.length]).toEqual([0, 1]);
    const late = async () => {
      await recordHealth(env.DB, new Date(), quota);
      return (await sendJson<{ late: string[] }>(200, "/healthz")).late;
    };
    await env.DB.prepare("update schedules set due_time = ?").bind(inMinutes(-10)).run();
    expect(await late()).not.toContain("schedules");
    const theirs = await newArticle(other, { published: false });
    await schedule({ apiKey: other.apiKey }, theirs._id, { publishTime: inMinutes(5) });
    await env.DB.prepare("update schedules set due_time = ?").bind(inMinutes(-10)).run();
    expect(await late()).toContain("schedules");
    await runAt(inMinutes(60 * 24), { quota, log });
    expect(await published()).toBe(3);
  });

  it("a cron that does not run is seen by /healthz [a job that nobody polls]", async () => {
    const { _id } = await draft();
    await schedule(as, _id, { publishTime: inMinutes(5) });
    await env.DB.prepare("update schedules set due_time = ? where article_id = ?").bind(inMinutes(-10), _id).run();
    await recordHealth(env.DB, new Date(), parseSettings(env).quota);
    const health = await sendJson<{ late: string[]; schedules: { count: number } }>(200, "/healthz");
    expect(health.late).toContain("schedules");
    expect(health.schedules.count).toBe(1);
  });
});
