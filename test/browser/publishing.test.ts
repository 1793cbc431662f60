/** Publishing over time, as a writer does it: contract 18.3, 18.9 and 18.14 in a real browser. */
import type { Page } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { cleanUp } from "../e2e/local-run.ts";
import { audit } from "./audit.ts";
import { describeInBrowser, useBrowser } from "./tab.ts";
import { expectHeading, field, notice, unique, walkerAt, type Walker } from "./walk.ts";

/** Of the article of this attempt. */
let title = "";

/** Writes a text into the editor and saves it; `button` names how. */
async function write({ page, look }: Walker, text: string, button: RegExp): Promise<void> {
  await field(page, /^content/i).fill(text);
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("status").first().waitFor();
  await look();
}

async function follow({ page, look }: Walker, link: string, heading: RegExp): Promise<void> {
  await page.getByRole("link", { name: link, exact: true }).click();
  await expectHeading(page, heading);
  await look();
}

/** Returns tomorrow at nine, as the field of the form takes it. */
const tomorrow = (): string => `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T09:00`;

async function walk(one: Walker, colleague: Page): Promise<void> {
  title = unique("Winter light");
  const { page, look } = one;
  await page.goto("/console/articles/new");
  await field(page, /^title/i).fill(title);
  await write(one, "The first text.", /save draft/i);
  await write(one, "The second text.", /^save$/i);
  await write(one, "The third text.", /^save$/i);

  await follow(one, "Schedule", /schedule “winter light/i);
  await page.getByLabel("Publish at", { exact: true }).fill(tomorrow());
  await page.getByRole("button", { name: "Schedule" }).click();
  await expectHeading(page, /winter light/i);
  expect(await page.getByRole("main").innerText()).toContain("It becomes public");
  await look();
  await page.getByRole("link", { name: "Calendar", exact: true }).click();
  await expectHeading(page, /calendar/i);
  await look();
  if (!(await page.getByRole("link", { name: title }).isVisible())) {
    await page.getByRole("link", { name: "Next month" }).click();
  }
  await page.getByRole("link", { name: title }).click();
  await follow(one, "Change it", /schedule “winter light/i);
  await page.getByRole("button", { name: "End the schedule" }).click();
  await expectHeading(page, /^winter light/i);
  expect(await notice(page)).toContain("not scheduled any more");

  await follow(one, "History", /winter light/i);
  await page
    .getByRole("link", { name: /^2|state 2/i })
    .first()
    .click();
  await expectHeading(page, /state 2/i);
  expect(await page.getByRole("main").innerText()).toContain("The second text.");
  await look();
  await page.getByRole("button", { name: /restore state 2/i }).click();
  await expectHeading(page, /^winter light/i);
  expect(await field(page, /^content/i).inputValue()).toBe("The second text.");

  await follow(one, "Preview links", /preview links/i);
  await page.getByRole("button", { name: "Create a link" }).click();
  const url = await page.getByLabel("Link", { exact: true }).inputValue();
  await look();
  const shown = await colleague.goto(url);
  expect([shown?.status(), shown?.headers()["cache-control"]]).toEqual([200, "no-store"]);
  expect(await colleague.getByRole("main").innerText()).toContain("The second text.");
  await page
    .getByRole("button", { name: /revoke/i })
    .first()
    .click();
  await page.getByRole("status").first().waitFor();
  expect((await colleague.goto(url))?.status()).toBe(404);
}

describeInBrowser("publishing over time", () => {
  const browser = useBrowser();
  afterAll(cleanUp);

  it("a writer schedules, thinks again, restores the second state, and shows it to a colleague", async () => {
    await walk(walkerAt(await browser.open({ signedIn: true }), audit), await browser.open({ scripts: false }));
  });
});
