/** The palette, times in the reader's own zone, what was deleted or revoked, and what is missing. */
import { expect, it } from "vitest";
import { audit } from "./audit.ts";
import { describeInBrowser, useBrowser } from "./tab.ts";
import { expectHeading } from "./walk.ts";

describeInBrowser("finding one's way", () => {
  const browser = useBrowser();

  it("the palette opens by the keyboard, leads to what is chosen, and gives the focus back, also without storage", async () => {
    const page = await browser.open({ signedIn: true, rich: true });
    const forbidden = await page.addInitScript(() => {
      const get = () => {
        throw new DOMException("Storage is forbidden", "SecurityError");
      };
      Object.defineProperty(globalThis, "localStorage", { get });
    });
    // A part that can be hidden, as the first steps of an organization can.
    await page.route("**/console/blogs", async (route) => {
      const response = await route.fetch();
      const part = "<section data-hideable=part><button data-hide hidden>Hide these</button></section></main>";
      await route.fulfill({ response, body: (await response.text()).replace("</main>", part) });
    });
    await page.goto("/console/blogs");
    const hide = page.getByRole("button", { name: "Hide these" });
    await hide.click();
    expect(await hide.isVisible()).toBe(false);
    const opener = page.getByRole("link", { name: /^search/i });
    await opener.focus();
    await page.keyboard.press("Control+k");
    const input = page.getByRole("combobox", { name: /^go to/i });
    await input.waitFor();
    await page.getByRole("option").first().waitFor();
    await audit(page);
    await page.keyboard.press("Escape");
    await input.waitFor({ state: "hidden" });
    expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("Control+k");
    await input.fill("audit");
    await page.getByRole("option", { name: /audit log/i }).waitFor();
    await page.getByText("1 result").waitFor();
    const active = await input.getAttribute("aria-activedescendant");
    expect(await page.locator(`#${active}`).getAttribute("aria-selected")).toBe("true");
    // Enter before the answer means what was typed, not what is still shown.
    await input.fill("webhooks");
    await page.keyboard.press("Enter");
    await expectHeading(page, /^webhooks$/i);
    await forbidden.dispose();
  });

  it("without scripts, the same link leads to a page that searches", async () => {
    const page = await browser.open({ signedIn: true, scripts: false });
    await page.goto("/console");
    await page.getByRole("link", { name: /^search/i }).click();
    await expectHeading(page, /^search$/i);
    await page.getByRole("searchbox").fill("webhooks");
    await page.keyboard.press("Enter");
    await page.getByRole("main").getByRole("link", { name: "Webhooks", exact: true }).click();
    await expectHeading(page, /^webhooks$/i);
  });

  it("times are in the reader's zone, with the exact one as title; without scripts they are UTC", async () => {
    const page = await browser.open({ signedIn: true });
    await page.goto("/console/audit");
    const time = page.locator("td time").first();
    expect(await time.getAttribute("title")).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC$/);
    const expected = await time.evaluate((element: HTMLTimeElement) =>
      new Intl.DateTimeFormat(navigator.language, { dateStyle: "medium", timeStyle: "short" }).format(
        new Date(element.dateTime),
      ),
    );
    expect(await time.textContent()).toBe(expected);
    expect(await page.getByText("Times are in UTC.").isVisible()).toBe(false);
    const plain = await browser.open({ signedIn: true, scripts: false });
    await plain.goto("/console/audit");
    expect(await plain.locator("td time").first().textContent()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
    expect(await plain.getByText("Times are in UTC.").isVisible()).toBe(true);
  });
});
