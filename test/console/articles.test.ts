import { expect, test } from "vitest";
import { hiddenFields, signedIn, unescaped } from "../helpers/console.ts";
import { LIST, NEW, writing, pathOf, stored, idIn, fieldOf, valuesOf } from "../helpers/console-articles.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle } from "../helpers/tenant.ts";

test("a draft is written, with what is left empty derived", async () => {
  const { tenant, browser } = await writing();
  const answer = await browser.submit(NEW, NEW, valuesOf(tenant));
  const article = await stored(tenant, idIn(answer));
  expect(article).toMatchObject({
    title: 'A "title" & <more>',
    slug: "a-title-and-more",
    locale: "en",
    content: "\nFirst line\n\n## Heading",
    published: false,
  });
  const page = await browser.get(answer.headers.get("Location") ?? "");
  expect(page.text).toContain("Draft saved.");
  expect(fieldOf(page, "title")).toBe('A "title" & <more>');
  expect(fieldOf(page, "content")).toBe("\nFirst line\n\n## Heading");
});

test("an article is published as it is written, after a look at where and when", async () => {
  const { tenant, browser } = await writing();
  const values = { ...valuesOf(tenant), slug: "mine", locale: "DE-at", intent: "publish" };
  const asked = (await browser.submit(NEW, NEW, values)).headers.get("Location") ?? "";
  const id = /^\/console\/articles\/(.*)\/publish$/.exec(asked)?.[1] ?? "";
  expect(await stored(tenant, id)).toMatchObject({ slug: "mine", locale: "de-AT", published: false });
  const { text } = await browser.get(asked);
  const facts = [...text.matchAll(/<dd>(.*?)<\/dd>/gs)].map(([, fact]) => fact);
  expect(facts).toEqual(expect.arrayContaining(["de-AT", "mine", "Now, or at a scheduled time."]));
  const published = await browser.submit(asked, asked);
  expect(published.headers.get("Location")).toBe(`${LIST}/${id}?done=article-published`);
  expect(await stored(tenant, id)).toMatchObject({ title: valuesOf(tenant).title, published: true });
});

test("a draft is edited: only what the form holds changes", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { title: "Before", content: "Stays.", slug: "stays", published: false });
  const answer = await browser.submit(pathOf(article), pathOf(article), { title: "After" });
  expect(answer.headers.get("Location")).toBe(`${pathOf(article)}?done=saved`);
  expect(await stored(tenant, article._id)).toMatchObject({
    ...article,
    title: "After",
    lastEditTime: expect.anything() as unknown,
  });
});

test("saving a published article changes nothing for its readers, until its changes are published", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { title: "Before", content: "One\nTwo", description: "Stays." });
  const path = pathOf(article);
  const saved = await browser.submit(path, path, { title: "After", content: "One\nTwo, changed", tags: "Porto" });
  expect(saved.headers.get("Location")).toBe(`${path}?done=draft-saved`);
  expect(await stored(tenant, article._id)).toEqual(article);
  const page = await browser.get(path);
  expect(page.text).toContain("unpublished changes</strong>");
  expect([fieldOf(page, "title"), fieldOf(page, "content"), fieldOf(page, "tags")]).toEqual([
    "After",
    "One\nTwo, changed",
    "Porto",
  ]);
  const publish = `${path}/publish`;
  expect((await browser.submit(path, path, { intent: "publish" })).headers.get("Location")).toBe(publish);
  const { text } = await browser.get(publish);
  const heads = [...text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, head]) => head);
  expect(heads).toEqual(["Title", "Content, from line 2", "Tags"]);
  expect(await stored(tenant, article._id)).toEqual(article);
  const published = await browser.submit(publish, publish);
  expect(published.headers.get("Location")).toBe(`${path}?done=draft-published`);
  expect(await stored(tenant, article._id)).toMatchObject({
    title: "After",
    content: "One\nTwo, changed",
    published: true,
  });
  expect(fieldOf(await browser.get(path), "tags")).toBe("Porto");
});

test("an article is published and unpublished", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { published: false });
  const path = pathOf(article);
  await browser.submit(path, path, { title: "With a change", intent: "publish" });
  expect(await stored(tenant, article._id)).toMatchObject({ title: "With a change", published: false });
  const published = await browser.submit(`${path}/publish`, `${path}/publish`);
  expect(published.headers.get("Location")).toBe(`${path}?done=article-published`);
  expect(await stored(tenant, article._id)).toMatchObject({ title: "With a change", published: true });
  expect((await browser.get(path)).text).toMatch(/name="intent" value="unpublish"[^>]*>\s*Unpublish</);
  const unpublished = await browser.submit(path, path, { description: "Later", intent: "unpublish" });
  expect(unpublished.headers.get("Location")).toBe(`${path}?done=article-unpublished`);
  expect(await stored(tenant, article._id)).toMatchObject({ published: false, description: "Later" });
  expect((await browser.get(path)).text).not.toContain("unpublished changes");
});

