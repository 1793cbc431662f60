/** What the editor says is saved of a draft is what everybody gets, and what was typed over comes back from its history. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import * as z from "zod";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { api, expectHeading, field, POLL, unique } from "./walk.ts";

const state = (page: Page): Promise<string> => page.locator(".autosave-state").innerText();
const becomes = (page: Page, text: RegExp) => expect.poll(() => state(page), POLL).toMatch(text);
const content = (page: Page) => field(page, /^content/i);

/** Types into the text until the bar says that it is saved. */
async function type(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await becomes(page, /^(Not saved yet|Saving)/);
  await becomes(page, /^Saved [\d:]+( [AP]M)?$/);
}

const shown = z.object({ title: z.string(), content: z.string(), published: z.boolean() });

async function articleOf(page: Page, key?: string) {
  const response = await api(`/api/articles/${page.url().slice(-36)}`, key === undefined ? {} : { key });
  return response.ok ? shown.parse(await response.json()) : response.status;
}

describeInBrowser("a draft", () => {
  const browser = useBrowser();

  it("has what the bar calls saved, for a key and for readers, and what was typed over in its history", async () => {
    const page = await browser.open({ signedIn: true });
    const title = unique("Saved draft");
    await page.goto("/console/articles/new");
    await page.locator(".autosave-state").waitFor({ state: "attached" });
    await page.getByLabel("Blog", { exact: true }).selectOption(service().blogId);
    await field(page, /^title/i).fill(title);
    await content(page).click();
    await type(page, "First words.");
    await type(page, " And more of them.");
    const text = "First words. And more of them.";
    expect(await articleOf(page, service().apiKey)).toEqual({ title, content: text, published: false });
    expect(await page.getByText("unpublished changes").count()).toBe(0);

    // Somebody publishes it from the list, and its writer goes on.
    const list = await browser.open({ signedIn: true });
    await list.goto(`/console/articles?blog=${service().blogId}`);
    await list.getByLabel(`Select “${title}”`).check();
    await list.getByLabel("With selected").selectOption("publish");
    await list.getByRole("button", { name: "Apply" }).click();
    await list.getByRole("button", { name: "Publish 1 article" }).click();
    await list.getByText("1 article changed.").waitFor();
    expect(await articleOf(page)).toMatchObject({ content: text, published: true });
    await page.keyboard.type(" Not for readers yet.");
    await becomes(page, /^Saved .* as unpublished changes$/);
    expect(await articleOf(page)).toMatchObject({ content: text });
    await page.getByText("Somebody has published this article").waitFor();
  });

  it("gives back a long text that was typed over", async () => {
    const page = await browser.open({ signedIn: true });
    const long = "A sentence of three thousand words. ".repeat(100).trim();
    const body = { blogId: service().blogId, title: unique("Typed over"), content: long };
    const { _id } = z
      .object({ _id: z.string() })
      .parse(await (await api("/api/articles", { key: service().apiKey, body })).json());
    await page.goto(`/console/articles/${_id}`);
    await page.locator(".autosave-state").waitFor({ state: "attached" });
    await content(page).click();
    await page.keyboard.press("Control+End");
    await type(page, " The end.");
    await page.keyboard.press("Control+a");
    await type(page, "x");
    expect(await articleOf(page, service().apiKey)).toMatchObject({ content: "x" });
    await page.getByRole("link", { name: "History", exact: true }).click();
    await page.getByRole("link", { name: "Version 2" }).click();
    await expectHeading(page, /version 2/i);
    await page.getByRole("button", { name: /restore version 2/i }).click();
    await expectHeading(page, /^typed over/i);
    expect(await content(page).inputValue()).toBe(`${long} The end.`);
  });
});
