/** Writes that want the same thing at the same time: one gets it, the others are told, none fails. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { quiet, refusalOf, type Problem } from "../helpers/refusals.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

const AT_ONCE = 6;

let world: { readonly tenant: Tenant; readonly article: ArticleBody };
beforeEach(async () => {
  const tenant = await newTenant();
  world = { tenant, article: await newArticle(tenant) };
});

const as = () => ({ apiKey: world.tenant.apiKey });

/** Sends the requests at once; the bodies of those that were done, and of those that were refused. */
async function atOnce(requests: readonly (readonly [string, Send])[], ...codes: Problem["code"][]) {
  const responses = await Promise.all(requests.map(([path, options]) => send(path, options)));
  const done: Record<string, unknown>[] = [];
  let refused = 0;
  for (const response of responses) {
    if (response.status === 200) {
      done.push((await response.json()) as Record<string, unknown>);
      continue;
    }
    refused++;
    await refusalOf(response, ...codes);
  }
  return { done, refused };
}

const times = <T>(make: (n: number) => T): T[] => Array.from({ length: AT_ONCE }, (_, n) => make(n));

/** How many events of a kind the organization has. */
async function events(kind: string): Promise<number> {
  const query = "select count(*) as n from events where organization_id = ? and kind = ?";
  const row = await env.DB.prepare(query).bind(world.tenant.organizationId, kind).first<{ n: number }>();
  return row?.n ?? -1;
}

describe("at the same time", () => {
  it("one slug goes to one article", async () => {
    const before = await events("article.created");
    const body = { blogId: world.tenant.blogId, slug: "wanted" };
    const { done, refused } = await atOnce(
      times(() => ["/api/articles", { as: as(), body }] as const),
      "slug_taken",
    );
    expect([done.length, refused]).toEqual([1, AT_ONCE - 1]);
    expect(await events("article.created")).toBe(before + 1);
  });

  it("one slug goes to one of several articles that are renamed to it", async () => {
    const created: string[] = [];
    for (let n = 0; n < AT_ONCE; n++) {
      const body = { blogId: world.tenant.blogId, title: "to be renamed" };
      created.push((await sendJson<{ _id: string }>(200, "/api/articles", { as: as(), body }))._id);
    }
    const { done } = await atOnce(
      created.map((_id) => ["/api/articles", { as: as(), body: { _id, slug: "wanted" } }] as const),
      "slug_taken",
    );
    expect(done).toHaveLength(1);
  });

  it("one title gives as many slugs as there are articles", async () => {
    const body = { blogId: world.tenant.blogId, title: "Same title" };
    const { done } = await atOnce(times(() => ["/api/articles", { as: as(), body }] as const));
    expect(new Set(done.map(({ slug }) => slug)).size).toBe(AT_ONCE);
  });

  it("one vanityId goes to one blog, of all organizations", async () => {
    const other = { tenant: await newTenant() };
    const vanityId = `wanted-${newId().slice(-12)}`;
    const owners = times((n) => ({ apiKey: (n % 2 === 0 ? world : other).tenant.apiKey }));
    const { done } = await atOnce(
      owners.map((owner) => ["/api/blogs", { as: owner, body: { name: "wanted", vanityId } }] as const),
      "vanity_id_taken",
    );
    expect(done).toHaveLength(1);
  });

  it("one name gives as many vanityIds as there are blogs, of all organizations", async () => {
    const other = { tenant: await newTenant() };
    const name = `Wanted ${newId().slice(-12)}`;
    const owners = times((n) => ({ apiKey: (n % 2 === 0 ? world : other).tenant.apiKey }));
    const { done } = await atOnce(owners.map((owner) => ["/api/blogs", { as: owner, body: { name } }] as const));
    expect(new Set(done.map(({ vanityId }) => vanityId)).size).toBe(AT_ONCE);
  });

  it("one address becomes one contact, whatever its case", async () => {
    const before = await events("contact.created");
    const emails = times((n) => (n % 2 === 0 ? "Ada@Example.com" : "ada@example.COM"));
    const { done } = await atOnce(
      emails.map((email) => ["/api/contacts", { as: as(), body: { email, blogId: world.tenant.blogId } }] as const),
      "contact_exists",
    );
    expect(done).toHaveLength(1);
    expect(await events("contact.created")).toBe(before + 1);
  });

  it("one version is overwritten once", async () => {
    const before = await events("article.updated");
    const path = `/api/articles/${world.article._id}`;
    const headers = { "If-Match": (await send(path, { as: as() })).headers.get("ETag") ?? "" };
    const { done } = await atOnce(
      times((n) => ["/api/articles", { as: as(), headers, body: { _id: world.article._id, title: `${n}` } }] as const),
      "precondition_failed",
    );
    expect(done).toHaveLength(1);
    expect(await sendJson(200, path, { as: as() })).toEqual(done[0]);
    expect(await events("article.updated")).toBe(before + 1);
  });

  it("one article is deleted once", async () => {
    const path = `/api/articles/${world.article._id}`;
    const { done } = await atOnce(
      times(() => [path, { as: as(), method: "DELETE" }] as const),
      "not_found",
    );
    expect(done).toEqual([{ _id: world.article._id }]);
    expect(await events("article.deleted")).toBe(1);
  });

  it("an article that is changed and deleted ends deleted, and its last event says so", async () => {
    const { _id } = world.article;
    await atOnce(
      times((n) =>
        n === AT_ONCE / 2
          ? ([`/api/articles/${_id}`, { as: as(), method: "DELETE" }] as const)
          : (["/api/articles", { as: as(), body: { _id, title: `${n}` } }] as const),
      ),
      "not_found",
    );
    await refusalOf(await send(`/api/articles/${_id}`, { as: as() }), "not_found");
    await quiet();
    const query = "select kind from events where data ->> '_id' = ? order by seq desc limit 1";
    expect(await env.DB.prepare(query).bind(_id).first()).toEqual({ kind: "article.deleted" });
  });

  it("new locales all reach the blog", async () => {
    const locales = ["de", "fr", "it", "es", "pt", "nl", "sv", "da", "fi", "pl", "cs", "ja"];
    const published = { blogId: world.tenant.blogId, published: true };
    await atOnce(locales.map((locale) => ["/api/articles", { as: as(), body: { ...published, locale } }] as const));
    const [blog] = await sendJson<{ locales: string[] }[]>(200, "/api/blogs", { as: as() });
    expect(blog?.locales.toSorted()).toEqual(["en", ...locales].toSorted());
  });
});
