/** What helps with a text while somebody writes it: the live preview, advice, own articles, and the model. */
import type { Page } from "playwright-core";
import { expect, it, onTestFailed } from "vitest";
import { sample } from "../helpers/sample.ts";
import { audit } from "./audit.ts";
import { DESKTOP, describeInBrowser, service, useBrowser } from "./tab.ts";
import { api, button, unique } from "./walk.ts";

/** Texts whose HTML is compared: one for each kind of what Markdown has, and what it may not have. */
const TEXTS: Readonly<Record<string, string>> = {
  blocks:
    "# One\n\n## Two\n\n#### Four\n\nA *b* **c** ~~d~~ `e`\\\nf\n\n> quote\n>\n> - in it\n\n---\n\n1. one\n2. two\n",
  tasks: "- [x] done\n- [ ] open\n  - nested\n\n3. three\n",
  table: "| a | b | c |\n| :- | :-: | -: |\n| 1 | 2 | 3 |\n\n| x |\n| - |\n",
  code: "```ts\nconst a = `<b>`;\n```\n\n    indented\n\n```js onload=x\n```\n",
  links:
    '[a](https://a.example/?q=1&r=2 "Title") [b](/own) [c](#part) <https://d.example> e@f.example [r][1]\n\n[1]: /r\n',
  refused: "[x](javascript:alert(1)) [y](data:text/html,z) ![z](/relative.png) ![w](javascript:w)\n",
  html: "<script>alert(1)</script>\n\n<b onclick=x>in</b> a line <!-- comment -->\n\n- <i>item</i>\n",
  notes: "A note[^1] and another[^b].\n\n[^1]: First.\n[^b]: Second, with `code`.\n",
  images: '![Alt](IMAGE "T")\n\n# ![](IMAGE)\n\n#\n',
  letters: "שלום, עולם. 日本語。 &amp; &lt;b&gt; \u00a0 \u200b | \\* 🙂\n",
  nested: `${"> ".repeat(30)}deep\n`,
  long: "word ".repeat(45_000),
  table2: `| ${"a | ".repeat(200)}\n| ${"- | ".repeat(200)}\n${"| b\n".repeat(60)}`,
};

/** What a preview has: its HTML, and what it warns of. */
type Shown = { readonly html: string; readonly warnings: readonly string[] };

/** Returns what the live preview shows. */
const shown = (page: Page): Promise<Shown> =>
  page.locator("#beside").evaluate((preview) => ({
    html: preview.querySelector(".prose")?.outerHTML ?? "",
    warnings: [...preview.querySelectorAll(".alert")].map((each) => each.textContent.trim()),
  }));

/** Sends the form as its button "Preview" does without scripts; returns what the page of the server has. */
async function served(page: Page): Promise<Shown> {
  const form = await page
    .locator("#content")
    .evaluate((area: HTMLTextAreaElement) =>
      [...new FormData(area.form ?? undefined)].map(([name, value]) => [name, typeof value === "string" ? value : ""]),
    );
  const headers = { Origin: service().baseUrl };
  // A connection that was idle may just be closed.
  const sent = { headers, form: Object.fromEntries(form), maxRetries: 2 };
  const answer = await page.request.post("/console/articles/preview", sent);
  return page.evaluate(
    (text) => {
      const preview = new DOMParser().parseFromString(text, "text/html").querySelector("#preview");
      return {
        html: preview?.querySelector(".prose")?.outerHTML ?? "no preview",
        warnings: [...(preview?.querySelectorAll(".alert") ?? [])].map((each) => each.textContent.trim()),
      };
    },
    await answer.text(),
  );
}

