/** The rich editor of an article's content, as tests speak of it. */
import type { Locator, Page } from "playwright-core";
import { onTestFailed } from "vitest";
import { newPicture } from "./pictures.ts";
import { DESKTOP, type useBrowser } from "./tab.ts";

/** The text as it is shown while it is written: not the text area of the same name, which is shown until then. */
export const rich = (page: Page): Locator =>
  page.locator(".rich").getByRole("textbox", { name: "Content", exact: true });

/** A button of the toolbar. */
export const tool = (page: Page, name: string): Locator =>
  page.getByRole("toolbar").getByRole("button", { name, exact: true });

/** Returns the Markdown that is saved. */
export const markdown = (page: Page): Promise<string> => page.locator("#content").inputValue();

/**
 * Resolves once the editor has heard of the selection: browsers tell pages of a new one later, and the editor looks at it
 * within fifty milliseconds of the page's own clock.
 */
export const heard = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 60)))),
  );

type TestBrowser = ReturnType<typeof useBrowser>;

/** Opens a new article as the demo's owner, ready to write. */
export async function openNew(browser: TestBrowser, { kept = false } = {}): Promise<Page> {
  const page = await browser.open({ signedIn: true, rich: true, kept });
  await page.goto("/console/articles/new");
  await rich(page).click();
  return page;
}

/**
 * Returns what gives the tests of a file the same new article, with the text of each: to open an editor takes longer than
 * most of them. Without a title and a blog, it is never saved. After a test that failed, it is opened again.
 */
export function sharedEditor(browser: TestBrowser): (text?: string, isClicked?: boolean) => Promise<Page> {
  let opened: Page | undefined;
  return async (text = "", isClicked = true) => {
    onTestFailed(() => void (opened = undefined));
    const page = (opened ??= await openNew(browser, { kept: true }));
    await page.unrouteAll();
    await page.setViewportSize(DESKTOP);
    await write(page, text);
    if (isClicked) await rich(page).click();
    return page;
  };
}

/** Replaces the whole text as other scripts do. */
export const write = (page: Page, text: string): Promise<void> =>
  page.locator("#content").evaluate((area: HTMLTextAreaElement, value) => {
    area.value = value;
    area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }, text);

/** Pastes a new picture into the text, by an event with a file, as a browser does; with HTML beside it, if there is some. */
export const pastePicture = (page: Page, name: string, html = ""): Promise<void> =>
  pastePictureInto(rich(page), name, html);

/** As {@link pastePicture}, into any element. */
export function pastePictureInto(place: Locator, name: string, html = ""): Promise<void> {
  return place.evaluate(
    (element, [title, bytes, beside]) => {
      const data = new DataTransfer();
      if (beside !== "") data.setData("text/html", beside);
      data.items.add(new File([Uint8Array.from(bytes)], title, { type: "image/png" }));
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    },
    [name, [...newPicture(name).buffer], html] as const,
  );
}

/** Presses Enter as an input method (of Japanese, say) has it pressed to take the word that it composes. */
export const takeComposed = (field: Locator): Promise<void> =>
  field.dispatchEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true });
