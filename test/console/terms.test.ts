/** The console's pages of tags and authors, and these fields of the editor. */
import { expect, test } from "vitest";
import { choicesOf, fieldOf, pathOf, writing } from "../helpers/console-articles.ts";
import { hiddenFields, signedIn } from "../helpers/console.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, type Tenant } from "../helpers/tenant.ts";

type Shown = { tags: { slug: string }[]; authors: { name: string }[]; seo: { title: string; noindex: boolean } };

const shown = ({ apiKey }: Tenant, id: string) =>
  sendJson<Shown>(200, `/api/articles/${id}?fields=tags,authors,seo`, { as: { apiKey } });
const tagsOf = ({ apiKey, blogId }: Tenant) =>
  sendJson<{ _id: string; slug: string; names: object }[]>(200, `/api/tags?blogId=${blogId}`, { as: { apiKey } });
const tagged = ({ apiKey, blogId }: Tenant, tags: string[]) =>
  sendJson<{ _id: string }>(200, "/api/articles", { as: { apiKey }, body: { blogId, title: "Tagged", tags } });

test("an article gets tags, authors and what search engines are told, and shows them again", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { published: false });
  const path = pathOf(article);
  const fields = { tags: "Slow travel, porto", authors: "Ada Lovelace", seoTitle: "Six walks", noindex: "true" };
  expect((await browser.submit(path, path, fields)).status).toBe(303);
  expect(await shown(tenant, article._id)).toMatchObject({
    tags: [{ slug: "slow-travel" }, { slug: "porto" }],
    authors: [{ name: "Ada Lovelace" }],
    seo: { title: "Six walks", noindex: true },
  });
  const page = await browser.get(path);
  expect(fieldOf(page, "tags")).toBe("Slow travel, porto");
  expect(fieldOf(page, "seoTitle")).toBe("Six walks");
  expect(page.text).toContain('<option value="slow-travel" label="Slow travel">');
});

test("a form that leaves the tags as they were does not take back what a translation got meanwhile", async () => {
  const { tenant, browser } = await writing();
  const article = await newArticle(tenant, { published: false });
  const path = pathOf(article);
  await browser.submit(path, path, { tags: "Porto" });
  const opened = await browser.get(path);
  const as = { apiKey: tenant.apiKey };
  const { blogId, slug } = article;
  await sendJson(200, "/api/articles", { as, body: { blogId, title: "Eins", slug, locale: "de", tags: ["Ferries"] } });
  expect(fieldOf(opened, "tags")).toBe("Porto");
  const sent = { ...hiddenFields(opened.text, path), tags: "Porto", title: "Two" };
  expect((await browser.post(path, sent)).status).toBe(303);
  expect((await shown(tenant, article._id)).tags).toMatchObject([{ slug: "ferries" }]);
});

test("tags are created, renamed, merged and deleted", async () => {
  const { tenant, browser } = await writing();
  const list = `/console/blogs/${tenant.blogId}/tags`;
  expect((await browser.get(list)).text).toContain("No tags yet.");
  const created = await browser.submit(list, list, { name: "Porto", names: "de = Porto am Douro" });
  expect(created.headers.get("Location")).toBe(`${list}?done=term-created`);
  await browser.submit(list, list, { name: "Oporto" });
  const [porto, oporto] = await tagsOf(tenant);
  expect(porto).toMatchObject({ slug: "porto", names: { de: "Porto am Douro" } });
  const taken = await browser.submit(list, list, { name: "porto" });
  expect(taken.status).toBe(409);
  const one = `${list}/${porto?._id}`;
  await browser.submit(one, one, { name: "Porto!", slug: "porto-city" });
  expect((await browser.get(one)).text).toContain("Porto!");
  const asked = await browser.submit(one, `${one}/merge`, { into: oporto?._id ?? "" });
  expect(asked.text).toContain("Merge “Porto!” into “Oporto”?");
  expect((await browser.get(one)).status).toBe(200);
  const merged = await browser.post(`${one}/merge`, hiddenFields(asked.text, `${one}/merge`));
  expect(merged.headers.get("Location")).toBe(`${list}/${oporto?._id}?done=term-merged`);
  expect((await browser.get(one)).status).toBe(404);
  const other = `${list}/${oporto?._id}/delete`;
  await browser.submit(other, other);
  expect(await tagsOf(tenant)).toEqual([]);
});

test("a form that was refused does not overwrite what somebody else has saved since it was opened", async () => {
  const { tenant, browser } = await writing();
  await tagged(tenant, ["Porto"]);
  const [porto] = await tagsOf(tenant);
  const path = `/console/blogs/${tenant.blogId}/tags/${porto?._id}`;
  const opened = hiddenFields((await browser.get(path)).text, path);
  expect((await browser.submit(path, path, { name: "Theirs", slug: "theirs" })).status).toBe(303);
  const refused = await browser.post(path, { ...opened, name: "Mine", slug: "Not a slug" });
  expect(refused.status).toBe(400);
  const late = await browser.post(path, { ...hiddenFields(refused.text, path), name: "Mine", slug: "mine" });
  expect(late.status).toBe(412);
  expect(late.text).toContain("What you entered is still here. Save again to overwrite their changes.");
  expect(await tagsOf(tenant)).toMatchObject([{ slug: "theirs" }]);
  expect((await browser.post(path, { ...hiddenFields(late.text, path), name: "Mine", slug: "mine" })).status).toBe(303);
});

test("the list of articles offers the blog's tags by their names, with counts", async () => {
  const { tenant, browser } = await writing();
  const { _id } = await tagged(tenant, ["Slow travel"]);
  const page = await browser.get("/console/articles?tag=slow-travel");
  expect(choicesOf(page, "tag")).toEqual(["", "slow-travel*"]);
  expect(page.text).toContain("Slow travel (1)");
  expect(page.text).toContain(_id);
  const unknown = await browser.get("/console/articles?tag=gone");
  expect(unknown.text).toMatch(/<option selected[^>]*>gone</);
});

test("an author has a bio and a picture; readers see the pages and change nothing", async () => {
  const { tenant, browser } = await writing();
  const list = `/console/blogs/${tenant.blogId}/authors`;
  await browser.submit(list, list, { name: "Ada", bio: "Writes.", pictureUrl: "https://example.com/a.jpg" });
  const page = await browser.get(list);
  const path = /\/console\/blogs\/[^"]+\/authors\/[0-9a-f-]{36}/.exec(page.text)?.[0] ?? "";
  expect(fieldOf(await browser.get(path), "bio")).toBe("Writes.");
  const reader = await signedIn(tenant.organizationId, "reader");
  expect((await reader.browser.get(path)).text).not.toContain("<textarea");
  expect((await reader.browser.get(`${path}/delete`)).status).toBe(403);
});
