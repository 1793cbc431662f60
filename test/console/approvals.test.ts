/** The console's pages of requests for approval, and the one that undoes what a key did. */
import { expect, test } from "vitest";
import { pathOf, stored, writing } from "../helpers/console-articles.ts";
import { hiddenFields, signedIn } from "../helpers/console.ts";
import { issueKey, sendJson } from "../helpers/requests.ts";
import { newArticle, type ArticleBody } from "../helpers/tenant.ts";

test("a contributor asks, and a writer publishes what they see, not what came after", async () => {
  const { tenant, browser } = await writing();
  const { browser: contributor } = await signedIn(tenant.organizationId, "contributor");
  const article = await newArticle(tenant, { title: "One & only", content: "First text", published: false });
  const path = `${pathOf(article)}/approval`;
  expect((await contributor.get(pathOf(article))).text).toContain("Ask a writer");
  await contributor.submit(path, path, { note: "Please look" });
  expect((await contributor.get(path)).text).not.toContain("Approve and publish");

  expect((await browser.get("/console/approvals")).text).toContain("One &amp; only");
  const page = await browser.get(path);
  for (const shown of ["Please look", "First text", "Approve and publish"]) expect(page.text).toContain(shown);
  const fields = hiddenFields(page.text, `${path}/approve`);
  await sendJson(200, "/api/articles", {
    as: { apiKey: tenant.apiKey },
    body: { _id: article._id, content: "Second text" },
  });
  const late = await browser.post(`${path}/approve`, fields);
  expect(late.status).toBe(412);
  expect(late.text).toContain("Nothing was published.");
  expect(late.text).toContain("Second text");
  expect(await stored(tenant, article._id)).toMatchObject({ published: false });
  await browser.submit(path, `${path}/approve`, {});
  expect(await stored(tenant, article._id)).toMatchObject({ published: true, content: "Second text" });
});

test("what a key did is shown first, then undone", async () => {
  const { tenant, browser } = await writing();
  const as = { operatorToken: tenant.operatorToken };
  const key = await issueKey(as, ["articles:read", "articles:write"]);
  const made = await sendJson<ArticleBody>(200, "/api/articles", {
    as: { apiKey: key.secret },
    body: { blogId: tenant.blogId, title: "Made by a key" },
  });
  const path = `/console/undo?actor=${key._id}`;
  const page = await browser.get(path);
  expect(page.text).toContain("Made by a key");
  expect(page.text).toContain("goes to the trash");
  const done = await browser.submit(path, "/console/undo/run", {});
  expect(done.text).toContain("moved to the trash");
  await sendJson(404, `/api/articles/${made._id}`, { as: { apiKey: tenant.apiKey } });
});
