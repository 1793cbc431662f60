/** The page of the audit log: sentences with names and links, and filters. */
import { deleteAfter } from "../helpers/deletions.ts";
import { EVENT_KINDS } from "../../src/domain/events.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { expect, test } from "vitest";
import { signedIn, unescaped } from "../helpers/console.ts";
import { save } from "../helpers/console-articles.ts";
import { newMedia } from "../helpers/pictures.ts";
import { sendJson } from "../helpers/requests.ts";
import { inMinutes, runAt, schedule } from "../helpers/schedules.ts";
import { newTenant } from "../helpers/tenant.ts";
import { SENTENCES } from "../../src/surfaces/console/audit/sentences.tsx";

const STORE = import.meta.glob("../../src/store/**/*.ts", {
  query: "?raw",
  import: "default",
  eager: true,
});

const PATH = "/console/audit";

/** Returns the sentences in the log, without their markup. */
const sentencesIn = (html: string): string[] =>
  [...html.matchAll(/<td class="sentence"[^>]*>(.*?)<\/td>/gs)].map(([, cell = ""]) =>
    unescaped(cell.replaceAll(/<[^>]*>/g, ""))
      .replaceAll(/\s+/g, " ")
      .trim(),
  );

test("the log says in sentences who did what, with links to what it was about", async () => {
  const tenant = await newTenant();
  const { browser } = await signedIn(tenant.organizationId);
  const article = await save(tenant, { blogId: tenant.blogId, title: "The first <ferry>" });
  const path = `/console/articles/${article._id}`;
  await browser.submit(path, path, { title: "The last ferry" });
  const { text } = await browser.get(PATH);
  expect(sentencesIn(text).slice(0, 2)).toEqual([
    "A member edited “The last ferry”",
    expect.stringMatching(/ access token created “The last ferry”$/),
  ]);
  expect(text).toContain(`“<a href="${path}">The last ferry</a>”`);
  await browser.submit(`${path}/delete`, `${path}/delete`);
  await deleteAfter(LIMITS.undoSeconds + 1);
  const after = (await browser.get(PATH)).text;
  expect(sentencesIn(after).slice(0, 3)).toEqual([
    "A member schedule deleted “The last ferry”",
    "A member requested the deletion of a deleted article",
    "A member edited a deleted article",
  ]);
  expect(after).not.toContain(`href="${path}"`);
});

test("the log says that an article was published and unpublished as scheduled", async () => {
  const tenant = await newTenant();
  const as = { apiKey: tenant.apiKey };
  const { _id } = await save(tenant, { blogId: tenant.blogId, title: "The first ferry", published: false });
  await schedule(as, _id, { publishTime: inMinutes(5), unpublishTime: inMinutes(10) });
  await runAt(inMinutes(6));
  await runAt(inMinutes(11));
  const { browser } = await signedIn(tenant.organizationId);
  expect(sentencesIn((await browser.get(PATH)).text).slice(0, 2)).toEqual([
    expect.stringMatching(/ schedule unpublished “The first ferry”$/),
    expect.stringMatching(/ schedule published “The first ferry”$/),
  ]);
});

test("the log is narrowed by person, kind and days, and by following a name", async () => {
  const tenant = await newTenant();
  const { browser, userId } = await signedIn(tenant.organizationId);
  await sendJson(200, "/api/apikeys", { as: { operatorToken: tenant.operatorToken }, body: { name: "CI" } });
  await browser.submit("/console/blogs/new", "/console/blogs/new", { name: "Mine", locales: "en" });
  const mine = await browser.get(`${PATH}?actor=${userId}`);
  expect(sentencesIn(mine.text)).toEqual(["A member created the blog “Mine”"]);
  expect(mine.text).toContain(`<option value="${userId}" selected`);
  const keys = sentencesIn((await browser.get(`${PATH}?kind=apikeys`)).text);
  expect(keys.every((sentence) => sentence.includes("API key"))).toBe(true);
  expect(keys.length).toBeGreaterThan(0);
  const today = new Date().toISOString().slice(0, 10);
  expect(sentencesIn((await browser.get(`${PATH}?from=${today}&to=${today}`)).text).length).toBeGreaterThan(1);
  expect((await browser.get(`${PATH}?to=2020-01-01`)).text).toContain("No entries match.");
  const follow = /href="(\/console\/audit\?actor=[^"]+)">[^<]+<\/a>\s*<span class="badge">access token/.exec(
    (await browser.get(PATH)).text,
  )?.[1];
  const followed = sentencesIn((await browser.get(follow ?? "")).text);
  expect(followed.every((sentence) => !sentence.startsWith("A member"))).toBe(true);
});

test.each(["to=9999-12-31", "from=0000-01-01", "from=2026-02-30", "to=2026-13-01"])(
  "any day can be asked for: %s",
  async (query) => {
    const tenant = await newTenant();
    const { browser } = await signedIn(tenant.organizationId);
    await browser.submit("/console/blogs/new", "/console/blogs/new", { name: "Mine", locales: "en" });
    const { status, text } = await browser.get(`${PATH}?${query}`);
    expect(status).toBe(200);
    expect(sentencesIn(text)[0]).toContain("Mine");
  },
);

test("pictures are named and linked until they are deleted, and a kind of the filter", async () => {
  const tenant = await newTenant();
  const { browser } = await signedIn(tenant.organizationId);
  const { _id } = await newMedia(tenant, "?name=Harbour.gif");
  const pictures = async () => (await browser.get(`${PATH}?kind=media`)).text;
  const before = await pictures();
  expect(sentencesIn(before)).toEqual([expect.stringMatching(/ uploaded the image “Harbour.gif”$/)]);
  expect(before).toContain(`<a href="/console/media/${_id}">Harbour.gif</a>`);
  await sendJson(200, `/api/media/${_id}`, { as: { apiKey: tenant.apiKey }, method: "DELETE" });
  const after = await pictures();
  expect(sentencesIn(after)[1]).toMatch(/ uploaded the image that was deleted or has no name$/);
  expect(after).not.toContain(`/console/media/${_id}`);
});

test("every action that the store notes has a sentence", () => {
  // Tags and authors share their code.
  const text = Object.values(STORE)
    .join("\n")
    .replaceAll(/`\$\{kind\}(s\.[a-z]+)`/g, '"tag$1"');
  // The kinds of events, such as `article.updated`, are in the singular.
  const written = /["']((?:[a-z]+s|media|organization)\.[A-Za-z]+)["']/g;
  const actions = Array.from(text.matchAll(written), ([, action = ""]) => action);
  expect(actions).toEqual(expect.arrayContaining(["schedules.publish", "accesstokens.revoke", "tags.merge"]));
  const isEvent = (text: string) => EVENT_KINDS.some((kind) => kind === text);
  expect(actions.filter((action) => !(action in SENTENCES) && !isEvent(action))).toEqual([]);
});
