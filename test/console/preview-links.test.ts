/** Links to previews in the console. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { signedIn, type Browser } from "../helpers/console.ts";
import { send } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let browser: Browser;
beforeAll(async () => {
  tenant = await newTenant();
  ({ browser } = await signedIn(tenant.organizationId, "writer"));
});

describe("links to previews", () => {
  it("are made on a page of the article, shown once, listed with their end, and revoked", async () => {
    const { _id } = await newArticle(tenant, { published: false, title: "To be shown" });
    const article = `/console/articles/${_id}`;
    const path = `${article}/previews`;
    expect((await browser.get(article)).text).toContain(`href="${path}"`);
    const made = await browser.submit(path, path, { expiresInSeconds: "86400" });
    const [, token = ""] = /\/previews\/(epv_\w+)/.exec(made.text) ?? [];
    const shown = await send(`/previews/${token}`);
    expect(await shown.text()).toContain("To be shown");
    const listed = await browser.get(path);
    expect(listed.text).not.toContain(token);
    expect(listed.text).toMatch(/<td[^>]*>You</);
    const [revoke = ""] = /\/console\/articles\/[^"]+\/revoke/.exec(listed.text) ?? [];
    const revoked = await browser.submit(path, revoke);
    expect(revoked.headers.get("Location")).toBe(`${path}?done=preview-revoked`);
    expect((await send(`/previews/${token}`)).status).toBe(404);
    expect((await browser.get(path)).text).not.toContain("/revoke");
  });

  it("are said to show the working copy, and who made them is named to those who may know", async () => {
    const { _id } = await newArticle(tenant);
    const path = `/console/articles/${_id}/previews`;
    const writer = await signedIn(tenant.organizationId, "writer");
    await env.DB.prepare("update users set name = 'Ada Lovelace' where id = ?").bind(writer.userId).run();
    await writer.browser.submit(path, path, { expiresInSeconds: "3600" });
    expect((await browser.get(path)).text).toMatch(/<td[^>]*>A member</);
    const owner = await signedIn(tenant.organizationId, "owner");
    const { text } = await owner.browser.get(path);
    expect(text).toMatch(/<td[^>]*>Ada Lovelace</);
    expect(text).toContain(`<a href="/console/articles/${_id}">unpublished changes</a>`);
  });
});
