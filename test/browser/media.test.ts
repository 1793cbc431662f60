/** The library of pictures, and the choice of one in the editor, as people use them. */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { audit } from "./audit.ts";
import { newPicture } from "./pictures.ts";
import { markdown, pastePicture, sharedEditor, tool } from "./rich.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { api, button, expectHeading, field, goTo, notice, unique, walkerAt } from "./walk.ts";

const main = (page: Page): Locator => page.getByRole("main");
const OURS = /\/media\/[\da-f-]{36}/;

/** A picture of the library with this name and text; returns its address. */
async function stored(name: string, alt: string): Promise<string> {
  const query = new URLSearchParams({ name, alt });
  const response = await fetch(`${service().baseUrl}/api/media?${query}`, {
    method: "POST",
    headers: { Authorization: `Basic ${btoa(`${service().apiKey}:`)}`, "Content-Type": "image/png" },
    body: new Uint8Array(newPicture(name).buffer),
  });
  return ((await response.json()) as { url: string }).url;
}

describeInBrowser("the library", () => {
  const browser = useBrowser();

  const openLibrary = async (scripts = true): Promise<Page> => {
    // The browser notes each refused upload.
    const page = await browser.open({ signedIn: true, scripts, mayFail: /status of 415/ });
    await page.goto("/console");
    await goTo(walkerAt(page), "Media");
    return page;
  };

  it("takes several pictures at once with their progress, and names the one that it cannot take", async () => {
    const page = await openLibrary();
    const tag = unique("several");
    const wrong = { name: `${tag}.svg`, mimeType: "image/png", buffer: Buffer.from("<svg/>") };
    const files = [newPicture(`${tag}-1.png`), wrong, newPicture(`${tag}-2.png`)];
    await page.getByLabel("Image", { exact: true }).setInputFiles(files);
    await button(page, /^upload$/i).click();
    const progress = page.locator("[data-progress]");
    await progress.getByText(/SVG can run scripts/).waitFor();
    await progress.getByRole("link", { name: `${tag}-1.png` }).waitFor();
    await progress.getByRole("link", { name: `${tag}-2.png` }).waitFor();
    await audit(page);
    await page.getByRole("searchbox", { name: /name or alt text/i }).fill(tag);
    await button(page, /^search$/i).click();
    await main(page)
      .getByRole("link", { name: `${tag}-2.png` })
      .waitFor();
    expect(await main(page).getByRole("listitem").count()).toBe(2);
  });

  it("says where a picture is used, replaces it in place, and deletes it only with a warning", async () => {
    const page = await openLibrary();
    const name = unique("used");
    const url = await stored(name, "A quay");
    const { apiKey, blogId } = service();
    const title = unique("Shows it");
    await api("/api/articles", { key: apiKey, body: { blogId, title, content: `![A quay](${url})` } });
    await page.goto(`/console/media/${url.split("/").at(-1)}`);
    await expectHeading(page, new RegExp(name));
    await main(page).getByRole("link", { name: title }).waitFor();
    expect(await field(page, /^markdown/i).inputValue()).toBe(`![A quay](${url}#40x30)`);
    const before = await page.locator(".picture img").getAttribute("src");
    await page.getByLabel("Image", { exact: true }).setInputFiles(newPicture("other.png", 50, 20));
    await button(page, /replace file/i).click();
    await main(page).getByText("50 × 20").waitFor();
    expect(await page.locator(".picture img").getAttribute("src")).not.toBe(before);
    expect(await field(page, /^url/i).inputValue()).toBe(url);
    await audit(page);
    await page.getByRole("link", { name: "Delete…" }).click();
    await main(page)
      .getByText(/used in 1 article/i)
      .waitFor();
    await main(page).getByRole("link", { name: title }).waitFor();
    await button(page, /delete anyway/i).click();
    expect(await notice(page)).toMatch(/deleted/i);
    expect((await fetch(url)).status).toBe(404);
  });
});

