/** What an organization may do in a day (UTC) is bounded as exactly as what it may store. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { askedOf, generate } from "../helpers/generating.ts";
import { freshAddress, mailedLink } from "../helpers/mails.ts";
import { statusesOf } from "../helpers/outcome.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { storeEvent } from "../helpers/relay.ts";
import { storeAt, usageOf } from "../helpers/usage.ts";

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
  await storeEvent(tenant, "blog.created");
  // The queue knows nothing of it.
  await env.DB.prepare("update events set fan_out_time = creation_time where organization_id = ?")
    .bind(tenant.organizationId)
    .run();
});

/** The tenant has had one. */
const perDay = (events: number) => ({ ORGANIZATION_EVENTS_PER_DAY: String(events) }) as unknown as Partial<Env>;

const save = (body: object, bindings: Partial<Env>, more: Send = {}) =>
  send("/api/articles", { as: { apiKey: tenant.apiKey }, body: { blogId: tenant.blogId, ...body }, bindings, ...more });

const usage = async () => {
  const { counted, recounted } = await usageOf(tenant.organizationId);
  expect(counted).toEqual(recounted);
  return counted;
};

describe("contract 14.13: the events of a day", () => {
  it("are counted once for each change, whatever it is", async () => {
    const as = { apiKey: tenant.apiKey };
    const { _id } = await newArticle(tenant, { title: "Same length" });
    await newArticle(tenant, { _id, published: false });
    await newArticle(tenant, { _id, published: false });
    await sendJson(200, "/api/contacts", { as, body: { email: "a@example.com" } });
    await sendJson(200, `/api/articles/${_id}`, { as, method: "DELETE" });
    expect(await usage()).toMatchObject({ dayEvents: 5 });
  });

  it("are used up: changes are refused until the next day, with a text that says so", async () => {
    const { _id } = await newArticle(tenant);
    const two = perDay(2);
    await storingNothing(async () => {
      const response = await save({ title: "one more" }, two);
      const wait = Number(response.headers.get("Retry-After"));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(86_400);
      expect(response.headers.get("RateLimit-Policy")).toBe('"event_limit";q=2;w=86400');
      const { detail } = await refusalOf(response, "event_limit");
      expect(detail).toContain("2 changes that fire an event");
      await refusalOf(await save({ _id, published: false }, two), "event_limit");
      const as = { apiKey: tenant.apiKey };
      await refusalOf(await send(`/api/articles/${_id}`, { as, method: "DELETE", bindings: two }), "event_limit");
      await refusalOf(await send("/api/blogs", { as, body: { name: "b" }, bindings: two }), "event_limit");
      const body = { email: "a@example.com" };
      await refusalOf(await send("/api/contacts", { as, body, bindings: two }), "event_limit");
    });
  });

  it("are not asked for by what fires no event, and other refusals come first", async () => {
    const { _id, title } = await newArticle(tenant);
    const two = perDay(2);
    await sendJson(200, "/api/articles", { as: tenant, body: { _id, title }, bindings: two });
    const as = { operatorToken: tenant.operatorToken };
    await sendJson(200, "/api/organization", { as, method: "PUT", body: { name: "Renamed" }, bindings: two });
    await refusalOf(await save({ _id: newId(), title: "x" }, two), "not_found");
    await refusalOf(await save({ title: "x", blogId: newId() }, two), "blog_forbidden");
    await refusalOf(await save({ _id, title: "x" }, two, { headers: { "If-Match": '"old"' } }), "precondition_failed");
  });

  it("are not asked for by who confirms to be a contact that there is: only a new one fires an event", async () => {
    const [known, newcomer] = [freshAddress(), freshAddress()];
    const body = { email: known };
    await sendJson(200, "/api/contacts", { as: { apiKey: tenant.apiKey }, body });
    const confirm = async (email: string) => {
      await sendJson(202, `/blogs/${tenant.blogId}/subscribe`, { body: { email } });
      return send(await mailedLink(email), { method: "POST", bindings: perDay(2) });
    };
    expect([(await confirm(known)).status, (await confirm(newcomer)).status]).toEqual([200, 429]);
    expect(await usage()).toMatchObject({ dayEvents: 2, contacts: 1 });
  });

  it("leave the last place to one of several writers", async () => {
    const bindings = perDay(2);
    const created = await Promise.all(["a", "b", "c"].map((title) => save({ title }, bindings)));
    expect(statusesOf(created)).toEqual([200, 429, 429]);
    expect(await usage()).toMatchObject({ dayEvents: 2, articles: 1 });
    const other = await newTenant();
    expect((await send("/api/articles", { as: other, body: { title: "x" }, bindings })).status).toBe(200);
  });

  it("are not kept as the answer of an Idempotency-Key", async () => {
    const headers = { "Idempotency-Key": "again" };
    await refusalOf(await save({ title: "x" }, perDay(1), { headers }), "event_limit");
    expect((await save({ title: "x" }, perDay(2), { headers })).status).toBe(200);
  });

  it("are asked for before a model is", async () => {
    const name = newId();
    await refusalOf(await generate(tenant, { name, bindings: perDay(1) }), "event_limit");
    expect(await askedOf(name)).toEqual([]);
  });

  it("begin anew at midnight UTC, and a clock that is behind does not bring the last day back", async () => {
    const [evening, morning] = [new Date("2999-12-30T23:59:59.999Z"), new Date("2999-12-31T00:00:00.000Z")];
    const quota = { eventsPerDay: 2 };
    const article = { blogId: tenant.blogId, ...TEXTS };
    const late = await storeAt(tenant, evening, quota);
    const early = await storeAt(tenant, morning, quota);
    await late.createArticle(article);
    await late.createArticle(article);
    await expect(late.createArticle(article)).rejects.toMatchObject({
      code: "event_limit",
      details: { retryAfterSeconds: 1 },
    });
    await early.createArticle(article);
    expect(await usage()).toMatchObject({ day: "2999-12-31", dayEvents: 1 });
    await late.createArticle(article);
    expect((await usageOf(tenant.organizationId)).counted).toMatchObject({ day: "2999-12-31", dayEvents: 2 });
    await expect(early.createArticle(article)).rejects.toMatchObject({ code: "event_limit" });
  });
});

