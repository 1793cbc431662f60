/** Contract 18.3, 18.4: schedules. */
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseSettings } from "../../src/env.ts";
import { newId } from "../../src/lib/ids.ts";
import { SCHEDULES } from "../../src/store/articles/system-schedules.ts";
import { auditOf, eventsOf } from "../helpers/history.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { inMinutes, runAt, schedule, shownTo, type Schedule } from "../helpers/schedules.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});
// A run carries out everything that is due.
beforeEach(() => env.DB.prepare("delete from schedules").run());

const draft = () => newArticle(tenant, { published: false });
const put = (id: string, body: object, more: object = {}) =>
  send(`/api/articles/${id}/schedule`, { as, method: "PUT", body, ...more });
const shown = (id: string) => shownTo(as, id);
const update = (id: string, members: object) =>
  sendJson<ArticleBody>(200, "/api/articles", { as, body: { _id: id, ...members } });

describe("contract 18.3: a schedule", () => {
  it("is set, shown, listed and deleted, and changes nothing of the article", async () => {
    const { _id, lastEditTime } = await draft();
    const [publishTime, unpublishTime] = [inMinutes(60), inMinutes(120)];
    const set = await schedule(as, _id, { publishTime, unpublishTime });
    expect(set).toMatchObject({
      articleId: _id,
      publishTime,
      unpublishTime,
      dueTime: publishTime,
      timeZone: "UTC",
      state: "waiting",
      failure: null,
      published: false,
    });
    expect(set.scheduledBy.kind).toBe("key");
    expect(await sendJson(200, `/api/articles/${_id}/schedule`, { as })).toEqual(set);
    const article = await shown(_id);
    expect(article).toMatchObject({ published: false, publishTime: null, lastEditTime });
    expect(article.schedule).toMatchObject({ publishTime, state: "waiting" });
    const list = await sendJson<Schedule[]>(200, `/api/schedules?blogId=${tenant.blogId}`, { as });
    expect(list).toEqual([set]);
    expect(await sendJson(200, `/api/schedules?to=${publishTime}`, { as })).toEqual([]);
    expect(await sendJson(200, `/api/schedules?from=${publishTime}&state=waiting`, { as })).toEqual([set]);
    await sendJson(200, `/api/articles/${_id}/schedule`, { as, method: "DELETE" });
    await refusalOf(await send(`/api/articles/${_id}/schedule`, { as }), "not_found");
    await runAt(inMinutes(180));
    expect((await shown(_id)).published).toBe(false);
    expect(await eventsOf(_id)).toEqual(["article.created"]);
  });

  it("is a local time of its zone, also where clocks change", async () => {
    const { _id } = await draft();
    const times = [
      ["2031-07-01T09:00", "Europe/Lisbon", "2031-07-01T08:00:00.000Z"],
      ["2031-01-01T09:00:30", "America/New_York", "2031-01-01T14:00:30.000Z"],
      // 30 March 2031, 2:30: skipped in Berlin, as long after the change as after the hour before.
      ["2031-03-30T02:30", "Europe/Berlin", "2031-03-30T01:30:00.000Z"],
      // 26 October 2031, 2:30: twice in Berlin; the first.
      ["2031-10-26T02:30", "Europe/Berlin", "2031-10-26T00:30:00.000Z"],
      ["2031-07-01T09:00:00+05:30", "Europe/Lisbon", "2031-07-01T03:30:00.000Z"],
    ] as const;
    for (const [publishTime, timeZone, utc] of times) {
      expect(await schedule(as, _id, { publishTime, timeZone })).toMatchObject({ publishTime: utc, timeZone });
    }
  });

  it("that does not fit is refused, and changes nothing", async () => {
    const { _id } = await draft();
    const live = await newArticle(tenant);
    const soon = inMinutes(5);
    await storingNothing(async () => {
      const wrong: [string, object, string][] = [
        [_id, {}, "publishTime"],
        [_id, { publishTime: inMinutes(-1) }, "publishTime"],
        [_id, { publishTime: "2999-01-01T00:00:00Z" }, "publishTime"],
        [_id, { publishTime: "2031-02-30T09:00" }, "publishTime"],
        [_id, { publishTime: "tomorrow" }, "publishTime"],
        [_id, { publishTime: soon, unpublishTime: soon }, "unpublishTime"],
        [_id, { unpublishTime: soon }, "unpublishTime"],
        [live._id, { publishTime: soon }, "publishTime"],
        [_id, { publishTime: soon, timeZone: "Mars/Olympus" }, "timeZone"],
        [_id, { publishTime: soon, timeZone: "+01:00" }, "timeZone"],
        [_id, { publishTime: soon, timeZone: "PST" }, "timeZone"],
      ];
      for (const [id, body, field] of wrong) {
        const problem = await refusalOf(await put(id, body), "invalid_request");
        expect(JSON.stringify(problem), JSON.stringify(body)).toContain(field);
      }
      await refusalOf(await put(newId(), { publishTime: soon }), "not_found");
      await refusalOf(await put(_id, { publishTime: soon }, { headers: { "If-Match": "*" } }), "precondition_failed");
    });
  });

  it("heeds If-Match: of two who set it, the second is refused", async () => {
    const { _id } = await draft();
    const first = await put(_id, { publishTime: inMinutes(5) });
    const headers = { "If-Match": first.headers.get("ETag") ?? "" };
    expect((await put(_id, { publishTime: inMinutes(6) }, { headers })).status).toBe(200);
    await refusalOf(await put(_id, { publishTime: inMinutes(7) }, { headers }), "precondition_failed");
  });

  it("takes the article's version while there is none: of two who begin, the second is refused", async () => {
    const { _id } = await draft();
    const headers = { "If-Match": (await send(`/api/articles/${_id}`, { as })).headers.get("ETag") ?? "" };
    expect((await put(_id, { publishTime: inMinutes(5) }, { headers })).status).toBe(200);
    await refusalOf(await put(_id, { publishTime: inMinutes(6) }, { headers }), "precondition_failed");
  });
});

