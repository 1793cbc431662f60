/** Contract 19.6 to 19.8: where uploads are used, their deletion, and their files. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { SCOPES } from "../../src/domain/principal.ts";
import { seedArticles } from "../helpers/counting.ts";
import { newId } from "../../src/lib/ids.ts";
import { headerOf } from "../helpers/outcome.ts";
import { newMedia, newPng, pathOf, type MediaBody } from "../helpers/pictures.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { HeldQueue, purgedTags } from "../helpers/relay.ts";
import { issueKey, send, sendJson, type Credential } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

const get = <T = MediaBody>(as: Credential, path: string) => sendJson<T>(200, path, { as });
const used = async ({ organizationId }: Tenant): Promise<number | null> =>
  env.DB.prepare("select media_bytes from organizations where id = ?").bind(organizationId).first("media_bytes");

describe("where it is used, and deletion (contract 19.7 and 19.8)", () => {
  it("of more than a thousand articles that show it, the first thousand count", async () => {
    const tenant = await newTenant();
    const { _id, url } = await newMedia(tenant);
    await seedArticles(tenant, LIMITS.mediaUsesCounted + 1);
    await env.DB.prepare("update articles set content = ? where blog_id = ?").bind(`![](${url})`, tenant.blogId).run();
    expect(await get(tenant, `/api/media/${_id}`)).toMatchObject({ articles: 1000 });
    const [listed] = await get<MediaBody[]>(tenant, "/api/media");
    expect(listed).toMatchObject({ articles: 1000 });
  });

  it("articles, their covers and their working copies count; a deletion names them", async () => {
    const tenant = await newTenant();
    const item = await newMedia(tenant);
    const texts = { content: `![boats](${item.url})`, published: true };
    const article = await newArticle(tenant, { title: "In the text", ...texts });
    const cover = await newArticle(tenant, { title: "As cover", coverUrl: item.fileUrl });
    const draft = await newArticle(tenant, { title: "In a working copy", published: true });
    await sendJson(200, `/api/articles/${draft._id}/draft`, {
      as: tenant,
      method: "PUT",
      body: texts.content && { content: texts.content },
    });
    const uses = await get<{ articleId: string; places: string[] }[]>(tenant, `/api/media/${item._id}/usage`);
    expect(uses).toMatchObject([
      { articleId: draft._id, places: ["draft"], published: true, blogId: tenant.blogId },
      { articleId: cover._id, places: ["article"] },
      { articleId: article._id, places: ["article"], title: "In the text", slug: article.slug, locale: "en" },
    ]);
    expect(await get(tenant, `/api/media/${item._id}`)).toMatchObject({ articles: 3 });
    const refused = await send(`/api/media/${item._id}`, { as: tenant, method: "DELETE" });
    expect(await refusalOf(refused, "media_in_use")).toMatchObject({
      detail: 'It is shown by "In a working copy", "As cover", "In the text".',
    });

    await sendJson(200, "/api/articles", { as: tenant, body: { _id: article._id, content: "Nothing" } });
    await sendJson(200, `/api/articles/${cover._id}`, { as: tenant, method: "DELETE" });
    await sendJson(200, `/api/articles/${draft._id}/draft`, { as: tenant, method: "DELETE" });
    expect(await get(tenant, `/api/media/${item._id}/usage`)).toEqual([]);
    await sendJson(200, `/api/media/${item._id}`, { as: tenant, method: "DELETE" });
    await refusalOf(await send(`/api/media/${item._id}`, { as: tenant }), "not_found");
    await refusalOf(await send(pathOf(item.url)), "not_found");
    expect(await used(tenant)).toBe(0);
    expect(await purgedTags(tenant)).toContain(`media-${item._id}`);
  });

  it("those that a text with a thousand pictures no longer shows are forgotten, and no others", async () => {
    const tenant = await newTenant();
    const ids = Array.from({ length: 1000 }, () => newId());
    await env.DB.prepare(
      `insert into media (id, organization_id, media_type, creation_time, library, sha256)
       select value, ?, 'image/png', '2026-01-01', 1, value from json_each(?)`,
    )
      .bind(tenant.organizationId, JSON.stringify(ids))
      .run();
    const shown = (from: number) => ids.slice(from).map((id) => `/media/${id}`);
    const text = (from: number) => "A text. ".repeat(100) + shown(from).join(" ");
    const { _id } = await newArticle(tenant, { content: text(0) });
    await sendJson(200, `/api/articles/${_id}/draft`, { as: tenant, method: "PUT", body: { content: text(1) } });
    const stored = (query: string) => env.DB.prepare(query).bind(text(2), _id).run();
    await stored("update articles set content = ? where id = ?");
    await stored("update working_copies set content = ? where article_id = ?");
    const { results } = await env.DB.prepare(
      "select place, count(*) as n, max(media_id = ?) as first from media_uses where article_id = ? group by place",
    )
      .bind(ids[0], _id)
      .all();
    expect(results).toEqual(["article", "draft"].map((place) => ({ place, n: 998, first: 0 })));
  });

  it("a working copy is saved again and again with the pictures that it shows", async () => {
    const tenant = await newTenant();
    const items = [await newMedia(tenant), await newMedia(tenant), await newMedia(tenant)];
    const article = await newArticle(tenant, { title: "A walk" });
    const save = (body: Record<string, unknown>) =>
      sendJson(200, `/api/articles/${article._id}/draft`, { as: tenant, method: "PUT", body });
    const shown = async () =>
      Promise.all(
        items.map(
          async ({ _id }) => (await get<MediaBody & { articles: number }>(tenant, `/api/media/${_id}`)).articles,
        ),
      );
    const [one = "", two = "", three = ""] = items.map(({ url }) => `![](${url})`);
    await save({ content: one });
    await save({ content: `${one} and ${two}` });
    await save({ title: "A long walk" });
    expect(await shown()).toEqual([1, 1, 0]);
    await save({ content: two, coverUrl: items[2]?.url });
    expect(await shown()).toEqual([0, 1, 1]);
    await save({ content: `${two} and ${three}` });
    expect(await shown()).toEqual([0, 1, 1]);
  });

  it("a key for one blog is told how many articles of other blogs show it, but not which", async () => {
    const tenant = await newTenant();
    const operator = { operatorToken: tenant.operatorToken };
    const { _id: blogId } = await sendJson<{ _id: string }>(200, "/api/blogs", {
      as: operator,
      body: { name: "Second" },
    });
    const pinned = { apiKey: (await issueKey(operator, SCOPES, { blogId })).secret };
    const item = await newMedia(pinned);
    await newArticle(tenant, { title: "Of the first blog", coverUrl: item.url });
    const refused = await send(`/api/media/${item._id}`, { as: pinned, method: "DELETE" });
    expect(await refusalOf(refused, "media_in_use")).toMatchObject({
      detail: "1 article shows it, but you cannot access them.",
    });
  });

  it("force=true deletes it all the same", async () => {
    const tenant = await newTenant();
    const item = await newMedia(tenant);
    await newArticle(tenant, { content: item.url });
    await sendJson(200, `/api/media/${item._id}?force=true`, { as: tenant, method: "DELETE" });
    await refusalOf(await send(pathOf(item.url)), "not_found");
  });

  it("the edge is told at once that it is gone, or has another file: it may keep both for a day", async () => {
    const tenant = await newTenant();
    const item = await newMedia(tenant);
    const purges = new HeldQueue<object>();
    const bindings = { PURGES: purges } as unknown as Partial<Env>;
    const path = `/api/media/${item._id}`;
    await sendJson(200, path, { as: tenant, method: "PUT", body: { name: "b" }, bindings });
    expect(purges.take()).toEqual([]);
    const file = { body: await newPng(9, 7), type: "image/png" };
    await sendJson(200, `${path}/file`, { as: tenant, method: "PUT", ...file, bindings });
    expect(purges.take()).toEqual([{}]);
    await sendJson(200, path, { as: tenant, method: "DELETE", bindings });
    expect(purges.take()).toEqual([{}]);
    await refusalOf(await send(path, { as: tenant, method: "DELETE", bindings }), "not_found");
    expect(purges.take()).toEqual([]);
  });
});

describe("GET /media/{id} of an upload (contract 19.6)", () => {
  it("may be kept for a year under the address of this file, for five minutes under the other", async () => {
    const item = await newMedia(await newTenant());
    const caching = async (path: string) => {
      const response = await send(path);
      await response.body?.cancel();
      return [
        response.status,
        headerOf(response, "Cache-Control"),
        response.headers.get("Cloudflare-CDN-Cache-Control"),
      ];
    };
    expect(await caching(pathOf(item.fileUrl))).toEqual([200, "public, max-age=31536000, immutable", null]);
    for (const path of [pathOf(item.url), `${pathOf(item.url)}?v=0123456789abcdef`]) {
      expect(await caching(path)).toEqual([200, "public, max-age=300", "max-age=86400"]);
    }
    const response = await send(pathOf(item.url));
    expect(headerOf(response, "Content-Type")).toBe("image/png");
    expect(headerOf(response, "Cache-Tag")).toContain(`media-${item._id},images-`);
    expect(headerOf(response, "Content-Security-Policy")).toBe("default-src 'none'; sandbox");
    await response.body?.cancel();
    const known = await send(pathOf(item.url), { headers: { "If-None-Match": headerOf(response, "ETag") } });
    expect(known.status).toBe(304);
  });

  it("leads to where organizations moved, if the image is not here", async () => {
    const item = await newMedia(await newTenant());
    const ask = async (path: string, MOVED_MEDIA_URL: string) => {
      const bindings = { MOVED_MEDIA_URL } as object as Partial<Env>;
      const response = await send(path, { bindings });
      await response.body?.cancel();
      return [response.status, response.headers.get("Location")];
    };
    const elsewhere = "https://other.example.com";
    const missing = `/media/${newId()}?w=640&v=0123456789abcdef`;
    expect(await ask(missing, elsewhere)).toEqual([302, elsewhere + missing]);
    expect(await ask(missing, "")).toEqual([404, null]);
    expect(await ask("/media/no-id", elsewhere)).toEqual([404, null]);
    expect(await ask(pathOf(item.url), elsewhere)).toEqual([200, null]);
  });
});
