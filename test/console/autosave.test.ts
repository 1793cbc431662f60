/** What the editor's script saves by itself: drafts, and working copies of published articles, as whoever is signed in may. */
import { expect, test } from "vitest";
import { auditOf, updatesOf } from "../helpers/history.ts";
import { hiddenFields, newBrowser, signedIn, type Browser, type Values } from "../helpers/console.ts";
import { countOf, fieldOf, LIST, NEW, pathOf, save, stored, valuesOf, writing } from "../helpers/console-articles.ts";
import { autosave, draftOf, JSON_ONLY, opened } from "../helpers/autosaves.ts";
import { deletion } from "../helpers/deletions.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle } from "../helpers/tenant.ts";

/** Saves twice as the page does; the second save sends other fields. Returns the page as it is then, and its version. */
async function twice(browser: Browser, path: string) {
  const page = await opened(browser, path);
  const first = await autosave(browser, path, { ...page, content: "One\nTwo" });
  expect(first).toMatchObject({ status: 200, isJson: true });
  const fields = { tags: "Porto", tagsBefore: "", seoTitle: "There", noindex: "true", canonicalUrl: "", seoImage: "" };
  const { version } = first.answer;
  const second = await autosave(browser, path, { ...page, version, ...fields, seoDescription: "" });
  expect(second.status).toBe(200);
  const shown = await browser.get(path);
  expect(["title", "content", "tags", "seoTitle"].map((name) => fieldOf(shown, name))).toEqual([
    "As it was",
    "One\nTwo",
    "Porto",
    "There",
  ]);
  expect(hiddenFields(shown.text, path)["version"]).toBe(second.answer.version);
  return second.answer;
}

test("a save of a published article changes its working copy alone, field by field", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { title: "As it was", content: "One" });
  const updates = await updatesOf(article._id);
  expect(await twice(browser, pathOf(article))).toMatchObject({ published: true });
  expect(await stored(tenant, article._id)).toEqual(article);
  expect(await updatesOf(article._id)).toBe(updates);
});

test("a save of a draft changes the draft, field by field, for everybody who asks for it", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { published: false, title: "As it was", content: "One" });
  expect(await twice(browser, pathOf(article))).toMatchObject({ published: false });
  expect(await stored(tenant, article._id)).toMatchObject({
    title: "As it was",
    content: "One\nTwo",
    published: false,
  });
  expect(await draftOf(tenant, article)).toBe("404 not_found");
  // Its event comes with the minute's run.
  expect(await updatesOf(article._id)).toBe(0);
  expect(await auditOf(article._id)).toEqual(["articles.create key", "articles.autosave user"]);
});

test("tags that a published translation shares change by “Save” alone: its readers would see half of them", async () => {
  const { tenant, browser } = await writing();
  const { slug } = await newArticle(tenant, { tags: ["Fog"] } as object);
  const article = await newArticle(tenant, { published: false, slug, locale: "pt" });
  const page = await opened(browser, pathOf(article));
  const [tags, before] = [
    { tags: "Fog, Nig", tagsBefore: "Fog" },
    { authors: "", authorsBefore: "" },
  ];
  const refused = await autosave(browser, pathOf(article), { ...page, ...before, ...tags, content: "Two" });
  expect(refused).toMatchObject({ status: 400, answer: { errors: [{ path: "tags" }] } });
  expect((await autosave(browser, pathOf(article), { ...page, content: "Two" })).status).toBe(200);
  const known = await sendJson<object[]>(200, `/api/tags?blogId=${tenant.blogId}`, { as: { apiKey: tenant.apiKey } });
  expect(known).toMatchObject([{ name: "Fog" }]);
});

test("a slug that another article has is refused at its field, so that the rest can be saved", async () => {
  const { tenant, browser } = await writing();
  const { slug } = await newArticle(tenant);
  const article = await newArticle(tenant, { published: false });
  const page = await opened(browser, pathOf(article));
  const refused = await autosave(browser, pathOf(article), { ...page, title: "New", slug });
  expect(refused).toMatchObject({ status: 400, answer: { code: "invalid_request", errors: [{ path: "slug" }] } });
  // Only the slug of the title gives way.
  const untitled = await newArticle(tenant, { published: false, title: "" });
  const named = { ...(await opened(browser, pathOf(untitled))), title: "An article", slugOfTitle: "yes" };
  const { answer } = await autosave(browser, pathOf(untitled), named);
  expect([slug, answer.slug]).toEqual(["an-article", undefined]);
  expect(await stored(tenant, untitled._id)).toMatchObject({ title: "An article", slug: "untitled" });
});

test("a slug is refused in words that lead on: with the language, and whether its article is being deleted", async () => {
  const { tenant, browser } = await writing();
  const { _id, slug } = await newArticle(tenant, { locale: "de" });
  const sent = { ...(await opened(browser, NEW)), ...valuesOf(tenant), slug, locale: "de" };
  const said = async () => (await autosave(browser, NEW, { ...sent, _key: crypto.randomUUID() })).answer.errors;
  expect(await said()).toEqual([{ path: "slug", message: "is that of another article in this language" }]);
  await deletion(tenant, _id);
  const message =
    "is that of another article in this language that is being deleted. Undo the deletion, or try again in two minutes";
  expect(await said()).toEqual([{ path: "slug", message }]);
  expect((await browser.submit(NEW, NEW, sent)).text).toContain("The article with this slug in de is being deleted.");
});

