/** Publishing over time, as a writer does it: contract 18.3, 18.9 and 18.14 in a real browser. */
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { api, expectHeading, field, unique } from "./walk.ts";

/** Opens a new draft. */
async function begin(page: Page, title: string): Promise<void> {
  const { apiKey: key, blogId } = service();
  const made = await api("/api/articles", { key, body: { blogId, title, content: "The first text." } });
  await page.goto(`/console/articles/${((await made.json()) as { _id: string })._id}`);
}

/** Returns tomorrow at nine, as the field of the form takes it. */
const tomorrow = (): string => `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T09:00`;

/** Makes the tab's scripts believe that they run in this time zone; returns what ends that. */
async function moveTo(page: Page, timezoneId: string): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setTimezoneOverride", { timezoneId });
  return () => session.detach();
}

/** Schedules the draft of a tab for tomorrow, in the zone that the form proposes or in another. */
async function schedule(page: Page, title: string, zone?: string): Promise<void> {
  await page.getByRole("link", { name: "Schedule", exact: true }).click();
  await page.getByLabel("Publish at", { exact: true }).fill(tomorrow());
  if (zone !== undefined) await page.getByLabel("Time zone", { exact: true }).fill(zone);
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await expectHeading(page, new RegExp(`^${title}`));
}

describeInBrowser("publishing over time", () => {
  const browser = useBrowser();

  it("only a new schedule gets the time zone of the browser", async () => {
    const page = await browser.open({ signedIn: true });
    const title = unique("Zones");
    await begin(page, title);
    onTestFinished(await moveTo(page, "Europe/Lisbon"));
    await schedule(page, title);
    expect(await page.getByRole("main").innerText()).toContain("09:00 (Europe/Lisbon)");
    await schedule(page, title, "UTC");
    await page.getByRole("link", { name: "Change schedule" }).click();
    await expectHeading(page, /schedule/i);
    expect(await page.getByLabel("Time zone", { exact: true }).inputValue()).toBe("UTC");
    // The list is long: the browser may still be parsing it.
    await page.locator('#time-zones option[value="Asia/Tokyo"]').waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Schedule", exact: true }).click();
    await expectHeading(page, new RegExp(`^${title}`));
    expect(await page.getByRole("main").innerText()).toContain("09:00 (UTC)");
  });

  it("the Enter key in a field of one line saves nothing, with scripts and without", async () => {
    for (const scripts of [true, false]) {
      const page = await browser.open({ signedIn: true, scripts, mayFail: /autosave|ERR_/ });
      const title = unique("Enter");
      await begin(page, title);
      // What is typed is not saved by itself, so that only the Enter key could save it.
      await page.route("**/autosave", (route) => route.abort());
      await field(page, /^title/i).fill("Half a ti");
      await field(page, /^title/i).press("Enter");
      await page.getByLabel("Tags", { exact: true }).press("Enter");
      expect(await (await page.request.get(page.url())).text()).toContain(`\n${title}</textarea>`);
      await expectHeading(page, new RegExp(`^${title}`));
      await page.unroute("**/autosave");
      await page.getByRole("button", { name: /^save$/i }).click();
      await expectHeading(page, /^half a ti$/i);
    }
  });

  it("a long title is shown whole and stays one line, with scripts and without", async () => {
    for (const scripts of [true, false]) {
      const page = await browser.open({ signedIn: true, scripts, rich: scripts });
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto("/console/articles/new");
      const shown = field(page, /^title/i);
      const { height } = (await shown.boundingBox()) ?? { height: 0 };
      const title = unique("Of a whole sentence, as many are that say what an article is about");
      await shown.fill(`Pasted\n${title}`);
      expect((await shown.boundingBox())?.height).toBeGreaterThan(2 * height);
      expect(await shown.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThan(2);
      if (scripts) {
        expect(await shown.inputValue()).toBe(`Pasted ${title}`);
        await shown.press("Enter");
        await page.keyboard.type("The text.");
        expect(await page.locator("#content").inputValue()).toBe("The text.");
      }
      await page.getByRole("button", { name: /^save draft$/i }).click();
      await expectHeading(page, new RegExp(`^Pasted ${title}$`));
    }
  });

  it("asks for the title that is missing, and then publishes", async () => {
    const page = await browser.open({ signedIn: true });
    await page.goto(`/console/articles/new?blog=${service().blogId}`);
    await page.locator(".autosave-state").waitFor({ state: "attached" });
    const title = field(page, /^title/i);
    await page.getByRole("button", { name: "Publish…" }).click();
    await page.getByText("A title is required to publish.").waitFor();
    expect(await title.evaluate((element) => element === document.activeElement)).toBe(true);
    await title.fill(unique("Asked for"));
    expect(await title.getAttribute("aria-invalid")).toBeNull();
    await page.getByRole("button", { name: "Publish…" }).click();
    await page.getByRole("button", { name: "Publish now" }).waitFor();
  });

  it("lines of Arabic that differ are read from right to left", async () => {
    const { apiKey: key, blogId } = service();
    const body = { blogId, title: unique("من اليمين"), locale: "ar", content: "نص قديم هنا." };
    const { _id } = (await (await api("/api/articles", { key, body })).json()) as { _id: string };
    await api("/api/articles", { key, body: { _id, content: "نص `g()` هنا." } });
    const page = await browser.open({ signedIn: true });
    await page.goto(`/console/articles/${_id}/history/1`);
    /** Whether a line has its first letter to the right of its full stop. */
    const sides = await page.locator(".diff :is(ins, del)").evaluateAll((lines) =>
      lines.map(({ firstChild }) => {
        const text = firstChild as Text;
        const at = (place: number): number => {
          const range = document.createRange();
          range.setStart(text, place);
          range.setEnd(text, place + 1);
          return range.getBoundingClientRect().x;
        };
        return at(1) > at(text.data.indexOf("."));
      }),
    );
    expect(sides).toEqual([true, true]);
  });
});

describeInBrowser("a translation", () => {
  const browser = useBrowser();

  // "Write in German" leads to a form that names the slug. Somebody may also type it.
  it.each([true, false])(
    "keeps the tags and authors that a translation shares (slug in the address: %s)",
    async (named) => {
      const { blogId, apiKey } = service();
      const terms = { tags: [unique("Tag")], authors: [unique("Author")] };
      const body = { blogId, title: unique("Translated"), content: "One", published: true, ...terms };
      const made = await api("/api/articles", { key: apiKey, body });
      const { _id, slug } = (await made.json()) as Record<"_id" | "slug", string>;
      const page = await browser.open({ signedIn: true, hurried: true });
      await page.goto(`/console/articles/new?blog=${blogId}&locale=de${named ? `&slug=${slug}` : ""}`);
      if (!named) await field(page, /^slug/i).fill(slug);
      await field(page, /^title/i).fill("Übersetzt");
      await field(page, /^content/i).fill("Eins");
      await expect.poll(() => page.locator(".autosave-state").innerText()).toMatch(/^Saved/);
      await field(page, /^content/i).fill("Eins und zwei");
      await expect.poll(() => page.locator(".autosave-state").innerText()).toMatch(/^Saved/);
      await page.getByRole("button", { name: "Save draft" }).click();
      await page.getByText("Saved.").waitFor();
      const stored = await api(`/api/articles/${_id}?fields=tags,authors`, { key: apiKey });
      const { tags, authors } = (await stored.json()) as Record<"tags" | "authors", { name: string }[]>;
      expect({ tags: tags.map(({ name }) => name), authors: authors.map(({ name }) => name) }).toEqual(terms);
    },
  );
});
