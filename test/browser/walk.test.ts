/** The whole way through the console, once without scripts and once with them. */
import { createHmac } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, expect, inject, it } from "vitest";
import { cleanUp, receive } from "../e2e/local-run.ts";
import { auditOfKinds } from "./audit.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";
import {
  api,
  createBlog,
  createKey,
  createOrganization,
  createWebhook,
  field,
  expectHeading,
  goTo,
  invite,
  joinBy,
  notice,
  publishArticle,
  removeMember,
  signUp,
  walkerAt,
  type Walker,
  unique,
  signOut,
  send,
} from "./walk.ts";

const TITLE = "Tides of the estuary";

/** Everything from signing up to removing a member. */
async function walk(one: Walker, other: Walker, tag: string): Promise<void> {
  const { page } = one;
  await signUp(one, { name: "Ada Lovelace", email: `ada-${tag}@example.com` });
  await createOrganization(one, `Analytical ${tag}`);
  const blogId = await createBlog(one, `Estuary ${tag}`);

  const id = await publishArticle(one, TITLE, "# Twice a day\n\nThe water *comes* and goes.");
  const read = await api(`/api/articles?blogId=${blogId}`);
  expect(await read.json()).toMatchObject([{ _id: id, title: TITLE, published: true }]);

  const key = await createKey(one, "Website build");
  const written = await api("/api/articles", { key, body: { blogId, title: "Written by a program" } });
  expect(await written.json()).toMatchObject({ title: "Written by a program", published: false });

  const receiver = await receive();
  const secret = await createWebhook(one, receiver.url);
  const [ping] = receiver.received;
  const [, time, signature] = /^t=(\d+),v1=(\w+)$/.exec(ping?.signature ?? "") ?? [];
  expect(createHmac("sha256", secret).update(`${time}.${ping?.body}`).digest("hex")).toBe(signature);
  await goTo(one, "Overview");
  expect(await page.getByRole("img", { name: /deliveries/i }).getAttribute("aria-label")).toMatch(
    /1 succeeded, 0 failed/,
  );
  expect(await page.getByRole("main").innerText()).toContain(TITLE);

  const link = await invite(one, `grace-${tag}@example.com`, "writer");
  await joinBy(other, link, "Grace Hopper");
  await expectWriter(other);
  await removeMember(one, "Grace Hopper");
  expect(await page.getByRole("main").innerText()).not.toContain("Grace Hopper");
  await other.page.getByRole("link", { name: "Articles", exact: true }).click();
  await expectHeading(other.page, /organizations/i);
  expect(await other.page.getByRole("main").innerText()).not.toContain(`Analytical ${tag}`);
  expect((await other.page.goto(`/console/articles/${id}`))?.url()).toContain("/console/organizations");

  for (const place of ["Audit log", "Settings"]) await goTo(one, place);
  await signOut(page);
  await expectHeading(page, /sign in/i);
  await page.goto(`/console/articles/${id}`);
  await expectHeading(page, /sign in/i);
}

/** Writes, and is refused what a writer may not do. */
async function expectWriter(writer: Walker): Promise<void> {
  const { page, look } = writer;
  const places = await page.getByRole("navigation", { name: "Console" }).getByRole("link").allInnerTexts();
  expect(places).toEqual(expect.arrayContaining(["Overview", "Articles", "Blogs"]));
  expect(places.filter((place) => /keys|webhooks|members|audit|settings/i.test(place))).toEqual([]);
  for (const path of ["keys", "keys/new", "webhooks", "members", "audit", "settings"]) {
    const response = await page.request.get(`/console/${path}`);
    expect.soft([path, response.status()]).toEqual([path, 403]);
  }
  await page.goto("/console/settings");
  await look();
  await goTo(writer, "Articles");
  await page
    .getByRole("main")
    .getByRole("link", { name: /new article/i })
    .waitFor();
}

describeInBrowser("the console", () => {
  const browser = useBrowser();
  afterAll(cleanUp);

  // What the pages do, test/console/ tries by their forms and links; what scripts add has tests of its own.
  it.runIf(inject("exhaustive"))("works without scripts", async () => {
    const walker = async () => walkerAt(await browser.open({ scripts: false }), expectDocument);
    await walk(await walker(), await walker(), unique("plain"));
  });

  it.runIf(inject("exhaustive"))(
    "works with scripts, for everybody, in every scheme and on small screens",
    async () => {
      const audit = auditOfKinds();
      const walker = async () => walkerAt(await browser.open(), audit);
      await walk(await walker(), await walker(), unique("scripted"));
    },
  );

  it("copies secrets, and asks before it throws away what was written", async () => {
    const page = await browser.open({ signedIn: true });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto("/console");
    const secret = await createKey(walkerAt(page), unique("Copied"));
    await page.getByRole("button", { name: /copy/i }).first().click();
    await expect.poll(() => page.getByRole("status").allInnerTexts()).toContain("Copied.");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);

    const { apiKey, blogId } = service();
    const body = { blogId, title: unique(TITLE), content: "As it was.", published: true };
    const written = await api("/api/articles", { key: apiKey, body });
    await page.goto(`/console/articles/${((await written.json()) as { _id: string })._id}`);
    await page.locator(".autosave-state").waitFor({ state: "attached" });
    // The service does not answer: what is written is not saved.
    await page.route("**/autosave", () => undefined);
    await field(page, /^content/i).fill("As it is now.");
    const answers: string[] = [];
    let leave = false;
    page.on("dialog", (dialog) => {
      answers.push(dialog.type());
      void (leave ? dialog.accept() : dialog.dismiss());
    });
    const away = page.getByRole("link", { name: "Blogs", exact: true });
    await away.click({ noWaitAfter: true });
    await expect.poll(() => answers).toEqual(["beforeunload"]);
    await expectHeading(page, new RegExp(TITLE));
    expect(await field(page, /^content/i).inputValue()).toBe("As it is now.");
    leave = true;
    await away.click();
    await expectHeading(page, /blogs/i);
    // What was saved, or never changed, is left without a question.
    await page.unroute("**/autosave");
    await page.goBack();
    // The script comes after the page: a press that begins before it may be lost.
    await page.locator(".autosave-state").waitFor({ state: "attached" });
    await field(page, /^content/i).fill("As it is now, saved.");
    await send(page, /^save$/i);
    await expectHeading(page, new RegExp(TITLE));
    expect(await notice(page)).toMatch(/saved/i);
    await away.click();
    await expectHeading(page, /blogs/i);
    expect(answers).toHaveLength(2);
  });
});

/** One heading of the first level, a title, a language, and no script that has run. */
async function expectDocument(page: Page): Promise<void> {
  expect(await page.getByRole("heading", { level: 1 }).count(), page.url()).toBe(1);
  expect(await page.title()).not.toBe("");
  expect(await page.locator("html").getAttribute("lang")).toBe("en");
  expect(await page.getByRole("button", { name: /copy/i }).count()).toBe(0);
}
