/** Contract 11.4: an event reaches the subscriptions of its own organization, and no other's. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { issueToken, send, sendJson } from "../helpers/requests.ts";
import { quiet, refusalOf } from "../helpers/refusals.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

/** What the receiver has seen at a path: bodies, oldest first. */
async function seenAt(name: string): Promise<string[]> {
  const seen = await fetch(`${env.RECEIVER.url}/_seen/${name}`);
  return ((await seen.json()) as { body: string }[]).map(({ body }) => body);
}

/** A subscription to everything; returns the name of its path. */
async function subscribe({ operatorToken }: Tenant): Promise<{ name: string; _id: string }> {
  const name = newId();
  const as = { operatorToken };
  const body = { url: `${env.RECEIVER.url}/ok/${name}` };
  return { name, _id: (await sendJson<{ _id: string }>(200, "/api/webhooksubscriptions", { as, body }))._id };
}

/** Makes every kind of event happen. */
async function doEverything({ apiKey, blogId }: Tenant): Promise<void> {
  const as = { apiKey };
  const body = { blogId, title: "created", published: true };
  const { _id } = await sendJson<{ _id: string }>(200, "/api/articles", { as, body });
  await sendJson(200, "/api/articles", { as, body: { _id, title: "updated" } });
  await sendJson(200, `/api/articles/${_id}`, { as, method: "DELETE" });
  await sendJson(200, "/api/blogs", { as, body: { name: "created" } });
  await sendJson(200, "/api/contacts", { as, body: { blogId, email: "created@example.com" } });
}

const KINDS = ["article.created", "article.deleted", "article.updated", "blog.created", "contact.created"];
const kindsOf = (bodies: readonly string[]) => bodies.map((body) => (JSON.parse(body) as { event: string }).event);

describe("two organizations that subscribe to everything", () => {
  it("hear of their own changes only, and of all of those", async () => {
    const [one, two] = [await newTenant("One"), await newTenant("Two")];
    await quiet();
    const [atOne, atTwo] = [await subscribe(one), await subscribe(two)];
    await doEverything(one);
    await quiet();
    expect(kindsOf(await seenAt(atOne.name)).toSorted()).toEqual(KINDS);
    expect(await seenAt(atTwo.name)).toEqual([]);
    await doEverything(two);
    await quiet();
    expect(kindsOf(await seenAt(atTwo.name)).toSorted()).toEqual(KINDS);
    expect(await seenAt(atOne.name)).toHaveLength(KINDS.length);
    for (const body of await seenAt(atTwo.name)) expect(body).not.toContain(one.blogId);
    // Nor has either of them a delivery of the other's events.
    const { results } = await env.DB.prepare(
      `select d.id from deliveries d join events e on e.id = d.event_id
         join webhook_subscriptions s on s.id = d.subscription_id
       where d.organization_id <> e.organization_id or s.organization_id <> e.organization_id`,
    ).all();
    expect(results).toEqual([]);
  });
});

describe("a subscription that came to name another organization's blog", () => {
  it("hears nothing of it: the organization decides, not the blog", async () => {
    const [victim, attacker] = [await newTenant("Victim"), await newTenant("Attacker")];
    const { name, _id } = await subscribe(attacker);
    await env.DB.prepare("update webhook_subscriptions set blog_id = ? where id = ?").bind(victim.blogId, _id).run();
    await doEverything(victim);
    await doEverything(attacker);
    await quiet();
    expect(await seenAt(name)).toEqual([]);
  });
});

describe("an attempt that was refused", () => {
  it("is told to nobody", async () => {
    const [victim, attacker] = [await newTenant("Victim"), await newTenant("Attacker")];
    const article = await newArticle(victim);
    await quiet();
    const [atVictim, atAttacker] = [await subscribe(victim), await subscribe(attacker)];
    const as = { apiKey: attacker.apiKey };
    const body = { _id: article._id, title: "taken over" };
    await refusalOf(await send("/api/articles", { as, body }), "not_found");
    await refusalOf(await send(`/api/articles/${article._id}`, { as, method: "DELETE" }), "not_found");
    const inTheirs = { blogId: victim.blogId, title: "planted", email: "a@example.com" };
    const { blogId, title, email } = inTheirs;
    await refusalOf(await send("/api/articles", { as, body: { blogId, title } }), "blog_forbidden");
    await refusalOf(await send("/api/contacts", { as, body: { blogId, email } }), "blog_forbidden");
    const operator = { operatorToken: (await issueToken({ operatorToken: attacker.operatorToken })).secret };
    const ping = `/api/webhooksubscriptions/${atVictim._id}/ping`;
    await refusalOf(await send(ping, { as: operator, method: "POST" }), "not_found");
    await quiet();
    expect([await seenAt(atVictim.name), await seenAt(atAttacker.name)]).toEqual([[], []]);
  });
});

describe("a slug", () => {
  const find = (slug: string) => send(`/api/articles/${slug}`);
  const publish = (tenant: Tenant, slug: string, more: object = {}) =>
    sendJson<{ _id: string }>(200, "/api/articles", {
      as: { apiKey: tenant.apiKey },
      body: { blogId: tenant.blogId, slug, published: true, ...more },
    });
  const change = (tenant: Tenant, body: object) =>
    sendJson(200, "/api/articles", { as: { apiKey: tenant.apiKey }, body });

  it("that is public cannot be taken over by another organization: not later, not by a draft, not by a rename", async () => {
    const [victim, attacker] = [await newTenant("Victim"), await newTenant("Attacker")];
    const slug = `welcome-${newId().slice(-12)}`;
    const sleeper = await publish(attacker, slug, { published: false });
    const old = await publish(attacker, `${slug}-old`);
    const { _id } = await publish(victim, slug);
    await publish(attacker, slug, { locale: "de" });
    await change(attacker, { _id: sleeper._id, published: true });
    await change(attacker, { _id: sleeper._id, slug: `${slug}-away` });
    await change(attacker, { _id: old._id, slug });
    for (const path of [slug, `${slug}?locale=en`]) expect(await (await find(path)).json()).toMatchObject({ _id });
    // The victim's own changes do not lose it.
    await change(victim, { _id, title: "new", published: true, slug });
    expect(await (await find(slug)).json()).toMatchObject({ _id });
  });
});
