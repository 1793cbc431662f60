/** A reader subscribes to a blog, confirms it, is a contact in the console, and leaves: without scripts, by keyboard. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { audit, auditWhole } from "./audit.ts";
import { describeInBrowser, service, sharedBrowser, useBrowser } from "./tab.ts";
import { unique } from "./walk.ts";

/** Returns the link in the mail to an address with this subject, which the local run shows. */
async function mailed(page: Page, address: string, subject: string): Promise<string> {
  const mail = page.getByRole("article").filter({ hasText: address }).filter({ hasText: subject });
  while ((await mail.count()) === 0) await page.goto("/console/mail");
  return (await mail.getByRole("link").first().getAttribute("href")) ?? "";
}

describeInBrowser("a subscription", () => {
  const browser = useBrowser();

  it("from the form to the last mail", async () => {
    const address = `${unique("reader")}@example.com`;
    const reader = await browser.open({ scripts: false, rich: true });
    const owner = await browser.open({ signedIn: true });
    // The policy of these pages allows no script at all, not even the one that chooses an editor; an audit has to pass it by.
    const watched = await (await sharedBrowser()).newPage({ baseURL: service().baseUrl, bypassCSP: true });
    await owner.goto("/console/contacts");
    const blogId = await owner.locator('input[name="blogId"]').first().getAttribute("value");

    await watched.goto(`/blogs/${blogId}/subscribe`);
    await auditWhole(watched);
    await reader.goto(`/blogs/${blogId}/subscribe`);
    await reader.getByRole("textbox", { name: /email/i }).fill(address);
    await reader.keyboard.press("Enter");
    await reader.getByText("Check your email").waitFor();

    const link = await mailed(owner, address, "Confirm your subscription");
    await watched.goto(link);
    await auditWhole(watched);
    await reader.goto(link);
    await reader.getByRole("button", { name: "Confirm" }).press("Enter");
    await reader.getByText(`${address} is subscribed`).waitFor();

    await owner.goto(`/console/contacts?blog=${blogId}&email=${encodeURIComponent(address)}`);
    const row = owner.getByRole("row", { name: new RegExp(address) });
    expect(await row.locator("time").count()).toBe(2);
    await audit(owner);

    const leave = await mailed(owner, address, "You are subscribed");
    await watched.goto(leave);
    await auditWhole(watched);
    await reader.goto(leave);
    await reader.getByRole("button", { name: "Unsubscribe" }).press("Enter");
    await reader.getByText(`${address} will get no more emails`).waitFor();
    await owner.goto(`/console/contacts?blog=${blogId}&email=${encodeURIComponent(address)}`);
    expect(await row.innerText()).toContain("Unsubscribed");

    await row.getByRole("link", { name: /erase/i }).click();
    await audit(owner);
    await owner.getByRole("button", { name: "Erase contact" }).click();
    await owner.goto(`/console/contacts?blog=${blogId}&email=${encodeURIComponent(address)}`);
    expect(await owner.getByRole("main").innerText()).toContain("has no contact with this email address");
    expect((await fetch(new URL(leave, service().baseUrl))).status).toBe(404);
    await watched.close();
  });
});
