/** Organizations in databases of their own (docs/architecture.md, "Shards"): everybody finds them, as if they were in the first. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { queueCron, type CronMessage } from "../../src/background/queues.ts";
import { endInShards, listConnections, removeExpiredRecords } from "../../src/store/access/system-oauth-connections.ts";
import { deleteCopies, deletePerson } from "../../src/store/people/system-account-deletion.ts";
import { claimName } from "../../src/store/database.ts";
import { storeEntries, type Unlisted } from "../../src/store/core/directory.ts";
import { newId } from "../../src/lib/ids.ts";
import { assignHome } from "../../src/store/people/system-shards.ts";
import { listMemberships } from "../../src/store/people/system-memberships.ts";
import { connect, type Tokens } from "../helpers/connected.ts";
import { newBrowser, newPerson, openSession } from "../helpers/console.ts";
import { ask, freshHost, hostsOf, proofOf, setDns } from "../helpers/hosts.ts";
import { freshGif, pathOf } from "../helpers/pictures.ts";
import { consumed, HeldQueue, relayedUntil } from "../helpers/relay.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { prepareShards, shards } from "../helpers/shards.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { receiverUrl, seenBy } from "../helpers/webhooks.ts";

let tenant: Tenant;
let key: Send;
let operator: Send;
const bindings = shards;
const whole = { ...env, ...shards };
beforeAll(async () => {
  await prepareShards();
  tenant = await newTenant("Sharded", "DB_1");
  key = { as: { apiKey: tenant.apiKey }, bindings };
  operator = { as: { operatorToken: tenant.operatorToken }, bindings };
});

type Article = { readonly _id: string; readonly slug: string };

const create = (fields: object = {}): Promise<Article> =>
  sendJson(200, "/api/articles", {
    ...key,
    body: { blogId: tenant.blogId, title: "Far away", published: true, ...fields },
  });

const countIn = (db: D1Database, sql: string, ...values: string[]) =>
  db
    .prepare(`select count(*) as n from ${sql}`)
    .bind(...values)
    .first<number>("n");

it("its keys work, and readers find its articles by each name", async () => {
  const article = await create();
  expect(await countIn(env.DB, "articles where id = ?", article._id)).toBe(0);
  expect(await countIn(env.TEST_DB_1, "articles where id = ?", article._id)).toBe(1);
  for (const path of [
    `/api/articles/${article._id}`,
    `/api/articles/${article.slug}`,
    `/api/articles/${article.slug}?blogId=${tenant.blogId}`,
  ]) {
    expect([path, await sendJson(200, path, { bindings })]).toMatchObject([path, { _id: article._id }]);
    expect([path, await sendJson(200, path, key)]).toMatchObject([path, { _id: article._id }]);
  }
  expect(await sendJson(200, `/api/articles?blogId=${tenant.blogId}`, { bindings })).toMatchObject([
    { _id: article._id },
  ]);
  expect((await send(`/blogs/${tenant.blogId}`, { bindings })).status).toBe(200);
  const renamed = { _id: article._id, slug: `moved-${article.slug}` };
  await sendJson(200, "/api/articles", { ...key, body: renamed });
  expect((await send(`/api/articles/${article.slug}?moved=follow`, { bindings })).status).toBe(200);
  await sendJson(200, `/api/articles/${article._id}`, { ...key, method: "DELETE" });
  expect((await send(`/api/articles/${article.slug}`, { bindings })).status).toBe(404);
});

it("a slug without a blog means the one that readers have found there the longest, in whichever database", async () => {
  const slug = `shared-${crypto.randomUUID()}`;
  const first = await create({ slug });
  await scheduler.wait(5);
  const second = await newArticle(await newTenant(), { slug });
  const find = () => sendJson(200, `/api/articles/${slug}`, { bindings });
  expect(await find()).toMatchObject({ _id: first._id });
  await sendJson(200, `/api/articles/${first._id}`, { ...key, method: "DELETE" });
  expect(await find()).toMatchObject({ _id: second._id });
});

it("a note that comes after a newer one changes nothing", async () => {
  const { _id, slug } = await create();
  const edit = (published: boolean) => sendJson(200, "/api/articles", { ...key, body: { _id, published } });
  // What a slow request has read, and stores only after the others.
  const noted: Unlisted[] = [];
  const slow = async () => {
    const { results } = await env.TEST_DB_1.prepare("select * from unlisted").all<Unlisted>();
    noted.push(...results);
  };
  const failing = {
    prepare: (text: string) => env.DB.prepare(text),
    batch: () => Promise.reject(new Error("gone")),
  } as unknown as D1Database;
  await send("/api/articles", {
    ...key,
    body: { _id, published: false },
    bindings: { ...bindings, DB: failing },
  });
  await slow();
  expect(noted).toContainEqual(expect.objectContaining({ kind: "slug", key: slug, gone: 1 }));
  await edit(true);
  await storeEntries({ db: env.TEST_DB_1, name: "DB_1" }, env.DB, noted);
  expect((await send(`/api/articles/${slug}`, { bindings })).status).toBe(200);
});

it("a hidden blog is found by no slug, until it is shown again", async () => {
  const { slug } = await create();
  const status = async () => (await send(`/api/articles/${slug}`, { bindings })).status;
  await sendJson(200, `/api/blogs/${tenant.blogId}`, { ...operator, method: "DELETE" });
  expect(await status()).toBe(404);
  await sendJson(200, `/api/blogs/${tenant.blogId}/restore`, { ...operator, method: "POST" });
  expect(await status()).toBe(200);
});

it("new keys work at once, and revoked ones no more", async () => {
  const body = { name: "new", scopes: ["articles:read"] };
  const made = await sendJson<{ _id: string; secret: string }>(200, "/api/apikeys", { ...operator, body });
  const as = { apiKey: made.secret };
  await sendJson(200, "/api/me", { as, bindings });
  await sendJson(200, `/api/apikeys/${made._id}`, { ...operator, method: "DELETE" });
  expect((await send("/api/me", { as, bindings })).status).toBe(401);
});

it("images and preview links are found", async () => {
  const file = { body: freshGif(), type: "image/gif" };
  const { url } = await sendJson<{ url: string }>(200, "/api/media", { ...key, ...file });
  expect((await send(pathOf(url), { bindings })).status).toBe(200);
  const draft = await create({ published: false });
  const preview = await sendJson<{ url: string }>(200, `/api/articles/${draft._id}/previews`, {
    ...key,
    method: "POST",
  });
  expect((await send(pathOf(preview.url), { bindings })).status).toBe(200);
});

describe("a name that only one organization may have", () => {
  type Named = { readonly _id: string; readonly vanityId: string };
  const newBlog = (at: Send, body: object, status = 200) =>
    sendJson<Named>(status, "/api/blogs", { ...at, body: { name: "Twin", ...body } });
  const rename = (at: Send, { _id }: Named, vanityId: string, status = 200) =>
    sendJson<Named>(status, `/api/blogs/${_id}`, { ...at, method: "PUT", body: { vanityId } });

  it("is given to one blog: the next ones get another, or are refused", async () => {
    const here: Send = { as: { apiKey: (await newTenant()).apiKey }, bindings };
    const vanityId = `twin-${Date.now().toString(36)}`;
    const first = await newBlog(here, { vanityId });
    await newBlog(key, { vanityId }, 409);
    const own = await newBlog(key, {});
    const others = [await newBlog(here, {}), await newBlog(key, {})];
    expect([own, ...others].map((blog) => blog.vanityId)).toEqual(["twin", "twin-2", "twin-3"]);
    await rename(key, own, vanityId, 409);
    await rename(here, first, own.vanityId, 409);
    await rename(key, own, `${vanityId}-b`);
    await rename(here, first, own.vanityId);
    await rename(key, own, vanityId);
    expect((await send(`/blogs/${vanityId}`, { bindings })).status).toBe(200);
  });

  it("stays with who has stored it, whatever another request of the organization gives up", async () => {
    const vanityId = `late-${Date.now().toString(36)}`;
    const claimed = () => claimName(whole, tenant.organizationId, "vanity", [vanityId]);
    const refused = await claimed();
    const blog = await newBlog(key, { vanityId });
    await refused?.release();
    expect(await claimed()).toMatchObject({ key: vanityId, isOwn: true });
    const other = await newTenant("Other", "DB_2");
    expect(await claimName(whole, other.organizationId, "vanity", [vanityId])).toBeNull();
    await rename(key, blog, `${vanityId}-b`);
    const given = await claimName(whole, other.organizationId, "vanity", [vanityId]);
    expect(given).toMatchObject({ key: vanityId, isOwn: false });
    await given?.release();
    await newBlog(key, { vanityId });
  });

  it("is a host, which shows the site of the blog that has it", async () => {
    const [here, there] = [hostsOf(await newTenant("Near"), bindings), hostsOf(tenant, bindings)];
    const host = freshHost();
    const claims = [await here.add(host), await there.add(host)];
    await setDns(host, { texts: claims.map(proofOf) });
    expect(await there.check(host)).toMatchObject({ state: "verified" });
    expect(await here.check(host)).toMatchObject({ state: "pending", failure: { reason: "host_taken" } });
    expect(await (await ask(`https://${host}/`, {}, bindings)).text()).toContain("Far away");
    await there.remove(host);
    expect(await here.check(host)).toMatchObject({ state: "verified" });
    await there.add(host);
    expect(await there.check(host)).toMatchObject({ state: "pending", failure: { reason: "record_missing" } });
  });
});

describe("people", () => {
  // Some megabytes, so that the first database is not the emptiest.
  beforeAll(async () => {
    await env.DB.prepare(
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < 50) insert into local_mails select i, '', '', printf('%.*c', 100000, 'x'), '' from n",
    ).run();
  });

  /** Lets a person found an organization in the console, and returns it. */
  async function foundOrganization() {
    const person = await newPerson((await newTenant("Here")).organizationId);
    const browser = newBrowser(bindings);
    await openSession(browser, person.userId, null);
    const founded = await browser.submit("/console/organizations", "/console/organizations", { name: "Elsewhere" });
    expect([founded.status, founded.headers.get("Location")]).toEqual([303, "/console?done=organization-created"]);
    const all = await listMemberships(whole, person.userId);
    expect(all.map(({ name }) => name)).toEqual(["Here", "Elsewhere"]);
    return { person, browser, organizationId: all[1]?.organizationId ?? "" };
  }

  it("found organizations in the emptiest database, see all of theirs, and invite each other", async () => {
    const { person, browser, organizationId } = await foundOrganization();
    const home = env.DB.prepare("select shard from homes where organization_id = ?").bind(organizationId);
    expect(await home.first<string>("shard")).toMatch(/^DB_[12]$/);
    expect((await browser.get("/console/members")).text).toContain(person.email);
    const other = await newPerson();
    const invited = await browser.submit("/console/members", "/console/members/invitations", {
      email: other.email,
      role: "writer",
    });
    const [link = ""] = /\/console\/invitations\/[\w-]+/.exec(invited.text) ?? [];
    const second = newBrowser(bindings);
    await openSession(second, other.userId, null);
    const joined = await second.submit(link, link);
    expect([joined.status, joined.text.slice(0, 500)]).toEqual([303, ""]);
    expect((await second.get("/console/blogs")).status).toBe(200);
    expect((await browser.get("/console/members")).text).toContain(other.email);
    const leave = `/console/organizations/${organizationId}/leave`;
    await second.submit(leave, leave);
    expect(await listMemberships(whole, other.userId)).toEqual([]);
    const copies = async () => {
      const counts = [env.DB, env.TEST_DB_1, env.TEST_DB_2].map((db) =>
        countIn(db, "users where id = ?", other.userId),
      );
      return (await Promise.all(counts)).map(Number).reduce((sum, each) => sum + each);
    };
    expect(await copies()).toBe(2);
    await deleteCopies(whole, { id: other.userId, email: other.email });
    expect(await deletePerson(whole, { id: other.userId, email: other.email })).toBe(true);
    expect(await copies()).toBe(0);
  });

  it("find an organization where it was first, also if the form comes again", async () => {
    const organizationId = newId();
    const home = () =>
      env.DB.prepare("select shard from homes where organization_id = ?").bind(organizationId).first("shard");
    const small = {
      prepare: (text: string) =>
        text === "select 1" ? { all: async () => ({ meta: { size_after: 1 } }) } : env.DB.prepare(text),
    } as unknown as D1Database;
    await assignHome({ ...whole, DB: small }, organizationId);
    expect(await home()).toBe("DB");
    await assignHome(whole, organizationId);
    expect(await home()).toBe("DB");
  });

  it("connect apps, until they disconnect them or their grants expire", async () => {
    const { person, browser, organizationId } = await foundOrganization();
    const connecting = { userId: person.userId, organizationId, scopes: ["articles:read"], resource: "/api" } as const;
    const apps = [await connect({ ...connecting, bindings }), await connect({ ...connecting, bindings })] as const;
    const me = async ({ access_token: token }: Tokens) =>
      (await send("/api/me", { headers: { Authorization: `Bearer ${token}` }, bindings })).status;
    expect(await Promise.all(apps.map(me))).toEqual([200, 200]);
    const [first] = apps;
    await browser.submit("/console/account", `/console/account/apps/${first.connectionId}/disconnect`);
    expect(await Promise.all(apps.map(me))).toEqual([401, 200]);
    const aMonthLater = new Date(Date.now() + 31 * 86_400_000);
    await removeExpiredRecords(env.DB, aMonthLater, (ids) => endInShards(whole, ids, aMonthLater));
    expect(await listConnections(whole, person.userId)).toEqual([]);
    expect(await countIn(env.DB, "oauth_records where key like ?", `%${first.connectionId}%`)).toBe(0);
  });
});

