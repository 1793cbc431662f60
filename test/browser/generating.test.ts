/** Having an article written: what the page says meanwhile. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { audit } from "./audit.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { expectHeading, field } from "./walk.ts";

const button = (page: Page, name: RegExp) => page.getByRole("main").getByRole("button", { name });

describeInBrowser("generating an article", () => {
  const browser = useBrowser();

  it("says that it is under way, and is not asked for twice", async () => {
    const page = await browser.open({ signedIn: true });
    await page.goto(`/console/articles/generate?blog=${service().blogId}`);
    // Until then the page's script has not run.
    await page.waitForLoadState();
    await field(page, /^topic/i).fill("The partial eclipse of Saturday");
    const held = Promise.withResolvers<void>();
    await page.route("**/console/articles/generate", async (route) => {
      await held.promise;
      await route.continue();
    });
    const write = button(page, /generate article/i);
    // Registered after the page's own listener, and before the press. Playwright would wait for what is under way if it asked.
    const told = Promise.withResolvers<unknown>();
    await page.exposeFunction("tell", told.resolve);
    await write.evaluate((element) => {
      const { form, nextElementSibling: status } = element as HTMLButtonElement;
      const { tell } = globalThis as unknown as { tell: (said: unknown) => void };
      form?.addEventListener("submit", () =>
        tell([element.matches(":disabled"), status?.getAttribute("role"), status?.textContent]),
      );
    });
    await write.click({ noWaitAfter: true });
    expect(await told.promise).toEqual([true, "status", "Starting…"]);
    held.resolve();
    // The page of the generation reloads by itself until the article is there.
    await expectHeading(page, /article generated/i);
    await audit(page);
    await page.getByRole("link", { name: /review draft/i }).waitFor();
    await page.goBack();
    await expect.poll(() => write.isDisabled()).toBe(false);
  });
});
