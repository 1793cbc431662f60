/** The demo's site in a browser: for everybody, in both schemes, on small screens, from right to left, without scripts. */
import { expect, inject, it } from "vitest";
import type { Locator } from "playwright-core";
import { spread } from "../helpers/sample.ts";
import { auditWhole } from "./audit.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { api } from "./walk.ts";

/** One of each template; the article with code, whose colours differ. */
const TEMPLATES = [
  "/field-notes",
  "/edge-engineering/en/cache-keys-are-a-contract",
  "/field-notes/archive",
  "/field-notes/search?q=harbour",
  "/field-notes/en/nothing-here",
];

const ALIKE = [
  "/field-notes/en/arriving-by-ferry",
  "/field-notes/de/arriving-by-ferry",
  "/field-notes/ja",
  "/field-notes/tags/ferries",
  "/field-notes/authors/maren-holt",
];

const rightOf = async (place: Locator): Promise<number> => {
  const { x = 0, width = 0 } = (await place.boundingBox()) ?? {};
  return x + width;
};

describeInBrowser("the site", () => {
  const browser = useBrowser();

  /** Opens a page. Its policy allows no script at all, so that an audit has to pass it by. */
  const open = ({ audited = false, ...options }: { audited?: boolean; elsewhere?: string; mayFail?: RegExp } = {}) =>
    browser.open({ bypassCSP: audited, ...options });

  it("is usable by everybody, in every scheme and on small screens", async () => {
    const page = await open({ audited: true });
    for (const path of inject("exhaustive") ? [...TEMPLATES, ...ALIKE] : spread(TEMPLATES)) {
      await page.goto(path);
      await auditWhole(page);
    }
  });

  it("is usable from right to left", async () => {
    const page = await open({ audited: true });
    const { apiKey: key, blogId } = service();
    const content = "## أولاً\n\nنص مع `code()` و[رابط](https://example.com).\n\n> اقتباس\n\n```js\nconst a = 1;\n```";
    const article = { blogId, title: "الوصول بالعبارة", slug: "rtl", locale: "ar", published: true, content };
    const made = await api("/api/articles", { key, body: { ...article, tags: ["Boats"] } });
    const { _id } = (await made.json()) as { _id: string };
    try {
      await page.goto("/field-notes/ar/rtl");
      expect(await page.locator("html").getAttribute("dir")).toBe("rtl");
      const [tag, title] = await Promise.all([".kicker a", "h1"].map((name) => rightOf(page.locator(name))));
      expect(tag).toBe(title);
      await auditWhole(page);
      const link = await api(`/api/articles/${_id}/previews`, { key, body: {} });
      await page.goto(((await link.json()) as { url: string }).url);
      for (const code of await page.locator("code").all())
        expect(await code.evaluate((each) => getComputedStyle(each).direction)).toBe("ltr");
      expect(await page.locator("pre").evaluate((each) => getComputedStyle(each).direction)).toBe("ltr");
      const borders = await page.locator("blockquote").evaluate((each) => {
        const { borderLeftWidth, borderRightWidth } = getComputedStyle(each);
        return [borderLeftWidth, borderRightWidth];
      });
      expect(borders).toEqual(["0px", "4px"]);
    } finally {
      await api(`/api/articles/${_id}`, { key, method: "DELETE" });
    }
  });

  it("plays what an article embeds when it is pressed, and loads nothing of it before", async () => {
    const page = await open({ elsewhere: "https://www.youtube-nocookie.com", mayFail: /can escape its sandboxing/ });
    const { apiKey: key, blogId } = service();
    const content = "https://youtu.be/dQw4w9WgXcQ\n\n<https://vimeo.com/76979871>";
    const made = await api("/api/articles", { key, body: { blogId, slug: "film", content, published: true } });
    const { _id } = (await made.json()) as { _id: string };
    const player = "<script>localStorage.a = 1; document.write(`plays at ${location.origin}`)</script>";
    try {
      const asked: string[] = [];
      await page.route(/^https:/, (route) => {
        asked.push(route.request().url());
        return route.fulfill({ contentType: "text/html", body: player });
      });
      await page.goto("/field-notes/en/film", { waitUntil: "networkidle" });
      expect(asked).toEqual([]);
      await page.locator("summary").first().click();
      const frame = page.frameLocator("iframe").first();
      await frame.getByText("plays at https://www.youtube-nocookie.com").waitFor();
      expect(asked).toEqual(["https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"]);
    } finally {
      await api(`/api/articles/${_id}`, { key, method: "DELETE" });
    }
  });

  it("is printed whole: wide tables and long lines of code, too", async () => {
    const page = await open();
    const { apiKey: key, blogId } = service();
    const row = (cell: string) => `|${` ${cell} |`.repeat(14)}\n`;
    const content = `${row("Column")}${row("-")}${row("text of a cell")}\n\`\`\`\n${"long ".repeat(100)}${"x".repeat(300)}\n\`\`\``;
    const made = await api("/api/articles", { key, body: { blogId, slug: "printed", content, published: true } });
    const { _id } = (await made.json()) as { _id: string };
    try {
      await page.setViewportSize({ width: 700, height: 1000 });
      await page.emulateMedia({ media: "print" });
      await page.goto("/field-notes/en/printed");
      for (const wide of await page.locator(".prose pre, .prose .table").all())
        expect(await wide.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
    } finally {
      await api(`/api/articles/${_id}`, { key, method: "DELETE" });
    }
  });

  it("aligns the columns of tables as their Markdown says, also in a preview and from right to left", async () => {
    const page = await open();
    const { apiKey: key, blogId } = service();
    const content = "| a | b | c | d |\n| - | :- | :-: | -: |\n| 1 | 2 | 3 | 4 |";
    const article = { blogId, title: "جدول", slug: "aligned", locale: "ar", published: true, content };
    const { _id } = (await (await api("/api/articles", { key, body: article })).json()) as { _id: string };
    try {
      const link = await api(`/api/articles/${_id}/previews`, { key, body: {} });
      for (const path of ["/field-notes/ar/aligned", ((await link.json()) as { url: string }).url]) {
        await page.goto(path);
        const aligned = (cell: string) =>
          page
            .locator(cell)
            .evaluateAll((all) => all.map((each) => getComputedStyle(each).textAlign.replace("-webkit-", "")));
        expect(await aligned("th")).toEqual(["start", "left", "center", "right"]);
        expect(await aligned("td")).toEqual(["start", "left", "center", "right"]);
      }
    } finally {
      await api(`/api/articles/${_id}`, { key, method: "DELETE" });
    }
  });

  it("breaks words that are wider than a phone: of titles, tags and authors", async () => {
    const page = await open();
    await page.setViewportSize({ width: 320, height: 700 });
    const { apiKey: key, blogId } = service();
    const title = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz";
    const body = { blogId, title, published: true, tags: [title], authors: [title] };
    const made = await Promise.all(
      ["words-1", "words-2"].map((slug) => api("/api/articles", { key, body: { ...body, slug } })),
    );
    const ids = (await Promise.all(made.map((each) => each.json()))) as { _id: string }[];
    try {
      for (const path of [
        "/field-notes/en/words-1",
        "/field-notes/en/words-2",
        "/field-notes",
        "/field-notes/archive",
      ]) {
        await page.goto(path);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
      }
    } finally {
      await Promise.all(ids.map(({ _id }) => api(`/api/articles/${_id}`, { key, method: "DELETE" })));
    }
  });

  it("has dates above titles on a phone, in the list of all articles", async () => {
    const page = await open();
    await page.setViewportSize({ width: 390, height: 700 });
    await page.goto("/field-notes/archive");
    const entry = page.locator(".arch li").first();
    const [date, title] = await Promise.all(["time", "a"].map((name) => entry.locator(name).boundingBox()));
    if (!date || !title) throw new Error("the list has no entries");
    expect(title.y).toBeGreaterThanOrEqual(date.y + date.height);
  });

  it("runs no script, sends nothing elsewhere, and needs neither", async () => {
    const page = await open();
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("request", (request) => {
      if (!request.url().startsWith(service().baseUrl) && !request.url().startsWith("data:"))
        problems.push(request.url());
    });
    await page.goto("/field-notes");
    // The front page shows the latest twelve, and other files' tests publish articles of this blog meanwhile.
    await page.getByRole("link", { name: "All articles" }).first().click();
    await page.waitForURL("**/field-notes/archive");
    await page.getByRole("link", { name: "Arriving by ferry" }).first().click();
    await page.waitForURL("**/field-notes/en/arriving-by-ferry");
    await page.getByRole("link", { name: "Ferries" }).first().click();
    await page.waitForURL("**/tags/ferries");
    await page.getByRole("link", { name: "Deutsch" }).click();
    await page.waitForURL("**/tags/ferries?locale=de");
    await page.getByRole("searchbox").fill("Fähre");
    await page.getByRole("button", { name: "Suchen" }).click();
    await page.waitForURL("**/field-notes/search?q=F%C3%A4hre&locale=de");
    expect(problems).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
  });

  it("takes an address for the blog's mails on each page", async () => {
    const page = await open();
    await page.goto("/field-notes/de/arriving-by-ferry");
    await page.getByRole("textbox", { name: "Ihre E-Mail-Adresse" }).fill("reader-of-the-site@example.com");
    await page.getByRole("button", { name: "Abonnieren" }).click();
    await page.waitForURL("**/subscribe");
    expect(await page.getByRole("main").innerText()).toContain("Sehen Sie in Ihre Mails");
  });

  it("is reached by keyboard, past its head", async () => {
    const page = await open();
    await page.goto("/field-notes/en/arriving-by-ferry");
    await page.keyboard.press("Tab");
    await page.getByRole("link", { name: "Skip to content" }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(page.url()).toContain("#main");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/tags/ferries");
  });
});
