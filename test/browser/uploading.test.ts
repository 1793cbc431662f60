/** Leaving the editor while a picture is still being uploaded into the text. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { audit } from "./audit.ts";
import { markdown, pastePicture, pastePictureInto, rich } from "./rich.ts";
import { describeInBrowser, useBrowser } from "./tab.ts";
import { button, expectHeading, field, unique } from "./walk.ts";

const IN_TEXT = /!\[\]\(\S+\/media\/\S+\)/;

describeInBrowser("a picture that is being uploaded", () => {
  const browser = useBrowser();

  /** A new article with a picture whose upload ends by `go`: as it does, or with another status. */
  const uploading = async (): Promise<{ page: Page; go: (status?: number) => void }> => {
    const page = await browser.open({ signedIn: true, rich: true, mayFail: /status of 413/ });
    let go = (_status?: number): void => undefined;
    const going = new Promise<number | undefined>((resolve) => (go = resolve));
    await page.route("**/media/upload", async (route) => {
      const status = await going;
      await (status === undefined ? route.continue() : route.fulfill({ status, json: { detail: "It is full." } }));
    });
    await page.goto("/console/articles/new");
    await rich(page).click();
    const sent = page.waitForRequest("**/media/upload");
    await pastePicture(page, "late.png");
    await sent;
    return { page, go };
  };

  it("is not left without a question, and saving waits for it", async () => {
    const { page, go } = await uploading();
    const [asked] = await Promise.all([page.waitForEvent("dialog"), page.close({ runBeforeUnload: true })]);
    expect(asked.type()).toBe("beforeunload");
    await asked.dismiss();
    const title = unique("Late");
    await field(page, /^title/i).fill(title);
    await button(page, /^save draft$/i).click();
    await page.getByRole("status").getByText("Waiting for an image…").waitFor();
    await audit(page);
    go();
    await expectHeading(page, new RegExp(`^${title}`));
    await button(page, /^save$/i).waitFor();
    expect(await markdown(page)).toMatch(IN_TEXT);
  });

  it("is not lost without a word if it cannot be uploaded: the next press goes on without it", async () => {
    const { page, go } = await uploading();
    const title = unique("Refused");
    await field(page, /^title/i).fill(title);
    await button(page, /^save draft$/i).click();
    await page.getByText("Waiting for an image…").waitFor();
    go(413);
    await page.getByText(/^late.png was not uploaded: It is full/).waitFor();
    await page
      .getByRole("status")
      .getByText(/press the button again/i)
      .waitFor();
    await button(page, /^save draft$/i).click();
    await button(page, /^save$/i).waitFor();
    expect(await markdown(page)).not.toMatch(IN_TEXT);
  });

  it("is waited for before publishing, unless its writer gives it up", async () => {
    const { page } = await uploading();
    await page.keyboard.type("Text");
    await field(page, /^title/i).fill(unique("Given up"));
    await button(page, /^publish…$/i).click();
    await page.getByText("Waiting for an image…").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await button(page, /^continue without$/i).click();
    await page.getByRole("dialog").waitFor();
    expect(await markdown(page)).toBe("Text");
    expect(await page.getByText("Waiting for an image…").isVisible()).toBe(false);
  });

  it("is given up by deleting its place", async () => {
    const { page } = await uploading();
    const given = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/media/upload"));
    await page.keyboard.type("Text");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await given;
    const title = unique("Deleted");
    await field(page, /^title/i).fill(title);
    await button(page, /^save draft$/i).click();
    await expectHeading(page, new RegExp(`^${title}`));
  });

  it("has a mark in the Markdown until then, where it is pasted or dropped into that", async () => {
    const page = await browser.open({ signedIn: true, mayFail: /status of 413/ });
    const goes: ((status?: number) => void)[] = [];
    await page.route("**/media/upload", async (route) => {
      const status = await new Promise<number | undefined>((resolve) => goes.push(resolve));
      await (status === undefined ? route.continue() : route.fulfill({ status, json: { detail: "It is full." } }));
    });
    await page.goto("/console/articles/new");
    const area = page.locator("#content");
    await area.fill("Before  after");
    await area.press("End");
    for (let n = 0; n < "after".length + 1; n++) await area.press("ArrowLeft");
    await pastePictureInto(area, "quay [1] _a_&amp;*b*.png");
    await expect.poll(() => goes.length).toBe(1);
    expect(await markdown(page)).toBe("Before ![Uploading quay 1 aamp;b.png…]() after");
    // It is the same once its paragraph was changed in the rich text.
    await area.press("Control+Alt+m");
    await rich(page).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("!");
    await page.keyboard.press("Control+Alt+m");
    await area.press("Backspace");
    expect(await markdown(page)).toBe("Before ![Uploading quay 1 aamp;b.png…]() after");
    const isPrevented = await area.evaluate((element) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["x"], "large.png", { type: "image/png" }));
      const drop = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
      return !element.dispatchEvent(drop);
    });
    expect(isPrevented).toBe(true);
    await expect.poll(() => goes.length).toBe(2);
    const title = unique("Marked");
    await field(page, /^title/i).fill(title);
    await button(page, /^save draft$/i).click();
    await page.getByRole("status").getByText("Waiting for 2 images…").waitFor();
    goes[1]?.(413);
    await page.getByText(/^large.png was not uploaded: It is full/).waitFor();
    goes[0]?.();
    await page
      .getByRole("status")
      .getByText(/press the button again/i)
      .waitFor();
    expect(await markdown(page)).toMatch(/^Before !\[\]\(\S+\/media\/\S+\) after$/);
    await button(page, /^save draft$/i).click();
    await expectHeading(page, new RegExp(`^${title}`));
  });
});
