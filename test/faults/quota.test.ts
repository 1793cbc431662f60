/** What an organization may store is bounded: in the license of each write, so that no two share the last place. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { askedOf, generate } from "../helpers/generating.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { sample } from "../helpers/sample.ts";
import { usageOf } from "../helpers/usage.ts";

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

const KIB = 1024;

/** The settings of a deployment on which there is little room. */
const quota = (settings: { articles?: number; megabytes?: number; contacts?: number }): Partial<Env> => {
  const { articles = 1000, megabytes = 1000, contacts = 1000 } = settings;
  const variables = {
    ORGANIZATION_ARTICLES: articles,
    ORGANIZATION_MEGABYTES: megabytes,
    ORGANIZATION_CONTACTS: contacts,
  };
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)])) as Partial<Env>;
};

const save = (body: object, bindings: Partial<Env>, more: Send = {}, as: Tenant = tenant) =>
  send("/api/articles", { as: { apiKey: as.apiKey }, body: { blogId: as.blogId, ...body }, bindings, ...more });

const saved = async (body: object, bindings: Partial<Env>, more: Send = {}): Promise<ArticleBody> => {
  const response = await save(body, bindings, more);
  expect(response.status).toBe(200);
  return response.json();
};

const keyed = (key = newId()): Send => ({ headers: { "Idempotency-Key": key } });

const usage = async (of: Tenant = tenant) => (await usageOf(of.organizationId)).counted;

