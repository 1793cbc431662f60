/** Former states and working copies while several write at the same time, and where an answer is late. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { losing } from "../helpers/failing-database.ts";
import { auditOf, historyOf, storedStates, updatesOf } from "../helpers/history.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { withSessions } from "../helpers/sessions.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { usageOf } from "../helpers/usage.ts";

let tenant: Tenant;
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const create = async (fields: Partial<ArticleBody> = {}) => {
  const { _id } = await newArticle(tenant, fields);
  return { id: _id, ...historyOf(as, _id) };
};

const text = (mark: string): string => `${mark}\n`.repeat(50);

it("saves at the same moment lose no state, whichever comes first", async () => {
  const { id, path, update, list, read } = await create({ content: text("0") });
  const marks = Array.from({ length: 8 }, (_, n) => String(n + 1));
  await Promise.all(marks.map((mark) => update({ content: text(mark) })));
  const states = await list();
  expect(states.map(({ number }) => number)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  const contents = await Promise.all(states.map(async ({ number }) => (await read(number)).content));
  const { content } = await sendJson<ArticleBody>(200, path, { as });
  expect([...contents, content].toSorted()).toEqual(["0", ...marks].map(text).toSorted());
  expect(await updatesOf(id)).toBe(8);
  const { counted, recounted } = await usageOf(tenant.organizationId);
  expect(counted).toEqual(recounted);
});

/** Returns the bindings of a database that does `work` once: after the read that `read` matches, before the next write. */
function meanwhile(read: RegExp, work: () => Promise<unknown>): Partial<Env> {
  let isBetween = false;
  const DB = withSessions({
    prepare(query: string) {
      isBetween ||= read.test(query);
      return env.DB.prepare(query);
    },
    async batch(statements: D1PreparedStatement[]) {
      if (isBetween) {
        isBetween = false;
        read = /^never/;
        await work();
      }
      return env.DB.batch(statements);
    },
  });
  return { DB };
}

it("a save between the read of the former content and the write is kept, uncompressed", async () => {
  const { id, update, read } = await create({ content: text("first") });
  const of = /^select "articles"."version", "articles"."content"/;
  const bindings = meanwhile(of, () => update({ content: text("between") }));
  await update({ content: text("last") }, { bindings });
  expect((await read(1)).content).toBe(text("first"));
  expect((await read(2)).content).toBe(text("between"));
  expect((await storedStates(id)).map(({ kind }) => kind)).toEqual(["blob", "text"]);
});

it("an update whose answer is lost keeps one state", async () => {
  for (const moment of ["before", "after"] as const) {
    const { id, update } = await create({ content: text("first") });
    const bindings = { DB: losing(moment, 'insert into "audit"') };
    expect(await update({ content: text("second") }, { bindings })).toMatchObject({ content: text("second") });
    expect(await storedStates(id)).toMatchObject([{ number: 1, kind: "blob" }]);
  }
});

it("two publications of a working copy are one", async () => {
  const { id, path, save } = await create();
  await save({ title: "Once" });
  const publish: Send = { as, body: {} };
  const responses = await Promise.all([1, 2, 3].map(() => send(`${path}/draft/publish`, publish)));
  expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 404, 404]);
  expect(await updatesOf(id)).toBe(1);
});

it("a save at the moment of a publication is published or stays in the working copy", async () => {
  for (let round = 0; round < 5; round++) {
    const { path, save } = await create({ title: "Public" });
    await save({ title: "Saved first" });
    const [saved, published] = await Promise.all([
      save({ description: "Saved meanwhile" }),
      send(`${path}/draft/publish`, { as, body: {} }),
    ]);
    expect([saved.status, published.status]).toEqual([200, 200]);
    const article = await sendJson<ArticleBody>(200, path);
    expect(article.title).toBe("Saved first");
    if (article.description === "") {
      const copy = await sendJson<ArticleBody>(200, `${path}/draft`, { as });
      expect(copy).toMatchObject({ title: "Saved first", description: "Saved meanwhile", articleChanged: false });
    }
  }
});