test("the first save of a new article makes a draft, once, with what is left empty derived", async () => {
  const { tenant, browser } = await writing();
  const page = await opened(browser, NEW);
  const sent = { ...page, ...valuesOf(tenant), _key: "once", published: "true" };
  const [first, again] = [await autosave(browser, NEW, sent), await autosave(browser, NEW, sent)];
  expect([first.status, again.status]).toEqual([200, 200]);
  const { id = "", version, values } = first.answer;
  expect(again.answer.id).toBe(id);
  expect(await countOf(tenant)).toBe(1);
  expect(await stored(tenant, id)).toMatchObject({ title: valuesOf(tenant).title, published: false });
  expect(values).toMatchObject({ slug: "a-title-and-more", locale: "en" });
  const next = await autosave(browser, `${LIST}/${id}`, { ...page, version, content: "Next" });
  expect(next.status).toBe(200);
});

test("a save that is sent twice with its key is saved once, and answered alike", async () => {
  const { tenant, browser } = await writing();
  const path = pathOf(await newArticle(tenant));
  const sent = { ...(await opened(browser, path)), content: "Written", _key: "the same" };
  const [first, again] = [await autosave(browser, path, sent), await autosave(browser, path, sent)];
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.answer).toEqual(first.answer);
  expect((await autosave(browser, path, { ...sent, content: "Another" })).answer.code).toBe("idempotency_key_reused");
});

test("a save over what somebody else has saved is refused, with theirs to merge", async () => {
  const { tenant, browser } = await writing();
  const ada = (await signedIn(tenant.organizationId, "writer")).browser;
  const article = await newArticle(tenant, { content: "One" });
  const path = pathOf(article);
  const page = await opened(browser, path);
  const theirs = await autosave(ada, path, {
    ...(await opened(ada, path)),
    content: "Ada's",
    tags: "Porto",
    tagsBefore: "",
  });
  const refused = await autosave(browser, path, { ...page, content: "Mine" });
  expect(refused).toMatchObject({ status: 412, answer: { code: "precondition_failed" } });
  expect(refused.answer.theirs).toMatchObject({
    version: theirs.answer.version,
    savedTime: theirs.answer.savedTime,
    by: "a member",
    values: { title: article.title, content: "Ada's", tags: "Porto" },
  });
  const { text } = await browser.get(`${path}/autosave`, JSON_ONLY);
  expect(JSON.parse(text)).toEqual(refused.answer.theirs);
  const { version = "" } = refused.answer.theirs ?? {};
  expect((await autosave(browser, path, { ...page, version, content: "Merged" })).status).toBe(200);
  for (const none of [{}, { version: "" }]) {
    const { version: _, ...rest } = page;
    expect((await autosave(browser, path, { ...rest, ...none, content: "Blind" })).status).toBe(412);
  }
});

test("another change of the draft, its publication and its unpublication are conflicts, with which the page goes on", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { published: false });
  const path = pathOf(article);
  const page = await opened(browser, path);
  let version = page["version"] ?? "";
  /** Saves over what somebody else has done, and again with the version that this told. */
  const over = async (theirs: object, values: Values) => {
    await save(tenant, { _id: article._id, ...theirs });
    const refused = await autosave(browser, path, { ...page, version, ...values });
    expect(refused.status).toBe(412);
    const again = await autosave(browser, path, { ...page, version: refused.answer.theirs?.version ?? "", ...values });
    version = again.answer.version;
    return { theirs: refused.answer.theirs, saved: again.answer };
  };
  expect(await over({ title: "Theirs" }, { title: "Mine" })).toMatchObject({
    theirs: { by: "an access token", published: false, values: { title: "Theirs" } },
    saved: { published: false },
  });
  expect(await over({ published: true }, { content: "Beside it" })).toMatchObject({
    theirs: { published: true, values: { title: "Mine" } },
    saved: { published: true },
  });
  expect(await over({ published: false }, { description: "Part of it" })).toMatchObject({
    theirs: { published: false, values: { content: "Beside it" } },
    saved: { published: false },
  });
  expect(await stored(tenant, article._id)).toMatchObject({
    title: "Mine",
    content: "Beside it",
    description: "Part of it",
    published: false,
  });
});

test("who is signed out, and a form of another site, are refused in JSON", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant);
  const path = pathOf(article);
  const change = { ...(await opened(browser, path)), title: "Change" };
  const signedOut = await autosave(newBrowser(), path, change);
  expect(signedOut).toMatchObject({ status: 401, isJson: true, answer: { code: "credentials_missing" } });
  for (const headers of [{ Origin: "https://evil.example" }, { Origin: "null", "Sec-Fetch-Site": "cross-site" }]) {
    const refused = await autosave(browser, path, change, { ...JSON_ONLY, ...headers });
    expect(refused).toMatchObject({ status: 403, isJson: true, answer: { code: "origin_forbidden" } });
  }
  expect(await draftOf(tenant, article)).toBe("404 not_found");
});

test("what the service does not take is named by field, and what is too large or has no room by code", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant);
  const path = pathOf(article);
  const page = await opened(browser, path);
  const wrong = await autosave(browser, path, { ...page, slug: "Not a slug", coverUrl: "ftp://x.example" });
  expect(wrong.status).toBe(400);
  expect(wrong.answer.errors?.map(({ path: name }) => name)).toEqual(["slug", "coverUrl"]);
  const large = await autosave(browser, path, { ...page, content: "x".repeat(3_000_000) });
  expect(large).toMatchObject({ status: 413, isJson: true, answer: { code: "body_too_large" } });
  const bindings = { ORGANIZATION_MEGABYTES: "0" };
  const full = newBrowser(bindings);
  for (const [name, value] of browser.cookies) full.cookies.set(name, value);
  const refused = await autosave(full, path, { ...page, content: "x".repeat(1000) });
  expect(refused).toMatchObject({ status: 409, isJson: true, answer: { code: "quota_exceeded" } });
  expect(await draftOf(tenant, article)).toBe("404 not_found");
});
