/** From a feed to a draft: sources, ideas and generation, once without scripts and once with them. */
import type { Page } from "playwright-core";
import { expect, inject, it } from "vitest";
import { auditOfKinds } from "./audit.ts";
import { describeInBrowser, useBrowser } from "./tab.ts";
import { expectHeading, field, goTo, newOwner, notice, POLL, walkerAt, type Walker, unique } from "./walk.ts";

/** A feed whose items have no dates: what is older than a year is no idea. */
const TOLD = `told/${encodeURIComponent("Slow ferries are back in Norway|Night trains are late|A harbour turns dark")}`;

const main = (page: Page) => page.getByRole("main");
const button = (page: Page, name: RegExp) => main(page).getByRole("button", { name });
const link = (page: Page, name: RegExp) => main(page).getByRole("link", { name });

/** A new organization with a blog, whose ideas are open. */
async function begin(walker: Walker, tag: string): Promise<void> {
  await newOwner(walker.page, `Sky ${tag}`);
  await walker.page.goto("/console");
  await goTo(walker, "Topic ideas");
}

/** Adds a feed: first one that cannot be read. */
async function addFeed({ page, look }: Walker): Promise<void> {
  const { url } = inject("feeds");
  await link(page, /add a source/i).click();
  await expectHeading(page, /sources/i);
  await look();
  await field(page, /^url/i).fill(`${url}/status-404/feed.xml`);
  await button(page, /add source/i).click();
  await page.getByRole("alert").waitFor();
  expect(await field(page, /^url/i).getAttribute("aria-invalid")).toBe("true");
  expect(await main(page).innerText()).toContain("It answered 404.");
  await look();
  await field(page, /^url/i).fill(`${url}/${TOLD}`);
  await button(page, /add source/i).click();
  await expect.poll(() => notice(page), POLL).toMatch(/added/i);
  await look();
}

/** Looks for ideas, until the page that loads itself again says that it is over. */
async function lookForIdeas({ page, look }: Walker): Promise<void> {
  await button(page, /^refresh$/i).click();
  await expectHeading(page, /topic ideas refreshed/i);
  expect(await main(page).innerText()).toMatch(/[1-9]\d* new ideas? from 1 source/);
  await look();
  await link(page, /view topic ideas/i).click();
  await expectHeading(page, /^topic ideas/i);
  await look();
}

/** Dismisses the first idea, and finds it among those that are dismissed. */
async function dismissFirst({ page, look }: Walker): Promise<void> {
  const title = await main(page).getByRole("heading", { level: 2 }).first().innerText();
  await button(page, /^dismiss/i)
    .first()
    .click();
  await expect.poll(() => notice(page), POLL).toMatch(/dismissed/i);
  expect(await main(page).getByRole("heading", { level: 2 }).allInnerTexts()).not.toContain(title);
  await page.getByLabel("Status").selectOption("dismissed");
  await button(page, /^show$/i).click();
  await button(page, /^restore/i).waitFor();
  expect(await main(page).innerText()).toContain(title);
  await look();
}

/** Has a draft written about the idea that is left; returns its title. */
async function generate({ page, look }: Walker): Promise<string> {
  await page.getByLabel("Status").selectOption("new");
  await button(page, /^show$/i).click();
  await link(page, /^generate article/i)
    .first()
    .click();
  await expectHeading(page, /generate/i);
  await look();
  await page.getByLabel("Length").selectOption("300");
  await button(page, /generate article/i).click();
  await expectHeading(page, /article generated/i);
  expect(await main(page).innerText()).toMatch(/draft[\s\S]*Checks[\s\S]*tokens/i);
  await look();
  const title = await main(page).getByRole("link").first().innerText();
  await link(page, /review draft/i).click();
  await expectHeading(page, new RegExp(title.slice(0, 20)));
  await look();
  return title;
}

async function walk(walker: Walker, tag: string): Promise<void> {
  const { page } = walker;
  await begin(walker, tag);
  await addFeed(walker);
  await lookForIdeas(walker);
  await dismissFirst(walker);
  const title = await generate(walker);
  await goTo(walker, "Topic ideas");
  await page.getByLabel("Status").selectOption("used");
  await button(page, /^show$/i).click();
  await link(page, /view article/i).click();
  await expectHeading(page, new RegExp(title.slice(0, 20)));
  await link(page, /^translate$/i).click();
  await expectHeading(page, /translate/i);
  await walker.look();
}

describeInBrowser("from a feed to a draft", () => {
  const browser = useBrowser();

  // Its steps are tried in test/console/.
  it.runIf(inject("exhaustive"))(
    "works with scripts, for everybody, in every scheme and on small screens",
    async () => {
      await walk(walkerAt(await browser.open(), auditOfKinds()), unique("scripted"));
    },
  );

  it("says that it is under way, and is not asked for twice", async () => {
    const page = await browser.open();
    await page.goto(`/console/articles/generate?blog=${await newOwner(page, unique("busy"))}`);
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
    expect(await told.promise).toEqual([true, "status", "Writing the article…"]);
    held.resolve();
    await expectHeading(page, /article generated/i);
    await page.goBack();
    await expect.poll(() => write.isDisabled(), POLL).toBe(false);
  });
});
