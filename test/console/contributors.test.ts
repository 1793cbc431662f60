/** What a contributor does in the console: writes what readers do not see, and is neither offered nor allowed the rest. */
import { expect, test } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { autosave, draftOf, opened } from "../helpers/autosaves.ts";
import { hiddenFields, sendFile, signedIn, unescaped, type Page } from "../helpers/console.ts";
import { fieldOf, generateBy, idIn, LIST, NEW, pathOf, stored, valuesOf } from "../helpers/console-articles.ts";
import { IDEAS, memberOf, storeIdea } from "../helpers/console-topics.ts";
import { PICTURES } from "../helpers/pictures.ts";
import { sendJson } from "../helpers/requests.ts";
import { inMinutes, schedule } from "../helpers/schedules.ts";
import { newArticle, newTenant, type ArticleBody } from "../helpers/tenant.ts";

async function contributing() {
  const tenant = await newTenant();
  const { browser } = await signedIn(tenant.organizationId, "contributor");
  return { tenant, browser };
}

/** Returns the sentences of the alert above a form. */
const alertOf = ({ text }: Page): string =>
  unescaped(/<div class="alert bad"[^>]*>(.*?)<\/div>/s.exec(text)?.[1] ?? "").replaceAll(/<[^>]*>/g, "");

test("drafts and unpublished changes are written, saved, restored and discarded", async () => {
  const { tenant, browser } = await contributing();
  const list = (await browser.get(LIST)).text;
  for (const path of [NEW, `${LIST}/generate`]) expect(list).toContain(`href="${path}?blog=${tenant.blogId}"`);
  const id = idIn(await browser.submit(NEW, NEW, valuesOf(tenant)));
  const draft = pathOf({ _id: id });
  expect((await browser.submit(draft, draft, { title: "Second" })).headers.get("Location")).toBe(`${draft}?done=saved`);
  expect((await autosave(browser, draft, { ...(await opened(browser, draft)), title: "Third" })).status).toBe(200);
  const version = `${draft}/history/1`;
  expect((await browser.submit(version, version)).headers.get("Location")).toBe(`${draft}?done=state-restored`);
  expect(await stored(tenant, id)).toMatchObject({ title: valuesOf(tenant).title, published: false });

  const article = await newArticle(tenant, { title: "Live" });
  const path = pathOf(article);
  expect((await browser.submit(path, path, { title: "Next" })).headers.get("Location")).toBe(
    `${path}?done=draft-saved`,
  );
  expect((await autosave(browser, path, { ...(await opened(browser, path)), content: "Text" })).status).toBe(200);
  const page = await browser.get(path);
  expect([fieldOf(page, "title"), fieldOf(page, "content")]).toEqual(["Next", "Text"]);
  expect(page.text).toContain("Readers see saved changes once a writer publishes them.");
  const discarded = await browser.submit(`${path}/discard`, `${path}/discard`);
  expect(discarded.headers.get("Location")).toBe(`${path}?done=draft-discarded`);
  expect(await draftOf(tenant, article)).toBe("404 not_found");
  expect(await stored(tenant, article._id)).toEqual(article);
});

test("what changes the site is not offered", async () => {
  const { tenant, browser } = await contributing();
  const article = await newArticle(tenant, { content: "Text" });
  const draft = await newArticle(tenant, { published: false });
  await browser.submit(pathOf(article), pathOf(article), { title: "Next" });
  const pages = [LIST, NEW, pathOf(article), pathOf(draft), `${LIST}/generate`, `${LIST}/trash`, "/console/media"];
  const all = (await Promise.all(pages.map((path) => browser.get(path)))).map(({ status, text }) => {
    expect(status).toBe(200);
    return text;
  });
  for (const offered of [
    'value="publish"',
    'value="unpublish"',
    "/publish",
    "/schedule",
    "/delete",
    "/previews",
    `${LIST}/bulk`,
    "/console/imports",
    'name="published"',
  ])
    for (const [index, text] of all.entries()) expect(text, pages[index]).not.toContain(offered);
  for (const index of [1, 3]) expect(all[index]).toContain("A writer publishes it.");
});

test("what is sent anyway is refused in plain words, and changes nothing", async () => {
  const { tenant, browser } = await contributing();
  const article = await newArticle(tenant, { title: "Live" });
  const draft = await newArticle(tenant, { title: "Draft", published: false });
  const asDraft = { ...hiddenFields((await browser.get(pathOf(draft))).text, pathOf(draft)), title: "Sent" };
  const asLive = { ...hiddenFields((await browser.get(pathOf(article))).text, pathOf(article)), title: "Sent" };
  const posts: [string, Record<string, string>][] = [
    [NEW, { ...valuesOf(tenant), intent: "publish" }],
    [pathOf(draft), { intent: "publish" }],
    [`${pathOf(draft)}/publish`, {}],
    [`${pathOf(draft)}/schedule`, { publishTime: "2099-01-01T10:00", timeZone: "UTC" }],
    [`${pathOf(draft)}/delete`, {}],
    [`${pathOf(draft)}/previews`, { expiresInSeconds: "3600" }],
    [`${LIST}/bulk`, { action: "publish", articleIds: draft._id, sure: "yes" }],
    [`${LIST}/keep`, { articleIds: draft._id }],
    [`${LIST}/trash/${draft._id}/restore`, {}],
    [`${LIST}/generate`, { blogId: tenant.blogId, topic: "A topic", published: "true" }],
  ];
  const answers = await Promise.all(posts.map(([path, values]) => browser.post(path, { ...asDraft, ...values })));
  answers.push(await browser.post(pathOf(article), { ...asLive, intent: "unpublish" }));
  for (const { status, text } of answers) {
    expect(status).toBe(403);
    expect(text).toContain("Your role");
  }
  for (const page of ["publish", "schedule", "delete", "previews"])
    expect((await browser.get(`${pathOf(draft)}/${page}`)).text, page).toContain("Ask a writer to do this.");
  expect([await stored(tenant, article._id), await stored(tenant, draft._id)]).toEqual([article, draft]);
  expect(await draftOf(tenant, article)).toBe("404 not_found");
});

