/** What the rich editor shows as readers see it: HTML, cards, captions and galleries. */
import { expect, it } from "vitest";
import { audit } from "./audit.ts";
import { heard, markdown, rich, sharedEditor } from "./rich.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";

describeInBrowser("the editor", () => {
  const edit = sharedEditor(useBrowser());

  it("shows HTML as readers see it, and opens its source by keys alone", async () => {
    const closed = "<details>\n<summary>Why?</summary>\n<p>Because.</p>\n</details>";
    const text = `First\n\n${closed}\n\n<DIV align=center>\n\n*   One\n\n</DIV>\n\n<!-- Note -->\n`;
    // A press in the middle could be one in the source, which is there until its rendering has come.
    const page = await edit(text, false);
    const first = page.getByRole("group", { name: "HTML" }).first();
    await first.getByText("Why?").click();
    expect(await first.getByText("Because.").isVisible()).toBe(true);
    await audit(page);
    await rich(page).getByText("First").click();
    await heard(page);
    await page.keyboard.press("ArrowDown");
    await page.locator(".ProseMirror-selectednode").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("<script>");
    expect(await markdown(page)).toBe(text.replace(closed, `${closed}<script>`));
    await audit(page);
    await page.keyboard.press("Escape");
    await first.getByText("<script>", { exact: true }).waitFor();
    expect(await first.getByRole("textbox").count()).toBe(0);
    // What is in a box is edited in it, and the rest of it stays as it is written.
    await rich(page).getByText("One", { exact: true }).click();
    await heard(page);
    await page.keyboard.press("End");
    await page.keyboard.type("!");
    expect(await markdown(page)).toBe(text.replace(closed, `${closed}<script>`).replace("One", "One!"));
    await heard(page);
    await page.keyboard.press("Tab");
    await page.locator(".source-head button:focus").waitFor();
    await heard(page);
    await page.keyboard.press("Enter");
    expect(await page.getByRole("textbox", { name: "HTML before" }).inputValue()).toBe("<DIV align=center>");
    expect(await page.getByRole("textbox", { name: "HTML", exact: true }).inputValue()).toBe("<!-- Note -->");
  });

  it("merges nothing into HTML by Backspace behind it", async () => {
    const text = "<div>\n\n- a\n\n</div>\n\nEnd\n";
    const page = await edit(text);
    await page.getByRole("button", { name: "Edit HTML" }).waitFor();
    await rich(page).getByText("End").click();
    await page.keyboard.press("Home");
    await heard(page);
    await page.keyboard.press("Backspace");
    expect(await markdown(page)).toBe(text);
  });

  it("shows cards, captions and galleries as readers see them, and edits them as text", async () => {
    const picture = `${service().baseUrl}/console/icons.svg`;
    const video = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";
    const blocks = [
      `![One](${picture} "By the quay")`,
      `![Two](${picture})\n![Three](${picture})`,
      "[Episode](https://sounds.example/1.mp3)",
      `- ${video}`,
      `[![Six walks](${picture})](https://vimeo.com/123456789)`,
      video,
    ];
    const page = await edit(`${blocks.join("\n\n")}\n`);
    const cards = page.getByRole("group", { name: /^(?:Audio|Vimeo|YouTube)$/ });
    expect(await cards.allInnerTexts()).toEqual(
      ["▶︎ Audio", "▶︎ Six walks\nVimeo", "▶︎ YouTube\nAdd title and image"].map((said) => `${said}\nOpen`),
    );
    const caption = await page
      .getByRole("img", { name: "One" })
      .locator("..")
      .evaluate((shown) => getComputedStyle(shown, "::after").content);
    expect(caption).toBe('"By the quay"');
    const [two, three] = await Promise.all(
      ["Two", "Three"].map((name) => page.getByRole("img", { name }).boundingBox()),
    );
    expect([two?.y, (two?.x ?? 0) < (three?.x ?? 0)]).toEqual([three?.y, true]);
    await audit(page);
    await rich(page).getByText(video).last().click();
    await heard(page);
    await page.keyboard.press("Tab");
    expect(
      await cards
        .last()
        .getByRole("button", { name: "Add title and image" })
        .evaluate((add) => add === document.activeElement),
    ).toBe(true);
    await page.keyboard.press("Escape");
    await page.keyboard.press("End");
    await heard(page);
    await page.keyboard.type("x");
    expect(await cards.count()).toBe(2);
    await page.keyboard.press("Enter");
    await page.keyboard.type(video);
    await expect.poll(() => cards.count()).toBe(3);
    expect(await markdown(page)).toBe(`${blocks.join("\n\n")}x\n\n${video}\n`);
  });
});
