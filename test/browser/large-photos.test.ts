/** A photo with more pixels than the service makes sizes of (contract 19.9). */
import { expect, it } from "vitest";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { api, button, unique } from "./walk.ts";

describeInBrowser("a large photo", () => {
  const browser = useBrowser();

  it("is made smaller before it is sent, unless its sender wants it as it is", async () => {
    const page = await browser.open({ signedIn: true });
    await page.goto("/console/media");
    const file = await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(4000, 2500);
      canvas.getContext("2d")?.fillRect(0, 0, 2000, 2500);
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/jpeg" })).arrayBuffer());
      return Array.from(bytes);
    });
    const sizes: unknown[] = [];
    for (const fits of [true, false]) {
      const name = unique("large");
      await page.goto("/console/media");
      await page.getByLabel("Make large photos smaller").setChecked(fits);
      await page
        .getByLabel("Picture", { exact: true })
        .setInputFiles({ name, mimeType: "image/jpeg", buffer: Buffer.from(file) });
      await button(page, /^upload$/i).click();
      await page.locator("#pictures").getByRole("link", { name }).waitFor();
      const found = await api(`/api/media?query=${encodeURIComponent(name)}`, { key: service().apiKey });
      const [{ width, height } = {}] = (await found.json()) as { width?: number; height?: number }[];
      sizes.push([width, height]);
    }
    expect(sizes).toEqual([
      [3666, 2291],
      [4000, 2500],
    ]);
  });
});