test("the editor says why a draft cannot be saved as it is: its schedule, or what it shares with a published article", async () => {
  const { tenant, browser } = await contributing();
  const waiting = await newArticle(tenant, { published: false });
  await schedule({ apiKey: tenant.apiKey }, waiting._id, { publishTime: inMinutes(60) });
  const path = pathOf(waiting);
  expect((await browser.get(path)).text).toContain("While it has a schedule, only a writer can change it.");
  const detail = "so readers would see the change at that time. Wait until its schedule has ended, or ask a writer.";
  const refused = await browser.submit(path, path, { title: "Kept" });
  expect([refused.status, fieldOf(refused, "title")]).toEqual([403, "Kept"]);
  expect(alertOf(refused)).toContain(detail);
  const saved = await autosave(browser, path, { ...(await opened(browser, path)), title: "Kept" });
  expect(saved.answer).toMatchObject({ code: "role_forbidden", detail: expect.stringContaining(detail) as string });

  const { slug } = await newArticle(tenant, { tags: ["Fog"], slug: "shared" } as object);
  const started = await browser.get(`${NEW}?blog=${tenant.blogId}&slug=${slug}&locale=de`);
  const translation = { ...hiddenFields(started.text, NEW), ...valuesOf(tenant), slug, locale: "de", tags: "Fog" };
  const shared = await browser.post(NEW, { ...translation, tags: "Fog, Night" });
  expect(alertOf(shared)).toContain("Leave them as they are, or ask a writer.");
  const { answer } = await autosave(browser, NEW, { ...(await opened(browser, NEW)), ...translation, tags: "Night" });
  const message = "are shared with a published translation: ask a writer to change them";
  expect(answer.errors).toEqual([{ path: "tags", message }]);
  const id = idIn(await browser.post(NEW, translation));
  expect(await stored(tenant, id)).toMatchObject({ slug, locale: "de", published: false });
});

test("articles are generated as drafts: about a topic, from an idea, and in the languages that are missing", async () => {
  const tenant = await newTenant();
  const as = { operatorToken: tenant.operatorToken };
  await sendJson(200, `/api/blogs/${tenant.blogId}`, { as, method: "PUT", body: { locales: ["en", "de", "fr"] } });
  const browser = await memberOf(tenant, "contributor");
  const form = `${LIST}/generate`;
  const topic = { topic: "Morning walks", keywords: "walks", words: "300", locale: "en" };
  expect((await generateBy(browser, form, topic)).text).toContain("Review draft");
  const idea = `${form}?blog=${tenant.blogId}&topic=${await storeIdea(tenant)}`;
  expect(unescaped((await browser.get(IDEAS)).text)).toContain(idea);
  expect((await generateBy(browser, idea, { words: "300" })).text).toContain("Review draft");
  const source = { slug: "walks", content: "By the river, where it is quiet.", tags: ["Fog"] };
  const article = await newArticle(tenant, source);
  const missing = `${LIST}/matrix/missing`;
  const made = await browser.submit(`${missing}?article=${article._id}`, missing, { locales: "de", way: "translate" });
  expect(made.text).toContain("1 draft of");
  const all = await sendJson<ArticleBody[]>(200, `/api/articles?blogId=${tenant.blogId}`, { as });
  expect(all.filter(({ published }) => published)).toEqual([article]);
  expect(all).toHaveLength(4);
});

test("images are uploaded, but neither changed nor deleted", async () => {
  const { tenant, browser } = await contributing();
  const [library, upload] = ["/console/media", "/console/media/upload"];
  const hidden = hiddenFields((await browser.get(library)).text, upload);
  const large = new Uint8Array(LIMITS.formBytes);
  large.set(PICTURES.locatedJpeg);
  const answer = await sendFile(browser, upload, { ...hidden, alt: "A fish" }, large);
  const path = answer.headers.get("Location")?.replace(/\?.*/, "") ?? (await answer.text());
  const { text } = await browser.get(path);
  expect(text).toContain("A fish");
  for (const form of [path, `${path}/file`, `${path}/delete`]) {
    expect(text).not.toContain(`"${form}"`);
    expect((await browser.post(form, { ...hidden, alt: "Sent" })).status).toBe(403);
  }
  expect(await sendJson(200, "/api/media", { as: { apiKey: tenant.apiKey } })).toMatchObject([{ alt: "A fish" }]);
});
