/** Deletions in the console, which can be undone for a moment. Works without scripts. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { LIST, pathOf, save, stored, writing } from "../helpers/console-articles.ts";
import { deleteAfter } from "../helpers/deletions.ts";
import { newArticle } from "../helpers/tenant.ts";

const LATER = LIMITS.undoSeconds + 1;
const KEEP = `${LIST}/keep`;

// A run carries out everything that is due.
beforeEach(() => env.DB.prepare("delete from deletions").run());

test("an article is deleted once the time to undo it is over; until then the list and its page say so", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { title: "One & only" });
  const path = `${pathOf(article)}/delete`;
  expect((await browser.get(path)).text).toContain("You can undo this for 30 seconds.");
  const answer = await browser.submit(path, path);
  expect(answer.headers.get("Location")).toBe(`${LIST}?blog=${tenant.blogId}`);
  const list = (await browser.get(LIST)).text;
  expect(list).toMatch(/“One &amp; only” will be deleted in <strong data-seconds="(30|29|28)">/);
  expect(list).toContain("Deleting</span>");
  expect((await browser.get(pathOf(article))).text).toContain("will be deleted in");
  expect(await stored(tenant, article._id)).not.toBeNull();
  await deleteAfter(LATER);
  expect(await stored(tenant, article._id)).toBeNull();
  expect((await browser.get(LIST)).text).not.toContain("will be deleted in");
});

test("a deleted article is restored from the trash, with another slug if its own is taken, or deleted for good", async () => {
  const { tenant, browser } = await writing();
  const trash = `${LIST}/trash`;
  const [one, other] = [
    await newArticle(tenant, { title: "One", slug: "one" }),
    await newArticle(tenant, { title: "Two" }),
  ];
  for (const { _id } of [one, other]) {
    await browser.submit(`${LIST}/${_id}/delete`, `${LIST}/${_id}/delete`);
  }
  await deleteAfter(LATER);
  await newArticle(tenant, { slug: "one" });
  const refused = await browser.submit(trash, `${trash}/${one._id}/restore`);
  expect(refused.status).toBe(409);
  expect(refused.text).toContain("The slug is taken.");
  const restored = await browser.submit(`${trash}/${one._id}/restore`, `${trash}/${one._id}/restore`, {
    slug: "again",
  });
  expect(restored.headers.get("Location")).toBe(`${LIST}/${one._id}?done=article-restored`);
  expect(await stored(tenant, one._id)).toMatchObject({ slug: "again", published: true });
  const path = `${trash}/${other._id}/delete`;
  expect((await browser.submit(path, path)).headers.get("Location")).toBe(`${trash}?done=article-purged`);
  expect((await browser.get(trash)).text).toContain("The trash is empty.");
});

test("it is undone from the list and from the article's page, and stays as it was", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { title: "Kept" });
  const before = await stored(tenant, article._id);
  const path = `${pathOf(article)}/delete`;
  for (const [from, to] of [
    [LIST, LIST],
    [pathOf(article), pathOf(article)],
  ] as const) {
    await browser.submit(path, path);
    const undone = await browser.submit(from, KEEP);
    const query = to === LIST ? `blog=${tenant.blogId}&` : "";
    expect(undone.headers.get("Location")).toBe(`${to}?${query}done=article-kept`);
    const page = await browser.get(`${to}?done=article-kept`);
    expect(page.text).toContain("Deletion undone.");
    expect(page.text).not.toContain("will be deleted in");
  }
  await deleteAfter(LATER);
  expect(await stored(tenant, article._id)).toEqual(before);
});

test("an article that somebody changed meanwhile is kept, and both pages say why", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { title: "Changed" });
  const path = `${pathOf(article)}/delete`;
  await browser.submit(path, path);
  await save(tenant, { _id: article._id, description: "Now with a description" });
  await deleteAfter(LATER);
  for (const place of [LIST, pathOf(article)]) {
    const { text } = await browser.get(place);
    expect(text).toContain("was not deleted</strong>: somebody changed it in the meantime.");
  }
  const noted = await browser.submit(pathOf(article), KEEP);
  expect(noted.headers.get("Location")).toBe(pathOf(article));
  expect((await browser.get(LIST)).text).not.toContain("was not deleted");
});
