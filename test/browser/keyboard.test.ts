/** The console with the keyboard alone. */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { expectHeading, field, notice } from "./walk.ts";

/** Stops that a page may have before what one looks for. */
const MOST_STOPS = 60;

/** Presses Tab until something has the focus; every stop on the way has to be seen. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus-visible");
    // A page that still loads takes the key a little later, or loses it.
    let again = Date.now() + 5000;
    const hasFocus = async () => {
      if (Date.now() > again) {
        again = Date.now() + 5000;
        await page.keyboard.press("Tab");
      }
      return focused.count();
    };
    await expect.poll(hasFocus, { message: `stop ${stop} of ${page.url()}` }).toBe(1);
    expect(await isSeen(focused), `stop ${stop} of ${page.url()}`).toBe(true);
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`${wanted.toString()} is not reached with the Tab key`);
}

/** Whether the focus shows: something on the screen, with an outline. */
const isSeen = (focused: Locator): Promise<boolean> =>
  focused.evaluate((element) => {
    const { width, height, bottom, right } = element.getBoundingClientRect();
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return width > 1 && height > 1 && bottom > 0 && right > 0 && outlineStyle !== "none" && outlineWidth !== "0px";
  });

const link = (page: Page, name: RegExp) => page.getByRole("link", { name });

describeInBrowser("with the keyboard alone", () => {
  const browser = useBrowser();

  it("one signs in, skips the navigation and creates a blog", async () => {
    const page = await browser.open();
    const { email, password } = service();
    await page.goto("/console/sign-in");
    await tabTo(page, field(page, /email/i));
    await page.keyboard.type(email);
    await tabTo(page, page.getByLabel(/^password$/i));
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
    await expectHeading(page, /overview/i);

    // The first stop of a page leads past its navigation.
    await page.keyboard.press("Tab");
    const skip = link(page, /skip/i);
    expect(await skip.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await isSeen(skip)).toBe(true);
    await page.keyboard.press("Enter");
    // While a page loads, the place that its address names gets the focus later.
    const hasFocus = () => page.getByRole("main").evaluate((element) => element === document.activeElement);
    await expect.poll(hasFocus).toBe(true);
    await page.keyboard.press("Tab");
    expect(await page.getByRole("main").locator(":focus").count()).toBe(1);

    await page.goto("/console");
    await tabTo(page, page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Blogs" }));
    await page.keyboard.press("Enter");
    await expectHeading(page, /blogs/i);
    await tabTo(page, link(page, /new blog/i));
    await page.keyboard.press("Enter");
    await expectHeading(page, /new blog/i);
    await tabTo(page, field(page, /^name/i));
    await page.keyboard.type("By keyboard");
    await page.keyboard.press("Enter");
    await expectHeading(page, /articles/i);
    expect(await notice(page)).toMatch(/created/i);
  });
});
