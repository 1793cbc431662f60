/** Contract 20.2 and 20.3: what was rendered of an article, and its address. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { RENDERER } from "../../src/domain/rendering.ts";
import { renderDueArticles } from "../../src/store/articles/system-renderings.ts";
import { outcome } from "../helpers/outcome.ts";
import { ORIGIN, send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody } from "../helpers/tenant.ts";

const RENDERED = "html,text,excerpt,readingMinutes,headings,rendering";

const read = (id: string, fields = RENDERED): Promise<Record<string, unknown>> =>
  sendJson(200, `/api/articles/${id}?fields=${fields}`);

const CONTENT = "# Hello\n\nFrom the *edge*.\n";
const HELLO = {
  html: '<h2 id="h-hello">Hello</h2>\n<p>From the <em>edge</em>.</p>',
  text: "Hello\n\nFrom the edge.",
  excerpt: "From the edge.",
  readingMinutes: 1,
  headings: [{ level: 2, id: "h-hello", text: "Hello" }],
  rendering: "done",
};

describe("what was rendered", () => {
  it("is there as soon as a write is answered, on the article and in lists, and only if it is named", async () => {
    const tenant = await newTenant();
    const article = await newArticle(tenant, { content: CONTENT });
    expect(Object.keys(article)).toHaveLength(11);
    expect(await read(article._id)).toEqual(HELLO);
    const list = `/api/articles?blogId=${tenant.blogId}`;
    for (const query of ["", "&sort=publishTime", "&slug=an-article", "&locale=en"]) {
      expect(await sendJson(200, `${list}${query}&fields=${RENDERED}`)).toEqual([HELLO]);
    }
    const as = { apiKey: tenant.apiKey };
    expect(await sendJson(200, `/api/organization/articles?fields=${RENDERED}`, { as })).toEqual([HELLO]);
    expect(await sendJson(200, `${list}&fields=content,html,_id`)).toEqual([
      { content: CONTENT, html: HELLO.html, _id: article._id },
    ]);
  });

  it("follows each change of the content, by whichever way", async () => {
    const tenant = await newTenant();
    const as = { apiKey: tenant.apiKey };
    const { _id } = await newArticle(tenant, { content: "One" });
    await sendJson(200, "/api/articles", { as, body: { _id, content: "Two" } });
    expect(await read(_id, "text")).toEqual({ text: "Two" });
    await sendJson(200, "/api/articles", { as, body: { _id, title: "Other" } });
    expect(await read(_id, "text")).toEqual({ text: "Two" });
    await sendJson(200, `/api/articles/${_id}/revisions/1/restore`, { as, method: "POST", body: {} });
    expect(await read(_id, "text")).toEqual({ text: "One" });
    await sendJson(200, `/api/articles/${_id}/draft`, { as, method: "PUT", body: { content: "Three" } });
    expect(await read(_id, "text")).toEqual({ text: "One" });
    await sendJson(200, `/api/articles/${_id}/draft/publish`, { as, method: "POST", body: {} });
    expect(await read(_id, "text")).toEqual({ text: "Three" });
    await sendJson(200, "/api/articles", { as, body: { _id, content: "" } });
    expect(await read(_id, "html,text,headings")).toEqual({ html: "", text: "", headings: [] });
  });

  it("has an ETag that changes with it, and can be sent back", async () => {
    const tenant = await newTenant();
    const as = { apiKey: tenant.apiKey };
    const { _id } = await newArticle(tenant, { content: "One" });
    const path = `/api/articles/${_id}?fields=_id,title,${RENDERED},url`;
    const before = await send(path, { as });
    const article = await before.json<object>();
    expect(await outcome("/api/articles", { as, body: { ...article, title: "New", content: "Two" } })).toBe("200");
    expect(await outcome("/api/articles", { as, body: { _id, html: "<p>Three</p>" } })).toBe("400 immutable_field");
    const etag = before.headers.get("ETag") ?? "";
    await sendJson(200, `/api/blogs/${tenant.blogId}/site`, {
      as,
      method: "PUT",
      body: { siteUrl: "https://a.example" },
    });
    expect((await send(path, { as })).headers.get("ETag")).not.toBe(etag);
  });

  it.each([
    ["prose", `${"The ferry left at *noon*. ".repeat(39)}\n\n`.repeat(300)],
    ["nested quotes", "> ".repeat(3000)],
    ["brackets", "[".repeat(60_000)],
    ["tasks, whose HTML no row can hold", "- [ ] a\n".repeat(25_000)],
  ])("is there for %s, too", async (_, content) => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { content });
    const made = await read(_id);
    expect(made).toMatchObject({ rendering: "done", headings: [] });
    expect(String(made["html"]).length).toBeGreaterThan(content.length / 2);
    expect(String(made["text"]).length).toBeGreaterThan(content.length / 9);
    expect(await sendJson(200, `/api/articles?blogId=${tenant.blogId}&fields=html`)).toEqual([{ html: made["html"] }]);
  });

  it.each([
    ["in rows of their own", 17_500],
    ["compressed", 8500],
  ])("a page with texts, %s, ends where they would be more than 8 MiB, and the next one goes on", async (_, words) => {
    const tenant = await newTenant();
    const ids: string[] = [];
    const content = "```\n" + "0123456789 ".repeat(words);
    for (let n = 0; n < 23; n++) ids.unshift((await newArticle(tenant, { content, title: `T${n}` }))._id);
    const found: string[] = [];
    let pages = 0;
    let path: string | undefined = `/api/articles?blogId=${tenant.blogId}&fields=_id,html,text`;
    while (path !== undefined) {
      const response = await send(path);
      const items = await response.json<{ _id: string; html: string; text: string }[]>();
      expect(items.every(({ html, text }) => html.length > words * 10 && text.length > words * 10)).toBe(true);
      found.push(...items.map(({ _id }) => _id));
      path = /<([^>]+)>/.exec(response.headers.get("Link") ?? "")?.[1];
      pages++;
    }
    expect(found).toEqual(ids);
    expect(pages).toBeGreaterThan(1);
  });
});

describe("what waits", () => {
  const waiting = (id: string) =>
    env.DB.batch(
      [
        "update articles set packed = null where id = ?",
        "update article_renderings set renderer = 0, state = 'pending' where article_id = ?",
      ].map((text) => env.DB.prepare(text).bind(id)),
    );
  const stateOf = async (id: string) =>
    (await env.DB.prepare("select renderer, html from article_renderings where article_id = ?").bind(id).first()) ?? {};
  const MADE = { renderer: RENDERER, html: null };

  it("is made for its readers until the sweep has rendered it", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { content: CONTENT });
    await waiting(_id);
    expect(await read(_id, "html,rendering")).toEqual({ html: HELLO.html, rendering: "done" });
    expect(await stateOf(_id)).toEqual({ renderer: 0, html: null });
    await renderDueArticles(env.DB);
    expect(await read(_id)).toEqual(HELLO);
    expect(await stateOf(_id)).toEqual(MADE);
  });

  it("what an earlier renderer made is shown until it is made again", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { content: CONTENT });
    await env.DB.prepare("update article_renderings set renderer = ?, html = 'old' where article_id = ?")
      .bind(RENDERER - 1, _id)
      .run();
    expect(await read(_id, "html")).toEqual({ html: "old" });
    await renderDueArticles(env.DB);
    expect(await stateOf(_id)).toEqual(MADE);
    expect(await read(_id)).toEqual(HELLO);
  });

  it("a write that does not render makes the article wait: nobody sees an old text", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { content: "Old" });
    await env.DB.prepare("update articles set content = 'New', version = 'other' where id = ?").bind(_id).run();
    expect(await read(_id, "html")).toEqual({ html: "<p>New</p>" });
    await renderDueArticles(env.DB);
    expect(await stateOf(_id)).toEqual(MADE);
    expect(await read(_id, "html")).toEqual({ html: "<p>New</p>" });
  });

  it("what an earlier version of the service wrote is never read with what was made of the text before", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { content: "Old" });
    const write = (html: string | null) =>
      env.DB.batch([
        env.DB.prepare(
          "update article_renderings set renderer = 6, version = 'next', html = ? where article_id = ?",
        ).bind(html, _id),
        env.DB.prepare("update articles set content = 'New', version = 'next' where id = ?").bind(_id),
      ]);
    await write("<p>Newer</p>");
    expect(await read(_id, "html")).toEqual({ html: "<p>Newer</p>" });
    // Too large to be stored.
    await write(null);
    expect(await read(_id, "html,text")).toEqual({ html: "<p>New</p>", text: "New" });
  });

  it("a sweep that read an old text does not store it over a save's", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { content: "Old" });
    await waiting(_id);
    const as = { apiKey: tenant.apiKey };
    let saved = false;
    // The save comes between the sweep's reading and its transaction.
    const db = new Proxy(env.DB, {
      get(target, name) {
        if (name !== "batch") {
          const value = Reflect.get(target, name) as unknown;
          return typeof value === "function" ? (value as () => unknown).bind(target) : value;
        }
        return async (statements: D1PreparedStatement[]) => {
          if (!saved) await sendJson(200, "/api/articles", { as, body: { _id, content: "New" } });
          saved = true;
          return target.batch(statements);
        };
      },
    });
    await renderDueArticles(db);
    expect(saved).toBe(true);
    expect(await read(_id, "html")).toEqual({ html: "<p>New</p>" });
  });

  it("organizations take turns", async () => {
    const [large, small] = [await newTenant(), await newTenant()];
    const add = (tenant: typeof large, count: number) =>
      env.DB.prepare(
        `insert into articles (id, organization_id, blog_id, title, description, slug, locale, cover_url, published, version,
          creation_time, last_edit_time, content) select ?1 || key, ?1, ?2, '', '', 's' || key, 'en', '', 0, 'v', '', '', ?4
          from json_each(?3)`,
      )
        .bind(
          tenant.organizationId,
          tenant.blogId,
          JSON.stringify(Array.from({ length: count }, () => 0)),
          "x ".repeat(20_000),
        )
        .run();
    await add(large, 60);
    await add(small, 2);
    await renderDueArticles(env.DB);
    const left = async (tenant: typeof large) =>
      (
        await env.DB.prepare("select count(*) as n from article_renderings where organization_id = ? and renderer = 0")
          .bind(tenant.organizationId)
          .first<{ n: number }>()
      )?.n;
    expect(await left(small)).toBe(0);
    expect(await left(large)).toBeGreaterThan(0);
  });
});

describe("addresses", () => {
  const url = async (tenant: { blogId: string }, article: ArticleBody): Promise<unknown> => {
    const { url: one } = await read(article._id, "url");
    expect(await sendJson(200, `/api/articles?blogId=${tenant.blogId}&fields=url`)).toEqual([{ url: one }]);
    return one;
  };

  it("are on the service's own site, or on the blog's own", async () => {
    const tenant = await newTenant("Field Notes Addresses");
    const as = { apiKey: tenant.apiKey };
    const article = await newArticle(tenant, { slug: "über-porto", locale: "de" });
    expect(await url(tenant, article)).toBe(`${ORIGIN}/field-notes-addresses/de/%C3%BCber-porto`);
    const site = (body: object) => sendJson(200, `/api/blogs/${tenant.blogId}/site`, { as, method: "PUT", body });
    await site({ siteUrl: "https://notes.example.com/blog" });
    expect(await url(tenant, article)).toBe("https://notes.example.com/blog/de/%C3%BCber-porto");
    await site({ articlePath: "/{slug}.html" });
    expect(await url(tenant, article)).toBe("https://notes.example.com/blog/de/%C3%BCber-porto.html");
    await site({ siteUrl: "" });
    expect(await url(tenant, article)).toBe(`${ORIGIN}/field-notes-addresses/de/%C3%BCber-porto`);
  });
});
