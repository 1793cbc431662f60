/** The console's pages of former states and working copies. */
import { expect, test } from "vitest";
import { hiddenFields } from "../helpers/console.ts";
import { fieldOf, pathOf, save, stored, writing } from "../helpers/console-articles.ts";
import { outcome } from "../helpers/outcome.ts";
import { newArticle } from "../helpers/tenant.ts";

test("a former state is compared and restored, and the article stays what it is", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { title: "One & only", content: "first\nlast\n" });
  await save(tenant, { _id: article._id, title: "Two", content: "other\nlast\n", published: false });
  const list = await browser.get(`${pathOf(article)}/history`);
  expect(list.text).toContain(`href="${pathOf(article)}/history/1"`);
  expect(list.text).toContain("One &amp; only");
  const path = `${pathOf(article)}/history/1`;
  const page = await browser.get(path);
  expect(page.text).toContain("<del>-first\n</del>");
  expect(page.text).toContain("<ins>+other\n</ins>");
  const answer = await browser.submit(path, path);
  expect(answer.headers.get("Location")).toBe(`${pathOf(article)}?done=state-restored`);
  expect(await stored(tenant, article._id)).toMatchObject({ title: "One & only", published: false });
});

test("a state of a published article is restored where its readers do not see it", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { title: "One", content: "first" });
  await save(tenant, { _id: article._id, content: "second" });
  const path = `${pathOf(article)}/history/1`;
  expect((await browser.submit(path, path)).headers.get("Location")).toBe(`${pathOf(article)}?done=draft-saved`);
  expect(await stored(tenant, article._id)).toMatchObject({ content: "second", published: true });
  expect(fieldOf(await browser.get(pathOf(article)), "content")).toContain("first");
});

test("a state is not restored over what somebody has saved meanwhile, until it was seen", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { title: "One" });
  await save(tenant, { _id: article._id, title: "Two" });
  const path = `${pathOf(article)}/history/1`;
  const hidden = hiddenFields((await browser.get(path)).text, path);
  await save(tenant, { _id: article._id, title: "Three" });
  const refused = await browser.post(path, hidden);
  expect(refused.status).toBe(412);
  expect(refused.text).toContain("The version was not restored.");
  expect(await stored(tenant, article._id)).toMatchObject({ title: "Three" });
});

test("changes of an article that was changed beside them are published knowingly only", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { title: "Public", content: "a\nb" });
  const path = pathOf(article);
  const publish = `${path}/publish`;
  await browser.submit(path, path, { title: "Next", content: "a\nb" });
  const as = { operatorToken: tenant.operatorToken };
  expect(await outcome(`/api/articles/${article._id}/draft`, { as })).toBe("200");
  expect(await stored(tenant, article._id)).toEqual(article);
  expect((await browser.get(publish)).text).toContain('<dd tabindex="0">Public</dd>');
  await save(tenant, { _id: article._id, description: "Beside it" });
  const refused = await browser.submit(publish, publish);
  expect(refused.status).toBe(409);
  expect(refused.text).toContain("select “Publish anyway” and publish, or discard your changes.");
  expect(refused.text).not.toContain("`overwrite`");
  await browser.submit(path, path, { slug: "next-one" });
  const published = await browser.submit(publish, publish, { overwrite: "yes" });
  expect(published.headers.get("Location")).toBe(`${path}?done=draft-published`);
  expect(await stored(tenant, article._id)).toMatchObject({
    title: "Next",
    slug: "next-one",
    description: "Beside it",
    published: true,
  });
});

test("an article with unpublished changes says so, in the list and where it is edited", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant);
  const path = pathOf(article);
  const isSaid = async () => /data-unpublished="true"(?! hidden)/.test((await browser.get(path)).text);
  expect(await isSaid()).toBe(false);
  await browser.submit(path, path, { title: "Next" });
  expect(await isSaid()).toBe(true);
  const times = { unpublishTime: "2031-03-01T09:00", timeZone: "Europe/Lisbon" };
  await browser.submit(`${path}/schedule`, `${path}/schedule`, times);
  const list = await browser.get(`/console/articles?blog=${tenant.blogId}`);
  expect(list.text).toContain("Unpublished changes</span>");
  expect(list.text).toMatch(/>Until<\/span> <time datetime="2031-03-01T09:00:00.000Z"[^>]*>2031-03-01 09:00<\/time>/);
});

test("a working copy is discarded after a confirmation, unless somebody saved it meanwhile", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { title: "Public" });
  const path = pathOf(article);
  const discard = `${path}/discard`;
  await browser.submit(path, path, { title: "Next" });
  const early = hiddenFields((await browser.get(discard)).text, discard);
  expect(fieldOf(await browser.get(path), "title")).toBe("Next");
  await browser.submit(path, path, { title: "Later" });
  const refused = await browser.post(discard, early);
  expect(refused.status).toBe(412);
  expect(refused.text).toContain("The changes were not discarded");
  expect(refused.text).toContain("Later</dd>");
  expect(fieldOf(await browser.get(path), "title")).toBe("Later");
  expect((await browser.post(discard, hiddenFields(refused.text, discard))).status).toBe(303);
  expect(fieldOf(await browser.get(path), "title")).toBe("Public");
  expect((await browser.get(discard)).headers.get("Location")).toBe(path);
});
