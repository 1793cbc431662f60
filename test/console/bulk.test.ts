/** The console's list of articles, where many are changed at once. */
import { expect, test } from "vitest";
import { countOf, LIST, stored, writing } from "../helpers/console-articles.ts";
import { signedIn } from "../helpers/console.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle } from "../helpers/tenant.ts";

const BULK = `${LIST}/bulk`;

test("those that are ticked are published, tagged and deleted, after a confirmation", async () => {
  const { tenant, browser } = await writing();
  const [one, two] = [await newArticle(tenant, { published: false }), await newArticle(tenant, { published: false })];
  const page = await browser.get(LIST);
  expect(page.text).toContain(`name="articleIds" value="${one._id}"`);
  const published = await browser.submit(LIST, BULK, { articleIds: one._id, action: "publish" });
  expect(published.text).toContain("1 changed, 0 were so already, 0 refused.");
  expect([await stored(tenant, one._id), await stored(tenant, two._id)]).toMatchObject([
    { published: true },
    { published: false },
  ]);
  await browser.submit(LIST, BULK, { articleIds: two._id, action: "tag", tags: "Porto, Slow travel" });
  const as = { apiKey: tenant.apiKey };
  const tagged = await sendJson<unknown[]>(200, `/api/articles?blogId=${tenant.blogId}&tag=slow-travel`, { as });
  expect(tagged).toMatchObject([{ _id: two._id }]);
  expect((await browser.get(`${LIST}?tag=porto`)).text).toContain(two._id);
  expect((await browser.get(`${LIST}?tag=porto`)).text).not.toContain(one._id);
  const asked = await browser.submit(LIST, BULK, { articleIds: one._id, action: "delete" });
  expect(asked.text).toContain("Delete 1 articles?");
  expect(await countOf(tenant)).toBe(2);
  const sure = { articleIds: one._id, action: "delete", sure: "yes" };
  expect((await browser.submit(LIST, BULK, sure)).text).toContain("1 changed");
  expect(await countOf(tenant)).toBe(1);
  const gone = await browser.submit(LIST, BULK, sure);
  expect(gone.text).toContain("0 changed, 0 were so already, 1 refused.");
});

test("without a tick, an action or tags, nothing is changed", async () => {
  const { tenant, browser } = await writing();
  const { _id } = await newArticle(tenant, { published: false });
  const wrong = [
    { action: "publish" },
    { articleIds: _id, action: "tag", tags: " , " },
    { articleIds: _id, action: "explode" },
  ];
  for (const fields of wrong) {
    const answer = await browser.submit(LIST, BULK, fields);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("Nothing was changed");
  }
  expect(await stored(tenant, _id)).toMatchObject({ published: false });
});

test("readers see no boxes, and change nothing", async () => {
  const { tenant } = await writing();
  const { _id } = await newArticle(tenant, { published: false });
  const { browser } = await signedIn(tenant.organizationId, "reader");
  expect((await browser.get(LIST)).text).not.toContain("articleIds");
  expect((await browser.post(BULK, { articleIds: _id, action: "publish" })).status).toBeGreaterThanOrEqual(403);
  expect(await stored(tenant, _id)).toMatchObject({ published: false });
});
