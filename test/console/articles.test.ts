import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { hiddenFields, signedIn, unescaped } from "../helpers/console.ts";
import {
  LIST,
  NEW,
  writing,
  pathOf,
  stored,
  countOf,
  idIn,
  save,
  fieldOf,
  valuesOf,
} from "../helpers/console-articles.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";

test("a draft is written, with what is left empty derived", async () => {
  const { tenant, browser } = await writing();
  const answer = await browser.submit(NEW, NEW, { ...valuesOf(tenant), published: "false" });
  const article = await stored(tenant, idIn(answer));
  expect(article).toMatchObject({
    title: 'A "title" & <more>',
    slug: "a-title-and-more",
    locale: "en",
    content: "\nFirst line\n\n## Heading",
    published: false,
  });
  const page = await browser.get(answer.headers.get("Location") ?? "");
  expect(page.text).toContain("The draft is saved.");
  expect(fieldOf(page, "title")).toBe('A "title" & <more>');
  expect(fieldOf(page, "content")).toBe("\nFirst line\n\n## Heading");
});

test("an article is published as it is written", async () => {
  const { tenant, browser } = await writing();
  const id = idIn(
    await browser.submit(NEW, NEW, { ...valuesOf(tenant), slug: "mine", locale: "DE-at", published: "true" }),
  );
  expect(await stored(tenant, id)).toMatchObject({ slug: "mine", locale: "de-AT", published: true });
});

test("a form that is sent twice makes one article", async () => {
  const { tenant, browser } = await writing();
  const hidden = hiddenFields((await browser.get(NEW)).text, NEW);
  const values = { ...hidden, ...valuesOf(tenant), published: "false" };
  const [first, second] = [await browser.post(NEW, values), await browser.post(NEW, values)];
  expect(idIn(second)).toBe(idIn(first));
  expect(await countOf(tenant)).toBe(1);
});

test("the form for a new article takes what the address says", async () => {
  const { tenant, browser } = await writing();
  const page = await browser.get(`${NEW}?blog=${tenant.blogId}&slug=a-slug&locale=fr`);
  expect([fieldOf(page, "slug"), fieldOf(page, "locale")]).toEqual(["a-slug", "fr"]);
});

test("without a blog, the pages say that one is needed", async () => {
  const tenant = await newTenant();
  await env.DB.prepare("delete from blogs where id = ?").bind(tenant.blogId).run();
  const { browser } = await signedIn(tenant.organizationId, "owner");
  for (const path of [LIST, NEW, `${LIST}/matrix`]) {
    const { status, text } = await browser.get(path);
    expect(status).toBe(200);
    expect(text).toContain('href="/console/blogs/new"');
  }
});

test("an article is edited: only what the form holds changes", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { title: "Before", content: "Stays.", slug: "stays" });
  const answer = await browser.submit(pathOf(article), pathOf(article), { title: "After" });
  expect(answer.headers.get("Location")).toBe(`${pathOf(article)}?done=saved`);
  expect(await stored(tenant, article._id)).toMatchObject({
    ...article,
    title: "After",
    lastEditTime: expect.anything() as unknown,
  });
});

test("an article is published and unpublished", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { published: false });
  const published = await browser.submit(pathOf(article), pathOf(article), { published: "true" });
  expect(published.headers.get("Location")).toBe(`${pathOf(article)}?done=article-published`);
  expect(await stored(tenant, article._id)).toMatchObject({ published: true });
  expect((await browser.get(pathOf(article))).text).toMatch(/name="published" value="false"[^>]*>\s*Unpublish</);
  const unpublished = await browser.submit(pathOf(article), pathOf(article), { published: "false" });
  expect(unpublished.headers.get("Location")).toBe(`${pathOf(article)}?done=article-unpublished`);
  expect(await stored(tenant, article._id)).toMatchObject({ published: false });
});

test("a preview shows what was entered and saves nothing", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { content: "Stored." });
  const entered = {
    title: "Entered",
    content: "## New\n\n<script>alert(1)</script> [x](javascript:alert(1))",
    description: "Lead",
  };
  const hidden = hiddenFields((await browser.get(pathOf(article))).text, pathOf(article));
  const page = await browser.post(`${LIST}/preview`, { ...hidden, ...entered });
  expect(page.status).toBe(200);
  expect(page.text).toContain("<h3>New</h3>");
  expect(page.text).toContain("&lt;script&gt;");
  expect(page.text).not.toContain("<script>");
  expect(page.text).not.toContain('href="javascript:');
  expect([fieldOf(page, "title"), fieldOf(page, "content")]).toEqual([entered.title, entered.content]);
  expect(page.text).toContain('data-guard="changed"');
  expect(await stored(tenant, article._id)).toEqual(article);
  // The form of the preview saves it.
  await browser.post(pathOf(article), { ...hiddenFields(page.text, pathOf(article)), ...entered });
  expect(await stored(tenant, article._id)).toMatchObject(entered);
});

