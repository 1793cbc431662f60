/** The rich editor of an article's content, as tests speak of it. */
import type { Locator, Page } from "playwright-core";
import { newPicture } from "./pictures.ts";
import type { useBrowser } from "./tab.ts";

/** The text as it is shown while it is written: not the text area of the same name, which is shown until then. */
export const rich = (page: Page): Locator =>
  page.locator(".rich").getByRole("textbox", { name: "Content", exact: true });

/** A button of the toolbar. */
export const tool = (page: Page, name: string): Locator =>
  page.getByRole("toolbar").getByRole("button", { name, exact: true });

/** Returns the Markdown that is saved. */
export const markdown = (page: Page): Promise<string> => page.locator("#content").inputValue();

/** Opens a new article as the demo's owner, ready to write. */
export async function openNew(browser: ReturnType<typeof useBrowser>): Promise<Page> {
  const page = await browser.open({ signedIn: true, rich: true });
  await page.goto("/console/articles/new");
  await rich(page).click();
  return page;
}

/** Pastes a new picture into the text, by an event with a file, as a browser does. */
export function pastePicture(page: Page, name: string): Promise<void> {
  return rich(page).evaluate(
    (place, [title, bytes]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(bytes)], title, { type: "image/png" }));
      place.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    },
    [name, [...newPicture(name).buffer]] as const,
  );
}
