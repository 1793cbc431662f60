/** What is written in the editor is not lost, whatever happens to the network, the service, the tab or the session. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import * as z from "zod";
import { audit } from "./audit.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { unreliable } from "./unreliable.ts";
import { api, field, unique, signOut } from "./walk.ts";

/** What a tab may note while the network is cut, or the service down. */
const CUT = /autosave|ERR_/;

const made = z.object({ _id: z.string(), title: z.string(), content: z.string() });

/** Creates an article by the API. */
async function newArticle(fields: object = {}) {
  const { blogId, apiKey } = service();
  const body = { blogId, title: unique("Kept"), content: "One\n\nTwo\n\nThree", published: true, ...fields };
  return made.parse(await (await api("/api/articles", { key: apiKey, body })).json());
}

/** Returns the texts of an article's working copy, or its status if it has none. */
async function copyOf(id: string) {
  const response = await api(`/api/articles/${id}/draft`, { key: service().apiKey });
  return response.ok ? made.omit({ _id: true }).parse(await response.json()) : response.status;
}

/** Saves in the working copy, as somebody else does who uses the API. */
async function saveElsewhere(id: string, body: object): Promise<void> {
  const response = await api(`/api/articles/${id}/draft`, { key: service().apiKey, method: "PUT", body });
  expect(response.status).toBe(200);
}

const state = (page: Page): Promise<string> => page.locator(".autosave-state").innerText();
const becomes = (page: Page, text: RegExp) => expect.poll(() => state(page)).toMatch(text);
const content = (page: Page) => field(page, /^content/i);
const offer = (page: Page) => page.getByRole("region", { name: "Unsaved text" });
const question = (page: Page) => page.getByRole("region", { name: "Conflicting changes" });
const pressIn = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Opens the editor of an article in a tab, once its script runs. */
async function edit(page: Page, id: string): Promise<Page> {
  await page.goto(`/console/articles/${id}`);
  await page.locator(".autosave-state").waitFor({ state: "attached" });
  return page;
}