describeInBrowser("a picture in the editor", () => {
  const edit = sharedEditor(useBrowser());

  it("is chosen from the library by keys alone, with its text asked for", async () => {
    const name = unique("harbour");
    const url = await stored(name, "Boats");
    const page = await edit();
    await page.keyboard.type("/pic");
    await page.getByRole("listbox", { name: "Insert" }).getByRole("option", { name: "Image" }).waitFor();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Image" });
    await dialog.getByRole("searchbox", { name: "Search the media library" }).focus();
    await page.keyboard.type(name);
    await dialog.getByRole("status").getByText("1 image.").waitFor();
    await audit(page);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const alt = dialog.getByLabel("Alt text");
    await expect.poll(() => alt.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await alt.inputValue()).toBe("Boats");
    await page.keyboard.press("End");
    await page.keyboard.type(" at dawn");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    expect(await markdown(page)).toBe(`![Boats at dawn](${url}#40x30)`);
  });

  it("is uploaded from the toolbar with its text, and dropped and pasted beside that", async () => {
    const page = await edit();
    await tool(page, "Image").click();
    const dialog = page.getByRole("dialog", { name: "Image" });
    await dialog.getByLabel("Upload").setInputFiles(newPicture("quay.png"));
    expect(await dialog.getByLabel("URL").isVisible()).toBe(false);
    await dialog.getByLabel("Alt text").fill("The quay");
    await dialog.getByRole("button", { name: "Insert" }).click();
    await expect.poll(() => markdown(page)).toMatch(/^!\[The quay\]\(\S+\/media\/\S+#40x30\)$/);
    await pastePicture(page, "pasted.png");
    await expect.poll(async () => (await markdown(page)).match(/\/media\//g)?.length).toBe(2);
  });

  it("stands behind the one that was chosen before it, whichever is uploaded first", async () => {
    const page = await edit();
    let uploads = 0;
    let go = (): void => undefined;
    const isLast = new Promise<void>((resolve) => (go = resolve));
    const addresses: string[] = [];
    await page.route("**/media/upload", async (route) => {
      const place = uploads++;
      if (place === 0) await isLast;
      const response = await route.fetch();
      addresses[place] = ((await response.json()) as { url: string }).url;
      await route.fulfill({ response });
      if (place > 0) go();
    });
    await tool(page, "Image").click();
    const dialog = page.getByRole("dialog", { name: "Image" });
    await dialog.getByLabel("Upload").setInputFiles([newPicture("first.png"), newPicture("second.png")]);
    await dialog.getByRole("button", { name: "Insert" }).click();
    await expect.poll(async () => (await markdown(page)).match(/\/media\//g)?.length).toBe(2);
    expect(await markdown(page)).toBe(addresses.map((address) => `![](${address})`).join("\n\n"));
  });

  it("is not lost where its text is shown in another way before it is uploaded", async () => {
    const page = await edit();
    await page.keyboard.type("Text");
    let go = (): void => undefined;
    await page.route("**/media/upload", async (route) => {
      await new Promise<void>((resolve) => (go = resolve));
      await route.continue();
    });
    const paste = async (name: string) => {
      const sent = page.waitForRequest("**/media/upload");
      await pastePicture(page, name);
      await sent;
    };
    await paste("late.png");
    await tool(page, "Markdown").click();
    go();
    await expect.poll(() => markdown(page)).toMatch(/^Text\n\n!\[\]\(\S+\/media\/\S+\)\n$/);
    await page.getByText(/it is at the end of the text/).waitFor();
    await tool(page, "Markdown").click();
    // What somebody else has saved is merged into the text.
    await paste("merged.png");
    await page.locator("#content").evaluate((area: HTMLTextAreaElement) => {
      area.value = "Other text\n";
      area.dispatchEvent(new InputEvent("input", { bubbles: true }));
    });
    await page.getByRole("progressbar", { name: "Uploading merged.png" }).waitFor();
    go();
    await expect.poll(() => markdown(page)).toMatch(/^!\[\]\(\S+\/media\/\S+\)\n\nOther text\n$/);
  });

  it("is chosen for the cover, from the library or by an upload, and fits a phone", async () => {
    const name = unique("cover");
    const url = await stored(name, "");
    const page = await edit();
    await page.setViewportSize({ width: 360, height: 740 });
    const cover = field(page, /^cover image$/i);
    const open = button(page, /^choose image…$/i);
    await open.click();
    const dialog = page.getByRole("dialog", { name: "Cover image" });
    await dialog.getByRole("searchbox").fill(name);
    await dialog.getByRole("button", { name }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(await cover.inputValue()).toBe(url);
    await open.click();
    await dialog.getByRole("listitem").first().waitFor();
    await audit(page);
    await dialog.getByLabel("Upload").setInputFiles(newPicture("front.png"));
    await dialog.waitFor({ state: "hidden" });
    expect(await cover.inputValue()).toMatch(new RegExp(`${OURS.source}$`));
    expect(await cover.inputValue()).not.toBe(url);
    expect(await open.evaluate((shown) => shown === document.activeElement)).toBe(true);
    const preview = page.locator("img.cover");
    await expect.poll(() => preview.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBeGreaterThan(0);
    // Whoever closes the dialog does not want what is still being uploaded.
    await page.route("**/media/upload", () => undefined);
    await open.click();
    const [, stopped] = await Promise.all([
      dialog.getByLabel("Upload").setInputFiles(newPicture("late.png")),
      page.waitForRequest("**/media/upload"),
    ]);
    const ended = page.waitForEvent("requestfailed", (request) => request === stopped);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await ended;
    await button(page, /^remove cover image$/i).click();
    expect([await cover.inputValue(), await preview.isVisible()]).toEqual(["", false]);
  });
});
