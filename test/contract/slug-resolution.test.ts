/** Contract 4.10: which article a slug means where several have it. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { counted } from "../helpers/counting.ts";
import { outcome } from "../helpers/outcome.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newKey, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

/** A slug of this test's own: slugs are looked up over the whole service. */
const slugOf = (word: string): string => `${word}-${newId().slice(-12)}`;

/** Waits until another article would be younger than this one. */
const after = (article: ArticleBody) => expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(article.creationTime));

/** Publishes an article of this slug, younger than all before it. */
async function publish(tenant: Tenant, slug: string, more: Partial<ArticleBody> = {}): Promise<ArticleBody> {
  const article = await newArticle(tenant, { slug, ...more });
  await after(article);
  return article;
}

/** The identifier of the article that a caller finds under a path. */
const found = async (path: string, as: object = {}) =>
  (await sendJson<ArticleBody>(200, `/api/articles/${path}`, { as }))._id;

const update = (tenant: Tenant, body: object) => sendJson<ArticleBody>(200, "/api/articles", { as: tenant, body });

describe("without credentials", () => {
  it("the article of the blog that has had the slug longest is meant", async () => {
    const [first, second] = [await newTenant(), await newTenant()];
    const slug = slugOf("oldest");
    const oldest = await publish(first, slug);
    await publish(second, slug);
    expect(await found(slug)).toBe(oldest._id);
    await sendJson(200, `/api/articles/${oldest._id}`, { as: first, method: "DELETE" });
    expect(await found(slug)).not.toBe(oldest._id);
  });

  it("blogId narrows the search", async () => {
    const [first, second] = [await newTenant(), await newTenant()];
    const slug = slugOf("blog");
    const [one, two] = [await publish(first, slug), await publish(second, slug)];
    expect(await found(`${slug}?blogId=${first.blogId}`)).toBe(one._id);
    expect(await found(`${slug}?blogId=${second.blogId}`)).toBe(two._id);
    expect(await outcome(`/api/articles/${slug}?blogId=${newId()}`)).toBe("404 not_found");
  });

  it("locale narrows the search: the requested one, or nothing", async () => {
    const tenant = await newTenant();
    const slug = slugOf("locale");
    const english = await publish(tenant, slug, { locale: "en" });
    const german = await publish(tenant, slug, { locale: "de" });
    expect(await found(`${slug}?locale=de`)).toBe(german._id);
    expect(await found(`${slug}?locale=en`)).toBe(english._id);
    expect(await outcome(`/api/articles/${slug}?locale=fr`)).toBe("404 not_found");
  });

  it("of several locales the blog's default goes first, however young its article is", async () => {
    const tenant = await newTenant();
    const slug = slugOf("default");
    const german = await publish(tenant, slug, { locale: "de" });
    expect(await found(slug)).toBe(german._id);
    const english = await publish(tenant, slug, { locale: "en" });
    expect(await found(slug)).toBe(english._id);
  });

  it("without one in the default locale, the oldest article is meant", async () => {
    const tenant = await newTenant();
    const slug = slugOf("no-default");
    const french = await publish(tenant, slug, { locale: "fr" });
    await publish(tenant, slug, { locale: "de" });
    expect(await found(slug)).toBe(french._id);
  });

  it("drafts are not candidates: they neither answer nor hide a published one", async () => {
    const [first, second] = [await newTenant(), await newTenant()];
    const slug = slugOf("draft");
    await publish(first, slug, { published: false });
    expect(await outcome(`/api/articles/${slug}`)).toBe("404 not_found");
    const open = await publish(second, slug);
    expect(await found(slug)).toBe(open._id);
    const german = await publish(first, slug, { locale: "de", published: true });
    expect(await found(`${slug}?blogId=${first.blogId}`)).toBe(german._id);
  });
});

