/** Bringing pictures of other sites into the library, from the editor. */
import { expect, inject, it } from "vitest";
import { TITLE } from "../helpers/feed-server/oembed.ts";
import { audit } from "./audit.ts";
import { markdown, rich, write } from "./rich.ts";
import { describeInBrowser, useBrowser } from "./tab.ts";
import { button } from "./walk.ts";

describeInBrowser("pictures of other sites", () => {
  const browser = useBrowser();

  it("come with the title of an embed on one press, which can be undone; a provider that tells neither changes nothing", async () => {
    const page = await browser.open({ signedIn: true, rich: true, mayFail: /status of 422/ });
    await page.goto("/console/articles/new");
    const [video, gone] = ["https://youtu.be/dQw4w9WgXcQ", "https://codesandbox.io/s/nothing-there"];
    const text = `First.\n\n${video}\n\n${gone}\n\nhttps://x.com/ada/status/20\n`;
    await rich(page).click();
    await write(page, text);
    const cardOf = (name: string) => rich(page).getByRole("group", { name });
    const press = (name: string) => cardOf(name).getByRole("button", { name: "Add title and image" }).click();
    expect(await button(page, /^add title and image$/i).count()).toBe(2);
    await press("CodeSandbox");
    await cardOf("CodeSandbox").getByText("CodeSandbox answered with status 404.").waitFor();
    expect(await markdown(page)).toBe(text);
    await press("YouTube");
    await cardOf("YouTube").getByText(TITLE).waitFor();
    expect(await markdown(page)).toMatch(
      /^First\.\n\n\[!\[Dawn.*\]\(\S+\/media\/\S+\)\]\(https:\/\/youtu\.be\/dQw4w9WgXcQ\)\n\nhttps:/,
    );
    await audit(page);
    await page.keyboard.press("Control+z");
    await expect.poll(() => markdown(page)).toBe(text);
  });

  it("come into the library on one press: what came is replaced, and why the rest stays is said", async () => {
    // The service fetches what the console's own policy does not load from here.
    const mayFail = /\/pictures\/(?:plain\.gif|page\.png)|status of 415/;
    const page = await browser.open({ signedIn: true, rich: true, mayFail });
    await page.goto("/console/articles/new");
    await rich(page).click();
    page.on("dialog", (dialog) => void dialog.accept());
    const [good, bad] = ["plain.gif/remote.gif", "page.png"].map((path) => `${inject("feeds").url}/pictures/${path}`);
    const text = (address: string) =>
      `*One*  two\n\n![A](${address})\n\n![B](${bad})\n\n\`${good}\` ![A](${address})\n`;
    await write(page, text(good ?? ""));
    await page.getByText("2 images are on other sites.").waitFor();
    await audit(page);
    await button(page, /^bring them into the library$/i).click();
    await page.getByText("1 image came into the library. 1 image could not:").waitFor();
    expect(await page.getByRole("listitem").filter({ hasText: "page.png" }).innerText()).toMatch(/page\.png: \S/);
    const now = await markdown(page);
    const address = /!\[A\]\((\S+\/media\/\S+)\)/.exec(now)?.[1] ?? "";
    expect(now.trim()).toBe(text(address).trim());
  });
});
