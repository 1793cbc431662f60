/** Blogs are deleted, restored and deleted for good on pages of the console. */
import { beforeAll, expect, it } from "vitest";
import { signedIn } from "../helpers/console.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

const LIST = "/console/blogs/deleted";

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant("Harbour");
});

it("asks before it deletes, lists what can be restored, and asks again before it is gone for good", async () => {
  const { browser } = await signedIn(tenant.organizationId);
  const own = `/console/blogs/${tenant.blogId}`;
  expect((await browser.get(own)).text).toContain(`href="${own}/delete"`);
  expect((await browser.submit(`${own}/delete`, `${own}/delete`)).headers.get("Location")).toBe(
    `${LIST}?done=blog-deleted`,
  );
  const { text } = await browser.get(LIST);
  expect(text).toContain("<strong>Harbour</strong>");
  expect((await browser.get("/console/blogs")).text).toContain(`href="${LIST}"`);
  const restored = await browser.submit(LIST, `${LIST}/${tenant.blogId}/restore`);
  expect(restored.headers.get("Location")).toBe(`${own}?done=blog-restored`);
  await browser.submit(`${own}/delete`, `${own}/delete`);
  const ask = `${LIST}/${tenant.blogId}/delete`;
  expect((await browser.submit(ask, ask)).headers.get("Location")).toBe(`${LIST}?done=blog-erased`);
  expect((await browser.get(LIST)).text).toContain("No deleted blogs.");
  const as = { operatorToken: tenant.operatorToken };
  expect(await sendJson(200, "/api/deletedblogs", { as })).toEqual([]);
});

it("is for owners and admins", async () => {
  const { browser } = await signedIn(tenant.organizationId, "writer");
  expect((await browser.get("/console/blogs")).text).not.toContain(LIST);
  expect((await browser.get(LIST)).status).toBe(403);
});
