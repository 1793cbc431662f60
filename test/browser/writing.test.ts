/** From signing in to a scheduled article with pictures and a table, on a phone, and without scripts on a desk. */
import type { Locator, Page } from "playwright-core";
import { expect, inject, it } from "vitest";
import { newPicture } from "./pictures.ts";
import { markdown, rich, tool } from "./rich.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { api, button, expectHeading, field, POLL, signInHere, unique } from "./walk.ts";

/** 102 words. */
const PARAGRAPH =
  "The first ferry leaves at six, when the harbour is still dark and the quay belongs to those who work there. ".repeat(
    4,
  ) + "Nobody else is up at that hour, and the river smells of rope and coffee. Stay on deck.";
const PARAGRAPHS = 5;
const wordsOf = (text: string): number => text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;

const main = (page: Page): Locator => page.getByRole("main");

const tomorrow = (): string => `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T09:00`;

/** Signs in, and opens the form for a new article. */
async function begin(page: Page): Promise<void> {
  const { email, password } = service();
  await page.goto("/console/articles");
  await signInHere(page, email, password);
  await page.goto("/console/articles");
  await main(page)
    .getByRole("link", { name: /new article/i })
    .first()
    .click();
  await expectHeading(page, /new article/i);
}

/** Schedules the article that is open; returns its id. */
async function schedule(page: Page): Promise<string> {
  const id = new URL(page.url()).pathname.split("/")[3] ?? "";
  await page.getByRole("link", { name: "Schedule", exact: true }).click();
  await page.getByLabel("Publish at", { exact: true }).fill(tomorrow());
  await button(page, /^schedule$/i).click();
  await main(page)
    .getByText(/scheduled for/i)
    .first()
    .waitFor();
  return id;
}

/** Expects that the service has all that was written. */
async function expectStored(id: string, title: string): Promise<void> {
  const response = await api(`/api/articles/${id}?fields=title,content,published,schedule`, { key: service().apiKey });
  const article = (await response.json()) as { title: string; content: string };
  expect(article).toMatchObject({ title, published: false, schedule: { state: "waiting" } });
  const { content } = article;
  expect(wordsOf(content)).toBeGreaterThanOrEqual(500);
  expect(content.match(/!\[[^\]]+\]\([^)\s]+\/media\/[\da-f-]{36}#40x30\)/g)).toHaveLength(3);
  expect(content).toMatch(/\| Pier \| Time \|\n\| -+ \| -+ \|\n\| One +\| Six +\|/);
}

/** Expects that the preview shows the pictures, and the table. */
async function expectPreview(preview: Locator): Promise<void> {
  await preview.getByRole("table").waitFor();
  const pictures = preview.locator("img[src*='/media/']");
  expect(await pictures.count()).toBe(3);
  const isShown = (image: HTMLImageElement) => {
    image.loading = "eager";
    return image.complete && image.naturalWidth > 0;
  };
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate(isShown as (element: Element) => boolean), POLL).toBe(true);
  }
}

/** Puts a file where the cursor is, as the clipboard does. */
const paste = (page: Page): Promise<void> =>
  rich(page).evaluate(
    (place, bytes) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([Uint8Array.from(bytes)], "pasted.png", { type: "image/png" }));
      place.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    },
    [...newPicture("pasted.png").buffer],
  );

async function insertPicture(page: Page, alt: string, choose: (dialog: Locator) => Promise<void>): Promise<void> {
  await tool(page, "Image").click();
  const dialog = page.getByRole("dialog", { name: "Image" });
  await choose(dialog);
  await dialog.getByLabel("Alt text").fill(alt);
  await dialog.getByRole("button", { name: "Insert" }).click();
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(() => markdown(page), POLL).toContain(`![${alt}](`);
}

