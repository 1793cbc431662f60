/** A photo with more pixels than the service makes sizes of (contract 19.9). */
import type { Page } from "playwright-core";
import { expect, inject, it } from "vitest";
import type { Picture } from "./pictures.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { api, button, send, unique } from "./walk.ts";

/** Draws a photo of 4000 by 2500 pixels that nobody has yet. */
async function draw(page: Page, name: string): Promise<Picture> {
  const bytes = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(4000, 2500);
    const context = canvas.getContext("2d");
    if (context) context.fillStyle = "white";
    for (let bar = 0; bar < 40; bar++) context?.fillRect(bar * 100, 0, 100, Math.random() * 2500);
    return Array.from(new Uint8Array(await (await canvas.convertToBlob({ type: "image/jpeg" })).arrayBuffer()));
  });
  return { name, mimeType: "image/jpeg", buffer: Buffer.from(bytes) };
}

/** Returns the width and the height of a picture, as the service has it. */
async function sizeOf(name: string): Promise<unknown[]> {
  const found = await api(`/api/media?query=${encodeURIComponent(name)}`, { key: service().apiKey });
  const [{ width, height } = {}] = (await found.json()) as { width?: number; height?: number }[];
  return [width, height];
}

describeInBrowser("a large photo", () => {
  const browser = useBrowser();

  it("is made smaller before it is sent, unless its sender wants it as it is; also when it replaces another", async () => {
    const page = await browser.open({ signedIn: true });
    const file = page.getByLabel("Image", { exact: true });
    const fits = page.getByLabel("Resize large photos");
    const name = unique("large");
    const photo = await draw(page, name);
    await page.goto("/console/media");
    await file.setInputFiles(photo);
    await button(page, /^upload$/i).click();
    await page.locator("#pictures").getByRole("link", { name }).waitFor();
    expect(await sizeOf(name)).toEqual([3666, 2291]);
    await page.locator("#pictures").getByRole("link", { name }).click();
    // The service makes files of each size of what it gets, which takes seconds.
    for (const isFitted of inject("exhaustive") ? [false, true] : [false]) {
      await fits.setChecked(isFitted);
      await file.setInputFiles(photo);
      await send(page, /replace file/i);
      expect(await sizeOf(name)).toEqual(isFitted ? [3666, 2291] : [4000, 2500]);
    }
  });
});