test("a preview of a new article keeps what was entered", async () => {
  const { tenant, browser } = await writing();
  const hidden = hiddenFields((await browser.get(NEW)).text, NEW);
  const page = await browser.post(`${LIST}/preview`, { ...hidden, ...valuesOf(tenant), locale: "de" });
  expect(page.status).toBe(200);
  expect(page.text).toContain('<div class="prose" lang="de" dir="auto">');
  expect(fieldOf(page, "locale")).toBe("de");
  expect(page.text).toContain(`<option value="${tenant.blogId}" selected`);
  expect(await countOf(tenant)).toBe(0);
});

test("the list shows a blog's articles and can be filtered", async () => {
  const { tenant, browser } = await writing();
  await newArticle(tenant, { title: "Published one", locale: "en" });
  await newArticle(tenant, { title: "A draft", locale: "de", published: false });
  const titles = async (query: string) => {
    const { text } = await browser.get(`${LIST}?${query}`);
    return [...text.matchAll(/<td class="title"><a[^>]*>([^<]*)</g)].map(([, title]) => title);
  };
  expect(await titles("")).toEqual(["A draft", "Published one"]);
  expect(await titles("state=draft")).toEqual(["A draft"]);
  expect(await titles("state=published&locale=en")).toEqual(["Published one"]);
  expect(await titles(`blog=${tenant.blogId}&locale=de&state=published`)).toEqual([]);
});

test("a long list goes on, with its filter", async () => {
  const { tenant, browser } = await writing();
  for (let n = 0; n < 52; n++) await save(tenant, { blogId: tenant.blogId, title: `Article ${n}` });
  const first = await browser.get(`${LIST}?state=draft`);
  const next = unescaped(first.text.match(/rel="next" href="([^"]*)"/)?.[1] ?? "");
  expect(next).toContain("state=draft");
  const second = await browser.get(next);
  expect(second.text.match(/<td class="title">/g)).toHaveLength(2);
  expect(second.text).not.toContain('rel="next"');
});

test("the matrix shows what is published, a draft, stale or missing", async () => {
  const { tenant, browser } = await writing();
  const as = { operatorToken: tenant.operatorToken };
  await sendJson(200, `/api/blogs/${tenant.blogId}`, { as, method: "PUT", body: { locales: ["en", "de", "fr"] } });
  const german = await newArticle(tenant, { slug: "walks", locale: "de" });
  await newArticle(tenant, { slug: "walks", locale: "en", published: false });
  const { text } = await browser.get(`${LIST}/matrix`);
  const [, row = ""] = text.match(/<th scope="row">walks<\/th>(.*?)<\/tr>/s) ?? [];
  const cells = row.split("</td>").map((cell) =>
    unescaped(cell.replaceAll(/<[^>]*>/g, " "))
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  expect(cells).toEqual(["draft : walks in en", "published stale : walks in de", "missing : write walks in fr", ""]);
  expect(row).toContain(`href="${pathOf(german)}"`);
  expect(unescaped(row)).toContain(`href="${NEW}?blog=${tenant.blogId}&slug=walks&locale=fr"`);

  const { browser: reader } = await signedIn(tenant.organizationId, "reader");
  const { text: read } = await reader.get(`${LIST}/matrix`);
  expect(read).toContain("missing");
  expect(read).not.toContain(NEW);
});

test("the editor shows the translations of its article", async () => {
  const { tenant, browser } = await writing();
  const german = await newArticle(tenant, { slug: "walks", locale: "de" });
  const english = await newArticle(tenant, { slug: "walks", locale: "en" });
  const { text } = await browser.get(pathOf(english));
  expect(text).toContain(`href="${pathOf(german)}"`);
});

test("drafts in a locale that no blog has can be filtered for, and have a column in the matrix", async () => {
  const { tenant, browser } = await writing();
  await newArticle(tenant, { slug: "walks", locale: "de", published: false });
  expect((await browser.get(LIST)).text).toContain("<option>de</option>");
  expect((await browser.get(`${LIST}/matrix`)).text.match(/<th scope="col">de\s/g)).toHaveLength(1);
});

test("the button of a published article says that readers see the change at once", async () => {
  const { tenant, browser } = await writing();
  const published = (await browser.get(pathOf(await newArticle(tenant)))).text;
  expect(published).toMatch(/<button type="submit" aria-describedby="live">\s*Update\s*</);
  expect(published).toContain("Readers see it at once.");
  const draft = (await browser.get(pathOf(await newArticle(tenant, { published: false })))).text;
  expect(draft).toMatch(/<button type="submit">\s*Save\s*</);
  expect(draft).not.toContain("Readers see it at once.");
});

test("the field of the slug names the translations that would keep the old one", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant);
  expect((await browser.get(pathOf(article))).text).not.toContain("The translations (");
  for (const locale of ["de", "fr"]) await newArticle(tenant, { slug: article.slug, locale });
  expect((await browser.get(pathOf(article))).text).toContain("The translations (de, fr) keep the old one, too");
});