const TEXTS = {
  title: "A",
  description: "",
  content: "",
  coverUrl: "",
  published: false,
  slug: { derived: "a" },
} as const;

describe("the images of an organization", () => {
  const images = { AI_IMAGE_MODEL: "test" };
  const room = (megabytes: number) => ({ ...images, ORGANIZATION_MEDIA_MEGABYTES: String(megabytes) });
  type Metadata = { images: unknown[]; degradations: string[] };
  const made = async (bindings: Record<string, unknown>, name = newId()) => {
    const response = await generate(tenant, { name, bindings });
    expect(response.status).toBe(200);
    const { metadata } = await response.json<{ metadata: Metadata }>();
    return metadata;
  };

  it("are counted in bytes until they are deleted", async () => {
    const before = await usage();
    expect(before.mediaBytes).toBe(0);
    expect((await made(images)).images.length).toBeGreaterThan(0);
    const { mediaBytes } = await usage();
    const { objects } = await env.MEDIA.list({ prefix: `${tenant.organizationId}/` });
    expect(mediaBytes).toBe(objects.reduce((sum, { size }) => sum + size, 0));
    await env.DB.prepare("delete from media where organization_id = ?").bind(tenant.organizationId).run();
    expect(await usage()).toMatchObject({ mediaBytes: 0 });
  });

  it("are left out where there is no room, and the image model is not asked", async () => {
    const name = newId();
    const { images: none, degradations } = await made(room(0), name);
    expect(none).toEqual([]);
    expect(degradations.join()).toContain("use 0 of 0 MiB");
    expect((await askedOf(name)).filter(({ path }) => path.includes("images"))).toEqual([]);
    expect(await usage()).toMatchObject({ mediaBytes: 0 });
  });

  it("leave the last place to one of two", async () => {
    const store = await storeAt(tenant, new Date(), { mediaBytes: 10 });
    const file = () => store.reserveMedia({ id: newId(), mediaType: "image/png", bytes: 6 });
    const outcomes = await Promise.allSettled([file(), file()]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes.find((each) => each.status === "rejected")?.reason).toMatchObject({ code: "quota_exceeded" });
    expect(await usage()).toMatchObject({ mediaBytes: 6 });
  });
});

describe("maxima that are settings", () => {
  const few = { ORGANIZATION_SUBSCRIPTIONS: "1", ORGANIZATION_CREDENTIALS: "3" } as unknown as Partial<Env>;
  const as = () => ({ operatorToken: tenant.operatorToken });

  it("of subscriptions: one of two gets the last place", async () => {
    const body = { url: `${env.RECEIVER.url}/ok/${newId()}` };
    const add = () => send("/api/webhooksubscriptions", { as: as(), body, bindings: few });
    expect(statusesOf(await Promise.all([add(), add()]))).toEqual([200, 409]);
    const { detail } = await refusalOf(await add(), "subscription_limit");
    expect(detail).toBe(
      "An organization can have at most 1 webhook subscriptions. Delete one that you no longer need.",
    );
  });

  it("of credentials: one of two gets the last place", async () => {
    const add = () => send("/api/apikeys", { as: as(), body: { name: "k" }, bindings: few });
    expect(statusesOf(await Promise.all([add(), add()]))).toEqual([200, 409]);
    expect((await refusalOf(await add(), "credential_limit")).detail).toContain("at most 3 API keys");
  });
});