it("a save between the read of a working copy and its publication is published, too, or refuses an If-Match", async () => {
  const of = /^select "working_copies"."members"/;
  for (const isConditional of [false, true]) {
    const { path, save, etag } = await create({ title: "Public" });
    await save({ title: "Next" });
    const bindings = meanwhile(of, () => save({ description: "Meanwhile" }));
    const headers = isConditional ? { "If-Match": await etag("/draft") } : {};
    const { status } = await send(`${path}/draft/publish`, { as, body: {}, headers, bindings });
    expect(status).toBe(isConditional ? 412 : 200);
    const shown = await sendJson<ArticleBody>(200, isConditional ? `${path}/draft` : path, { as });
    expect(shown).toMatchObject({ title: "Next", description: "Meanwhile" });
  }
});

it("a delayed save unpublishes nothing, and does not bring back what was published before it", async () => {
  const { path, save, etag } = await create({ title: "Public" });
  await save({ title: "Next" });
  const headers = { "If-Match": await etag("/draft") };
  await sendJson(200, `${path}/draft/publish`, { as, body: {} });
  expect((await save({ title: "Delayed" }, { headers })).status).toBe(412);
  expect((await save({ description: "Delayed" })).status).toBe(200);
  expect(await sendJson(200, path)).toMatchObject({ title: "Next", description: "", published: true });
});

it("a working copy of an article that is deleted meanwhile leaves nothing behind", async () => {
  const { id, path, save } = await create();
  const done = await Promise.all([
    save({ title: "Next" }),
    send(path, { as, method: "DELETE" }),
    save({ title: "More" }),
  ]);
  expect(done[1].status).toBe(200);
  for (const { status } of done) expect([200, 404]).toContain(status);
  const left = await env.DB.prepare("select count(*) as n from working_copies where article_id = ?").bind(id).first();
  expect(left).toEqual({ n: 0 });
});

it("what is saved in a working copy at the moment of an unpublication is part of the draft, or refused", async () => {
  for (let round = 0; round < 5; round++) {
    const { path, save, update } = await create({ title: "Public" });
    const [saved] = await Promise.all([save({ title: "Next" }), update({ published: false })]);
    expect([200, 409]).toContain(saved.status);
    const title = saved.status === 200 ? "Next" : "Public";
    expect(await sendJson(200, `${path}?fields=title,published,workingCopy`, { as })).toEqual({
      title,
      published: false,
      workingCopy: null,
    });
  }
});

it("a save, or a renamed tag, between the read of a working copy and an unpublication is part of the draft", async () => {
  const of = /^select "working_copies"."version"/;
  const { path, save, update } = await create({ title: "Public" });
  await save({ title: "Next" });
  await update({ published: false }, { bindings: meanwhile(of, () => save({ description: "Meanwhile" })) });
  const fields = "title,description,published,workingCopy";
  const draft = { title: "Next", published: false, workingCopy: null };
  expect(await sendJson(200, `${path}?fields=${fields}`, { as })).toEqual({ ...draft, description: "Meanwhile" });
});

it("what is saved by itself while its draft is published is published, or refused", async () => {
  for (let round = 0; round < 5; round++) {
    const { id, path, update } = await create({ content: "*0*", published: false });
    await update({ content: "*01*", autosave: true });
    const typed = send("/api/articles", { as, body: { _id: id, content: "*012*", autosave: true } });
    const [{ status }] = await Promise.all([typed, update({ published: true })]);
    expect([200, 409]).toContain(status);
    const text = status === 200 ? "012" : "01";
    expect(await sendJson(200, `${path}?fields=content,html`)).toEqual({
      content: `*${text}*`,
      html: `<p><em>${text}</em></p>`,
    });
  }
});

it("an autosave whose answer is lost is one, and keeps one state", async () => {
  for (const moment of ["before", "after"] as const) {
    const { id, update } = await create({ content: "0", published: false });
    const bindings = { DB: losing(moment, 'insert into "audit"') };
    await update({ content: "01", autosave: true }, { bindings });
    expect(await update({ content: "012", autosave: true }, { bindings })).toMatchObject({ content: "012" });
    expect((await storedStates(id)).map(({ number }) => number)).toEqual([1]);
    expect(await auditOf(id)).toEqual(["articles.create key", "articles.autosave key"]);
  }
});
