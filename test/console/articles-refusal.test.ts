import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { hiddenFields, signedIn, unescaped, type Browser } from "../helpers/console.ts";
import {
  LIST,
  NEW,
  writing,
  pathOf,
  stored,
  countOf,
  fieldOf,
  errorAt,
  valuesOf,
} from "../helpers/console-articles.ts";
import { newArticle, newTenant, type ArticleBody } from "../helpers/tenant.ts";

/** The hidden fields that a member's page has: a reader can read them anywhere, and a version from the API. */
async function forged(browser: Browser, article: ArticleBody): Promise<Record<string, string>> {
  const signOut = hiddenFields((await browser.get(LIST)).text, "/console/sign-out");
  const row = await env.DB.prepare("select version from articles where id = ?")
    .bind(article._id)
    .first<{ version: string }>();
  return { ...signOut, version: row?.version ?? "" };
}

test("a reader sees an article as its readers do, and cannot write", async () => {
  const tenant = await newTenant();
  const { browser } = await signedIn(tenant.organizationId, "reader");
  const article = await newArticle(tenant, { published: false, title: "A draft", content: "## A heading\n\n*Text*" });
  const page = await browser.get(pathOf(article));
  expect(page.status).toBe(200);
  expect(page.text).toContain('<h3 id="user-content-h-a-heading">A heading</h3>');
  expect(page.text).toContain("<em>Text</em>");
  expect(page.text).not.toContain("<textarea");
  expect(page.text).not.toContain("/delete");
  expect((await browser.get(LIST)).text).not.toContain(NEW);

  const hidden = await forged(browser, article);
  const posts: [string, Record<string, string>][] = [
    [NEW, { blogId: tenant.blogId, title: "New" }],
    [pathOf(article), { title: "Changed" }],
    [pathOf(article), { intent: "publish" }],
    [pathOf(article), { intent: "unpublish" }],
    [`${pathOf(article)}/publish`, {}],
    [`${pathOf(article)}/discard`, {}],
    [`${pathOf(article)}/delete`, {}],
    [`${LIST}/preview`, { content: "x" }],
  ];
  for (const [path, values] of posts)
    expect((await browser.post(path, { ...hidden, ...values })).status, path).toBe(403);
  for (const path of [NEW, ...["delete", "publish", "discard"].map((page) => `${pathOf(article)}/${page}`)])
    expect((await browser.get(path)).status, path).toBe(403);
  expect(await stored(tenant, article._id)).toEqual(article);
  expect(await countOf(tenant)).toBe(1);
});

test.each([true, false])("another organization's article does not exist here (published: %s)", async (published) => {
  const { tenant, browser } = await writing();
  const other = await newTenant("Other");
  const own = await newArticle(tenant);
  const foreign = await newArticle(other, { published, title: "Foreign", slug: "foreign" });
  const path = pathOf(foreign);
  const hidden = await forged(browser, foreign);
  const answers = [
    await browser.get(path),
    await browser.get(`${LIST}/foreign`),
    await browser.get(`${path}/delete`),
    await browser.get(`${path}/publish`),
    await browser.get(`${path}/discard`),
    await browser.post(`${path}/publish`, hidden),
    await browser.post(`${path}/discard`, hidden),
    await browser.post(path, { ...hidden, title: "Mine" }),
    await browser.post(`${path}/delete`, hidden),
    await browser.post(`${LIST}/preview`, { ...hidden, _id: foreign._id, title: "Mine" }),
    await browser.get(`${LIST}?blog=${other.blogId}`),
    await browser.get(`${LIST}/matrix?blog=${other.blogId}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  for (const { text } of answers) expect(text).not.toContain("Foreign");
  const created = await browser.submit(NEW, NEW, valuesOf(other));
  expect(created.status).toBe(403);
  expect(await stored(other, foreign._id)).toEqual(foreign);
  expect(await countOf(other)).toBe(1);
  expect(await stored(tenant, own._id)).toEqual(own);
});

test("what is wrong is said at its field, and what was entered stays", async () => {
  const { tenant, browser } = await writing();
  const values = {
    ...valuesOf(tenant),
    slug: "Not a slug",
    locale: "x_y",
    coverUrl: "ftp://example.com",
    tags: "Fog, !",
    seoTitle: "Kept",
    canonicalUrl: "no address",
  };
  const page = await browser.submit(NEW, NEW, values);
  expect(page.status).toBe(400);
  expect(page.text).toContain("<strong>Check the marked fields.</strong>");
  expect(errorAt(page, "slug")).toContain("lowercase letters");
  expect(errorAt(page, "locale")).toContain("BCP 47");
  expect(errorAt(page, "coverUrl")).toContain("http");
  expect(errorAt(page, "canonicalUrl")).toContain("http");
  // Where it can be seen, and sent again: the browser itself sends nothing while a hidden field is wrong.
  expect(page.text).toMatch(/<details open[^>]*>\s*<summary>SEO/);
  expect(page.text).toContain("<li>Canonical URL: must be an absolute http or https URL</li>");
  expect(page.text).toMatch(/<form[^>]* action="\/console\/articles\/new"[^>]* novalidate/);
  expect(errorAt(page, "title")).toBeNull();
  for (const name of ["title", "slug", "locale", "coverUrl", "description"] as const) {
    expect(fieldOf(page, name)).toBe(values[name]);
  }
  expect(fieldOf(page, "content")).toBe("\nFirst line\n\n## Heading");
  expect(page.text).toContain('data-guard="changed"');
  expect(await countOf(tenant)).toBe(0);
});

test("a slug that is taken is said at the slug, in a new article and in an old one", async () => {
  const { tenant, browser } = await writing();
  await newArticle(tenant, { slug: "taken" });
  const other = await newArticle(tenant, { slug: "free", published: false });
  const created = await browser.submit(NEW, NEW, { ...valuesOf(tenant), slug: "taken", intent: "publish" });
  const edited = await browser.submit(pathOf(other), pathOf(other), { title: "Kept", slug: "taken" });
  for (const page of [created, edited]) {
    expect(page.status).toBe(409);
    expect(errorAt(page, "slug")).toContain("Another article");
    expect(fieldOf(page, "slug")).toBe("taken");
  }
  expect(fieldOf(edited, "title")).toBe("Kept");
  expect(edited.text).not.toContain("conflict");
  expect(await stored(tenant, other._id)).toEqual(other);
});

test("what readers would not see as it is meant is named before it is published (contract 20.3)", async () => {
  const { tenant, browser } = await writing();
  const content = "See <form>a</form> <kbd>b</kbd> <!-- c --> ![d](../d.png) [e](javascript:e) [f](/f)";
  const asked = (await browser.submit(NEW, NEW, { ...valuesOf(tenant), content, intent: "publish" })).headers;
  const { text } = await browser.get(asked.get("Location") ?? "");
  const named = [...text.matchAll(/<p class="alert warn">.*?<\/p>/gs)].map(([alert]) => unescaped(alert));
  expect(named.map((alert) => Array.from(alert.matchAll(/<code>(.*?)<\/code>/g), ([, what]) => what))).toEqual([
    ["<form>"],
    ["../d.png", "javascript:e"],
  ]);
});
