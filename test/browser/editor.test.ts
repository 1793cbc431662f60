/** Writing in the rich editor, as people do: by keys, by the toolbar, by pasting. */
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { audit } from "./audit.ts";
import { heard, markdown, openNew, rich, sharedEditor, takeComposed, tool, write } from "./rich.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { api, button, expectHeading, field, unique } from "./walk.ts";

const SAMPLE =
  "# Ferries\n\n* *One* and __two__\n* three\n\n<div>HTML</div>\n\nSome text,\nin two lines.  \n[a]: /b\n\n| a | b |\n|:-:|---|\n| 1 | 2 |\n\n```js\nlet a;\n```\n\nEnd[^1]\n\n[^1]: note\n";

const source = (page: Page): Locator => page.locator("#content");

describeInBrowser("the editor", () => {
  const browser = useBrowser();
  const edit = sharedEditor(browser);

  /** An article that exists, in the editor; with its id. */
  const openArticle = async (content: string): Promise<{ page: Page; id: string }> => {
    const { apiKey, blogId } = service();
    const response = await api("/api/articles", { key: apiKey, body: { blogId, title: unique("Editor"), content } });
    const { _id: id } = (await response.json()) as { _id: string };
    const page = await browser.open({ signedIn: true, rich: true });
    await page.goto(`/console/articles/${id}`);
    await rich(page).waitFor();
    return { page, id };
  };

  const stored = async (id: string): Promise<string> => {
    const response = await api(`/api/articles/${id}`, { key: service().apiKey });
    return ((await response.json()) as { content: string }).content;
  };

  it("makes Markdown of what is typed, and the form sends it", async () => {
    const page = await openNew(browser);
    await field(page, /^title/i).fill(unique("Typed"));
    await rich(page).click();
    await page.keyboard.type("## A heading\nSome **bold**, *italic* and `code`.\n- [ ] one\ntwo\n\n");
    await page.keyboard.type("> quoted\n\n1. first\nsecond\n\n```js let a;");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type("See https://example.com/a_b now. snake_case");
    const expected =
      "## A heading\n\nSome **bold**, *italic* and `code`.\n\n- [ ] one\n- [ ] two\n\n> quoted\n\n1. first\n2. second\n\n```js\nlet a;\n```\n\nSee https://example.com/a_b now. snake_case";
    expect(await markdown(page)).toBe(expected);
    await audit(page);
    await button(page, /^save draft$/i).click();
    await button(page, /^save$/i).waitFor();
    expect(await markdown(page)).toBe(expected);
  });

  it("has a menu behind a slash, tables by keys, and a toolbar for them", async () => {
    const page = await edit();
    const menu = page.getByRole("listbox", { name: "Insert" });
    // More than one key in one change, as a slow machine sees them.
    await page.keyboard.insertText("/tab");
    await menu.waitFor();
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
    for (let key = 0; key < "/tab".length; key++) await page.keyboard.press("Backspace");
    await page.keyboard.type("/");
    await menu.getByRole("option", { name: "Table" }).waitFor();
    await page.keyboard.type("tab");
    expect(await menu.getByRole("option").allInnerTexts()).toEqual(["Table"]);
    await audit(page);
    await page.keyboard.press("Enter");
    for (const cell of ["A", "B", "1", "2", "3"]) {
      await page.keyboard.type(cell);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.type("4");
    await tool(page, "Align right").click();
    await tool(page, "Insert column after").click();
    expect(await markdown(page)).toBe("| A | B | |\n| - | -: | - |\n| 1 | 2 | |\n| 3 | 4 | |");
    await tool(page, "Delete column").click();
    await tool(page, "Delete row").click();
    expect(await markdown(page)).toMatch(/^\| [AB] |/);
    await page.keyboard.press("Escape");
  });

  it("runs nothing of a hostile text, leads nowhere that is not the web, and changes no byte of it", async () => {
    const row = `|${" x |".repeat(20)}`;
    const content = [
      "<script>document.title = 'ran'</script>",
      "<img src=x onerror=\"document.title = 'ran'\"> <b onclick=x>b</b>",
      "[a](javascript:document.title='ran') [b](JaVaScRiPt:x) [c](data:text/html,x) ![d](javascript:x) <javascript:x>",
      "A \u202egnitset\u202c word and a \u2066closed\u2069 one",
      `${">".repeat(24)} deep`,
      [row, `|${" - |".repeat(20)}`, ...Array.from({ length: 30 }, () => row)].join("\n"),
      "```html\n<script>never closed",
    ].join("\n\n");
    const { page, id } = await openArticle(content);
    const bad =
      "script, iframe, img[onerror], [onclick], [href^='javascript' i], [href^='data' i], [src^='javascript' i]";
    expect(await page.locator(".rich").locator(bad).count()).toBe(0);
    await button(page, /^save$/i).click();
    await page.getByRole("status").getByText(/saved/i).waitFor();
    expect(await page.title()).not.toBe("ran");
    expect(await stored(id)).toBe(content);
  });

  it("changes one block where one was edited, also of HTML", async () => {
    const { page, id } = await openArticle(SAMPLE);
    await page.getByText("three", { exact: true }).click();
    await page.keyboard.press("End");
    await page.keyboard.type(" more");
    await button(page, /^save$/i).click();
    await page.getByRole("status").getByText(/saved/i).waitFor();
    const saved = SAMPLE.replace("* three", "* three more");
    expect(await stored(id)).toBe(saved);
    await page.getByRole("button", { name: "Edit HTML" }).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("<hr>");
    expect(await markdown(page)).toBe(saved.replace("</div>", "</div><hr>"));
  });

  it("switches to Markdown and back, and remembers it", async () => {
    const { page } = await openArticle(SAMPLE);
    await page.keyboard.press("Tab");
    await tool(page, "Markdown").click();
    await source(page).waitFor();
    expect(await page.getByRole("textbox", { name: "Content", exact: true }).getAttribute("id")).toBe("content");
    await source(page).fill("# Other\n\n*text*\n");
    await audit(page);
    await page.reload();
    await source(page).waitFor();
    await source(page).fill("# Other\n\n*text*\n");
    await tool(page, "Markdown").click();
    await page.getByRole("heading", { name: "Other" }).waitFor();
    expect(await markdown(page)).toBe("# Other\n\n*text*\n");
    await tool(page, "Markdown").click();
    await tool(page, "Markdown").click();
  });

  it("shows a text as Markdown that has too many blocks for it, and says so", async () => {
    const { apiKey, blogId } = service();
    const content = "a\n\n".repeat(5001);
    const response = await api("/api/articles", { key: apiKey, body: { blogId, title: unique("Many"), content } });
    const page = await browser.open({ signedIn: true, rich: true });
    await page.goto(`/console/articles/${((await response.json()) as { _id: string })._id}`);
    await page
      .getByRole("status")
      .getByText(/too complex/)
      .waitFor();
    expect(await source(page).isVisible()).toBe(true);
    expect(await markdown(page)).toBe(content);
  });

  it("links to an article that is searched for, by keys alone", async () => {
    const { apiKey, blogId } = service();
    const title = unique("Harbour");
    await api("/api/articles", { key: apiKey, body: { blogId, title, content: "x", slug: title.toLowerCase() } });
    const page = await openNew(browser);
    await page.getByLabel("Blog").selectOption(blogId);
    await rich(page).click();
    await page.keyboard.type("See the port");
    for (let count = 0; count < 4; count++) await page.keyboard.press("Shift+ArrowLeft");
    await page.waitForFunction(() => getSelection()?.toString() === "port");
    await heard(page);
    const dialog = page.getByRole("dialog", { name: "Link" });
    await page.keyboard.press("Control+k");
    await dialog.getByRole("combobox").fill(title);
    await dialog.getByRole("option").waitFor();
    await audit(page);
    await page.keyboard.press("ArrowDown");
    await takeComposed(dialog.getByRole("combobox"));
    expect(await dialog.getByRole("option").count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    expect(await markdown(page)).toBe(`See the [port](/${title.toLowerCase()})`);
    // The cursor is where it was.
    await page.keyboard.press("End");
    await page.keyboard.type("!");
    expect(await markdown(page)).toMatch(/!$/);
    // The results of an abandoned search are gone.
    await page.keyboard.press("Control+k");
    await dialog.getByRole("combobox").fill(title);
    await dialog.getByRole("option").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.keyboard.press("Control+k");
    expect(await dialog.getByRole("option").count()).toBe(0);
  });

  it("finds and replaces", async () => {
    const page = await edit("One two.\n\nTwo three **two**.\n");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Control+f");
    const bar = page.getByRole("search", { name: "Find and replace" });
    await bar.getByLabel("Find").fill("two");
    expect(await bar.getByRole("status").innerText()).toBe("3 found");
    await takeComposed(bar.getByLabel("Find"));
    expect(await bar.getByRole("status").innerText()).toBe("3 found");
    await page.keyboard.press("Enter");
    expect(await bar.getByRole("status").innerText()).toBe("1 of 3");
    await audit(page);
    await bar.getByLabel("Replace with").fill("2");
    await bar.getByRole("button", { name: "Replace all" }).click();
    expect(await markdown(page)).toBe("One 2.\n\n2 three **2**.\n");
    await page.keyboard.press("Escape");
    expect(await bar.isVisible()).toBe(false);
  });

  it("is reached and used by keys alone: the toolbar, its arrows, the outline, the help", async () => {
    // Of its own: a toolbar remembers which tool was the last.
    const page = await openNew(browser);
    await write(page, "# One\n\ntext\n\n## Two\n\nmore\n");
    await rich(page).focus();
    await page.keyboard.press("Control+Home");
    // The editor hears of the new selection a moment after the key.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await page.keyboard.press("Alt+F10");
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    expect(await focused()).toBe("Bold");
    await page.keyboard.press("ArrowRight");
    expect(await focused()).toBe("Italic");
    await page.keyboard.press("End");
    expect(await focused()).toBe("Markdown");
    await page.keyboard.press("Home");
    await page.keyboard.press("Tab");
    expect(await rich(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("Control+b");
    await page.keyboard.type("x");
    expect(await markdown(page)).toBe("# **x**One\n\ntext\n\n## Two\n\nmore\n");
    await page.keyboard.press("Control+z");
    expect(await markdown(page)).toBe("# One\n\ntext\n\n## Two\n\nmore\n");
    await tool(page, "More tools").click();
    await tool(page, "Code block").focus();
    await tool(page, "More tools").click();
    await rich(page).focus();
    await page.keyboard.press("Alt+F10");
    expect(await focused()).toBe("Bold");
    await tool(page, "More tools").click();
    await tool(page, "Outline").click();
    await page.getByRole("navigation", { name: "Outline" }).getByRole("button", { name: "Two" }).click();
    await page.keyboard.type("3 ");
    expect(await markdown(page)).toContain("## 3 Two");
    await audit(page);
    await page.keyboard.press("Control+/");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await audit(page);
    await page.keyboard.press("Escape");
  });

  it("counts words, inserts footnotes and pictures", async () => {
    const page = await edit();
    await page.keyboard.type("Three short words");
    await page.getByText("3 words, 1 min to read").waitFor();
    await tool(page, "More tools").click();
    await tool(page, "Footnote").click();
    await page.keyboard.type("A note.");
    expect(await markdown(page)).toBe("Three short words[^1]\n\n[^1]: A note.");
    await page.keyboard.press("Control+Home");
    await tool(page, "Image").click();
    const dialog = page.getByRole("dialog", { name: "Image" });
    await dialog.getByLabel("URL").fill(`${service().baseUrl}/none.png`);
    await dialog.getByLabel("Alt text").fill("A ferry");
    await audit(page);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await markdown(page)).not.toContain("![");
    await tool(page, "Image").click();
    await dialog.getByLabel("URL").fill(`${service().baseUrl}/console/icons.svg`);
    await dialog.getByLabel("Caption").fill("At six");
    await dialog.getByRole("button", { name: "Insert" }).click();
    expect(await markdown(page)).toContain('/icons.svg "At six")');
  });

  it("follows what other scripts write into the text area, and offers them a handle", async () => {
    const page = await edit("First.\n\nSecond.\n");
    await write(page, "# Restored\n\nSecond.\n");
    await page.getByRole("heading", { name: "Restored" }).waitFor();
    await page.locator(".rich").evaluate((root: HTMLElement) => {
      const { editor } = root as unknown as {
        editor: { jumpTo(line: number): void; insertMarkdown(text: string): void };
      };
      editor.jumpTo(3);
      editor.insertMarkdown("**Now** ");
    });
    expect(await markdown(page)).toBe("# Restored\n\n**Now** Second.\n");
  });

  it("fits a phone, with targets for fingers", async () => {
    const page = await edit();
    await page.setViewportSize({ width: 360, height: 740 });
    const box = await tool(page, "Bold").boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await page.keyboard.type("/table\n");
    await tool(page, "Insert row below").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  it("hides everything else in focus mode, and comes back", async () => {
    const page = await edit("Text.\n");
    await page.keyboard.press("Control+Shift+f");
    await page.getByRole("navigation", { name: "Console" }).waitFor({ state: "hidden" });
    expect(await button(page, /^save draft$/i).isVisible()).toBe(true);
    await audit(page);
    await page.keyboard.press("Control+Shift+f");
    await expectHeading(page, /^New article/);
  });
});
