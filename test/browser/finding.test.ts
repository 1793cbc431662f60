/** The palette, times in the reader's own zone, what was deleted or revoked, and what is missing. */
import { expect, it } from "vitest";
import { audit } from "./audit.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { api, button, createKey, expectHeading, field, notice, unique, walkerAt } from "./walk.ts";

/** Creates a thing as the demo's operator. */
async function asOperator<T>(path: string, body: object): Promise<T> {
  const { baseUrl, operatorToken } = service();
  const headers = { Authorization: `Token ${operatorToken}`, "Content-Type": "application/json" };
  const response = await fetch(`${baseUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return (await response.json()) as T;
}

describeInBrowser("finding one's way", () => {
  const browser = useBrowser();

  it("the palette opens by the keyboard, leads to what is chosen, and gives the focus back, also without storage", async () => {
    const page = await browser.open({ signedIn: true, rich: true });
    await page.addInitScript(() => {
      const get = () => {
        throw new DOMException("Storage is forbidden", "SecurityError");
      };
      Object.defineProperty(globalThis, "localStorage", { get });
    });
    // A part that can be hidden, as the first steps of an organization can.
    await page.route("**/console/blogs", async (route) => {
      const response = await route.fetch();
      const part = "<section data-hideable=part><button data-hide hidden>Hide these</button></section></main>";
      await route.fulfill({ response, body: (await response.text()).replace("</main>", part) });
    });
    await page.goto("/console/blogs");
    const hide = page.getByRole("button", { name: "Hide these" });
    await hide.click();
    expect(await hide.isVisible()).toBe(false);
    const opener = page.getByRole("link", { name: /^search/i });
    await opener.focus();
    await page.keyboard.press("Control+k");
    const input = page.getByRole("combobox", { name: /^go to/i });
    await input.waitFor();
    await page.getByRole("option").first().waitFor();
    await audit(page);
    await page.keyboard.press("Escape");
    await input.waitFor({ state: "hidden" });
    expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("Control+k");
    await input.fill("audit");
    await page.getByRole("option", { name: /audit log/i }).waitFor();
    await page.getByText("1 result").waitFor();
    const active = await input.getAttribute("aria-activedescendant");
    expect(await page.locator(`#${active}`).getAttribute("aria-selected")).toBe("true");
    // Enter before the answer means what was typed, not what is still shown.
    await input.fill("webhooks");
    await page.keyboard.press("Enter");
    await expectHeading(page, /^webhooks$/i);
  });

  it("without scripts, the same link leads to a page that searches", async () => {
    const page = await browser.open({ signedIn: true, scripts: false });
    await page.goto("/console");
    await page.getByRole("link", { name: /^search/i }).click();
    await expectHeading(page, /^search$/i);
    await page.getByRole("searchbox").fill("webhooks");
    await page.keyboard.press("Enter");
    await page.getByRole("main").getByRole("link", { name: "Webhooks", exact: true }).click();
    await expectHeading(page, /^webhooks$/i);
  });

  it("times are in the reader's zone, with the exact one as title; without scripts they are UTC", async () => {
    const page = await browser.open({ signedIn: true });
    await page.goto("/console/audit");
    const time = page.locator("td time").first();
    expect(await time.getAttribute("title")).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC$/);
    const expected = await time.evaluate((element: HTMLTimeElement) =>
      new Intl.DateTimeFormat(navigator.language, { dateStyle: "medium", timeStyle: "short" }).format(
        new Date(element.dateTime),
      ),
    );
    expect(await time.textContent()).toBe(expected);
    expect(await page.getByText("Times are in UTC.").isVisible()).toBe(false);
    const plain = await browser.open({ signedIn: true, scripts: false });
    await plain.goto("/console/audit");
    expect(await plain.locator("td time").first().textContent()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
    expect(await plain.getByText("Times are in UTC.").isVisible()).toBe(true);
  });

  it("a deletion is undone in another tab than the one that was closed, and nobody took the slug meanwhile", async () => {
    const { apiKey, blogId } = service();
    const slug = unique("undone");
    const article = { blogId, title: slug, slug, content: "Text", published: true };
    const { _id } = (await (await api("/api/articles", { key: apiKey, body: article })).json()) as { _id: string };
    const page = await browser.open({ signedIn: true });
    await page.goto(`/console/articles/${_id}/delete`);
    await button(page, /delete article/i).click();
    await page.getByText(new RegExp(`“${slug}” will be deleted in`)).waitFor();
    await page.close();
    const other = await browser.open({ signedIn: true });
    await other.goto(`/console/articles/${_id}`);
    expect((await api("/api/articles", { key: apiKey, body: article })).status).toBe(409);
    // The toolbar has one of this name, too.
    await other.locator("[data-undo]").getByRole("button", { name: "Undo" }).click();
    await other.getByText("Deletion undone.").waitFor();
    const kept = await api(`/api/articles/${_id}`);
    expect(await kept.json()).toMatchObject({ slug, published: true });
  });

  it("all missing translations of an article are made at once", async () => {
    const blog = await asOperator<{ _id: string }>("/api/blogs", {
      name: unique("Languages"),
      locales: ["en", "de", "fr"],
    });
    await asOperator("/api/articles", { blogId: blog._id, title: "Ferries", slug: "ferries", locale: "en" });
    const page = await browser.open({ signedIn: true });
    await page.goto(`/console/articles/matrix?blog=${blog._id}`);
    await page.getByRole("link", { name: /translate into 2 languages/i }).click();
    await expectHeading(page, /missing translations of “ferries”/i);
    await audit(page);
    await button(page, /create drafts/i).click();
    await expectHeading(page, /drafts created/i);
    expect(await page.getByRole("row").filter({ hasText: "Draft" }).count()).toBe(2);
  });

  it("two webhooks of one host are told apart by name, and a revoked key stays in sight", async () => {
    const page = await browser.open({ signedIn: true });
    const names = [unique("Site"), unique("Search")];
    for (const name of names) {
      await page.goto("/console/webhooks/new");
      await field(page, /^url/i).fill("https://hooks.example.com/in");
      await field(page, /^name/i).fill(name);
      await button(page, /create/i).click();
      await expectHeading(page, /created/i);
    }
    await page.goto("/console/webhooks");
    for (const name of names) await page.getByRole("row").filter({ hasText: name }).waitFor();
    const key = unique("Old key");
    await createKey(walkerAt(page), key);
    await page.goto("/console/keys");
    await page
      .getByRole("row")
      .filter({ hasText: key })
      .getByRole("link", { name: /revoke/i })
      .click();
    await button(page, /revoke api key/i).click();
    expect(await notice(page)).toMatch(/revoked/i);
    await page.getByRole("region", { name: "Revoked" }).getByRole("row").filter({ hasText: key }).waitFor();
  });
});
