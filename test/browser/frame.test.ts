/** What frames the pages: the navigation on small screens, and bars that cover nothing. */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { sample } from "../helpers/sample.ts";
import { DESKTOP, describeInBrowser, useBrowser } from "./tab.ts";
import { expectHeading, joinDemo } from "./walk.ts";

const PHONE = { width: 390, height: 740 };
/** The most that one row may take, in CSS pixels. */
const ROW = 64;

/** Scrolls to an element as the browser does for the focus, and tells whether something else lies over its middle. */
async function isCovered(wanted: Locator): Promise<boolean> {
  await wanted.focus();
  return wanted.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    return there !== element && !element.contains(there);
  });
}

/** Opens the editor of an article of the demo that has translations. */
async function openEditor(page: Page): Promise<void> {
  // By its words: the list begins with what other files publish meanwhile.
  await page.goto("/console/articles?state=published&q=arriving+ferry");
  await page.getByRole("table").getByRole("link", { name: "Arriving by ferry", exact: true }).click();
  await page.getByRole("button", { name: "Preview" }).waitFor();
}

describeInBrowser("the frame", () => {
  const browser = useBrowser();

  it.each(sample([true, false], 0, 1))(
    "takes one row on a phone, and its menus open (scripts: %s)",
    async (scripts) => {
      const page = await browser.open({ signedIn: true, scripts });
      await page.setViewportSize(PHONE);
      await page.goto("/console");
      expect((await page.getByRole("banner").boundingBox())?.height).toBeLessThan(ROW);
      const navigation = page.getByRole("navigation", { name: "Console" });
      expect(await navigation.isVisible()).toBe(false);
      await page.getByRole("button", { name: "Menu" }).click();
      await navigation.getByRole("link", { name: "API keys" }).click();
      await expectHeading(page, /keys/i);
      expect(await navigation.isVisible()).toBe(false);
      await page.getByRole("button", { name: /^Account: / }).click();
      expect(await page.getByRole("button", { name: "Sign out" }).isVisible()).toBe(true);
      await page.keyboard.press("Escape");
      expect(await page.getByRole("button", { name: "Sign out" }).isVisible()).toBe(false);
    },
  );

  it("shows the navigation beside the content on a wide screen, with a way to the documentation", async () => {
    const page = await browser.open({ signedIn: true });
    await page.goto("/console/keys");
    const navigation = page.getByRole("navigation", { name: "Console" });
    expect(await navigation.getByRole("link", { name: "API keys" }).getAttribute("aria-current")).toBe("page");
    expect(await navigation.getByRole("link", { name: "Documentation" }).getAttribute("href")).toBe("/docs");
    expect(await page.getByRole("button", { name: "Menu" }).isVisible()).toBe(false);
  });

  it.each(sample([PHONE, DESKTOP], 0, 1))(
    "has a bar of buttons in the editor that covers no field at $width px",
    async (size) => {
      const page = await browser.open({ signedIn: true });
      await page.setViewportSize(size);
      await openEditor(page);
      // All but the text, which is higher than the screen.
      const fields = page.getByRole("main").locator(".editor :is(input, select, textarea:not(#content), a)");
      let seen = 0;
      for (const each of await fields.all()) {
        if (!(await each.isVisible())) continue;
        expect(await isCovered(each), await each.evaluate((element) => element.outerHTML)).toBe(false);
        seen += 1;
      }
      expect(seen).toBeGreaterThan(6);
      const translation = page.getByRole("region", { name: "Translations" }).getByRole("link").last();
      expect(await isCovered(translation)).toBe(false);
    },
  );

  it("cuts off no link and no button of the editor, on screens of each width", async () => {
    const page = await browser.open({ signedIn: true });
    await openEditor(page);
    for (const size of [DESKTOP, { width: 1024, height: 768 }, PHONE]) {
      await page.setViewportSize(size);
      const rows = await page.locator("main :is(.tabs, .actions.bottom)").all();
      expect(rows).toHaveLength(2);
      for (const row of rows) {
        const hidden = await row.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
        expect(hidden, `${await row.getAttribute("class")} at ${size.width} px`).toBe(0);
      }
    }
  });

  it("shows every column of the lists of keys and sessions on a wide screen", async () => {
    const page = await browser.open({ signedIn: true });
    for (const path of ["/console/keys", "/console/account"]) {
      await page.goto(path);
      await page.waitForLoadState();
      const hidden = await page
        .getByRole("table")
        .evaluateAll((all) => all.map(({ parentElement: box }) => (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0)));
      expect(Math.max(...hidden), path).toBe(0);
    }
  });

  it("keeps every column of a table on a phone, each cell with its heading", async () => {
    const page = await browser.open({ signedIn: true });
    await page.setViewportSize(PHONE);
    await page.goto("/console/audit");
    const cells = page.getByRole("row").nth(1).getByRole("cell");
    const labels = await cells.evaluateAll((all) => all.map((cell) => getComputedStyle(cell, "::before").content));
    expect(labels.length).toBeGreaterThan(2);
    // The last cell unfolds its details, and says so itself.
    for (const label of labels.slice(0, -1)) expect(label).toMatch(/^"\w+/);
    for (const cell of await cells.all()) {
      const box = await cell.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
    }
    // The narrowest that WCAG asks for, which is also a wide screen at 400 %.
    await page.setViewportSize({ width: 320, height: 740 });
    await page.goto("/console/webhooks");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });

  it("breaks a name that is wider than a phone, also on a button", async () => {
    const page = await browser.open();
    await page.setViewportSize(PHONE);
    await joinDemo(page);
    await page.goto("/console/organizations");
    const name = `The friends of the ${"W".repeat(60)} and of its neighbours`;
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByRole("button", { name: "Create" }).click();
    await expectHeading(page, /overview/i);
    await page.goto("/console/organizations");
    await page.getByRole("link", { name: /leave/i }).last().click();
    await page.getByRole("button", { name: /^leave/i }).waitFor();
    // With all of its styles.
    await page.waitForLoadState();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  });
});
