/** The console's list of articles: all blogs, search, order, and what waits for somebody. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { unescaped } from "../helpers/console.ts";
import { choicesOf, LIST, save, stored, writing } from "../helpers/console-articles.ts";
import { sendJson } from "../helpers/requests.ts";
import type { ArticleBody, Tenant } from "../helpers/tenant.ts";

/** Creates a second blog in the organization. */
const secondBlog = async (tenant: Tenant): Promise<string> => {
  const as = { operatorToken: tenant.operatorToken };
  return (await sendJson<{ _id: string }>(200, "/api/blogs", { as, body: { name: "Second blog" } }))._id;
};

/** Returns the titles in a list, in their order. */
const titlesIn = (html: string): string[] =>
  [...html.matchAll(/<td class="title"><a href="[^"]+" dir="auto">([^<]*)</g)].map(([, title = ""]) =>
    unescaped(title),
  );

test("the list opens on all blogs, says which one an article is in, and can be narrowed to one", async () => {
  const { tenant, browser } = await writing();
  const second = await secondBlog(tenant);
  await save(tenant, { blogId: tenant.blogId, title: "In the first" });
  await save(tenant, { blogId: second, title: "In the second" });
  const all = await browser.get(LIST);
  expect(titlesIn(all.text)).toEqual(["In the second", "In the first"]);
  expect(all.text).toMatch(/<td class="clip"[^>]*>Second blog<\/td>/);
  expect(choicesOf(all, "blog")).toEqual(["", tenant.blogId, second]);
  const one = await browser.get(`${LIST}?blog=${second}`);
  expect(titlesIn(one.text)).toEqual(["In the second"]);
  expect(choicesOf(one, "blog")).toEqual(["", tenant.blogId, `${second}*`]);
});

test("the search looks in all texts, and shows the passage", async () => {
  const { tenant, browser } = await writing();
  const second = await secondBlog(tenant);
  await save(tenant, {
    blogId: tenant.blogId,
    title: "Ferries",
    content: "The first **boat** leaves & returns at six.",
  });
  await save(tenant, { blogId: second, title: "Boats of Porto", published: true });
  await save(tenant, { blogId: second, title: "Trains" });
  const { text } = await browser.get(`${LIST}?q=boat`);
  expect(titlesIn(text).toSorted()).toEqual(["Boats of Porto", "Ferries"]);
  expect(text).toContain("<mark>boat</mark>");
  expect(text).toContain("leaves &amp; returns");
  expect(titlesIn((await browser.get(`${LIST}?q=boat&state=draft`)).text)).toEqual(["Ferries"]);
  expect(titlesIn((await browser.get(`${LIST}?q=boat&blog=${second}`)).text)).toEqual(["Boats of Porto"]);
  expect((await browser.get(`${LIST}?q=submarine`)).text).toContain("No articles match.");
});

test("my drafts are those that I created or edited last", async () => {
  const { tenant, browser } = await writing();
  const write = async (title: string) => {
    const values = { blogId: tenant.blogId, title, slug: "", locale: "", description: "", coverUrl: "", content: "" };
    await browser.submit(`${LIST}/new`, `${LIST}/new`, values);
  };
  await write("Mine");
  await write("Begun by me");
  const all = await sendJson<ArticleBody[]>(200, `/api/articles?blogId=${tenant.blogId}`, {
    as: { operatorToken: tenant.operatorToken },
  });
  const begun = all.find(({ title }) => title === "Begun by me");
  await save(tenant, { _id: begun?._id, content: "Gone on with by somebody else." });
  await save(tenant, { blogId: tenant.blogId, title: "Somebody else's" });
  expect(titlesIn((await browser.get(`${LIST}?state=mine`)).text)).toEqual(["Begun by me", "Mine"]);
});

test.each(["mine", "review"])(
  "a search in drafts that wait (%s) finds all drafts, and says that it does",
  async (state) => {
    const { tenant, browser } = await writing();
    await save(tenant, { blogId: tenant.blogId, title: "A boat" });
    await save(tenant, { blogId: tenant.blogId, title: "A published boat", published: true });
    const page = await browser.get(`${LIST}?q=boat&state=${state}`);
    expect(titlesIn(page.text)).toEqual(["A boat"]);
    expect(choicesOf(page, "state")).toContain("draft*");
    expect((await browser.get(`${LIST}?q=submarine&state=${state}`)).text).toContain("No articles match.");
  },
);

test("what a model wrote waits for review until a member has published it", async () => {
  const { tenant, browser } = await writing();
  const generated = await save(tenant, { blogId: tenant.blogId, title: "By a model" });
  await save(tenant, { blogId: tenant.blogId, title: "By a person" });
  const origin = { kind: "generated", model: "m", generationId: "g", reviewedBy: null, reviewTime: null };
  await env.DB.prepare("update articles set origin = ? where id = ?").bind(JSON.stringify(origin), generated._id).run();
  expect(titlesIn((await browser.get(`${LIST}?state=review`)).text)).toEqual(["By a model"]);
  const path = `${LIST}/${generated._id}/publish`;
  await browser.submit(path, path);
  expect(await stored(tenant, generated._id)).toMatchObject({ published: true });
  expect((await browser.get(`${LIST}?state=review`)).text).toContain("No drafts need review");
});

test("who wrote what can be downloaded as CSV, also of one blog and one kind", async () => {
  const { tenant, browser, userId } = await writing();
  const { _id } = await save(tenant, { blogId: tenant.blogId, title: '=Generated, and "quoted"' });
  await save(tenant, { blogId: await secondBlog(tenant), title: "By a person" });
  const origin = { kind: "generated", model: "m", reviewedBy: userId, reviewTime: "2026-03-01T12:00:00.000Z" };
  await env.DB.prepare("update articles set origin = ? where id = ?").bind(JSON.stringify(origin), _id).run();
  const { text, headers } = await browser.get(`${LIST}/origins`);
  expect(headers.get("Content-Disposition")).toBe('attachment; filename="origins.csv"');
  expect(text.replace("\ufeff", "").split("\r\n")[0]).toBe(
    "_id,blog,slug,locale,title,published,kind,model,application,reviewedBy,reviewTime,lastEditTime",
  );
  expect(text).toContain("Second blog,by-a-person,en,By a person,false,human,,,,,");
  const { text: one } = await browser.get(`${LIST}/origins?blog=${tenant.blogId}&kind=generated`);
  expect(one).toContain(`"'=Generated, and ""quoted""",false,generated,m,,`);
  const { name } =
    (await env.DB.prepare("select name from users where id = ?").bind(userId).first<{ name: string }>()) ?? {};
  expect(one).toContain(`,generated,m,,${name},2026-03-01T12:00:00.000Z,`);
  expect(one).not.toContain("By a person");
  expect((await browser.get(`${LIST}/origins?kind=none`)).status).toBe(400);
});
