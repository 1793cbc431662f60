/** The search for articles to link to, which the editor's script asks for. */
import { expect, test } from "vitest";
import { save, writing } from "../helpers/console-articles.ts";
import { type Browser } from "../helpers/console.ts";
import { sendJson } from "../helpers/requests.ts";

type Found = { readonly title: string; readonly address: string; readonly locale: string; readonly published: boolean };

const search = async (browser: Browser, words: string, blog = ""): Promise<Found[]> => {
  const { status, text } = await browser.get(
    `/console/articles/links?${new URLSearchParams({ q: words, blog }).toString()}`,
  );
  if (status !== 200) throw new Error(`${status} ${text}`);
  return JSON.parse(text) as Found[];
};

test("a writer finds articles of the blog, drafts too, by their words", async () => {
  const { tenant, browser } = await writing();
  const { blogId, operatorToken } = tenant;
  const other = await sendJson<{ _id: string }>(200, "/api/blogs", { as: { operatorToken }, body: { name: "Other" } });
  await save(tenant, { blogId, title: "The ferry", slug: "ferry", published: true });
  await save(tenant, { blogId, title: " ", slug: "untitled", content: "Another ferry" });
  await save(tenant, { blogId: other._id, title: "A ferry elsewhere", slug: "elsewhere" });
  expect(await search(browser, "ferr", blogId)).toEqual([
    { title: "The ferry", address: "/ferry", locale: "en", published: true },
    { title: "Untitled", address: "/untitled", locale: "en", published: false },
  ]);
  expect(await search(browser, "ferry")).toHaveLength(3);
});
