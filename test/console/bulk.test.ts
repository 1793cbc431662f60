/** The console's list of articles, where many are changed at once. */
import { expect, test } from "vitest";
import { choicesOf, countOf, fieldOf, LIST, stored, writing } from "../helpers/console-articles.ts";
import { hiddenFields, unescaped, type Page } from "../helpers/console.ts";
import { sendJson } from "../helpers/requests.ts";
import { deleteAfter } from "../helpers/deletions.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { newArticle } from "../helpers/tenant.ts";

const LATER = LIMITS.undoSeconds + 1;
const BULK = `${LIST}/bulk`;

/** Returns the titles that a page lists. */
const titlesOn = ({ text }: Page): string[] => [...text.matchAll(/<li>([^<]*)<input/g)].map(([, title = ""]) => title);

test("ticked articles are published, unpublished and deleted only after a confirmation that names them", async () => {
  const { tenant, browser } = await writing();
  const one = await newArticle(tenant, { published: false, title: "One & only" });
  const two = await newArticle(tenant, { published: false, title: "Two" });
  const act = async (action: string) => {
    const ticked = await browser.submit(LIST, BULK, { articleIds: one._id, action });
    const before = await stored(tenant, one._id);
    return { ticked, before, done: await browser.post(BULK, { ...hiddenFields(ticked.text, BULK) }) };
  };
  const published = await act("publish");
  expect(published.ticked.text).toContain("Publish 1 article?");
  expect(titlesOn(published.ticked)).toEqual(["One &amp; only"]);
  expect(published.before).toMatchObject({ published: false });
  expect(published.done.text).toContain("1 article changed.");
  expect([await stored(tenant, one._id), await stored(tenant, two._id)]).toMatchObject([
    { published: true },
    { published: false },
  ]);
  const unpublished = await act("unpublish");
  expect(unpublished.before).toMatchObject({ published: true });
  expect(await stored(tenant, one._id)).toMatchObject({ published: false });
  const again = await act("unpublish");
  expect(again.done.text).toContain("No articles changed, 1 unchanged.");
  const deleted = await act("deleteLater");
  expect(deleted.before).not.toBeNull();
  expect(await countOf(tenant)).toBe(2);
  await deleteAfter(LATER);
  expect(await countOf(tenant)).toBe(1);
});

test("ticked articles get tags", async () => {
  const { tenant, browser } = await writing();
  const [one, two] = [await newArticle(tenant), await newArticle(tenant)];
  await browser.submit(LIST, BULK, { articleIds: two._id, action: "tag", tags: "Porto, Slow travel" });
  const as = { apiKey: tenant.apiKey };
  const tagged = await sendJson<unknown[]>(200, `/api/articles?blogId=${tenant.blogId}&tag=slow-travel`, { as });
  expect(tagged).toMatchObject([{ _id: two._id }]);
  const listed = await browser.get(`${LIST}?tag=porto`);
  expect(listed.text).toContain(two._id);
  expect(listed.text).not.toContain(one._id);
});

test("without a tick, an action or tags, nothing is changed, and the page says in words what is missing", async () => {
  const { tenant, browser } = await writing();
  const { _id } = await newArticle(tenant, { published: false, title: "Ticked" });
  const missing = async (fields: Record<string, string>, message: string) => {
    const answer = await browser.submit(LIST, BULK, fields);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("Nothing was changed");
    expect(answer.text).toContain(message);
    return answer;
  };
  await missing({ action: "publish" }, "Select at least one article.");
  const unticked = await missing({ action: "tag", tags: "Porto, Slow travel" }, "Select at least one article.");
  const back = /href="([^"]*)">Back to articles/.exec(unticked.text)?.[1] ?? "";
  const list = await browser.get(unescaped(back));
  expect([fieldOf(list, "tags"), choicesOf(list, "action")]).toEqual([
    "Porto, Slow travel",
    ["", "publish", "unpublish", "tag*", "schedule", "deleteLater"],
  ]);
  await missing({ articleIds: _id, action: "tag", tags: " , " }, "Enter the tags to add");
  await missing({ articleIds: _id, action: "explode" }, "Choose what to do");
  await missing({ articleIds: _id, action: "tag", tags: "x".repeat(300) }, "Tags: ");
  // This is what the Enter key in the field of the tags sends.
  const answer = await missing({ articleIds: _id, action: "", tags: "Porto" }, "Choose what to do");
  expect(titlesOn(answer)).toEqual(["Ticked"]);
  expect(fieldOf(answer, "tags")).toBe("Porto");
  expect(await stored(tenant, _id)).toMatchObject({ published: false });
});
