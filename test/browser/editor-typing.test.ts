/** Markdown that is typed into the rich editor becomes what it means, and nothing that was there is lost by that. */
import { expect, it } from "vitest";
import * as z from "zod";
import { newPicture } from "./pictures.ts";
import { heard, markdown, rich, sharedEditor, write } from "./rich.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { api, unique } from "./walk.ts";

const made = z.object({ _id: z.string() });

describeInBrowser("what is entered beside the text", () => {
  const browser = useBrowser();

  it("stands in it as it was entered: a price that replaces something, an address of e-mail as a link", async () => {
    const page = await sharedEditor(browser)();
    await page.keyboard.type("It costs nothing");
    await page.keyboard.press("Control+f");
    const bar = page.getByRole("search", { name: "Find and replace" });
    await bar.getByLabel("Find").fill("nothing");
    await bar.getByLabel("Replace with").fill("$10 & $$");
    await bar.getByRole("button", { name: "Replace all" }).click();
    expect(await markdown(page)).toBe("It costs $10 & $$");
    await page.keyboard.press("Escape");
    await rich(page).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Write");
    await page.keyboard.press("Control+a");
    await page.waitForFunction(() => getSelection()?.toString() === "Write");
    await heard(page);
    await page.keyboard.press("Control+k");
    const dialog = page.getByRole("dialog", { name: "Link" });
    await dialog.getByRole("combobox").fill("me@example.com");
    await dialog.getByRole("button", { name: "Link", exact: true }).click();
    expect(await markdown(page)).toBe("[Write](mailto:me@example.com)");
    await page.keyboard.press("Control+k");
    await dialog.getByRole("combobox").fill("javascript:alert(1)");
    await dialog.getByRole("button", { name: "Link", exact: true }).click();
    expect(await dialog.getByRole("combobox").evaluate((input: HTMLInputElement) => input.validationMessage)).toBe(
      "A link cannot run a script.",
    );
    await dialog.getByRole("combobox").fill("example.com:8080?a=1");
    await dialog.getByRole("button", { name: "Link", exact: true }).click();
    expect(await markdown(page)).toBe("[Write](https://example.com:8080?a=1)");
  });

  it("can be undone in the title, also several lines that were pasted as one", async () => {
    const page = await browser.open({ signedIn: true });
    await page.goto("/console/articles/new");
    const title = page.getByRole("textbox", { name: /^title/i });
    await page.locator("#content").fill("two\nthree");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+c");
    await title.focus();
    await page.keyboard.type("One . End");
    for (let back = 0; back < ". End".length; back++) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Control+v");
    expect(await title.inputValue()).toBe("One two three. End");
    await page.keyboard.press("Control+z");
    expect(await title.inputValue()).toBe("One . End");
    await page.keyboard.press("Control+y");
    expect(await title.inputValue()).toBe("One two three. End");
  });
});

