/** The library of pictures, as people without scripts use it, and what scripts get. */
import { expect, test } from "vitest";
import { newBrowser, hiddenFields, sendFile, signedIn } from "../helpers/console.ts";
import { newMedia, newPng, PICTURES, type MediaBody } from "../helpers/pictures.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

const UPLOAD = "/console/media/upload";

async function working(role: "owner" | "reader" = "owner") {
  const tenant = await newTenant();
  const { browser } = await signedIn(tenant.organizationId, role);
  return { tenant, browser };
}

const itemsOf = ({ apiKey }: Tenant) => sendJson<MediaBody[]>(200, "/api/media", { as: { apiKey } });

test("a picture is uploaded, found, described, replaced and deleted, without a script", async () => {
  const { tenant, browser } = await working();
  const library = await browser.get("/console/media");
  expect(library.text).toContain("No images yet.");
  expect(library.text).toContain('enctype="multipart/form-data"');
  const hidden = hiddenFields(library.text, UPLOAD);
  const sent = await sendFile(browser, UPLOAD, { ...hidden, alt: "A fish" }, PICTURES.locatedJpeg);
  const [item] = await itemsOf(tenant);
  if (item === undefined) throw new Error(await sent.text());
  const path = `/console/media/${item._id}`;
  expect([sent.status, sent.headers.get("Location")]).toEqual([303, `${path}?done=media-uploaded`]);
  expect(item).toMatchObject({ alt: "A fish", name: "fish.jpg" });

  expect((await browser.get("/console/media?query=fish")).text).toContain(path);
  expect((await browser.get("/console/media?query=bird")).text).toContain("No images match.");
  const again = await sendFile(browser, UPLOAD, { ...hidden, alt: "A fish" }, PICTURES.locatedJpeg);
  expect(again.headers.get("Location")).toBe(`${path}?done=media-uploaded`);

  await browser.submit(path, path, { name: "A fish", alt: "A fish at the market" });
  const replacement = hiddenFields((await browser.get(path)).text, `${path}/file`);
  const replaced = await sendFile(browser, `${path}/file`, replacement, await newPng(30, 30));
  expect(replaced.headers.get("Location")).toBe(`${path}?done=media-replaced`);
  expect(await itemsOf(tenant)).toMatchObject([{ alt: "A fish at the market", mediaType: "image/png", width: 30 }]);

  expect((await browser.get(`${path}/delete`)).text).toContain("No articles use this image.");
  const deleted = await browser.submit(`${path}/delete`, `${path}/delete`);
  expect(deleted.headers.get("Location")).toBe("/console/media?done=media-deleted");
  expect(await itemsOf(tenant)).toEqual([]);
});

test("where it is used is shown, and confirmed before it is deleted", async () => {
  const { tenant, browser } = await working();
  const item = await newMedia(tenant, "?name=harbour");
  await newArticle(tenant, { title: "Boats & more", content: `![](${item.url})` });
  const path = `/console/media/${item._id}`;
  expect((await browser.get("/console/media")).text).toContain("In 1 article");
  expect((await browser.get(path)).text).toContain("Boats &amp; more");
  const untitled = await newArticle(tenant, { title: "", published: false, content: item.url });
  const page = await browser.get(`${path}/delete`);
  expect(page.text).toContain("Boats &amp; more");
  for (const { text } of [page, await browser.get(path)]) {
    expect(text).toMatch(new RegExp(`href="/console/articles/${untitled._id}"[^>]*>Untitled</a>`));
  }
  expect(page.text).toContain("Delete anyway");
  expect((await browser.submit(`${path}/delete`, `${path}/delete`)).status).toBe(303);
  expect(await itemsOf(tenant)).toEqual([]);
});

test("a form that was refused does not overwrite what somebody else has saved since it was opened", async () => {
  const { tenant, browser } = await working();
  const item = await newMedia(tenant);
  const path = `/console/media/${item._id}`;
  const file = `${path}/file`;
  const { text } = await browser.get(path);
  const [opened, replacement] = [hiddenFields(text, path), hiddenFields(text, file)];
  expect((await browser.submit(path, path, { name: "Theirs", alt: "" })).status).toBe(303);

  const refused = await browser.post(path, { ...opened, name: "x".repeat(1000), alt: "Mine" });
  expect(refused.status).toBe(400);
  const late = await browser.post(path, { ...hiddenFields(refused.text, path), name: "Mine", alt: "Mine" });
  expect(late.status).toBe(412);
  const unchosen = await sendFile(browser, file, replacement, null);
  expect(unchosen.status).toBe(400);
  const chosen = await sendFile(browser, file, hiddenFields(await unchosen.text(), file), await newPng(30, 30));
  expect(chosen.status).toBe(412);
  expect(await chosen.text()).not.toContain("If-Match");
  expect(await itemsOf(tenant)).toMatchObject([{ name: "Theirs", width: item.width }]);
  const again = await browser.post(path, { ...hiddenFields(late.text, path), name: "Mine", alt: "Mine" });
  expect(again.status).toBe(303);
});

test("scripts get JSON: the item, the library for a picker, and why something was refused", async () => {
  const { tenant, browser } = await working();
  const hidden = hiddenFields((await browser.get("/console/media")).text, UPLOAD);
  const json = { Accept: "application/json" };
  const sent = await sendFile(browser, UPLOAD, hidden, PICTURES.locatedJpeg, json);
  const [item] = await itemsOf(tenant);
  const shown = {
    id: item?._id,
    url: `${item?.url}#180x135`,
    name: "fish.jpg",
    alt: "",
    width: 180,
    height: 135,
    thumbnail: expect.stringMatching(/^\/media\/[^?]+\?v=[0-9a-f]{16}&w=320$/),
  };
  expect(await sent.json()).toEqual(shown);
  expect(JSON.parse((await browser.get("/console/media/items?query=fish")).text)).toEqual({
    items: [shown],
    next: null,
  });
  const anew = { ...hidden, _key: crypto.randomUUID() };
  const refused = await sendFile(browser, UPLOAD, anew, new TextEncoder().encode("<html>"), json);
  expect([refused.status, await refused.json()]).toEqual([415, expect.objectContaining({ code: "unsupported_image" })]);
});

test("a form of another site, for another organization, of a reader or of nobody stores nothing", async () => {
  const { tenant, browser } = await working();
  const hidden = hiddenFields((await browser.get("/console/media")).text, UPLOAD);
  const png = await newPng(4, 9);
  const foreign = await sendFile(browser, UPLOAD, hidden, png, { Origin: "https://evil.example" });
  const other = await sendFile(browser, UPLOAD, { ...hidden, _organization: "another" }, png);
  const nobody = await sendFile(newBrowser(), UPLOAD, hidden, png);
  const { browser: reader } = await signedIn(tenant.organizationId, "reader");
  const library = await reader.get("/console/media");
  expect(library.text).not.toContain(UPLOAD);
  const { _person, ...ofNobody } = hidden;
  const read = await sendFile(reader, UPLOAD, ofNobody, png);
  const large = await sendFile(reader, UPLOAD, ofNobody, new Uint8Array(200_000));
  expect([foreign, other, nobody, read, large].map(({ status }) => status)).toEqual([403, 412, 401, 403, 413]);
  expect(await itemsOf(tenant)).toEqual([]);
});