describe("nobody can shadow a slug by publishing it later", () => {
  it("not by a new article, also where it stands in its blog's default locale", async () => {
    const [victim, attacker] = [await newTenant(), await newTenant()];
    const slug = slugOf("new");
    const article = await publish(victim, slug, { locale: "de" });
    await publish(attacker, slug, { locale: "en" });
    expect(await found(slug)).toBe(article._id);
  });

  it("not by an older draft that is published now", async () => {
    const [victim, attacker] = [await newTenant(), await newTenant()];
    const slug = slugOf("kept-draft");
    const draft = await publish(attacker, slug, { published: false });
    const article = await publish(victim, slug);
    await update(attacker, { _id: draft._id, published: true });
    expect(await found(slug)).toBe(article._id);
  });

  it("not by an older article that is given the slug now", async () => {
    const [victim, attacker] = [await newTenant(), await newTenant()];
    const slug = slugOf("renamed");
    const old = await publish(attacker, slugOf("other"));
    const article = await publish(victim, slug);
    await update(attacker, { _id: old._id, slug });
    expect(await found(slug)).toBe(article._id);
  });

  it("not by an older article that is moved to the locale now", async () => {
    const [victim, attacker] = [await newTenant(), await newTenant()];
    const slug = slugOf("moved");
    const old = await publish(attacker, slug, { locale: "de" });
    const article = await publish(victim, slug, { locale: "en" });
    expect(await found(`${slug}?locale=en`)).toBe(article._id);
    await update(attacker, { _id: old._id, locale: "en" });
    expect(await found(`${slug}?locale=en`)).toBe(article._id);
  });

  it("not by unpublishing and publishing again", async () => {
    const [victim, attacker] = [await newTenant(), await newTenant()];
    const slug = slugOf("again");
    const article = await publish(victim, slug);
    const later = await publish(attacker, slug);
    await update(attacker, { _id: later._id, published: false });
    await update(attacker, { _id: later._id, published: true });
    expect(await found(slug)).toBe(article._id);
  });

  it("an edit of the first one's text does not cost it its place", async () => {
    const [victim, attacker] = [await newTenant(), await newTenant()];
    const slug = slugOf("edited");
    const article = await publish(victim, slug);
    await publish(attacker, slug);
    const edited = await update(victim, { _id: article._id, title: "Edited", content: "New" });
    expect(await found(slug)).toBe(article._id);
    await update(victim, { ...edited, title: "Sent back as a whole" });
    expect(await found(slug)).toBe(article._id);
  });
});

describe("with credentials", () => {
  it("the caller's organization alone, its drafts, too", async () => {
    const [first, mine] = [await newTenant(), await newTenant()];
    const slug = slugOf("own");
    const theirs = await publish(first, slug);
    expect(await outcome(`/api/articles/${slug}`, { as: { apiKey: mine.apiKey } })).toBe("404 not_found");
    const own = await publish(mine, slug, { published: false });
    for (const as of [{ apiKey: mine.apiKey }, { operatorToken: mine.operatorToken }]) {
      expect(await found(slug, as)).toBe(own._id);
      expect(await outcome(`/api/articles/${slug}?blogId=${first.blogId}`, { as })).toBe("404 not_found");
    }
    expect(await found(slug)).toBe(theirs._id);
  });

  it("of several blogs of the organization, the one that has had the slug longest", async () => {
    const tenant = await newTenant();
    const second = await sendJson<{ _id: string }>(200, "/api/blogs", { as: tenant, body: { name: "Second" } });
    const slug = slugOf("blogs");
    const younger = await publish(tenant, slug, { blogId: second._id });
    const youngest = await publish(tenant, slug);
    expect(await found(slug, tenant)).toBe(younger._id);
    expect(await found(`${slug}?blogId=${tenant.blogId}`, tenant)).toBe(youngest._id);
  });

  it("a pinned credential finds the one of its blog, and no other", async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    const second = await sendJson<{ _id: string }>(200, "/api/blogs", { as: tenant, body: { name: "Second" } });
    const slug = slugOf("pinned");
    await publish(other, slug);
    await publish(tenant, slug);
    const operator = { operatorToken: tenant.operatorToken };
    const as = { apiKey: await newKey(operator, ["articles:read"], { blogId: second._id }) };
    expect(await outcome(`/api/articles/${slug}`, { as })).toBe("404 not_found");
    const own = await publish(tenant, slug, { blogId: second._id });
    expect(await found(slug, as)).toBe(own._id);
    // Nor does it look through those of the others.
    await env.DB.prepare(
      `insert into articles (id, organization_id, blog_id, title, description, slug, locale, cover_url, published, version,
         creation_time, last_edit_time, content)
       select ?1 || value, ?2, ?3, '', '', ?1, 'x-' || value, '', 0, ?1 || value, '2020', '2020', '' from json_each(?4)`,
    )
      .bind(slug, tenant.organizationId, tenant.blogId, JSON.stringify(Array.from({ length: 150 }, (_, n) => n)))
      .run();
    const { response, counts } = await counted(`/api/articles/${slug}`, { as });
    expect([response.status, counts.rowsRead < 20]).toEqual([200, true]);
  });
});

describe("an identifier match always wins over a slug", () => {
  it("a title that is an identifier gives no slug that could be taken for one", async () => {
    const tenant = await newTenant();
    const article = await publish(tenant, slugOf("victim"));
    const copy = await newArticle(tenant, { title: article._id });
    expect(copy.slug).not.toBe(article._id);
    expect(await found(article._id)).toBe(article._id);
  });
});