describeInBrowser("what is written", () => {
  const browser = useBrowser();
  let way: Awaited<ReturnType<typeof unreliable>>;
  beforeAll(async () => {
    way = await unreliable(service().baseUrl);
  });
  afterAll(() => way.down());

  const begin = (mayFail?: RegExp) => browser.open({ signedIn: true, hurried: true, ...(mayFail && { mayFail }) });
  const beginAt = () => browser.open({ signedIn: true, hurried: true, at: way.url, mayFail: CUT });

  it("is saved by itself, where readers do not see it, and is left without a question", async () => {
    const { _id, content: before } = await newArticle();
    const page = await edit(await begin(), _id);
    await content(page).fill("One\n\nTwo, changed\n\nThree");
    await becomes(page, /^Saved \d.* as unpublished changes$/);
    expect(await copyOf(_id)).toMatchObject({ content: "One\n\nTwo, changed\n\nThree" });
    expect(await (await api(`/api/articles/${_id}`)).json()).toMatchObject({ content: before });
    expect(await page.locator(".unseen[aria-live]").innerText()).toBe("");
    await page.getByText("unpublished changes").first().waitFor();
    await audit(page);
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await page.getByRole("link", { name: "Blogs", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Blogs" }).waitFor();
    expect(asked).toEqual([]);
  });

  it("is kept while the network is cut, is offered again after the tab was closed, and is saved once it is back", async () => {
    const { _id } = await newArticle();
    const page = await edit(await beginAt(), _id);
    const context = page.context();
    await context.setOffline(true);
    await content(page).fill("Written offline");
    await becomes(page, /^Offline\. Your text is kept in this browser/);
    expect(await page.locator(".unseen[aria-live]").innerText()).toMatch(/offline/i);
    await pressIn(page, "Save");
    await becomes(page, /^Offline\. Your text is kept in this browser/);
    expect(await content(page).inputValue()).toBe("Written offline");
    await context.setOffline(false);
    await becomes(page, /^Saved/);
    expect(await copyOf(_id)).toMatchObject({ content: "Written offline" });

    // Not by `setOffline`, which may end before the tab does: what it saves as its last would arrive.
    await way.down();
    await content(page).fill("Written offline, and closed");
    await becomes(page, /^Offline/);
    await page.close();
    way.passSaves(false);
    await way.up();
    const again = await edit(await context.newPage(), _id);
    await offer(again).waitFor();
    way.passSaves(true);
    expect(await content(again).inputValue()).toBe("Written offline");
    await pressIn(again, "Compare");
    expect(await offer(again).innerText()).toContain("Written offline, and closed");
    await audit(again);
    await pressIn(again, "Restore");
    expect(await content(again).evaluate((area) => area === document.activeElement)).toBe(true);
    await becomes(again, /^Saved/);
    expect(await copyOf(_id)).toMatchObject({ content: "Written offline, and closed" });
    const once = await edit(await context.newPage(), _id);
    expect(await offer(once).count()).toBe(0);
  });

  it("is saved once where answers are lost, and when the service was killed and started again", async () => {
    const { _id } = await newArticle();
    const page = await edit(await beginAt(), _id);
    way.lose(2);
    await content(page).fill("One\n\nTwo, lost\n\nThree");
    await expect.poll(() => way.left()).toBeLessThan(2);
    await content(page).fill("One\n\nTwo, lost and found\n\nThree");
    await becomes(page, /^Saved/);
    expect(await copyOf(_id)).toMatchObject({ content: "One\n\nTwo, lost and found\n\nThree" });
    expect(await question(page).count()).toBe(0);

    await way.down();
    await content(page).fill("Written while it was down");
    await becomes(page, /^Offline\. Your text is kept/);
    await way.up();
    await becomes(page, /^Saved/);
    expect(await copyOf(_id)).toMatchObject({ content: "Written while it was down" });
  });

  it("begins as one draft, also where the answer is lost and the tab is closed", async () => {
    const title = unique("Begun once");
    const page = await begin(CUT);
    let requests = 0;
    // The service gets the first request, but no answer arrives, and then nothing does.
    await page.route("**/autosave", async (route) => {
      if (requests++ === 0) await route.fetch();
      await route.abort();
    });
    await page.goto("/console/articles/new");
    await page.locator(".autosave-state").waitFor({ state: "attached" });
    await page.getByLabel("Blog", { exact: true }).selectOption(service().blogId);
    await field(page, /^title/i).fill(title);
    await content(page).fill("Begun.");
    await becomes(page, /^Offline/);
    await content(page).fill("Begun, and gone on.");
    // What is typed is in the browser's storage in a moment.
    const kept = () => page.evaluate(() => JSON.stringify(localStorage));
    await expect.poll(kept).toContain("Begun, and gone on.");
    await page.close();
    const again = await page.context().newPage();
    await again.goto("/console/articles/new");
    await offer(again).waitFor();
    await pressIn(again, "Restore");
    await becomes(again, /^Saved/);
    await expect.poll(() => new URL(again.url()).pathname).toMatch(/[0-9a-f-]{36}$/);
    const id = again.url().split("/").at(-1) ?? "";
    const draft = async () => made.parse(await (await api(`/api/articles/${id}`, { key: service().apiKey })).json());
    await expect.poll(draft).toMatchObject({ title, content: "Begun, and gone on." });
    const all = `/api/articles?blogId=${service().blogId}&limit=100&fields=title`;
    const listed = await api(all, { key: service().apiKey });
    const titles = z.array(z.object({ title: z.string() })).parse(await listed.json());
    expect(titles.filter((each) => each.title === title)).toHaveLength(1);
    // The page is that of the draft now.
    await pressIn(again, "Save draft");
    await again.getByRole("heading", { level: 1, name: title }).waitFor();
  });

  it("in two tabs is shown in both, and merged if both are written in", async () => {
    const { _id } = await newArticle();
    const one = await edit(await begin(), _id);
    const other = await edit(await one.context().newPage(), _id);
    await content(one).fill("One, in a tab\n\nTwo\n\nThree");
    await becomes(one, /^Saved/);
    await expect.poll(() => content(other).inputValue()).toBe("One, in a tab\n\nTwo\n\nThree");
    await content(one).fill("One, in a tab\n\nTwo\n\nThree, in the one");
    await content(other).fill("One, in the other\n\nTwo\n\nThree");
    const merged = "One, in the other\n\nTwo\n\nThree, in the one";
    for (const page of [one, other]) await expect.poll(() => content(page).inputValue()).toBe(merged);
    await expect.poll(() => copyOf(_id)).toMatchObject({ content: merged });
    for (const page of [one, other]) expect(await question(page).count()).toBe(0);
  });

  it("of two people is merged where it does not overlap, and asked where it does", async () => {
    const { _id } = await newArticle();
    const page = await edit(await begin(), _id);
    await saveElsewhere(_id, { content: "One\n\nTwo\n\nThree, theirs", description: "Theirs" });
    await content(page).fill("One, mine\n\nTwo\n\nThree");
    await expect.poll(() => content(page).inputValue()).toBe("One, mine\n\nTwo\n\nThree, theirs");
    await becomes(page, /^Saved/);
    expect(await field(page, /^description/i).inputValue()).toBe("Theirs");

    await saveElsewhere(_id, { title: "Their title", content: "One, mine\n\nTwo, theirs\n\nThree, theirs" });
    await content(page).fill("One, mine, too\n\nTwo, mine\n\nThree, theirs");
    await becomes(page, /is editing\. Saved by an API key just now/);
    await question(page).waitFor();
    // Nobody is taken away from what they type.
    expect(await content(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByRole("link", { name: "Choose what to keep" }).press("Enter");
    expect(await question(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await audit(page);
    expect(await page.getByRole("button", { name: "Continue" }).isDisabled()).toBe(true);
    expect(await copyOf(_id)).toMatchObject({ content: "One, mine\n\nTwo, theirs\n\nThree, theirs" });
    await question(page).getByLabel("Keep both").check();
    await pressIn(page, "Continue");
    await becomes(page, /^Saved/);
    const both = "One, mine, too\n\nTwo, mine\nTwo, theirs\n\nThree, theirs";
    expect(await copyOf(_id)).toMatchObject({ title: "Their title", content: both });
  });

  it("outlasts the session, and is nobody else's", async () => {
    const { _id } = await newArticle();
    const page = await edit(await begin(CUT), _id);
    const context = page.context();
    await context.clearCookies();
    await content(page).fill("Written after the session ended");
    await becomes(page, /^Signed out\. Your text is kept in this browser/);
    await audit(page);
    const key = await page.evaluate(() => Object.keys(localStorage).find((each) => each.startsWith("edgepress:kept:")));
    const [, , person = ""] = key?.split(":") ?? [];
    await page.close();
    await context.addCookies(inject("session"));
    // Text of somebody else who used this browser.
    const other = await context.newPage();
    await other.goto("/console");
    await other.evaluate(
      ([mine, theirs]) => {
        localStorage.setItem(theirs, (localStorage.getItem(mine) ?? "").replace("Written", "Secretly written"));
      },
      [key ?? "", (key ?? "").replace(person, crypto.randomUUID())] as const,
    );
    const again = await edit(await context.newPage(), _id);
    await offer(again).waitFor();
    expect(await offer(again).count()).toBe(1);
    expect(await again.content()).not.toContain("Secretly");
    await pressIn(again, "Discard");
    await again.reload();
    await again.locator(".autosave-state").waitFor({ state: "attached" });
    expect(await offer(again).count()).toBe(0);
    expect(await copyOf(_id)).toBe(404);
  });

  it("is asked about by who signs out: kept for the next time, or deleted", async () => {
    const { _id } = await newArticle();
    const page = await edit(await beginAt(), _id);
    const context = page.context();
    await way.down();
    await content(page).fill("Only in this browser");
    await becomes(page, /^Offline/);
    // The session of the other tests goes on.
    await page.route("**/sign-out", (route) => route.fulfill({ body: "Signed out" }));
    await signOut(page);
    const dialog = page.getByRole("dialog", { name: /unsaved text/ });
    await dialog.waitFor();
    await audit(page);
    await pressIn(page, "Stay signed in");
    expect(await dialog.count()).toBe(0);
    await signOut(page);
    await pressIn(page, "Keep and sign out");
    await page.getByText("Signed out").waitFor();
    await way.up();
    const again = await edit(await context.newPage(), _id);
    await offer(again).waitFor();
    await again.route("**/sign-out", (route) => route.fulfill({ body: "Signed out" }));
    await signOut(again);
    await pressIn(again, "Delete and sign out");
    await again.getByText("Signed out").waitFor();
    // The choice of the editor's mode stays.
    expect(await again.evaluate(() => Object.keys(localStorage))).toEqual(["edgepress-editor"]);
    expect(await copyOf(_id)).toBe(404);
  });

  it("is saved without the field that the service does not take, which is named", async () => {
    const { _id } = await newArticle();
    const page = await edit(await begin(), _id);
    const [slug, tags] = [field(page, /^slug/i), page.getByLabel("Tags", { exact: true })];
    await slug.fill("Not a slug");
    await tags.fill("Fog, !,");
    await content(page).fill("Saved all the same");
    await becomes(page, /^Saved .* but (Slug .*|Tags “!” must have letters)/);
    expect(await copyOf(_id)).toMatchObject({ content: "Saved all the same" });
    for (const wrong of [slug, tags]) await expect.poll(() => wrong.getAttribute("aria-invalid")).toBe("true");
    expect(await page.locator("#tags-error").innerText()).toMatch(/“!”/);
    await audit(page);
    await page.getByRole("button", { name: "Remove !" }).click();
    await slug.fill(unique("a-slug"));
    await becomes(page, /^Saved [\d:]+( [AP]M)? as unpublished changes$/);
    for (const right of [slug, tags]) expect(await right.getAttribute("aria-invalid")).toBeNull();
  });
});
