/** Contract 10.17: an owner deletes an organization, restores it, and deletes it for good. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { eraseDeleted } from "../../src/background/blogs/erase.ts";
import { DAY_MS } from "../../src/lib/time.ts";
import { runTransaction } from "../../src/store/core/sql.ts";
import { resume, suspend } from "../../src/store/people/system-administration.ts";
import { PASSWORD, signedIn, unescaped } from "../helpers/console.ts";
import { databaseThat } from "../helpers/failing-database.ts";
import { tablesWith } from "../helpers/grep.ts";
import { newFile } from "../helpers/media.ts";
import { newWorld, type World } from "../helpers/operations.ts";
import { problemOf } from "../helpers/outcome.ts";
import { consumeDeliveriesOf, consumeEventsOf, testRelay } from "../helpers/relay.ts";
import { send, sendJson, type Credential } from "../helpers/requests.ts";
import { newArticle, type Tenant } from "../helpers/tenant.ts";
import { kindsOf, seenBy, subscribe } from "../helpers/webhooks.ts";

let world: World;
let tenant: Tenant;
let as: Credential;
let name: string;
beforeEach(async () => {
  name = `Quay${crypto.randomUUID().slice(0, 8)}`;
  world = await newWorld(name);
  ({ tenant } = world);
  as = { operatorToken: tenant.operatorToken };
});

const remove = () => sendJson(200, "/api/organization", { as, method: "DELETE" });
const later = (days: number) => new Date(Date.now() + days * DAY_MS);
const SETTINGS = "/console/settings";
const LIST = "/console/organizations";
const pathOf = (step: string) => `${LIST}/${tenant.organizationId}/${step}`;

it("nobody acts for it, its blogs are hidden and say so, and an owner restores all of it", async () => {
  const { browser } = await signedIn(tenant.organizationId);
  const { browser: writer } = await signedIn(tenant.organizationId, "writer");
  const { name: receiver } = await subscribe(tenant, "ok", { events: ["blog.created", "blog.deleted"] });
  const blogs = await sendJson<{ name: string }[]>(200, "/api/blogs", { as });
  const read = async () => (await send(`/blogs/${tenant.blogId}`)).status;
  const before = await sendJson(200, `/api/articles/${world.article._id}`, { as });
  await remove();
  expect(await problemOf("/api/blogs", { as })).toMatchObject({
    status: 403,
    code: "organization_suspended",
    detail: expect.stringMatching(
      /^An owner has deleted the organization\. An owner can restore it in the console until \d{4}-/,
    ),
  });
  expect(await read()).toBe(404);
  const relay = testRelay();
  await consumeEventsOf(relay, tenant);
  await consumeDeliveriesOf(relay, tenant);
  expect(kindsOf(await seenBy(receiver)).toSorted()).toEqual(blogs.map(() => "blog.deleted"));
  expect((await browser.get("/console/articles")).status).toBe(403);

  expect((await writer.get(LIST)).text).not.toContain(pathOf("restore"));
  await writer.post(pathOf("restore"), {});
  await writer.post(pathOf("delete"), {});
  expect(await read()).toBe(404);
  expect(unescaped((await browser.get(LIST)).text)).toContain("An owner has deleted the organization.");
  const restored = await browser.submit(LIST, pathOf("restore"));
  expect(restored.headers.get("Location")).toBe("/console?done=organization-restored");
  expect(await read()).toBe(200);
  expect(await sendJson(200, `/api/articles/${world.article._id}`, { as })).toEqual(before);
  await consumeEventsOf(relay, tenant);
  await consumeDeliveriesOf(relay, tenant);
  expect(kindsOf(await seenBy(receiver)).filter((kind) => kind === "blog.created")).toHaveLength(blogs.length);
  const audit = await sendJson<{ action: string }[]>(200, "/api/audit?kind=organization", { as });
  expect(audit.map(({ action }) => action)).toEqual(["organization.restore", "organization.delete"]);
});

it("needs an owner, and in the console its name", async () => {
  const { browser: admin } = await signedIn(tenant.organizationId, "admin");
  const { browser: owner } = await signedIn(tenant.organizationId);
  expect((await admin.get(SETTINGS)).text).not.toContain(`${SETTINGS}/delete`);
  const refused = await admin.submit(`${SETTINGS}/delete`, `${SETTINGS}/delete`, { name });
  expect(refused.status).toBe(403);
  const wrong = await owner.submit(`${SETTINGS}/delete`, `${SETTINGS}/delete`, { name: "another" });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("is another one")]);
  await sendJson(200, "/api/organization", { as });
  const done = await owner.submit(`${SETTINGS}/delete`, `${SETTINGS}/delete`, { name });
  expect(done.headers.get("Location")).toBe(`${LIST}?done=organization-deleted`);
  expect((await send("/api/organization", { as })).status).toBe(403);
});

it("is gone after 30 days, or once an owner says so: nothing of it is in a table, or in R2, also after an interruption", async () => {
  await newFile(tenant.organizationId, world.article._id);
  await sendJson(200, `/api/articles/${(await newArticle(tenant))._id}`, { as, method: "DELETE" });
  await remove();
  await eraseDeleted(env.DB, env.MEDIA, later(29.9));
  expect(await tablesWith(name)).toContain("articles");
  for (const most of [20, 30, 40]) {
    let batches = 0;
    const interrupted = databaseThat((statements) => {
      if (++batches > most) throw new Error("D1_ERROR: not now");
      return env.DB.batch(statements);
    });
    await eraseDeleted(interrupted, env.MEDIA, later(30.1)).catch(() => undefined);
    expect((await send("/api/organization", { as })).status).not.toBe(200);
  }
  await eraseDeleted(env.DB, env.MEDIA, later(30.1));
  // Mails of local runs are kept, and the purges of what caches have of it until they are done.
  expect(await tablesWith(name)).toEqual(["local_mails"]);
  expect(await tablesWith(tenant.organizationId)).toEqual(["purges"]);
  expect(await tablesWith(tenant.blogId)).toEqual(["purges"]);
  expect((await env.MEDIA.list({ prefix: `${tenant.organizationId}/` })).objects).toEqual([]);
  expect((await env.MEDIA.list({ prefix: `imports/${tenant.organizationId}/` })).objects).toEqual([]);
});

it("is deleted for good at once by an owner, who may then delete their account", async () => {
  const { browser } = await signedIn(tenant.organizationId);
  await remove();
  const wrong = await browser.submit(pathOf("delete"), pathOf("delete"), { password: "wrong horse battery" });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("is incorrect")]);
  const done = await browser.submit(pathOf("delete"), pathOf("delete"), { password: PASSWORD });
  expect(done.headers.get("Location")).toBe(`${LIST}?done=organization-erased`);
  expect((await problemOf("/api/organization", { as })).detail).toBe("The organization is deleted.");
  expect((await browser.get(LIST)).text).not.toContain(name);
  // What had begun before the deletion may still end.
  await eraseDeleted(env.DB, env.MEDIA, later(0));
  expect(await tablesWith(name)).toContain("organizations");
  await eraseDeleted(env.DB, env.MEDIA, later(1 / 24));
  expect(await tablesWith(name)).toEqual(["local_mails"]);
  expect((await send("/api/organization", { as })).status).toBe(401);
  const account = "/console/account/delete";
  const left = await browser.submit(account, account, { password: PASSWORD });
  expect(left.headers.get("Location")).toBe("/console/sign-in?done=account-deleted");
});

it("the operator restores it, with its events, or suspends it in place of the owner", async () => {
  const { browser } = await signedIn(tenant.organizationId);
  const { organizationId } = tenant;
  const blogs = await sendJson<object[]>(200, "/api/blogs", { as });
  await remove();
  await runTransaction(env.DB, { resumed: resume(organizationId, new Date()) });
  const events = await sendJson<{ event: string }[]>(200, "/api/events?kinds=blog.deleted,blog.created", { as });
  expect(events.map(({ event }) => event)).toEqual([
    ...blogs.map(() => "blog.deleted"),
    ...blogs.map(() => "blog.created"),
  ]);
  await remove();
  await runTransaction(env.DB, { suspended: suspend(organizationId, "Spam", new Date()) });
  expect((await browser.get(LIST)).text).not.toContain(pathOf("restore"));
  await browser.post(pathOf("restore"), {});
  expect((await problemOf("/api/organization", { as })).detail).toContain("Spam");
});

it("is restored only while the day has room for its events", async () => {
  const { browser } = await signedIn(tenant.organizationId);
  await remove();
  const quotas = JSON.stringify({ eventsPerDay: 1 });
  await env.DB.prepare("update organizations set quotas = ? where id = ?").bind(quotas, tenant.organizationId).run();
  expect((await browser.submit(LIST, pathOf("restore"))).status).toBe(429);
});