describe("contract 14.2: the number of articles", () => {
  const two = quota({ articles: 2 });

  it("is refused beyond the quota, says what is full, and stores nothing", async () => {
    await saved({ title: "1" }, two);
    await saved({ title: "2" }, two);
    await storingNothing(async () => {
      const { detail } = await refusalOf(await save({ title: "3" }, two), "quota_exceeded");
      expect(detail).toBe("The organization has 2 of 2 articles. Delete some first.");
      await refusalOf(await save({ title: "3" }, two, keyed()), "quota_exceeded");
    });
  });

  it("contract 14.11: goes to one of two writers where there is one place", async () => {
    await saved({ title: "1" }, two);
    const responses = await Promise.all(["a", "b", "c", "d"].map((title) => save({ title }, two)));
    expect(responses.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409", "409", "409"]);
    expect(await usage()).toMatchObject({ articles: 2 });
  });

  it("has room again after a deletion, also for the same Idempotency-Key", async () => {
    const { _id } = await saved({ title: "1" }, two);
    await saved({ title: "2" }, two);
    await refusalOf(await save({ title: "3" }, two, keyed("again")), "quota_exceeded");
    await sendJson(200, `/api/articles/${_id}`, { as: tenant, method: "DELETE", bindings: two });
    await saved({ title: "3" }, two, keyed("again"));
  });

  it("is asked before a model is, and other refusals come first", async () => {
    const none = quota({ articles: 0 });
    const name = newId();
    await refusalOf(await generate(tenant, { name, bindings: none }), "quota_exceeded");
    await refusalOf(await generate(tenant, { name, bindings: quota({ megabytes: 0 }) }), "quota_exceeded");
    expect(await askedOf(name)).toEqual([]);
    await refusalOf(await save({ title: "x", blogId: newId() }, none), "blog_forbidden");
  });
});

describe("contract 14.2: the bytes of texts", () => {
  const one = quota({ megabytes: 1 });

  it("may fill the quota to the last byte, in no more than it", async () => {
    await saved({ title: "a", content: "x".repeat(KIB * KIB - 3) }, one);
    await storingNothing(async () => {
      const { detail } = await refusalOf(await save({ title: "abc" }, one), "quota_exceeded");
      expect(detail).toContain("use 1 of 1 MiB");
    });
    await saved({ title: "é" }, one);
    expect(await usage()).toMatchObject({ articleBytes: KIB * KIB });
  });

  it("above the quota, refuses what grows, and allows everything else", async () => {
    const large = quota({ megabytes: 2 });
    const first = await saved({ title: "a", content: "x".repeat(900 * KIB) }, large);
    const second = await saved({ title: "b", content: "x".repeat(900 * KIB), description: "long" }, large);
    await storingNothing(async () => {
      await refusalOf(await save({ _id: first._id, content: "y".repeat(900 * KIB + 1) }, one), "quota_exceeded");
      await refusalOf(await save({ _id: first._id, title: "longer" }, one, keyed()), "quota_exceeded");
    });
    await saved({ _id: first._id, published: true, slug: "moved" }, one);
    await saved({ _id: first._id, published: false }, one, keyed());
    await saved({ _id: first._id, content: "t".repeat(900 * KIB) }, one, keyed());
    await saved({ _id: first._id, content: "y".repeat(800 * KIB) }, one, keyed());
    // One member longer, another shorter by as much.
    await saved({ _id: second._id, title: "bcd", description: "lo" }, one);
    await sendJson(200, `/api/articles/${second._id}`, { as: tenant, method: "DELETE", bindings: one });
    await saved({ title: "c" }, one);
  });

  it("go to one of several updates where there is room for one", async () => {
    const ids: string[] = [];
    for (const title of ["a", "b", "c"]) ids.push((await saved({ title, content: "x".repeat(100 * KIB) }, one))._id);
    const content = "y".repeat(700 * KIB);
    const responses = await Promise.all(ids.map((_id) => save({ _id, content }, one)));
    expect(responses.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409", "409"]);
  });
});

describe("contract 14.3: the answers of idempotent calls", () => {
  const one = quota({ megabytes: 1 });

  it("keep no second copy of a content that the call has sent, and are the same again", async () => {
    const content = "x".repeat(100 * KIB);
    const body = { title: "a", content };
    const first = await saved(body, one, keyed("create"));
    const change = { _id: first._id, content: "other" };
    const changed = await saved(change, one, keyed("update"));
    expect(await usage()).toMatchObject({ answerBytes: 0 });
    const again = await save(body, one, keyed("create"));
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(await again.json()).toEqual(first);
    const updatedAgain = await save(change, one, keyed("update"));
    expect(updatedAgain.headers.get("Idempotent-Replayed")).toBe("true");
    expect(await updatedAgain.json()).toEqual(changed);
    // The same answer where nothing is left to change.
    const unchanged = await saved(change, one, keyed("unchanged"));
    expect(await (await save(change, one, keyed("unchanged"))).json()).toEqual(unchanged);
    expect(await usage()).toMatchObject({ answerBytes: 0 });
  });

  it("keep one that it has not sent, as it was", async () => {
    const { _id } = await saved({ title: "a", content: "before" }, one);
    const first = await saved({ _id, published: true }, one, keyed("publish"));
    await saved({ _id, content: "after" }, one);
    expect(await (await save({ _id, published: true }, one, keyed("publish"))).json()).toEqual(first);
    expect(first.content).toBe("before");
    expect(await usage()).toMatchObject({ answerBytes: "before".length });
  });

  const calls = [
    ["changes something", () => ({ published: true })],
    ["changes nothing", () => ({ title: "a" })],
  ] as const;

  it.each(sample(calls, 0, 1))("take no more than the quota, for a call that %s", async (_, members) => {
    const { _id } = await saved({ title: "a", content: "x".repeat(600 * KIB) }, one);
    await saved({ _id, description: "b" }, one, keyed());
    await storingNothing(async () => {
      const { detail } = await refusalOf(await save({ _id, ...members() }, one, keyed()), "quota_exceeded");
      expect(detail).toContain("Idempotency-Key");
    });
    await saved({ _id, ...members() }, one);
    await env.DB.prepare("delete from idempotency where organization_id = ?").bind(tenant.organizationId).run();
    await saved({ _id, ...members() }, one, keyed());
  });
});

describe("contract 14.2: contacts", () => {
  it("are refused beyond the quota, and one of two gets the last place", async () => {
    const bindings = quota({ contacts: 1 });
    const add = (email: string) => send("/api/contacts", { as: { apiKey: tenant.apiKey }, body: { email }, bindings });
    const responses = await Promise.all(["a@example.com", "b@example.com"].map(add));
    const stored = responses.find(({ ok }) => ok);
    const { _id } = await (stored as Response).json<{ _id: string }>();
    expect(responses.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"]);
    await storingNothing(async () => {
      const { detail } = await refusalOf(await add("c@example.com"), "quota_exceeded");
      expect(detail).toContain("1 of 1 contacts. Erase some first.");
    });
    await sendJson(200, `/api/contacts/${_id}`, { as: { apiKey: tenant.apiKey }, method: "DELETE" });
    expect((await add("c@example.com")).status).toBe(200);
  });
});