describeInBrowser("typing Markdown", () => {
  const edit = sharedEditor(useBrowser());

  it("keeps the marks, pictures and footnotes within what becomes bold", async () => {
    const page = await edit();
    await write(page, "![A quay](data:image/gif;base64,R0lGODlhAQABAAAAACw=) and a note[^1]\n\n[^1]: Note");
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
    const page = await edit();
    await page.keyboard.type("---after\n***\n```js\nlet a;");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type("~~~\nb");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type("no fence ```\n*** *both*");
    expect(await markdown(page)).toBe(
      "---\n\nafter\n\n\\*\\*\\*\n\n```js\nlet a;\n```\n\n```\nb\n```\n\nno fence \\`\\`\\`\n\n---\n\n*both*",
    );
  });

  it("has lines and indentation in code, also in a list, and keeps the lines of what becomes code or is it no more", async () => {
    const page = await edit("- item\n\n  ```js\n  a;\n  ```");
    const press = async (...keys: string[]) => {
      for (const key of keys) {
        await page.keyboard.press(key);
        await heard(page);
      }
    };
    await rich(page).locator("code").click();
    await press("End", "Enter", "Tab");
    await page.keyboard.type("b;");
    await press("Shift+Enter");
    await page.keyboard.type("c;");
    expect(await markdown(page)).toBe("- item\n\n  ```js\n  a;\n    b;\n  c;\n  ```");
    await press("Shift+ArrowUp", "Tab", "Shift+Tab", "Shift+Tab");
    expect(await markdown(page)).toBe("- item\n\n  ```js\n  a;\n  b;\n  c;\n  ```");
    await press("ArrowLeft", "ArrowUp", "Home", "Backspace");
    expect(await markdown(page)).toBe("- item\n\n  a;\\\n  b;\\\n  c;");
    await write(page, "one\ntwo");
    await rich(page).click();
    await press("Control+Home");
    await page.keyboard.type("```js ");
    expect(await markdown(page)).toBe("```js\none\ntwo\n```");
  });

  it("leaves the marker of a list that is typed in an item as a text; elsewhere in a list or a quote, it begins one", async () => {
    const page = await edit();
    await page.keyboard.type("- a\n- b\n1. c");
    expect(await markdown(page)).toBe("- a\n- \\- b\n- 1\\. c");
    await write(page, "");
    await page.keyboard.type("- [x] a\n# b");
    expect(await markdown(page)).toBe("- [x] a\n- [ ] \\# b");
    await write(page, "> a");
    await rich(page).getByText("a", { exact: true }).click();
    await page.keyboard.press("End");
    await heard(page);
    await page.keyboard.type("\n- b");
    expect(await markdown(page)).toBe("> a\n>\n> - b");
  });

  it("makes a picture of its Markdown, whose address no browser gets unless readers would", async () => {
    const page = await edit();
    const address = `${service().baseUrl}/typed.png`;
    await page.route(address, (route) =>
      route.fulfill({ body: newPicture("typed.png").buffer, contentType: "image/png" }),
    );
    await page.keyboard.type(`At **night** ![A *quay*](${address}) and ![](`);
    await rich(page).getByRole("img", { name: "A quay" }).waitFor();
    await page.keyboard.type("javascript:x) and ![x](data:image/png,x)");
    expect(await rich(page).locator("[src^=javascript], [src^=data]").count()).toBe(0);
    expect(await markdown(page)).toBe(
      `At **night** ![A quay](${address}) and !\\[](javascript:x) and !\\[x](data:image/png,x)`,
    );
    await page.keyboard.type("\n`![x](/y.png)`[^1] and `[^1]`");
    expect(await markdown(page)).toMatch(/\n\n`!\[x\]\(\/y\.png\)`\[\^1\]\n\n\[\^1\]: and `\[\^1\]`$/);
  });

  it("makes both of three asterisks or underscores, with what stands between them, and neither in code", async () => {
    const page = await edit();
    await page.keyboard.type("A ***both*** and ___two words___, then **bold** 2***3");
    const first = "A **_both_** and **_two words_**, then **bold** 2\\*\\*\\*3";
    expect(await markdown(page)).toBe(first);
    await page.keyboard.type("\n`*a* [b](c)` *d*");
    expect(await markdown(page)).toBe(`${first}\n\n\`*a* [b](c)\` *d*`);
  });

  it("makes footnotes of their labels: of one that is there, or of a number a new one", async () => {
    const page = await edit();
    await page.keyboard.type("One[^1]");
    await page.keyboard.type("A note.");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("End");
    await page.keyboard.type(", again[^1], and [^other] stays");
    expect(await markdown(page)).toBe("One[^1], again[^1], and \\[^other] stays\n\n[^1]: A note.");
  });
});

describeInBrowser("a word that an input method composes", () => {
  const browser = useBrowser();

  it("is composed before what somebody else has saved is merged, and before the form is sent", async () => {
    const { blogId, apiKey: key } = service();
    const article = { blogId, title: unique("Composed"), content: "Above\n\nBelow", published: true };
    const id = made.parse(await (await api("/api/articles", { key, body: article })).json())._id;
    const becomes = (text: RegExp) => expect.poll(() => page.locator(".autosave-state").innerText()).toMatch(text);
    const page = await browser.open({ signedIn: true, rich: true });
    await page.goto(`/console/articles/${id}`);
    await rich(page).locator("p").last().click();
    await page.keyboard.press("End");
    const body = { published: false, content: "New above\n\nAbove\n\nBelow" };
    expect((await api("/api/articles", { key, body: { _id: id, ...body } })).status).toBe(200);
    const answer = page.waitForResponse("**/autosave");
    const keys = await page.context().newCDPSession(page);
    const compose = (text: string) =>
      keys.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
    await compose("に");
    await compose("にほ");
    expect((await answer).status()).toBe(412);
    await compose("にほん");
    await keys.send("Input.insertText", { text: "日本" });
    await expect.poll(() => markdown(page)).toBe("New above\n\nAbove\n\nBelow日本");
    await becomes(/^Saved/);
    // It is a draft by now, which the page says.
    await page.getByText("Somebody has unpublished this article since").waitFor();

    // "Save" waits for that, too.
    await page.reload();
    await page.locator(".autosave-state").waitFor({ state: "attached" });
    await rich(page).locator("p").last().click();
    await page.keyboard.press("End");
    const theirs = { _id: id, content: "Above\n\nBelow日本" };
    expect((await api("/api/articles", { key, body: theirs })).status).toBe(200);
    const refusal = page.waitForResponse((response) => response.request().method() === "POST");
    await compose("か");
    expect((await refusal).status()).toBe(412);
    await keys.send("Input.insertText", { text: "火" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    expect(await markdown(page)).toBe("Above\n\nBelow日本火");
  });
});