describe("background work", () => {
  it("sends its webhooks", async () => {
    const name = crypto.randomUUID();
    await sendJson(200, "/api/webhooksubscriptions", { ...operator, body: { url: receiverUrl("ok", name) } });
    await create();
    await relayedUntil(tenant, name, 1, bindings);
    expect(await seenBy(name)).toHaveLength(1);
  });

  it("runs each part of the minute in each database, and publishes what is due", async () => {
    const draft = await create({ published: false });
    const publishTime = new Date(Date.now() + 60_000).toISOString();
    await sendJson(200, `/api/articles/${draft._id}/schedule`, { ...key, method: "PUT", body: { publishTime } });
    await env.TEST_DB_1.prepare("update schedules set due_time = '2020-01-01' where article_id = ?")
      .bind(draft._id)
      .run();
    const queue = new HeldQueue<CronMessage>();
    const cron = { ...bindings, CRON: queue };
    await queueCron({ ...whole, CRON: queue } as unknown as Env);
    const schedules = queue.held.filter((message) => "part" in message && message.part === "schedules");
    expect(schedules).toEqual([
      { part: "schedules" },
      { part: "schedules", database: "DB_1" },
      { part: "schedules", database: "DB_2" },
    ]);
    queue.held.length = 0;
    await consumed("edgepress-cron", schedules, cron);
    await consumed("edgepress-cron", queue.held, cron);
    expect(await sendJson(200, `/api/articles/${draft.slug}`, { bindings })).toMatchObject({ _id: draft._id });
  });
});

it("a shard that does not answer is named by /healthz, and the others go on", async () => {
  const dead = {
    prepare: () => {
      throw new Error("D1_ERROR: gone");
    },
    batch: () => Promise.reject(new Error("gone")),
  };
  const partly = { ...bindings, DB_2: dead } as unknown as Partial<Env>;
  expect(await sendJson(200, "/healthz", { bindings: partly })).toMatchObject({
    late: expect.arrayContaining(["DB_2"]),
  });
  const { slug } = await create();
  expect((await send(`/api/articles/${slug}`, { bindings: partly })).status).toBe(200);
});
