/** The reference in a browser: readable without scripts, on small screens and in both schemes; search and trying it. */
import type { Page } from "playwright-core";
import { expect, inject, it } from "vitest";
import { audit } from "./audit.ts";
import { takeComposed } from "./rich.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";

const SMALL = { width: 360, height: 740 };

describeInBrowser("the reference", () => {
  const browser = useBrowser();
  const operation = (page: Page, id: string) => page.locator(`[id="${id}"]`);

  it.runIf(inject("exhaustive"))("is readable by everybody, in every scheme and on small screens", async () => {
    const page = await browser.open();
    for (const path of ["/docs", "/docs/blogs", "/docs/errors", "/docs/events", "/docs/guides/first-webhook"]) {
      await page.goto(path);
      await audit(page);
    }
  });

  it("is complete without scripts: the languages of the examples, nested members, the list of all operations", async () => {
    const page = await browser.open({ scripts: false });
    await page.goto("/docs/articles#articles.save");
    const section = operation(page, "articles.save");
    await section.getByText("curl -u").waitFor();
    await page.getByRole("radio", { name: "Python" }).check();
    await section.getByText("import base64").waitFor();
    expect(await section.getByText("curl -u").isVisible()).toBe(false);
    await section.locator("dd summary").first().click();
    await section.getByText("canonicalUrl").waitFor();
    expect(await page.getByRole("button", { name: "Try it" }).count()).toBe(0);
    await page.getByRole("link", { name: "All operations" }).click();
    await page.getByRole("link", { name: "GET /api/audit" }).click();
    await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
    await page.getByRole("link", { name: "Next The service" }).click();
    await page.getByRole("heading", { level: 1, name: "The service" }).waitFor();
  });

  it("has its contents behind a button on small screens, without scripts as well", async () => {
    const page = await browser.open({ scripts: false });
    await page.setViewportSize(SMALL);
    await page.goto("/docs/tags");
    const contents = page.getByRole("navigation", { name: "Reference" });
    expect(await contents.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Contents" }).click();
    await contents.getByRole("link", { name: "Authors" }).click();
    await page.getByRole("heading", { level: 1, name: "Authors" }).waitFor();
    expect(await contents.isVisible()).toBe(false);
  });

  it("is searched by keyboard", async () => {
    const page = await browser.open();
    await page.goto("/docs/errors");
    await page.keyboard.press("/");
    await page.keyboard.type("restore art");
    const found = page.getByRole("option", { name: "POST /api/articles/{articleId}/revisions/{revision}/restore" });
    await found.waitFor();
    await audit(page);
    expect(await found.getAttribute("aria-selected")).toBe("true");
    await takeComposed(page.getByRole("combobox"));
    expect(await found.isVisible()).toBe(true);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/revisions#revisions.restore");
    await page.keyboard.press("/");
    await page.keyboard.type("ai_");
    await page.getByRole("option").nth(1).waitFor();
    await page.keyboard.press("ArrowDown");
    expect(await page.getByRole("option").nth(1).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Escape");
    expect(await page.getByRole("listbox").isVisible()).toBe(false);
  });

  it("keeps the chosen language, and leads from the links of the former reference", async () => {
    const page = await browser.open();
    await page.goto("/docs/articles");
    await page.getByRole("radio", { name: "Command line" }).check();
    await page.goto("/docs#/Articles/drafts.save");
    await page.waitForURL("**/docs/working-copies#drafts.save");
    await operation(page, "drafts.save").getByText("edgepress articles draft save").waitFor();
  });

  it("sends a read at once, with a key that stays in the tab", async () => {
    const page = await browser.open();
    await page.goto("/docs/caller");
    await page.getByRole("button", { name: "Try it" }).click();
    const key = page.getByLabel("API key");
    await key.fill("epk_ключ");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("The secret has characters that are not allowed.").waitFor();
    await key.fill(service().apiKey);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("status").getByText("200 OK").waitFor();
    await page.getByText('"articles:read"').first().waitFor();
    await audit(page);
    await page.goto("/docs/blogs");
    await operation(page, "blogs.list").getByRole("button", { name: "Try it" }).click();
    expect(await key.inputValue()).toBe(service().apiKey);
    const kept = await page.evaluate(
      () => JSON.stringify(Object.entries(localStorage)) + document.cookie + location.href,
    );
    expect(kept).not.toContain(service().apiKey);
    const other = await page.context().newPage();
    await other.goto("/docs/caller");
    await other.getByRole("button", { name: "Try it" }).click();
    expect(await other.getByLabel("API key").inputValue()).toBe("");
  });

  it("asks before it sends a write, and again before the next one", async () => {
    const page = await browser.open();
    const sent: string[] = [];
    page.on("request", (request) => request.method() === "GET" || sent.push(`${request.method()} ${request.url()}`));
    await page.goto("/docs/blogs");
    const section = operation(page, "blogs.create");
    await section.getByRole("button", { name: "Try it" }).click();
    await section.getByRole("button", { name: "Send POST" }).click();
    await section.getByText(/^POST changes the data at .* Send it\?$/).waitFor();
    await section.getByLabel("API key").fill(service().apiKey);
    await section.getByLabel("Body").fill('{ "name": "Tried" }');
    await section.getByRole("button", { name: "Send POST" }).click();
    await section.getByText(/^POST changes the data of your organization at .* Send it\?$/).waitFor();
    expect(sent).toEqual([]);
    await section.getByRole("button", { name: "Yes, send POST" }).click();
    await section.getByText("200 OK").waitFor();
    expect(sent).toEqual([`POST ${service().baseUrl}/api/blogs`]);
    await section.getByRole("button", { name: "Send POST" }).waitFor();
  });
});
