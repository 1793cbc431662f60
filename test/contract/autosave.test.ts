/** Contract 4.13, and what 11.3 says of it: drafts that are saved while somebody types. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { parseSettings } from "../../src/env.ts";
import { MINUTE_MS } from "../../src/lib/time.ts";
import type { OrganizationStore } from "../../src/store/organization.ts";
import { runIn } from "../helpers/autosaves.ts";
import { auditOf, eventsOf, historyOf, storedStates, updatesOf } from "../helpers/history.ts";
import { headerOf, outcome } from "../helpers/outcome.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newKey, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { storeAt, usageOf } from "../helpers/usage.ts";

let tenant: Tenant;
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const create = async (fields: Partial<ArticleBody> = {}, of = tenant) => {
  const article = await newArticle(of, { published: false, ...fields });
  const history = historyOf({ apiKey: of.apiKey }, article._id);
  return {
    article,
    ...history,
    type: (members: object) => history.update({ ...members, autosave: true }),
    due: async () => {
      const query = "select event_due from articles where id = ?";
      return (await env.DB.prepare(query).bind(article._id).first<string>("event_due")) ?? null;
    },
  };
};

/** Returns the data of an article's last event. */
const lastEvent = async (id: string): Promise<Partial<ArticleBody>> => {
  const query = "select data from events where data ->> '_id' = ? order by seq desc limit 1";
  return JSON.parse((await env.DB.prepare(query).bind(id).first<string>("data")) ?? "{}");
};

describe("contract 4.13: autosave", () => {
  it("saves the draft itself, and keeps what was there before it began, but not each step", async () => {
    const { article, path, type, list, read } = await create({ content: "First words." });
    for (const content of ["First words. And", "First words. And more", "First words. And more."])
      await type({ content });
    expect(await sendJson(200, path, { as })).toMatchObject({ content: "First words. And more.", published: false });
    expect((await list()).map(({ number, by }) => [number, by?.action])).toEqual([[1, "articles.create"]]);
    expect((await read(1)).content).toBe("First words.");
    expect(await auditOf(article._id)).toEqual(["articles.create key", "articles.autosave key"]);
  });

  it("keeps what a save takes away: all that was selected and typed over can be got back", async () => {
    const long = "A sentence of a long text.\n".repeat(400);
    const { type, list, read, restore } = await create({ content: "Begun" });
    await type({ content: long });
    await type({ content: `${long}The end` });
    for (const content of ["x", "xy"]) await type({ content });
    expect((await list()).map(({ number }) => number)).toEqual([2, 1]);
    expect((await read(2)).content).toBe(`${long}The end`);
    // Of a longer text 200 characters are little; of a short one 60 are much.
    for (const content of ["z".repeat(500), "z".repeat(300), "z", "short ".repeat(10), "x"]) await type({ content });
    expect((await read(4)).content).toBe("short ".repeat(10));
    expect(await restore(2)).toMatchObject({ content: `${long}The end`, published: false });
  });

  it("keeps what somebody else, or another operation, has saved", async () => {
    const { article, type, update, list } = await create({ title: "0" });
    await type({ title: "1" });
    const body = { _id: article._id, autosave: true, title: "2" };
    const colleague = await newKey({ operatorToken: tenant.operatorToken }, ["articles:write"]);
    await sendJson(200, "/api/articles", { as: { apiKey: colleague }, body });
    await type({ title: "3" });
    await update({ title: "4" });
    await type({ title: "5" });
    await type({ title: "6" });
    expect((await list()).map(({ title }) => title)).toEqual(["4", "3", "2", "1", "0"]);
  });

  it("is for drafts that exist: 409 once the article is published, 400 for a new one and for a publication", async () => {
    const { path, type, update, etag } = await create({ title: "One" });
    const { article: other } = await create();
    const ask = (body: object, headers = {}) =>
      outcome("/api/articles", { as, body: { autosave: true, ...body }, headers });
    const of = { _id: path.split("/").at(-1) };
    expect(await ask({ title: "New" })).toBe("400 invalid_request");
    expect(await ask({ ...of, published: true })).toBe("400 invalid_request");
    expect(await ask({ ...of, slug: other.slug })).toBe("409 slug_taken");
    const before = await etag();
    await type({ title: "Two", published: false });
    expect(await ask({ ...of, title: "Three" }, { "If-Match": before })).toBe("412 precondition_failed");
    await update({ published: true });
    expect(await ask({ ...of, title: "Three" })).toBe("409 article_changed");
    expect(await sendJson(200, path)).toMatchObject({ title: "Two" });
  });

  it("changes nothing if nothing differs, and is answered alike if it is sent twice with its key", async () => {
    const { article, type, etag, due } = await create({ title: "One" });
    const before = await etag();
    await type({ title: "One" });
    expect([await etag(), await due()]).toEqual([before, null]);
    const again = {
      as,
      body: { _id: article._id, autosave: true, title: "Two" },
      headers: { "Idempotency-Key": "typed" },
    };
    const first = await sendJson(200, "/api/articles", again);
    const second = await send("/api/articles", again);
    expect(headerOf(second, "Idempotent-Replayed")).toBe("true");
    expect(await second.json()).toEqual(first);
  });

  it("saves at the same moment lose nothing of what a state should have", async () => {
    const { article, type, list } = await create({ content: "0" });
    await type({ content: "00" });
    await Promise.all(["1", "2", "3", "4"].map((mark) => type({ content: `00${mark}` })));
    expect((await list()).map(({ number }) => number)).toEqual([1]);
    expect(await auditOf(article._id)).toEqual(["articles.create key", "articles.autosave key"]);
    const { counted, recounted } = await usageOf(tenant.organizationId);
    expect(counted).toEqual(recounted);
  });

  it("renders what it saves, also for what is published then", async () => {
    const { article, path, type, update } = await create({ content: "Old" });
    await type({ content: "*New*" });
    const shown = (caller?: typeof as) => sendJson(200, `${path}?fields=html,rendering`, caller && { as: caller });
    expect(await shown(as)).toEqual({ rendering: "done", html: "<p><em>New</em></p>" });
    await update({ published: true });
    expect(await shown()).toMatchObject({ rendering: "done", html: "<p><em>New</em></p>" });
    const other = await create({ content: "Old" });
    await other.type({ content: "*New*" });
    const body = { action: "publish", articleIds: [other.article._id] };
    expect(await sendJson(200, "/api/articles/bulk", { as, body })).toMatchObject([{ outcome: "changed" }]);
    expect(await sendJson(200, `${other.path}?fields=html`)).toEqual({ html: "<p><em>New</em></p>" });
    expect(await eventsOf(article._id)).toEqual(["article.created", "article.updated"]);
  });
});

