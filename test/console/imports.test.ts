/** The console's page of imports: a file is uploaded, imported and undone without scripts (contract 22.1, contract 22.4). */
import { expect, it } from "vitest";
import { hiddenFields, sendFile, signedIn } from "../helpers/console.ts";
import { ghostOf, settled, uploadImport } from "../helpers/importing.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant, type ArticleBody } from "../helpers/tenant.ts";

const UPLOAD = "/console/imports/upload";

it("a file is uploaded while it arrives, checked, imported and undone", async () => {
  const tenant = await newTenant();
  const { browser } = await signedIn(tenant.organizationId);
  const hidden = hiddenFields((await browser.get(`/console/imports?blog=${tenant.blogId}`)).text, UPLOAD);
  const fields = { ...hidden, publication: "drafts", siteUrl: "", locale: "" };
  const none = await sendFile(browser, UPLOAD, fields, null);
  expect(none.status).toBe(400);
  expect(await none.text()).toContain("Upload a file");
  const file = ghostOf([{ id: "1", title: "First", slug: "first", html: `<p>${"long ".repeat(50_000)}</p>` }]);
  const sent = await sendFile(browser, UPLOAD, fields, file);
  expect(sent.status).toBe(303);
  const page = (sent.headers.get("Location") ?? "").replace(/\?.*/, "");
  const id = page.split("/").at(-1) ?? "";
  const checked = await settled(tenant, id, "checked");
  expect(checked).toMatchObject({ fileName: "fish.jpg", bytes: file.length });
  expect((await browser.get(page)).text).toContain("1 article can be imported");
  expect((await browser.submit(page, `${page}/start`)).status).toBe(303);
  await settled(tenant, id, "done");
  const done = await browser.get(page);
  expect(done.text).toContain("1 article and no images imported");
  expect(done.text).toMatch(/<a href="\/console\/articles\/[^"]+">First<\/a>/);
  expect(done.headers.get("Refresh")).toBeNull();
  // Undoing says what it deletes before it does.
  expect((await browser.get(`${page}/undo`)).text).toContain("deletes the 1 article of the import");
  expect((await browser.get(page)).text).not.toContain(`action="${page}/undo"`);
  expect((await browser.submit(`${page}/undo`, `${page}/undo`)).status).toBe(303);
  expect(await settled(tenant, id, "undone")).toMatchObject({ position: 1, total: 1 });
  expect((await browser.get(page)).text).toContain("1 article deleted, 0 kept");
  expect((await browser.submit(page, `${page}/delete`)).status).toBe(303);
  expect((await browser.get(page)).status).toBe(404);
});

it("a report names what a choice of the form would change, and what is left out (contract 22.2)", async () => {
  const tenant = await newTenant();
  const { browser } = await signedIn(tenant.organizationId);
  const post = {
    title: "First",
    slug: "first",
    html: '<img src="__GHOST_URL__/a.png"><p>{{ left }}</p>',
    status: "draft",
  };
  const page = { id: "2", title: "About", slug: "about", html: "<p>Us</p>", type: "page", status: "published" };
  const { _id } = await uploadImport(tenant, ghostOf([{ id: "1", ...post }, page]));
  await settled(tenant, _id, "checked");
  const { text } = await browser.get(`/console/imports/${tenant.blogId}/${_id}`);
  expect(text).toContain("Pages left out (see “Pages” when you upload the file): 1");
  expect(text).toContain("page 2 (About)");
  expect(text).toContain("the address of the old site is not given (see “Address of the old site”");
  await sendJson(200, `/api/blogs/${tenant.blogId}/imports/${_id}/start`, {
    as: { apiKey: tenant.apiKey },
    method: "POST",
  });
  await settled(tenant, _id, "done");
  const [article] = await sendJson<ArticleBody[]>(200, `/api/articles?blogId=${tenant.blogId}`, {
    as: { apiKey: tenant.apiKey },
  });
  const publish = await browser.get(`/console/articles/${article?._id}/publish`);
  expect(publish.text).toContain("as text: <code>{{ left }}</code>");
});
