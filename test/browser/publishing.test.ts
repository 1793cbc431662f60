/** Publishing over time, as a writer does it: contract 18.3, 18.9 and 18.14 in a real browser. */
import type { Page } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { cleanUp } from "../e2e/local-run.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import { api, expectHeading, field, send, unique, walkerAt, type Walker } from "./walk.ts";

/** Of the article of this attempt. */
let title = "";

/** Writes a text into the editor and saves it; `button` names how. */
async function write({ page, look }: Walker, text: string, button: RegExp): Promise<void> {
  await field(page, /^content/i).fill(text);
  await send(page, button);
  await look();
}

/** Writes a draft of this title. */
async function begin(one: Walker): Promise<void> {
  await one.page.goto("/console/articles/new");
  await field(one.page, /^title/i).fill(title);
  await write(one, "The first text.", /save draft/i);
}

/** Returns tomorrow at nine, as the field of the form takes it. */
const tomorrow = (): string => `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T09:00`;

/** Makes the tab's scripts believe that they run in this time zone. */
async function moveTo(page: Page, timezoneId: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setTimezoneOverride", { timezoneId });
}

/** Schedules the draft of a tab for tomorrow, in the zone that the form proposes or in another. */
async function schedule(page: Page, zone?: string): Promise<void> {
  await page.getByRole("link", { name: "Schedule", exact: true }).click();
  await page.getByLabel("Publish at", { exact: true }).fill(tomorrow());
  if (zone !== undefined) await page.getByLabel("Time zone", { exact: true }).fill(zone);
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await expectHeading(page, new RegExp(`^${title}`));
}

describeInBrowser("publishing over time", () => {
  const browser = useBrowser();
  afterAll(cleanUp);

  it("only a new schedule gets the time zone of the browser", async () => {
    const page = await browser.open({ signedIn: true });
    title = unique("Zones");
    await begin(walkerAt(page));
    await moveTo(page, "Europe/Lisbon");
    await schedule(page);
    expect(await page.getByRole("main").innerText()).toContain("09:00 (Europe/Lisbon)");
    await schedule(page, "UTC");
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
      const page = await browser.open({ signedIn: true, scripts });
      title = unique("Enter");
      await begin(walkerAt(page));
      // What is typed is not saved by itself, so that only the Enter key could save it.
      await page.route("**/autosave", () => undefined);
      await field(page, /^title/i).fill("Half a ti");
      await field(page, /^title/i).press("Enter");
      await page.getByLabel("Tags", { exact: true }).press("Enter");
      expect(await (await page.request.get(page.url())).text()).toContain(`\n${title}</textarea>`);
      await expectHeading(page, new RegExp(`^${title}`));
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
      title = unique("Of a whole sentence, as many are that say what an article is about");
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
