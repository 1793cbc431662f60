/** Forms with what they cannot take: it stays as it was entered, and the field that is wrong is named. */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import * as z from "zod";
import { audit } from "./audit.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { api, field, notice } from "./walk.ts";

/** Sends a form past the browser's own checks, as an older browser would. */
async function submit(page: Page, button: RegExp): Promise<void> {
  await page
    .locator("form")
    .evaluateAll((forms) => forms.forEach((form) => ((form as HTMLFormElement).noValidate = true)));
  await page.getByRole("main").getByRole("button", { name: button }).click();
  await page.waitForLoadState();
}

/** The page says that something is wrong, and this field by how it looks, by its description and to assistive technology. */
async function expectNamed(page: Page, wrong: Locator): Promise<void> {
  const alert = page.getByRole("alert");
  expect(await alert.innerText()).not.toBe("");
  expect(await alert.evaluate((each) => each === document.activeElement)).toBe(true);
  expect(await wrong.getAttribute("aria-invalid")).toBe("true");
  const described = (await wrong.getAttribute("aria-describedby")) ?? "";
  const texts = described.split(" ").map((id) => page.locator(`[id="${id}"].error`));
  const errors = await Promise.all(texts.map(async (each) => ((await each.count()) > 0 ? each.innerText() : "")));
  expect(errors.join("")).not.toBe("");
}

describeInBrowser("a form that is refused", () => {
  const browser = useBrowser();

  async function memberAt(path: string): Promise<Page> {
    const page = await browser.open({ signedIn: true });
    await page.goto(path);
    return page;
  }

  it("signing up with no address", async () => {
    const page = await browser.open();
    await page.goto("/console/sign-up");
    await field(page, /email/i).fill("no address");
    await submit(page, /continue/i);
    expect(await field(page, /email/i).inputValue()).toBe("no address");
    await expectNamed(page, field(page, /email/i));
    await audit(page);
  });

  it("signing in with a wrong password: keeps the address, not the password", async () => {
    const page = await browser.open();
    await page.goto("/console/sign-in");
    await field(page, /email/i).fill("nobody@example.com");
    await page.getByLabel(/^password$/i).fill("a wrong password");
    await submit(page, /sign in/i);
    expect(await page.getByRole("alert").innerText()).toMatch(/incorrect/i);
    expect(await field(page, /email/i).inputValue()).toBe("nobody@example.com");
    expect(await page.getByLabel(/^password$/i).inputValue()).toBe("");
  });

  it("a blog in no language", async () => {
    const page = await memberAt("/console/blogs/new");
    await field(page, /^name/i).fill("Kept & <b>whole</b>");
    await field(page, /languages/i).fill("en, not a language!");
    await submit(page, /create/i);
    expect(await field(page, /^name/i).inputValue()).toBe("Kept & <b>whole</b>");
    expect(await field(page, /languages/i).inputValue()).toBe("en, not a language!");
    await expectNamed(page, field(page, /languages/i));
  });

  it("an article whose slug is taken", async () => {
    const page = await memberAt("/console/articles/new");
    const { blogId, apiKey } = service();
    await api("/api/articles", { key: apiKey, body: { blogId, title: "Taken", slug: "taken", locale: "en" } });
    await page.getByLabel(/^blog$/i).selectOption(blogId);
    await field(page, /^title/i).fill("Kept");
    await field(page, /^content/i).fill("\n  Lines\n\nare kept.\n");
    await field(page, /^slug/i).fill("taken");
    await field(page, /^language/i).fill("en");
    await submit(page, /save draft/i);
    expect(await field(page, /^title/i).inputValue()).toBe("Kept");
    expect(await field(page, /^content/i).inputValue()).toBe("\n  Lines\n\nare kept.\n");
    expect(await page.getByLabel(/^blog$/i).inputValue()).toBe(blogId);
    await expectNamed(page, field(page, /^slug/i));
  });

  it("an article that somebody else saved in between", async () => {
    const { blogId, apiKey } = service();
    const created = await api("/api/articles", { key: apiKey, body: { blogId, title: "Both", content: "First." } });
    const { _id } = z.object({ _id: z.string() }).parse(await created.json());
    const page = await browser.open({ signedIn: true, mayFail: /autosave\.js|ERR_FAILED/ });
    // This script merges it, or asks.
    await page.route("**/console/autosave.js", (route) => route.abort());
    await page.goto(`/console/articles/${_id}`);
    await api("/api/articles", { key: apiKey, body: { _id, content: "Theirs." } });
    await field(page, /^content/i).fill("Mine.");
    await submit(page, /^save$/i);
    expect(await page.getByRole("alert").innerText()).not.toBe("");
    expect(await field(page, /^content/i).inputValue()).toBe("Mine.");
    expect(await (await api(`/api/articles/${_id}`, { key: apiKey })).json()).toMatchObject({ content: "Theirs." });
    await audit(page);
    await submit(page, /overwrite/i);
    expect(await notice(page)).toMatch(/saved/i);
    expect(await field(page, /^content/i).inputValue()).toBe("Mine.");
  });

  it("a webhook that would reach inside", async () => {
    const page = await memberAt("/console/webhooks/new");
    await field(page, /^url/i).fill("https://192.168.0.1/hook");
    await page.getByRole("checkbox", { name: /article\.deleted/ }).check();
    await submit(page, /create/i);
    expect(await field(page, /^url/i).inputValue()).toBe("https://192.168.0.1/hook");
    expect(await page.getByRole("checkbox", { name: /article\.deleted/ }).isChecked()).toBe(true);
    await expectNamed(page, field(page, /^url/i));
    await audit(page);
  });

  it("a key without a name", async () => {
    const page = await memberAt("/console/keys/new");
    await page.getByRole("checkbox", { name: /contacts:write/ }).check();
    await submit(page, /create/i);
    expect(await page.getByRole("checkbox", { name: /contacts:write/ }).isChecked()).toBe(true);
    expect(await page.getByRole("checkbox", { name: /topics:write/ }).isChecked()).toBe(false);
    await expectNamed(page, field(page, /^name/i));
  });

  it("an invitation to no address", async () => {
    const page = await memberAt("/console/members");
    const form = page.getByRole("region", { name: /invite/i });
    await field(form, /email/i).fill("grace at example.com");
    await form.getByLabel("Role").selectOption("reader");
    await submit(page, /invitation/i);
    expect(await form.getByLabel("Role").inputValue()).toBe("reader");
    await expectNamed(page, field(form, /email/i));
  });

  it("a new password with a wrong one", async () => {
    const page = await memberAt("/console/account");
    await page.getByLabel(/current password/i).fill("not mine");
    await page.getByLabel(/new password/i).fill("a good long one");
    await submit(page, /change password/i);
    await expectNamed(page, page.getByLabel(/current password/i));
  });
});
