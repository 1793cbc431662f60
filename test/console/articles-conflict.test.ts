import { LIMITS } from "../../src/domain/limits.ts";
import { deleteAfter } from "../helpers/deletions.ts";
import { expect, test } from "vitest";
import { hiddenFields, signedIn, unescaped, type Browser } from "../helpers/console.ts";
import { LIST, writing, pathOf, stored, save, fieldOf } from "../helpers/console-articles.ts";
import { newArticle, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

/** Somebody saves while the form is open; the answer to the form. */
async function conflicting(tenant: Tenant, browser: Browser, article: ArticleBody, values: Record<string, string>) {
  const path = pathOf(article);
  const hidden = hiddenFields((await browser.get(path)).text, path);
  const theirs = await save(tenant, { _id: article._id, title: "Theirs", content: "One\nTwo, theirs\nThree" });
  return { path, theirs, page: await browser.post(path, { ...hidden, ...values }) };
}

const MINE = { title: "Mine <b>", content: "One\nTwo, mine\nThree", slug: "an-article" };

test("who saves what somebody else has saved in between is warned, and overwrites it knowingly", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { content: "One\nTwo\nThree", published: false });
  const { path, theirs, page } = await conflicting(tenant, browser, article, MINE);
  expect(page.status).toBe(412);
  expect(await stored(tenant, article._id)).toEqual(theirs);
  expect(page.text).toContain('class="alert warn conflict"');
  expect(page.text).toContain(`<time datetime="${theirs.lastEditTime}"`);
  expect([fieldOf(page, "title"), fieldOf(page, "content")]).toEqual([MINE.title, MINE.content]);
  const compared = [...page.text.matchAll(/<summary>(.*?)<\/summary>.*?<dd[^>]*>(.*?)<\/dd>.*?<dd[^>]*>(.*?)<\/dd>/gs)];
  expect(compared.map((match) => match.slice(1).map(unescaped))).toEqual([
    ["Title", "Theirs", "Mine <b>"],
    ["Content, from line 2", "Two, theirs", "Two, mine"],
  ]);
  expect(page.text).toContain("Overwrite</button>");
  expect(page.text).not.toContain(">Save</button>");

  const answer = await browser.post(path, { ...hiddenFields(page.text, path), ...MINE });
  expect(answer.status).toBe(303);
  expect(await stored(tenant, article._id)).toMatchObject(MINE);
});

test("without a version, nothing is overwritten", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant);
  const { version: _, ...hidden } = hiddenFields((await browser.get(pathOf(article))).text, pathOf(article));
  expect((await browser.post(pathOf(article), { ...hidden, title: "Mine" })).status).toBe(412);
  expect(await stored(tenant, article._id)).toEqual(article);
});

test("an article is deleted after a question, in the version that was shown", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { title: "Doomed" });
  const path = `${pathOf(article)}/delete`;
  const asked = await browser.get(path);
  expect(asked.text).toContain("Delete “Doomed”?");
  expect(await stored(tenant, article._id)).not.toBeNull();
  await save(tenant, { _id: article._id, title: "Doomed, but better" });
  const refused = await browser.post(path, hiddenFields(asked.text, path));
  expect(refused.status).toBe(412);
  expect(refused.text).toContain("The article was not deleted.");
  expect(await stored(tenant, article._id)).not.toBeNull();
  const answer = await browser.post(path, hiddenFields(refused.text, path));
  expect(answer.headers.get("Location")).toBe(`${LIST}?blog=${tenant.blogId}`);
  await deleteAfter(LIMITS.undoSeconds + 1);
  expect(await stored(tenant, article._id)).toBeNull();
});

test("of two people who change a published article, the second is warned, and readers see neither", async () => {
  const { tenant, browser } = await writing();
  const other = (await signedIn(tenant.organizationId, "writer")).browser;
  const article = await newArticle(tenant, { content: "One\nTwo\nThree" });
  const path = pathOf(article);
  const hidden = hiddenFields((await browser.get(path)).text, path);
  await other.submit(path, path, { content: "One\nTwo, theirs\nThree" });
  const page = await browser.post(path, { ...hidden, ...MINE });
  expect(page.status).toBe(412);
  expect(page.text).toContain("Overwrite</button>");
  expect(unescaped(page.text)).toContain("Two, theirs");
  const answer = await browser.post(path, { ...hiddenFields(page.text, path), ...MINE });
  expect(answer.headers.get("Location")).toBe(`${path}?done=draft-saved`);
  expect(fieldOf(await browser.get(path), "content")).toBe(MINE.content);
  expect(await stored(tenant, article._id)).toEqual(article);
});

test("who unpublishes what somebody else has changed, or publishes what somebody else has unpublished, is asked again", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant);
  const path = pathOf(article);
  await browser.submit(path, path, { title: "Mine" });
  const hidden = hiddenFields((await browser.get(path)).text, path);
  await save(tenant, { _id: article._id, description: "Theirs" });
  const asked = hiddenFields((await browser.get(`${path}/publish`)).text, `${path}/publish`);
  const refused = await browser.post(path, { ...hidden, title: "Mine, too", intent: "unpublish" });
  expect(refused.status).toBe(412);
  expect(refused.text).toContain("The article was not unpublished");
  expect(fieldOf(refused, "title")).toBe("Mine, too");
  expect(await stored(tenant, article._id)).toMatchObject({ published: true });
  await browser.post(path, { ...hiddenFields(refused.text, path), title: "Mine, too", intent: "unpublish" });
  expect(await stored(tenant, article._id)).toMatchObject({ published: false });

  await browser.submit(path, path, { title: "Mine, three", intent: "publish" });
  const { version = "" } = hiddenFields((await browser.get(`${path}/publish`)).text, `${path}/publish`);
  const late = await browser.post(`${path}/publish`, { ...asked, version, overwrite: "yes" });
  expect(late.status).toBe(412);
  expect(late.text).toContain("The article was not published.");
  expect(await stored(tenant, article._id)).toMatchObject({ published: false });
});