describe("contract 11.3: the event of an autosave", () => {
  it("comes within six minutes of the first save that none has told of, once, with the text as it is then", async () => {
    const { article, type, due } = await create({ title: "0" });
    const { article: after } = await create({ title: "Not typed" });
    await type({ title: "1" });
    const first = await due();
    await type({ title: "2" });
    expect(await due()).toBe(first);
    await runIn(4.9);
    expect(await updatesOf(article._id)).toBe(0);
    // Two runs at once, and one more.
    expect((await Promise.all([runIn(5), runIn(5)])).flat()).toEqual([tenant.organizationId]);
    await runIn(6);
    expect(await updatesOf(article._id)).toBe(1);
    expect(await lastEvent(article._id)).toMatchObject({ title: "2", published: false });
    await type({ title: "3" });
    await runIn(6);
    expect(await updatesOf(article._id)).toBe(2);
    expect(await updatesOf(after._id)).toBe(0);
    const { counted, recounted } = await usageOf(tenant.organizationId);
    expect(counted).toEqual(recounted);
  });

  it("is told by any other change at once, and then not again; a deleted article has none", async () => {
    const { article, path, type, update } = await create({ title: "0" });
    await type({ title: "1" });
    await update({ description: "Asked for" });
    expect(await lastEvent(article._id)).toMatchObject({ title: "1", description: "Asked for" });
    await runIn(6);
    expect(await updatesOf(article._id)).toBe(1);
    await type({ title: "2" });
    await sendJson(200, path, { as, method: "DELETE" });
    expect(await lastEvent(article._id)).toMatchObject({ title: "2" });
    expect(await runIn(6)).toEqual([]);
  });

  it("waits for a day with room, which no autosave needs", async () => {
    const other = await newTenant();
    const { article, type, due } = await create({ title: "0" }, other);
    const { dayEvents } = (await usageOf(other.organizationId)).counted;
    const quota = { ...parseSettings(env).quota, eventsPerDay: dayEvents };
    const bindings = { ORGANIZATION_EVENTS_PER_DAY: String(dayEvents) } as unknown as Partial<Env>;
    const body = { _id: article._id, title: "Refused" };
    expect(await outcome("/api/articles", { as: other, body, bindings })).toMatch(/event_limit/);
    await sendJson(200, "/api/articles", {
      as: { apiKey: other.apiKey },
      body: { ...body, title: "Typed", autosave: true },
      bindings,
    });
    await type({ title: "Typed on" });
    expect(await runIn(6, { quota })).toEqual([]);
    expect(await due()).not.toBeNull();
    expect(await runIn(24 * 60 + 6, { quota })).toEqual([other.organizationId]);
    expect(await lastEvent(article._id)).toMatchObject({ title: "Typed on" });
    const { counted, recounted } = await usageOf(other.organizationId);
    expect(counted).toEqual(recounted);
  });

  it("a failure of the database, or a lost answer, loses no event and fires none twice", async () => {
    const { article, type } = await create({ title: "0" });
    await type({ title: "1" });
    for (const isStored of [false, true]) {
      const failing = {
        prepare: (query: string) => env.DB.prepare(query),
        async batch(statements: D1PreparedStatement[]) {
          if (isStored) await env.DB.batch(statements);
          throw new Error("Network connection lost.");
        },
      };
      expect(await runIn(6, { getDatabase: () => failing as unknown as D1Database })).toEqual([]);
      expect(await updatesOf(article._id)).toBe(Number(isStored));
    }
    expect(await runIn(6)).toEqual([]);
    expect(await updatesOf(article._id)).toBe(1);
  });
});