test("an article without a title is not published", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { published: false, title: "Had one" });
  const path = pathOf(article);
  await browser.submit(path, path, { title: " ", intent: "publish" });
  const refused = await browser.submit(`${path}/publish`, `${path}/publish`);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("is required to publish");
  expect(await stored(tenant, article._id)).toMatchObject({ title: "", published: false });
});

test("what is published is what was shown: not what somebody has saved meanwhile", async () => {
  const { tenant, browser } = await writing();
  for (const published of [true, false]) {
    const article = await newArticle(tenant, { published, title: "As it was" });
    const path = pathOf(article);
    await browser.submit(path, path, { title: "Shown", intent: "publish" });
    const shown = hiddenFields((await browser.get(`${path}/publish`)).text, `${path}/publish`);
    await browser.submit(path, path, { title: "Not shown", intent: "publish" });
    const refused = await browser.post(`${path}/publish`, shown);
    expect(refused.status).toBe(412);
    expect(refused.text).toContain("The article was not published.");
    expect(await stored(tenant, article._id)).toMatchObject({ published });
    const sent = hiddenFields(refused.text, `${path}/publish`);
    const answers = [await browser.post(`${path}/publish`, sent), await browser.post(`${path}/publish`, sent)];
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await stored(tenant, article._id)).toMatchObject({ title: "Not shown", published: true });
  }
});

test("a preview shows what was entered and saves nothing", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { content: "Stored.", published: false });
  const entered = {
    title: "Entered",
    content: "## New\n\n<script>alert(1)</script> [x](javascript:alert(1))",
    description: "Lead",
  };
  const hidden = hiddenFields((await browser.get(pathOf(article))).text, pathOf(article));
  const page = await browser.post(`${LIST}/preview`, { ...hidden, ...entered });
  expect(page.status).toBe(200);
  expect(page.text).toContain('<h3 id="user-content-h-new">New</h3>');
  expect(page.text).toContain("&lt;script>alert");
  expect(page.text).not.toContain("<script>");
  expect(page.text).not.toContain('href="javascript:');
  expect([fieldOf(page, "title"), fieldOf(page, "content")]).toEqual([entered.title, entered.content]);
  expect(page.text).toContain('data-guard="changed"');
  expect(await stored(tenant, article._id)).toEqual(article);
  // The form of the preview saves it.
  await browser.post(pathOf(article), { ...hiddenFields(page.text, pathOf(article)), ...entered });
  expect(await stored(tenant, article._id)).toMatchObject(entered);
});

test("what is written from right to left is laid out so, and the words around it are not", async () => {
  const { tenant } = await writing();
  const article = await newArticle(tenant, { title: "المدينة", description: "وصف", content: "نص", locale: "ar" });
  const { browser: reader } = await signedIn(tenant.organizationId, "reader");
  const { text } = await reader.get(pathOf(article));
  expect(text).toContain('<h1 dir="auto">المدينة</h1>');
  expect(text).toContain('<p class="lead" lang="ar" dir="rtl">وصف</p>');
  expect(text).toContain('<h2 id="reading">Text</h2>');
  expect((await reader.get(LIST)).text).toMatch(/<a href="[^"]*" dir="auto">المدينة</);
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
  expect(cells).toEqual(["Draft : walks in en", "Published Outdated : walks in de", "Missing : write walks in fr", ""]);
  expect(row).toContain(`href="${pathOf(german)}"`);
  expect(unescaped(row)).toContain(`href="${NEW}?blog=${tenant.blogId}&slug=walks&locale=fr"`);

  const { browser: reader } = await signedIn(tenant.organizationId, "reader");
  const { text: read } = await reader.get(`${LIST}/matrix`);
  expect(read).toContain("Missing");
  expect(read).not.toContain(NEW);
});

test("the editor shows the translations of its article", async () => {
  const { tenant, browser } = await writing();
  const german = await newArticle(tenant, { slug: "walks", locale: "de" });
  const english = await newArticle(tenant, { slug: "walks", locale: "en" });
  const { text } = await browser.get(pathOf(english));
  expect(text).toContain(`href="${pathOf(german)}"`);
});
