/** Forms with what they cannot take: it stays as it was entered, and the field that is wrong is named. */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { audit } from "./audit.ts";
import { describeInBrowser, useBrowser } from "./tab.ts";
import { field } from "./walk.ts";

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

  it("a blog in no language", async () => {
    const page = await memberAt("/console/blogs/new");
    await field(page, /^name/i).fill("Kept & <b>whole</b>");
    await field(page, /languages/i).fill("en, not a language!");
    await submit(page, /create/i);
    expect(await field(page, /^name/i).inputValue()).toBe("Kept & <b>whole</b>");
    expect(await field(page, /languages/i).inputValue()).toBe("en, not a language!");
    await expectNamed(page, field(page, /languages/i));
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
});
