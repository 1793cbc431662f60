/** What the editor says of saving where its script came late, and where a change was taken back. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import * as z from "zod";
import { heard, markdown, rich, tool } from "./rich.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { unreliable } from "./unreliable.ts";
import { api, field, send, unique } from "./walk.ts";

const made = z.object({ _id: z.string() });

async function newArticle(text = "One"): Promise<string> {
  const { blogId, apiKey } = service();
  const body = { blogId, title: unique("States"), content: text, published: true };
  return made.parse(await (await api("/api/articles", { key: apiKey, body })).json())._id;
}

const content = (page: Page) => field(page, /^content/i);
const becomes = (page: Page, text: RegExp) =>
  expect.poll(() => page.locator(".autosave-state").innerText()).toMatch(text);

describeInBrowser("the editor", () => {
  const browser = useBrowser();

  it("saves what was written before its script ran, and goes on after a change was taken back while it was offline", async () => {
    const page = await browser.open({ signedIn: true, hurried: true, mayFail: /autosave|ERR_/ });
    let run = (): void => undefined;
    const written = new Promise<void>((resolve) => (run = resolve));
    await page.route("**/console/autosave.js", async (route) => {
      await written;
      await route.continue();
    });
    await page.goto(`/console/articles/${await newArticle()}`, { waitUntil: "commit" });
    await content(page).fill("Written early");
    run();
    await becomes(page, /^Saved/);

    await page.route("**/autosave", (route) => route.abort());
    await content(page).fill("Written offline");
    await becomes(page, /^Offline/);
    await content(page).fill("Written early");
    await becomes(page, /^Saved/);
    await page.unroute("**/autosave");

    for (const write of [() => field(page, /^title/i).fill(""), () => content(page).fill("Written later")]) {
      const answered = page.waitForResponse("**/autosave");
      await write();
      await answered;
      await becomes(page, /^Saved/);
    }
  });

  it("merges what somebody else has saved before its form is sent, and says of a service that fails or refuses that it does", async () => {
    const id = await newArticle("Above\n\nBelow");
    const page = await browser.open({ signedIn: true, hurried: true, mayFail: /autosave|status of (?:500|429)/ });
    await page.goto(`/console/articles/${id}`);
    await page.locator(".autosave-state").waitFor({ state: "attached" });
    const theirs = async (text: string) => {
      const body = { content: text };
      expect((await api(`/api/articles/${id}/draft`, { key: service().apiKey, method: "PUT", body })).status).toBe(200);
    };
    await theirs("Above, theirs\n\nBelow");
    await content(page).fill("Above\n\nBelow, mine");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Changes saved.").waitFor();
    expect(await content(page).inputValue()).toBe("Above, theirs\n\nBelow, mine");
    await theirs("Above, theirs again\n\nBelow, mine");
    // What is merged shows before the page that is sent has come back: what is written until then would be gone with it.
    await send(page, /^save$/i);
    await page.locator(".autosave-state").waitFor({ state: "attached" });
    expect(await content(page).inputValue()).toBe("Above, theirs again\n\nBelow, mine");
    await theirs("Above, theirs at last\n\nBelow, mine");
    await content(page).fill("Above, theirs again\n\nBelow, mine to publish");
    await page.getByRole("button", { name: "Publish changes…" }).click();
    await page.getByRole("dialog").getByText("Above, theirs at last").waitFor();
    await page.keyboard.press("Escape");

    const json = { code: "internal", detail: "The service failed." };
    await page.route("**/autosave", (route) => route.fulfill({ status: 500, json }));
    await content(page).fill("Written in vain");
    await becomes(page, /^The service failed\. Your text is kept in this browser/);
    await page.unroute("**/autosave");
    const ceiling = { code: "usage_limit", detail: "The ceiling is reached." };
    const refusal = { status: 429, headers: { "Retry-After": "57895" }, json: ceiling };
    await page.route("**/autosave", (route) => route.fulfill(refusal));
    await page.keyboard.press("Control+s");
    await becomes(page, /^The ceiling is reached\. Your text is kept in this browser/);
    await page.unroute("**/autosave");
    await becomes(page, /^Saved/);
  });

  it("says in one place only when the article was saved last", async () => {
    const id = await newArticle();
    const { apiKey: key } = service();
    await api(`/api/articles/${id}/draft`, { key, method: "PUT", body: { content: "Earlier" } });
    const page = await browser.open({ signedIn: true, hurried: true });
    await page.goto(`/console/articles/${id}`);
    const [main, changes] = [page.getByRole("main"), page.getByText("This article has unpublished changes")];
    await changes.waitFor();
    expect(await changes.innerText()).toContain(", saved ");
    await content(page).fill("Later");
    await becomes(page, /^Saved/);
    expect(await changes.innerText()).toMatch(/^This article has unpublished changes\. Compare/);
    expect(await main.innerText()).not.toContain("Last edited");
  });

  // A field that is left says "Not saved yet" again, in the midst of a press: a button that moved was not pressed.
  it("leaves its buttons where they are whatever it says, on screens of each width", async () => {
    const page = await browser.open({ signedIn: true, hurried: true });
    let answer = (): void => undefined;
    await page.route("**/autosave", async (route) => {
      await new Promise<void>((resolve) => (answer = resolve));
      await route.continue();
    });
    await page.goto(`/console/articles/${await newArticle()}`);
    await page.locator(".autosave-state").waitFor({ state: "attached" });
    for (const width of [1280, 800, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const place = () => page.getByRole("button", { name: "Save", exact: true }).boundingBox();
      const before = await place();
      await content(page).fill(`Written at ${width} pixels`);
      const stays = async (said: RegExp) => {
        await becomes(page, said);
        expect(await place(), `${width} pixels, ${said}`).toEqual(before);
      };
      await stays(/^Saving/);
      await content(page).dispatchEvent("change");
      await stays(/^Not saved yet/);
      answer();
      await stays(/^Saved/);
    }
  });

  it("merges what somebody else has saved once the dialog is closed that is about a place in the text", async () => {
    const id = await newArticle("Above\n\nA word here");
    const page = await browser.open({ signedIn: true, hurried: true, rich: true });
    await page.goto(`/console/articles/${id}`);
    await rich(page).locator("p").last().click();
    await page.keyboard.press("End");
    const body = { content: "New above\n\nAbove\n\nA word here" };
    expect((await api(`/api/articles/${id}/draft`, { key: service().apiKey, method: "PUT", body })).status).toBe(200);
    const answer = page.waitForResponse("**/autosave");
    // Not answered before the dialog is open, however slow the machine.
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    await page.route("**/autosave", async (route) => {
      await opened;
      await route.continue();
    });
    await page.keyboard.type(", mine");
    await rich(page)
      .getByText("A word here")
      .dblclick({ position: { x: 25, y: 8 } });
    await heard(page);
    await tool(page, "Link").click();
    await page.getByLabel("URL or search").fill("https://example.com/a");
    open();
    expect((await answer).status()).toBe(412);
    await page.keyboard.press("Enter");
    const merged = "New above\n\nAbove\n\nA [word](https://example.com/a) here, mine";
    await expect.poll(() => markdown(page)).toBe(merged);
    await becomes(page, /^Saved/);
    // What was written here can still be undone, and nothing of the others is.
    await rich(page).focus();
    for (let times = 0; times < 4; times++) await page.keyboard.press("Control+z");
    expect(await markdown(page)).toBe("New above\n\nAbove\n\nA word here");
    await becomes(page, /^Saved/);
  });

  it("leaves what cannot be saved where its writer can copy it: of a deleted article, and for who may not write", async () => {
    const id = await newArticle();
    const page = await browser.open({ signedIn: true, hurried: true, mayFail: /status of 40[34]/ });
    await page.goto(`/console/articles/${id}`);
    await page.locator(".autosave-state").waitFor({ state: "attached" });
    const detail = "Your role can read articles, but not write them.";
    const barred = { status: 403, json: { code: "role_forbidden", detail } };
    await page.route("**/autosave", (route) => route.fulfill(barred));
    await content(page).fill("Written in vain");
    await becomes(page, /^Your role can read articles, but not write them\. Your text is kept in this browser/);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await becomes(page, /^Your role can read articles, but not write them\. Your text is kept in this browser/);
    expect(await content(page).inputValue()).toBe("Written in vain");
    await page.unroute("**/autosave");
    // Who may write again presses it again.
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Changes saved.").waitFor();

    await page.route("**/autosave", (route) => route.fulfill(barred));
    await content(page).fill("Written in vain again");
    await becomes(page, /^Your role can read articles, but not write them\. Your text is kept in this browser/);
    await page.unroute("**/autosave");
    const headers = { Authorization: `Basic ${btoa(`${service().apiKey}:`)}` };
    await fetch(`${service().baseUrl}/api/articles/${id}`, { method: "DELETE", headers });
    await page.keyboard.press("Control+s");
    await becomes(page, /^This article no longer exists\. Your text is kept in this browser/);
    await page.reload();
    const left = page.getByRole("region", { name: "Unsaved text" });
    expect(await left.getByLabel("Content").inputValue()).toBe("Written in vain again");
    await left.getByRole("button", { name: "Discard" }).click();
    await page.reload();
    await page.getByText("There is no such article.").waitFor();
    expect(await left.count()).toBe(0);
  });

  it("keeps a long text in the browser also where it has no room for what was sent", async () => {
    const page = await browser.open({ signedIn: true, hurried: true, mayFail: /autosave|ERR_/ });
    await page.goto(`/console/articles/${await newArticle("a".repeat(30_000))}`);
    await page.locator(".autosave-state").waitFor({ state: "attached" });
    await page.evaluate(() => localStorage.setItem("filled", "x".repeat(5_160_000)));
    await page.route("**/autosave", (route) => route.abort());
    await content(page).fill("b".repeat(30_000));
    await becomes(page, /^Offline\. Your text is kept in this browser/);
    await content(page).fill("c".repeat(30_000));
    const isKept = () => page.evaluate(() => Object.values(localStorage).some((each: string) => each.includes("cccc")));
    await expect.poll(isKept).toBe(true);
    await page.unroute("**/autosave");
    await page.keyboard.press("Control+s");
    await becomes(page, /^Saved/);
  });

  it("creates an article once what was wrong with it is corrected, and when somebody asks for it by Ctrl+S", async () => {
    const page = await browser.open({ signedIn: true, hurried: true });
    await page.goto("/console/articles/new");
    await page.locator(".autosave-state").waitFor({ state: "attached" });
    await field(page, /^title/i).fill(unique("Corrected"));
    await field(page, /^cover/i).fill("no address");
    await content(page).fill("Begun.");
    await becomes(page, /^Not saved\. Cover image must/);
    await field(page, /^cover/i).fill("");
    await becomes(page, /^Saved/);

    // What search engines are told is saved as a whole: of it, too, only the field that is wrong is left out.
    await page.getByText("SEO", { exact: true }).click();
    const canonical = page.getByLabel("Canonical URL", { exact: true });
    await canonical.fill("no address");
    await becomes(page, /^Not saved\. Canonical URL must/);
    await page.getByLabel("Meta title", { exact: true }).fill("There");
    await becomes(page, /^Saved .* but Canonical URL must/);
    await canonical.fill("https://example.com/first");
    await becomes(page, /^Saved [\d:]+( [AP]M)?$/);
    const { baseUrl, apiKey } = service();
    const saved = await api(`/api/articles/${page.url().slice(-36)}?fields=seo`, { key: apiKey });
    expect(await saved.json()).toMatchObject({ seo: { title: "There", canonicalUrl: "https://example.com/first" } });

    // Of two texts of articles that were not begun, one is restored. The other stays in the browser for the next article.
    await page.locator("[data-autosave]").evaluate((place: HTMLElement) => {
      const { person, organization } = place.dataset;
      for (const title of ["Former one", "Former other"]) {
        const record = { page: "/console/articles/new", time: Date.now(), base: {}, values: { title } };
        localStorage.setItem(`edgepress:kept:${person}:${organization}:new:${title}`, JSON.stringify(record));
      }
    });
    await page.goto("/console/articles/new");
    const restore = page.getByRole("button", { name: "Restore" });
    await restore.nth(1).waitFor();
    await restore.first().click();
    const restored = await field(page, /^title/i).inputValue();
    expect(await restore.count()).toBe(0);
    const left = await page.evaluate(() => JSON.stringify(localStorage));
    expect(left).toContain(restored === "Former one" ? "Former other" : "Former one");

    // Otherwise it waits until the title is left.
    await field(page, /^title/i).fill(unique("Asked for"));
    await page.keyboard.press("Control+s");
    await becomes(page, /^Saved/);
    await expect.poll(() => page.url()).toMatch(/[0-9a-f-]{36}$/);
    // Other files begin with the newest article, of which they expect more than a title.
    const headers = { Authorization: `Basic ${btoa(`${apiKey}:`)}` };
    await fetch(`${baseUrl}/api/articles/${page.url().slice(-36)}`, { method: "DELETE", headers });
  });

  it("whose session has ended leads to sign in, and then sends what was written by a reload", async () => {
    const page = await browser.open({ signedIn: true, hurried: true, scripts: false, mayFail: /401/ });
    await page.goto(`/console/articles/${await newArticle()}`);
    const session = await page.context().cookies();
    await content(page).fill("Written when signed out");
    await page.context().clearCookies();
    await page.getByRole("button", { name: /^save$/i }).click();
    await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    const signIn = page.waitForEvent("popup");
    await page.getByRole("link", { name: "Sign in in another tab" }).click();
    await (await signIn).getByRole("button", { name: /^sign in$/i }).waitFor();
    await page.context().addCookies(session);
    await page.reload();
    await page.getByRole("button", { name: /^save$/i }).waitFor();
    expect(await content(page).inputValue()).toBe("Written when signed out");
  });

  it("offers again what it could not save before its tab was closed, and merges it with what was written since", async () => {
    const way = await unreliable(service().baseUrl);
    try {
      const id = await newArticle();
      const edit = async (page: Page) => {
        await page.goto(`/console/articles/${id}`);
        await page.locator(".autosave-state").waitFor({ state: "attached" });
        return page;
      };
      const options = { signedIn: true, hurried: true, at: way.url, mayFail: /autosave|ERR_/ };
      const first = await edit(await browser.open(options));
      // Not by `setOffline`, which ends before the page does: what it saves as its last would arrive.
      await way.down();
      await content(first).fill("Written before the end");
      await becomes(first, /^Offline\. Your text is kept in this browser/);
      await first.close();
      // Also for what the closed page still sends, which could otherwise arrive now.
      way.passSaves(false);
      await way.up();

      const page = await edit(await first.context().newPage());
      await page.getByRole("button", { name: "Compare" }).waitFor();
      // What is written before it is restored, and is not saved either, is lost neither in the form nor in the browser.
      await way.down();
      await content(page).fill("Written since");
      await becomes(page, /^Offline\. Your text is kept in this browser/);
      await page.getByRole("button", { name: "Compare" }).click();
      expect(await page.locator(".compared dd").allInnerTexts()).toEqual(["Written since", "Written before the end"]);
      await page.getByRole("button", { name: "Restore" }).click();
      await page.getByLabel("Keep both").check();
      expect(await content(page).inputValue()).toBe("Written since");
      const kept = await page.evaluate(() => JSON.stringify(localStorage));
      for (const text of ["Written since", "Written before the end"]) expect(kept).toContain(text);
      way.passSaves(true);
      await way.up();
      await page.getByRole("button", { name: "Continue" }).click();
      await becomes(page, /^Saved/);
      expect(await content(page).inputValue()).toBe("Written since\nWritten before the end");
    } finally {
      await way.down();
    }
  });
});
