/** What the rich editor makes of a clipboard: of word processors, web pages and text. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { newPicture } from "./pictures.ts";
import { heard, markdown, pastePicture, rich, sharedEditor, write } from "./rich.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";

describeInBrowser("pasting", () => {
  const edit = sharedEditor(useBrowser());

  /** Pastes as a browser does: by an event, with what a clipboard has. */
  const paste = (page: Page, data: Record<string, string>): Promise<void> =>
    rich(page).evaluate((element, all) => {
      const clipboardData = new DataTransfer();
      for (const [type, text] of Object.entries(all)) clipboardData.setData(type, text);
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, data);

  it.each(["word", "google-docs"])("makes clean Markdown of what is pasted from %s", async (name) => {
    const html = readFileSync(path.resolve(import.meta.dirname, `../fixtures/clipboard/${name}.html.txt`), "utf8");
    const page = await edit();
    await paste(page, { "text/html": html, "text/plain": "The ferry" });
    const shared =
      "It leaves **before six** and is *never* late; see [the times](https://ferry.example.com/times).\n\n- Coffee\n  - with milk\n- Tea";
    const expected = {
      word: `# The ferry\n\n${shared}\n\nA return ticket costs twelve euros, ~~as before~~.\n\n| **Port** | **Time** |\n| - | - |\n| Porto | 5:45 |`,
      "google-docs": `## The ferry\n\n${shared}\n\n~~Cancelled~~\n\n- [x] Tickets\n- [ ] Luggage\n  - [x] Coat`,
    }[name];
    expect(await markdown(page)).toBe(expected);
    // The boxes of tasks are no pictures that are left out.
    expect(await page.getByText("left out").isVisible()).toBe(name === "word");
  });

  it("keeps footnotes of Word, tasks of Notion, languages of code, and lines copied from an editor for programs", async () => {
    const page = await edit("Before[^1]\n\n[^1]: There already");
    await page.keyboard.press("Control+Home");
    await heard(page);
    const link = (from: string, to: string) => `<a href="#${to}" name="${from}"><span>[1]</span></a>`;
    const list = `<div style="mso-element:footnote-list"><hr><div id="ftn1"><p>${link("_ftn1", "_ftnref1")} By ferry</p></div></div>`;
    await paste(page, {
      "text/html": `<p>Word${link("_ftnref1", "_ftn1")} says</p>${list}`,
      "text/plain": "Word[1] says",
    });
    expect(await markdown(page)).toMatch(/^Word\[\^2\] says\n\n\[\^2\]: By ferry\n/);
    const pasted = async (data: Record<string, string>) => {
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Delete");
      await paste(page, data);
      return markdown(page);
    };
    expect(await pasted({ "text/html": `<p>See ${link("a", "_ftn1")}</p>` })).toBe("See \\[1]");
    expect(await pasted({ "text/html": "<ul><li>[ ] open</li><li>[x] done</li></ul>" })).toBe("- [ ] open\n- [x] done");
    const code = '<pre><code class="hljs language-ts">a;\n</code></pre><p>&nbsp;</p>';
    const video = '<iframe src="https://example.com/embed/a_b"></iframe>';
    const both = "```ts\na;\n```\n\nhttps://example.com/embed/a_b";
    expect(await pasted({ "text/html": code + video })).toBe(both);
    const html = "<div><div><span>if (a) {</span></div><div><span>  b();</span></div></div>";
    const lines = {
      "text/html": html,
      "text/plain": "if (a) {\n  b();",
      "vscode-editor-data": '{"version":1,"mode":"ts"}',
    };
    expect(await pasted(lines)).toBe("```ts\nif (a) {\n  b();\n```");
  });

  it("puts what is pasted or dropped into a cell of a table on its one line, and cells into cells", async () => {
    const page = await edit();
    const table = "| A | B |\n| - | -: |\n| one | two |\n| three | four |";
    const lots = "<h2>H</h2><p>a<br>b</p><ul><li>c<ul><li>d</li></ul></li></ul><pre>e|\nf</pre><hr><p>g</p>";
    const line = "H a b c d `e\\| f` g";
    const into = async (cell: string, data: Record<string, string>) => {
      await write(page, table);
      await rich(page).getByText(cell, { exact: true }).click();
      await page.keyboard.press("End");
      await heard(page);
      await paste(page, data);
      return markdown(page);
    };
    expect(await into("one", { "text/html": lots })).toBe(table.replace("one", `one${line}`));
    expect(await into("A", { "text/html": lots })).toBe(table.replace("A", `A${line}`));
    expect(await into("four", { "text/plain": " x\ty\n\n- z" })).toBe(table.replace("four", "fourx y z"));
    const cells = "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td><p>4</p><ol><li>5</li></ol></td></tr></table>";
    expect(await into("A", { "text/html": cells })).toBe("| 1 | 2 |\n| - | -: |\n| 3 | 4 5 |\n| three | four |");
    expect(await into("three", { "text/html": `<p>x</p>${cells}` })).toBe(table.replace("three", "threex 1 2 3 4 5"));
    await write(page, table);
    await rich(page)
      .getByText("two", { exact: true })
      .evaluate((cell, html) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData("text/html", html);
        const { left, top } = cell.getBoundingClientRect();
        const place = { clientX: left - 5, clientY: top + 5 };
        cell.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true, ...place }));
      }, lots);
    expect(await markdown(page)).toBe(table.replace("two", `${line}two`));
  });

  it("puts files into blocks of their own, in their order: in the middle of a text, or before or behind it", async () => {
    const page = await edit("Before after");
    const origin = `${service().baseUrl}/made/`;
    await page.route(`${origin}*`, (route) =>
      route.fulfill({ body: newPicture("a.png").buffer, contentType: "image/png" }),
    );
    await page.route("**/media/upload", async (route) => {
      const name = /filename="([^"]+)"/.exec(route.request().postDataBuffer()?.toString("latin1") ?? "")?.[1] ?? "";
      // The first one comes last.
      if (name === "1.png") await page.waitForTimeout(500);
      await route.fulfill({ json: { url: origin + name, alt: "" } });
    });
    const files = (type: "paste" | "drop", isBelow = false) =>
      rich(page)
        .locator("p", { hasText: "after" })
        .evaluate(
          (element, [kind, bytes, below]) => {
            const data = new DataTransfer();
            for (const name of ["1.png", "2.png"])
              data.items.add(new File([Uint8Array.from(bytes)], name, { type: "image/png" }));
            const { left, top, bottom } = element.getBoundingClientRect();
            const place = { clientX: left + 30, clientY: below ? bottom - 2 : top + 2 };
            const shared = { bubbles: true, cancelable: true };
            element.dispatchEvent(
              kind === "paste"
                ? new ClipboardEvent(kind, { clipboardData: data, ...shared })
                : new DragEvent(kind, { dataTransfer: data, ...place, ...shared }),
            );
          },
          [type, [...newPicture("a.png").buffer], isBelow] as const,
        );
    const both = `![](${origin}1.png)\n\n![](${origin}2.png)`;
    await page.keyboard.press("End");
    for (let left = 0; left < " after".length; left++) await page.keyboard.press("ArrowLeft");
    await heard(page);
    await files("paste");
    await expect.poll(() => markdown(page)).toBe(`Before\n\n${both}\n\nafter`);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    expect(await markdown(page)).toBe("Before after");
    await files("drop");
    await expect.poll(() => markdown(page)).toBe(`${both}\n\nBefore after`);
    await write(page, "- Before after\n- end");
    await files("drop", true);
    const indented = both.replaceAll("!", "  !");
    await expect.poll(() => markdown(page)).toBe(`- Before after\n\n${indented}\n- end`);
  });

  it("uploads a picture that is copied with an address of its own page, and says which are left out or are none", async () => {
    const page = await edit();
    await pastePicture(page, "copied.png", '<meta charset="utf-8"><img src="data:image/png;base64,AAAA">');
    await expect.poll(() => markdown(page)).toMatch(/^!\[\]\(http\S+\/media\/\S+\)$/);
    await paste(page, { "text/html": '<p>From Word</p><p><img src="file:///C:/clip.png"></p>' });
    await page.getByText("An image was left out of what you pasted").waitFor();
    await rich(page).evaluate((element) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["%PDF"], "notes.pdf", { type: "application/pdf" }));
      const { x: clientX, y: clientY } = element.getBoundingClientRect();
      element.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true, clientX, clientY }));
    });
    await page.getByText("notes.pdf was not inserted").waitFor();
  });

  it("reads pasted text as Markdown, and makes a link of an address on a selection", async () => {
    const page = await edit();
    await paste(page, { "text/plain": "# Pasted\n\n- a\n- **b**" });
    expect(await markdown(page)).toBe("# Pasted\n\n- a\n- **b**");
    // The browser reports handlers of events, which nothing runs.
    await page.keyboard.press("Control+a");
    await paste(page, { "text/html": "<p onclick='x()' style='color: red' onfocus=x()>From a <b>page</b></p>" });
    expect(await markdown(page)).toBe("From a **page**");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("word");
    await page.keyboard.press("Shift+Home");
    await heard(page);
    await paste(page, { "text/plain": "https://example.com/" });
    expect(await markdown(page)).toMatch(/\[word\]\(https:\/\/example.com\/\)$/);
  });

  it("puts a paste that is too large into the source, and takes it out again; one larger than an article is refused", async () => {
    const page = await edit();
    await page.keyboard.type("Before and after");
    for (let back = 0; back < " and after".length; back++) await page.keyboard.press("ArrowLeft");
    await heard(page);
    const text = Array.from({ length: 5100 }, (_, index) => `Paragraph ${index}`).join("\n\n");
    await paste(page, { "text/plain": text, "text/html": "<p>Paragraph</p>".repeat(5100) });
    await page.getByText(/too large for the rich text editor/).waitFor();
    expect(await markdown(page)).toBe(`Before${text} and after`);
    await page.getByRole("button", { name: "Undo paste" }).click();
    expect(await markdown(page)).toBe("Before and after");
    await paste(page, { "text/plain": "a".repeat(2 ** 20 + 1) });
    await page.getByText(/larger than an article can be/).waitFor();
    expect(await markdown(page)).toBe("Before and after");
  });

  it("shows lists, quotes and tables of an Arabic text from right to left", async () => {
    const page = await edit();
    await paste(page, { "text/plain": "- واحد\n\n> اقتباس\n\n| أ | ب |\n| - | - |\n| ١ | ٢ |\n\nEnglish\n\n- one\n" });
    const directions = (selector: string) =>
      rich(page)
        .locator(selector)
        .evaluateAll((found) => found.map((each) => getComputedStyle(each).direction));
    await rich(page).locator("table").waitFor();
    expect(await directions("li")).toEqual(["rtl", "ltr"]);
    expect(await directions("blockquote, table")).toEqual(["rtl", "rtl"]);
    await page.locator("[name=locale]").fill("ar");
    expect(await rich(page).getAttribute("dir")).toBe("rtl");
    await page.locator("[name=locale]").fill("");
  });
});