const countOf = async (page: Page): Promise<number> => (await markdown(page)).match(/\/media\//g)?.length ?? 0;
const state = (page: Page): Locator => page.locator(".autosave-state");

async function writeInEditor(page: Page, title: string, shown: string): Promise<void> {
  // Once its scripts run.
  await state(page).waitFor({ state: "attached" });
  await field(page, /^title/i).fill(title);
  await rich(page).click();
  await page.keyboard.type("## When to go\n");
  for (let count = 0; count < PARAGRAPHS; count++) {
    await page.keyboard.insertText(PARAGRAPH);
    await page.keyboard.press("Enter");
  }
  await page.keyboard.type("/table");
  await page.getByRole("listbox", { name: "Insert" }).waitFor();
  await page.keyboard.press("Enter");
  for (const cell of ["Pier", "Time", "One"]) {
    await page.keyboard.type(cell);
    await page.keyboard.press("Tab");
  }
  await page.keyboard.type("Six");
  await expect.poll(() => markdown(page), POLL).toContain("| One | Six |");
  // To the rows below, and behind the table.
  for (let row = 0; row < 3; row++) await page.keyboard.press("Enter");
  await expect.poll(() => state(page).innerText(), POLL).toMatch(/^saved/i);
  await insertPicture(page, "The quay", (dialog) => dialog.getByLabel("Upload").setInputFiles(newPicture("quay.png")));
  await page.keyboard.press("Enter");
  await insertPicture(page, "Boats", async (dialog) => {
    await dialog.getByRole("searchbox").fill(shown);
    await dialog.getByRole("button", { name: shown }).click();
  });
  await page.keyboard.press("Enter");
  await paste(page);
  await expect.poll(() => countOf(page), POLL).toBe(3);
  // What was pasted is described afterwards, by the same button.
  await rich(page).locator("img[src]").last().click();
  await tool(page, "Image").click();
  const dialog = page.getByRole("dialog", { name: "Image" });
  await dialog.getByLabel("Alt text").fill("A rope");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
}

describeInBrowser("an article of 500 words with three pictures and a table", () => {
  const browser = useBrowser();

  // Each step has a test of its own: in editor, media, aids and publishing.
  it.runIf(inject("exhaustive")).each([1280, 360])(
    "is written, seen and scheduled, and says that it is saved, %d px wide",
    async (width) => {
      const page = await browser.open({ rich: true });
      await page.setViewportSize({ width, height: 800 });
      const [title, shown] = [unique("Ferries"), unique("boats")];
      await storedPicture(shown);
      await begin(page);
      await writeInEditor(page, title, shown);
      await expect.poll(() => state(page).innerText(), POLL).toMatch(/^saved/i);
      await button(page, /^preview$/i).click();
      await expectPreview(page.getByRole("region", { name: "Preview" }));
      await button(page, /^preview$/i).click();
      await expect.poll(() => state(page).innerText(), POLL).toMatch(/^saved/i);
      await button(page, /^save( draft)?$/i).click();
      await page.getByRole("status").getByText(/saved/i).first().waitFor();
      const id = await schedule(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await expectStored(id, title);
    },
  );

  it.runIf(inject("exhaustive")).each([1280, 360])(
    "is written, seen and scheduled without scripts, %d px wide",
    async (width) => {
      const page = await browser.open({ scripts: false });
      await page.setViewportSize({ width, height: 800 });
      const title = unique("Ferries");
      await begin(page);
      const library = await page.context().newPage();
      await library.goto("/console/media");
      await library.getByLabel("Image", { exact: true }).setInputFiles(newPicture("quay.png"));
      await field(library, /alt text/i).fill("A picture of the quay");
      await button(library, /^upload$/i).click();
      await library
        .getByRole("status")
        .getByText(/uploaded|stored|added/i)
        .waitFor();
      const first = await field(library, /^markdown/i).inputValue();
      const others = await Promise.all(["boats", "rope"].map(storedPicture));
      const pictures = [first, ...others.map((url) => `![A picture](${url}#40x30)`)];
      await field(page, /^title/i).fill(title);
      const text = Array.from({ length: PARAGRAPHS }, () => PARAGRAPH);
      const table = "| Pier | Time |\n| - | - |\n| One | Six |";
      await field(page, /^content/i).fill(["## When to go", ...text, ...pictures, table, ""].join("\n\n"));
      await button(page, /^preview$/i).click();
      await page
        .getByRole("region", { name: /^preview$/i })
        .getByRole("table")
        .waitFor();
      expect(
        await page
          .getByRole("region", { name: /^preview$/i })
          .locator("img")
          .count(),
      ).toBe(3);
      await button(page, /^save draft$/i).click();
      await page
        .getByRole("status")
        .getByText(/saved|created/i)
        .first()
        .waitFor();
      const id = await schedule(page);
      await expectStored(id, title);
    },
  );
});

/** Stores a picture by the API; returns its address. */
async function storedPicture(name: string): Promise<string> {
  const response = await fetch(`${service().baseUrl}/api/media?${new URLSearchParams({ name })}`, {
    method: "POST",
    headers: { Authorization: `Basic ${btoa(`${service().apiKey}:`)}`, "Content-Type": "image/png" },
    body: new Uint8Array(newPicture(name).buffer),
  });
  return ((await response.json()) as { url: string }).url;
}
