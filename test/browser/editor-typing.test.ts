/** Markdown that is typed into the rich editor becomes what it means, and nothing that was there is lost by that. */
import { expect, it } from "vitest";
import { markdown, openNew, rich } from "./rich.ts";
import { describeInBrowser, useBrowser } from "./tab.ts";

describeInBrowser("what is entered beside the text", () => {
  const browser = useBrowser();

  it("stands in it as it was entered: a price that replaces something, an address of e-mail as a link", async () => {
    const page = await openNew(browser);
    await page.keyboard.type("It costs nothing");
    await page.keyboard.press("Control+f");
    const bar = page.getByRole("search", { name: "Find in the text" });
    await bar.getByLabel("Find").fill("nothing");
    await bar.getByLabel("Replace by").fill("$10 & $$");
    await bar.getByRole("button", { name: "Replace all" }).click();
    expect(await markdown(page)).toBe("It costs $10 & $$");
    await page.keyboard.press("Escape");
    await rich(page).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Write");
    await page.keyboard.press("Control+a");
    await page.waitForFunction(() => getSelection()?.toString() === "Write");
    await page.waitForTimeout(200);
    await page.keyboard.press("Control+k");
    const dialog = page.getByRole("dialog", { name: "Link" });
    await dialog.getByRole("combobox").fill("me@example.com");
    await dialog.getByRole("button", { name: "Link", exact: true }).click();
    expect(await markdown(page)).toBe("[Write](mailto:me@example.com)");
  });
});

describeInBrowser("typing Markdown", () => {
  const browser = useBrowser();

  it("keeps the marks, pictures and footnotes within what becomes bold", async () => {
    const page = await openNew(browser);
    await page.locator("#content").evaluate((area: HTMLTextAreaElement) => {
      area.value = "![A quay](data:image/gif;base64,R0lGODlhAQABAAAAACw=) and a note[^1]\n\n[^1]: Note";
      area.dispatchEvent(new InputEvent("input", { bubbles: true }));
    });
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("**");
    await page.keyboard.press("End");
    await page.keyboard.type(" and *more* of it**");
    expect(await markdown(page)).toBe(
      "**![A quay](data:image/gif;base64,R0lGODlhAQABAAAAACw=) and a note[^1] and *more* of it**\n\n[^1]: Note",
    );
    await page.keyboard.type(" then");
    expect(await markdown(page)).toContain("of it** then");
  });

  it("makes a line across of three dashes, also where nothing follows, and blocks of code of fences", async () => {
    const page = await openNew(browser);
    await page.keyboard.type("---after\n***\n```js\nlet a;");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type("~~~\nb");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type("no fence ```\n*** *both*");
    expect(await markdown(page)).toBe(
      "---\n\nafter\n\n\\*\\*\\*\n\n```js\nlet a;\n```\n\n```\nb\n```\n\nno fence \\`\\`\\`\n\n---\n\n*both*",
    );
  });
});