describeInBrowser("beside the text", () => {
  const browser = useBrowser();

  let shared: Page | undefined;

  async function open(kept = false): Promise<Page> {
    const page = await browser.open({ signedIn: true, kept });
    await page.goto("/console/articles/new");
    return page;
  }

  /** Fills in the form of an article that many tests share. After one that failed, it is opened again. */
  async function write(content: string, page?: Page): Promise<Page> {
    onTestFailed(() => void (shared = undefined));
    const written = page ?? (shared ??= await open(true));
    await written.setViewportSize(DESKTOP);
    await written.locator("#title").fill("Walks in Porto");
    await written.locator("#description").fill("");
    await written.locator("#locale").fill("en");
    await written.locator("#content").fill(content);
    return written;
  }

  const preview = (page: Page) => page.getByRole("button", { name: "Preview" });

  it("the live preview has the HTML of the server's page, for each kind of text", async () => {
    const page = await write("");
    await preview(page).click();
    for (const [name, template] of sample(Object.entries(TEXTS), 0, 4)) {
      // No page may ask another host for something.
      await page.locator("#content").fill(template.replaceAll("IMAGE", `${service().baseUrl}/console/icons.svg`));
      const expected = await served(page);
      await expect.poll(() => shown(page), { message: name }).toEqual(expected);
    }
    await preview(page).click();
  });

  it("the preview takes the place of the text on a phone, and the button gives it back", async () => {
    const page = await write("Some *text*.");
    await page.setViewportSize({ width: 360, height: 740 });
    await preview(page).click();
    await page.locator("#beside em").waitFor();
    expect(await page.locator("#content").isVisible()).toBe(false);
    await audit(page);
    await preview(page).click();
    expect(await page.locator("#content").isVisible()).toBe(true);
    expect(await page.locator("#content").inputValue()).toBe("Some *text*.");
  });

  it("the search result and the card follow the form", async () => {
    const page = await write("Text");
    await page.getByText("Search and social preview").click();
    await page.locator("#title").fill("T".repeat(100));
    await page.locator("#description").fill("What readers get.");
    await expect.poll(() => page.locator(".search-result .title").innerText()).toBe(`${"T".repeat(60)} …`);
    expect(await page.locator(".shared-card .description").innerText()).toBe("What readers get.");
    await audit(page);
  });

  it("advice names what is wrong, says why, and leads there", async () => {
    const page = await write(
      "Intro.\n\n#### Too deep\n\n![](https://a.example/red-ferry.png)\n\nRead [here](https://a.example).",
    );
    await page.getByText("Advice").click();
    const item = page.locator(".advice li").filter({ hasText: "red-ferry.png" });
    await item.waitFor();
    const all = await page.locator(".advice li").allInnerTexts();
    for (const said of ["no alt text", "level 4", "only “here”", "The description has 0", "no cover"])
      expect(all.join("\n")).toContain(said);
    await audit(page);
    await item.getByRole("button").click();
    const selected = await page
      .locator("#content")
      .evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd));
    expect(selected).toBe("![](https://a.example/red-ferry.png)");
  });

  it("own articles are offered, and inserted as links", async () => {
    const { blogId, apiKey } = service();
    const word = unique("lighthouse").replaceAll("-", "");
    const made = await api("/api/articles", {
      key: apiKey,
      body: { blogId, title: `About the ${word}`, published: true },
    });
    const { slug } = (await made.json()) as { slug: string };
    const page = await write("Text\n", await open());
    await page.locator("[name=blogId]").selectOption(blogId);
    await page.locator("#title").fill(`Everything on the ${word}`);
    await page.getByText("Related articles").click();
    await page.getByRole("button", { name: `Insert a link to About the ${word}` }).click();
    await expect.poll(() => page.locator("#content").inputValue()).toContain(`[About the ${word}](/${slug})`);
  });

  it("tags and authors are chips: typed, chosen from the blog's, and removed", async () => {
    const { blogId, apiKey } = service();
    const known = unique("Known tag");
    const made = await api("/api/tags", { key: apiKey, body: { blogId, name: known } });
    const { slug } = (await made.json()) as { slug: string };
    const page = await write("Text\n", await open());
    await page.locator("[name=blogId]").selectOption(blogId);
    await button(page, /^save draft$/i).click();
    await button(page, /^save$/i).waitFor();
    const tags = page.getByLabel("Tags", { exact: true });
    await page.locator(".chips").first().waitFor();
    const chips = () => page.getByRole("list", { name: "Selected tags" }).getByRole("listitem").allInnerTexts();
    await tags.pressSequentially("Fog, Night,fog");
    await tags.press("Enter");
    expect(await chips()).toEqual(["Fog", "Night"]);
    // What is half typed is in the form already, and stays where the page is left.
    await tags.pressSequentially("x");
    expect(await page.locator("[name=tags]").inputValue()).toBe("Fog, Night, x");
    // Pressed twice without being let go: the second one is a repetition, as of a key that is held down.
    await page.keyboard.down("Backspace");
    await page.keyboard.down("Backspace");
    await page.keyboard.up("Backspace");
    expect(await chips()).toEqual(["Fog", "Night"]);
    await tags.press("Backspace");
    // A comma of a word that an input method composes makes a chip once that is done.
    await tags.evaluate((input: HTMLInputElement) => {
      input.value = "霧、";
      input.dispatchEvent(new InputEvent("input", { isComposing: true }));
    });
    expect(await chips()).toEqual(["Fog"]);
    await tags.dispatchEvent("compositionend");
    expect(await chips()).toEqual(["Fog", "霧"]);
    await tags.press("Backspace");
    await tags.fill(slug);
    await tags.blur();
    expect(await chips()).toEqual(["Fog", known]);
    await audit(page);
    // A long name is cut; it makes nothing wider than a phone.
    await tags.fill(`${"w".repeat(90)}،`);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await tags.press("Backspace");
    await page.getByRole("button", { name: "Remove Fog" }).click();
    expect(await tags.evaluate((field) => field === document.activeElement)).toBe(true);
    await button(page, /^save$/i).click();
    const id = new URL(page.url()).pathname.split("/").pop() ?? "";
    await expect
      .poll(
        async () =>
          ((await (await api(`/api/articles/${id}?fields=tags`, { key: apiKey })).json()) as { tags: object[] }).tags,
      )
      .toMatchObject([{ slug, name: known }]);
  });

  it("a change of the model is shown, and only applied if it is accepted", async () => {
    const page = await write("A passage. The rest.");
    const area = page.locator("#content");
    const select = (end: number) =>
      area.evaluate((text: HTMLTextAreaElement, to) => (text.focus(), text.setSelectionRange(0, to)), end);
    await page.getByRole("button", { name: "Shorten" }).waitFor({ state: "hidden" });
    await select(10);
    const written = page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const look = () => {
            const text = document.querySelector("dialog .writing")?.textContent ?? "";
            if (text !== "") resolve(text);
          };
          new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
        }),
    );
    await page.getByRole("button", { name: "Shorten" }).click();
    const dialog = page.getByRole("dialog");
    // Shown while it is being written.
    expect(await written).toMatch(/\w/);
    await dialog.getByRole("button", { name: "Accept" }).waitFor();
    expect(await dialog.locator("del").count()).toBeGreaterThan(0);
    await audit(page);
    await dialog.getByRole("button", { name: "Discard" }).click();
    expect(await area.inputValue()).toBe("A passage. The rest.");

    await select(0);
    await page.getByRole("button", { name: "Rephrase" }).waitFor({ state: "hidden" });
    await select(10);
    await page.getByRole("button", { name: "Rephrase" }).click();
    await dialog.getByText("New text").click();
    const wanted = await dialog.locator("details .changed").innerText();
    await dialog.getByRole("button", { name: "Accept" }).click();
    await expect.poll(() => area.inputValue()).toBe(`${wanted} The rest.`);
  });

  it("proposals for the article are taken over one by one", async () => {
    const page = await write("A text about walks.");
    await page.getByText("AI suggestions").click();
    await page.getByRole("button", { name: "Titles" }).click();
    const first = page.locator(".suggestions li").first();
    const title = await first.locator("span").first().innerText();
    expect(await page.locator("#title").inputValue()).toBe("Walks in Porto");
    await first.getByRole("button").click();
    expect(await page.locator("#title").inputValue()).toBe(title);
    await audit(page);
  });

  it("the model helps, too, where a blog has a language with details that have no name", async () => {
    const page = await browser.open({ signedIn: true });
    await page.route("**/console/articles/new", async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('data-locales="', 'data-locales="en nl-u-hc-h12 ');
      await route.fulfill({ response, body });
    });
    await page.goto("/console/articles/new");
    await page.getByText("AI suggestions").waitFor();
    expect(await page.locator('.assist-bar option[value="nl-u-hc-h12"]').textContent()).toBe("Dutch");
  });

  it("what does not come is said, with what to do", async () => {
    const page = await browser.open({ signedIn: true, mayFail: /ERR_FAILED|reading\.js|assist/ });
    await page.goto("/console/articles/new");
    await write("Some *text*.", page);
    await page.route(/reading\.js|assist/, (route) => route.abort());
    await preview(page).click();
    await page.getByText("The preview could not be loaded.").waitFor();
    await preview(page).click();
    await page.getByText("AI suggestions").click();
    await page.getByRole("button", { name: "Titles" }).click();
    await page.getByText("The service does not answer. Try again.").waitFor();
    await page.unroute(/reading\.js|assist/);
    await preview(page).click();
    await page.locator("#beside em").waitFor();
  });
});
