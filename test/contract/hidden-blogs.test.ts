/** Contract 5.8: readers do not see a hidden blog, by whatever route. */
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { hideBlogs, showBlogs } from "../../src/store/blogs/hiding.ts";
import { runTransaction } from "../../src/store/core/sql.ts";
import { blogs, hiddenBlogs } from "../../src/schema/blogs.ts";
import { eq, sql } from "drizzle-orm";
import { ask, hostsOf } from "../helpers/hosts.ts";
import { letSubscribe } from "../helpers/mails.ts";
import { newFile } from "../helpers/media.ts";
import { previewsOf } from "../helpers/previews.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

afterEach(() => vi.useRealTimers());

const purgesOf = async ({ organizationId }: Tenant): Promise<unknown[]> =>
  (
    await env.DB.prepare("select tag from purges where organization_id = ? order by tag").bind(organizationId).raw()
  ).flat();

const fieldsOf = (title: string) => ({ title, slug: `ferries-${crypto.randomUUID().slice(0, 8)}`, locale: "en" });

/** Returns the public addresses of a blog with an article, and the text of each. */
async function publish(tenant: Tenant) {
  const as = { apiKey: tenant.apiKey };
  const { blogId } = tenant;
  const { vanityId } = await sendJson<{ vanityId: string }>(200, `/api/blogs/${blogId}`, { as });
  const { slug } = fieldsOf("Ferries");
  const body = {
    blogId,
    title: "Ferries",
    content: "Across the bay.",
    slug,
    published: true,
    tags: ["boats"],
    authors: ["Ana"],
  };
  const { _id } = await sendJson<{ _id: string }>(200, "/api/articles", { as, body: { ...body, slug: `old-${slug}` } });
  await sendJson(200, "/api/articles", { as, body: { _id, slug } });
  await letSubscribe(tenant, "A letter");
  await sendJson(200, `/api/blogs/${blogId}/redirects`, { as, body: { from: "/?p=1", articleId: _id } });
  const { linked } = previewsOf(() => tenant);
  const file = await newFile(tenant.organizationId, _id);
  const api = `/api/articles/${slug}`;
  const one = {
    none: [404],
    paths: [
      `/api/articles/${_id}`,
      api,
      `${api}?blogId=${blogId}`,
      `${api}?locale=en`,
      `${api}?locale=de&fallback=en`,
      `/api/articles/old-${slug}?moved=follow`,
      `/api/articles/old-${slug}?blogId=${blogId}&moved=follow`,
      `/blogs?blogId=${blogId}`,
      `/blogs/${blogId}`,
      `/blogs/${vanityId}`,
      `/blogs/${vanityId}/search?q=bay`,
      `/blogs/${vanityId}/feed.xml`,
      `/blogs/${blogId}/feed.json`,
      `/blogs/${vanityId}/feed.xml?tag=boats`,
      `/blogs/${vanityId}/sitemap.xml`,
      `/blogs/${vanityId}/llms.txt`,
      `/blogs/${vanityId}/articles/${slug}.md`,
      `/blogs/${blogId}/subscribe`,
      `/${vanityId}`,
      `/${vanityId}/en/${slug}`,
      `/${vanityId}/tags/boats`,
      `/${vanityId}/authors/ana`,
      `/${vanityId}/archive`,
      `/${vanityId}/search?q=bay`,
      `/${vanityId}/old-${slug}`,
      `/${vanityId}?p=1`,
      `/previews/${(await linked()).link.token}`,
      `/media/${file}`,
    ],
  };
  const list = `/api/articles?blogId=${blogId}`;
  const lists = [
    list,
    `${list}&sort=publishTime`,
    `${list}&locale=en`,
    `${list}&slug=${slug}`,
    `${list}&tag=boats`,
    `${list}&author=ana`,
    `${list}&ids=${_id}`,
    `${list}&locale=de&fallback=en`,
    `/api/tags?blogId=${blogId}`,
    `/api/authors?blogId=${blogId}`,
  ];
  return { one: one.paths, lists, host: await hostsOf(tenant).proved(), vanityId };
}

it("a hidden blog is there for nobody, and is there again afterwards", async () => {
  const tenant = await newTenant(`Harbour ${crypto.randomUUID().slice(0, 8)}`);
  const other = await newTenant();
  await newArticle(other, fieldsOf("Summits"));
  const { one, lists, host, vanityId } = await publish(tenant);
  const statuses = async (paths: readonly string[]) =>
    Object.fromEntries(await Promise.all(paths.map(async (path) => [path, (await send(path)).status < 400])));
  const counts = async () =>
    Object.fromEntries(
      await Promise.all(lists.map(async (path) => [path, (await sendJson<unknown[]>(200, path)).length > 0])),
    );
  const sites = async () => {
    const urls = [`https://${host}/`, `https://${vanityId}.blogs.example.com/`];
    const found = await Promise.all(urls.map(async (url) => (await ask(url)).status));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    return found;
  };
  const all = (paths: readonly string[], is: boolean) => Object.fromEntries(paths.map((path) => [path, is]));
  expect(await statuses(one)).toEqual(all(one, true));
  expect(await counts()).toEqual(all(lists, true));
  expect(await sites()).toEqual([200, 200]);
  await env.DB.prepare("delete from purges").run();
  await runTransaction(env.DB, {
    hidden: hideBlogs("suspended", eq(blogs.id, tenant.blogId), new Date().toISOString()),
  });
  expect(await purgesOf(tenant)).toEqual([`blog-${tenant.blogId}`, `images-${tenant.organizationId}`]);
  expect(await statuses(one)).toEqual(all(one, false));
  expect(await counts()).toEqual(all(lists, false));
  expect(await sites()).toEqual([404, 404]);
  const shown = await send(`/${vanityId}/en`, { headers: { Accept: "text/html,*/*;q=0.8" } });
  expect([shown.status, await shown.text()]).toEqual([
    404,
    expect.stringContaining("<h1>This page does not exist</h1>"),
  ]);
  expect((await send(`/blogs/${tenant.blogId}/subscribe`, { body: { email: "a@example.com" } })).status).toBe(404);
  expect((await send(`/blogs/${other.blogId}`)).status).toBe(200);
  await runTransaction(env.DB, { shown: showBlogs("suspended", sql`${eq(hiddenBlogs.blogId, tenant.blogId)}`) });
  expect(await statuses(one)).toEqual(all(one, true));
  expect(await counts()).toEqual(all(lists, true));
  expect(await sites()).toEqual([200, 200]);
});