describe("contract 18.4: when the time comes", () => {
  it("the article is published and unpublished, each once, with its event, at the schedule's own times", async () => {
    const { _id } = await draft();
    const [publishTime, unpublishTime] = [inMinutes(60), inMinutes(120)];
    await schedule(as, _id, { publishTime, unpublishTime });
    await runAt(inMinutes(59));
    expect((await shown(_id)).published).toBe(false);
    expect(await runAt(inMinutes(70))).toEqual([tenant.organizationId]);
    expect(await shown(_id)).toMatchObject({
      published: true,
      publishTime,
      schedule: { publishTime: null, dueTime: unpublishTime },
    });
    expect((await send(`/api/articles/${_id}`)).status).toBe(200);
    await runAt(inMinutes(71));
    await runAt(inMinutes(130));
    expect(await shown(_id)).toMatchObject({ published: false, publishTime, schedule: null });
    expect(await eventsOf(_id)).toEqual(["article.created", "article.updated", "article.updated"]);
    expect(await auditOf(_id)).toEqual([
      "articles.create key",
      "schedules.set key",
      "schedules.publish schedule",
      "schedules.unpublish schedule",
    ]);
  });

  it("runs at the same time carry each out once [published twice]", async () => {
    const made = await Promise.all(Array.from({ length: 10 }, draft));
    for (const { _id } of made) await schedule(as, _id, { publishTime: inMinutes(5) });
    await Promise.all([runAt(inMinutes(6)), runAt(inMinutes(6)), runAt(inMinutes(6))]);
    for (const { _id } of made) expect(await eventsOf(_id)).toEqual(["article.created", "article.updated"]);
  });

  it("what is found by a search is found as published in the same moment", async () => {
    const word = `w${newId().slice(-12).replaceAll(/\d/g, "x")}`;
    const { _id } = await newArticle(tenant, { published: false, title: word });
    await schedule(as, _id, { publishTime: inMinutes(5) });
    await runAt(inMinutes(6));
    const found = await sendJson<ArticleBody[]>(200, `/api/search?query=${word}&published=true`, { as });
    expect(found.map((each) => each._id)).toEqual([_id]);
  });

  it("somebody who acts before it ends it [undone by the next run]", async () => {
    const [published, twice, edited] = [await draft(), await draft(), await draft()];
    for (const { _id } of [published, twice, edited]) {
      await schedule(as, _id, { publishTime: inMinutes(5), unpublishTime: inMinutes(10) });
    }
    await update(published._id, { published: true });
    await update(twice._id, { published: true });
    await update(twice._id, { published: false });
    await update(edited._id, { title: "Another", published: false });
    await runAt(inMinutes(20));
    await runAt(inMinutes(20));
    expect(await shown(published._id)).toMatchObject({ published: true, schedule: null });
    expect(await shown(twice._id)).toMatchObject({ published: false, schedule: null });
    // Its text was edited, and it stayed a draft: its schedule stays too, and was carried out.
    expect(await eventsOf(edited._id)).toEqual([
      "article.created",
      "article.updated",
      "article.updated",
      "article.updated",
    ]);
  });

  it("of an article that was deleted meanwhile nothing is left to retry [404 storms]", async () => {
    const { _id } = await draft();
    await schedule(as, _id, { publishTime: inMinutes(5) });
    await sendJson(200, `/api/articles/${_id}`, { as, method: "DELETE" });
    const lines: unknown[] = [];
    expect(await runAt(inMinutes(6), { log: (line) => void lines.push(line) })).toEqual([]);
    expect(lines).toEqual([]);
    expect(await env.DB.prepare("select count(*) as n from schedules").first("n")).toBe(0);
  });

  it("a run that ends between the read and the write loses nothing [lost at restart]", async () => {
    const { _id } = await draft();
    await schedule(as, _id, { publishTime: inMinutes(5) });
    const broken = {
      prepare: (text: string) => env.DB.prepare(text),
      batch: () => Promise.reject(new Error("SQLITE_BUSY")),
    };
    await runAt(inMinutes(6), { getDatabase: () => broken as unknown as D1Database });
    expect(await shown(_id)).toMatchObject({ published: false, schedule: { state: "waiting" } });
    await runAt(inMinutes(7));
    expect((await shown(_id)).published).toBe(true);
  });

  it("an answer of D1 that is lost after the commit publishes once", async () => {
    const { _id } = await draft();
    await schedule(as, _id, { publishTime: inMinutes(5) });
    let lost = false;
    const losing = {
      prepare: (text: string) => env.DB.prepare(text),
      async batch(statements: D1PreparedStatement[]) {
        const results = await env.DB.batch(statements);
        if (lost) return results;
        lost = true;
        throw new Error("D1_ERROR: Network connection lost.");
      },
    };
    await runAt(inMinutes(6), { getDatabase: () => losing as unknown as D1Database });
    expect(lost).toBe(true);
    await runAt(inMinutes(7));
    expect(await eventsOf(_id)).toEqual(["article.created", "article.updated"]);
  });

  it("a cron that stopped catches up in the order of time, by organizations in turns", async () => {
    const other = await newTenant();
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) {
      const { _id } = await draft();
      ids.push(_id);
      await schedule(as, _id, { publishTime: inMinutes(10 - n) });
    }
    const theirs = await newArticle(other, { published: false });
    await schedule({ apiKey: other.apiKey }, theirs._id, { publishTime: inMinutes(20) });
    const due = await SCHEDULES.find(
      env.DB,
      { now: new Date(inMinutes(60 * 24)), quota: parseSettings(env).quota },
      10,
    );
    expect(due.map(({ articleId }) => articleId)).toEqual([ids[3], theirs._id, ids[2], ids[1], ids[0]]);
    await runAt(inMinutes(60 * 24));
    for (const id of ids) expect((await shown(id)).published).toBe(true);
  });
});
