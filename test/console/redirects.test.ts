/** The console's page of a blog's redirects. */
import { expect, test } from "vitest";
import { hiddenFields, sendFile, signedIn } from "../helpers/console.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";

async function owning() {
  const tenant = await newTenant();
  return { tenant, browser: (await signedIn(tenant.organizationId)).browser };
}

test("redirects are added, found and removed, without a script", async () => {
  const { tenant, browser } = await owning();
  const path = `/console/blogs/${tenant.blogId}/redirects`;
  const { _id, slug } = await newArticle(tenant, { slug: "a-new-name" });
  expect((await browser.get(`/console/blogs/${tenant.blogId}`)).text).toContain(`href="${path}"`);
  const wrong = await browser.submit(path, `${path}/new`, { from: "old", to: "//evil.example" });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain("must be a path of the site");
  const added = await browser.submit(path, `${path}/new`, { from: "/old/", to: `/en/${slug}` });
  expect(added.headers.get("Location")).toBe(`${path}?done=redirect-added`);
  await browser.submit(path, `${path}/new`, { from: "/other", to: "https://elsewhere.example/" });
  expect(
    (await browser.submit(path, `${path}/new`, { from: `/en/${slug}`, to: "/archive" })).headers.get("Location"),
  ).toContain("overridden");
  const found = await browser.get(`${path}?query=OLD`);
  expect(found.text).toContain(`<a href="/console/articles/${_id}">${slug}</a>`);
  expect(found.text).not.toContain("elsewhere");
  const [, remove = ""] = /action="([^"]+\/remove)"/.exec(found.text) ?? [];
  expect((await browser.submit(`${path}?query=old`, remove)).status).toBe(303);
  expect((await browser.get(`${path}?query=old`)).text).toContain("No redirects with this text");
});

test("a CSV file is imported, and each line that is refused is named", async () => {
  const { tenant, browser } = await owning();
  const path = `/console/blogs/${tenant.blogId}/redirects`;
  const hidden = hiddenFields((await browser.get(path)).text, `${path}/import`);
  const send = (text: string) => sendFile(browser, `${path}/import`, hidden, new TextEncoder().encode(text));
  const answer = await send('\ufefffrom;to\r\n/one/;/archive\r\n\r\n"/two";"javascript:alert(1)"\r\n/three;/three\r\n');
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(text).toContain("1 added to");
  expect(text).toMatch(/>4<[\s\S]*\/two[\s\S]*must be a path of the site[\s\S]*>5<[\s\S]*\/three/);
  const unreadable = await send('/a,/b\n"/c,/d\n');
  expect(unreadable.status).toBe(400);
  expect(await unreadable.text()).toContain("Line 2: a quotation mark has no end");
});