/** A day of work, of which `npm test` plays the beginning. */
const HOURS = inject("exhaustive") ? 8 : 2;
/** An article keeps a state for each ten minutes. */
const TEN_MINUTES = 6 * HOURS;

/** Saves as somebody types for hours, every two minutes, with the cron in between. `store` is open at the time of `now`. */
async function typeForHours(now: Date, save: (text: string, minute: number) => Promise<unknown>): Promise<string> {
  let text = "";
  for (let minute = 2; minute <= HOURS * 60; minute += 2) {
    text += `Sentence ${minute}, which is written on. `;
    now.setTime(now.getTime() + 2 * MINUTE_MS);
    await save(text, minute);
    await runIn(0, { now: () => now });
  }
  return text;
}

const saver = (store: OrganizationStore, id: string) => (content: string, minute: number) =>
  store.updateArticle(
    { id, fields: { content, description: `Minute ${minute}` }, unchanged: {}, ifMatch: undefined },
    { isAutosave: true },
  );

it(`contract 14.1: ${HOURS} hours of typing leave few states, audit entries and events, the last with the last text`, async () => {
  // In the past, so that no later test meets events that are due then.
  const now = new Date(Date.now() - 24 * 60 * MINUTE_MS);
  const other = await newTenant();
  const store = await storeAt(other, now);
  const { article, list, read, path } = await create({}, other);
  await env.DB.prepare("update articles set creation_time = ?1, last_edit_time = ?1 where id = ?2")
    .bind(now.toISOString(), article._id)
    .run();
  const text = await typeForHours(now, saver(store, article._id));
  await runIn(0, { now: () => new Date(now.getTime() + 6 * MINUTE_MS) });
  expect(await sendJson(200, path, { as: { apiKey: other.apiKey } })).toMatchObject({ content: text });
  const states = await list();
  // One for ten minutes, so that nobody has to look through more of them.
  expect(states.length).toBe(TEN_MINUTES);
  expect((await auditOf(article._id)).length).toBe(TEN_MINUTES + 1);
  const updates = await updatesOf(article._id);
  // At most 100 in eight hours.
  expect(updates).toBeGreaterThan(TEN_MINUTES);
  expect(updates).toBeLessThanOrEqual((100 * HOURS) / 8);
  expect(await lastEvent(article._id)).toMatchObject({ description: `Minute ${60 * HOURS}` });
  expect((await read(states[0]?.number ?? 0)).content.length).toBeLessThan(text.length);
  expect((await storedStates(article._id)).every(({ kind }) => kind !== "null")).toBe(true);
});

it(`contract 18.10: ${HOURS} hours of typing into a working copy leave the newest states of it, and half of the public ones`, async () => {
  const now = new Date(Date.now() - 24 * 60 * MINUTE_MS);
  const other = await newTenant();
  const store = await storeAt(other, now);
  const { article, list, read } = await create({ published: true, title: "0" }, other);
  const change = { id: article._id, unchanged: {}, ifMatch: undefined };
  for (let n = 1; n <= 100; n++) await store.updateArticle({ ...change, fields: { title: `${n}` } });
  const text = await typeForHours(now, (content) =>
    store.saveWorkingCopy({ articleId: article._id, fields: { content }, ifMatch: undefined }),
  );
  await store.saveWorkingCopy({ articleId: article._id, fields: { content: "x" }, ifMatch: undefined });
  const states = await list();
  expect(states.length).toBe(100);
  const unseen = states.filter(({ workingCopy }) => workingCopy);
  expect(unseen.length).toBe(TEN_MINUTES);
  expect((await read(unseen[0]?.number ?? 0)).content).toBe(text);
  expect(
    states
      .filter(({ published }) => published)
      .map(({ title }) => title)
      .at(-1),
  ).toBe(String(TEN_MINUTES));
  const saves = (await auditOf(article._id)).filter((said) => said === "articles.saveDraft user");
  expect(saves.length).toBe(TEN_MINUTES + 1);
  expect(await updatesOf(article._id)).toBe(100);
  const { counted, recounted } = await usageOf(other.organizationId);
  expect({ ...counted, dayEvents: 0 }).toEqual({ ...recounted, dayEvents: 0 });
});
