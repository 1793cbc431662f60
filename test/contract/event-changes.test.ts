/** Contract 11.15: `data.changed`, and events of everything that readers see. */
import { beforeAll, describe, expect, it } from "vitest";
import { runIn } from "../helpers/autosaves.ts";
import { firedBy, now, put, readOn, tellSince } from "../helpers/event-feed.ts";
import { freshHost, hostsOf, makeDue, proofOf, setDns, sweepHosts } from "../helpers/hosts.ts";
import { newMedia, newPng } from "../helpers/pictures.ts";
import { sendJson } from "../helpers/requests.ts";
import { runAt, schedule, inMinutes } from "../helpers/schedules.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { kindsOf, received, seenBy, subscribe } from "../helpers/webhooks.ts";
import { quiet } from "../helpers/refusals.ts";

let tenant: Tenant;

beforeAll(async () => {
  tenant = await newTenant();
});

const post = <T = { _id: string }>(path: string, body: object): Promise<T> => sendJson(200, path, { as: tenant, body });
const fired = (act: () => Promise<unknown>): Promise<string[]> => firedBy(tenant, act);

describe("data.changed of article.updated", () => {
  it("names the fields that an update changed, and leaves out those that were sent as they are", async () => {
    const { _id, title } = await newArticle(tenant, { content: "Body", published: false });
    expect(await fired(() => post("/api/articles", { _id, title, content: "Other", description: "New" }))).toEqual([
      "article.updated content,description",
    ]);
    expect(await fired(() => post("/api/articles", { _id, published: true }))).toEqual([
      "article.updated publishTime,published",
    ]);
    expect(await fired(() => post("/api/articles", { _id, published: false }))).toEqual(["article.updated published"]);
    expect(await fired(() => post("/api/articles", { _id, published: true }))).toEqual(["article.updated published"]);
    expect(await fired(() => post("/api/articles", { _id, seo: { title: "For search" }, slug: "moved" }))).toEqual([
      "article.updated seo,slug",
    ]);
    expect(await fired(() => post("/api/articles", { _id, title }))).toEqual([]);
  });

  it("tells of tags, and of the tag that is new", async () => {
    const { _id } = await newArticle(tenant);
    expect(await fired(() => post("/api/articles", { _id, tags: ["Fresh one"] }))).toEqual([
      "tag.created",
      "article.updated tags",
    ]);
    expect(await fired(() => post("/api/articles", { _id, tags: ["Fresh one"], authors: ["Ada"] }))).toEqual([
      "author.created",
      "article.updated authors",
    ]);
  });

  it("is true of bulk changes, schedules, working copies and restored versions", async () => {
    const { _id } = await newArticle(tenant, { title: "First", published: false });
    const bulk = { action: "publish", articleIds: [_id] };
    expect(await fired(() => post("/api/articles/bulk", bulk))).toEqual(["article.updated publishTime,published"]);
    expect(await fired(() => put(tenant, `/api/articles/${_id}/draft`, { title: "Second" }))).toEqual([]);
    expect(await fired(() => post(`/api/articles/${_id}/draft/publish`, {}))).toEqual(["article.updated title"]);
    const [, first] = await sendJson<{ number: number }[]>(200, `/api/articles/${_id}/revisions`, { as: tenant });
    const restore = `/api/articles/${_id}/revisions/${first?.number ?? 1}/restore`;
    expect(await fired(() => post(restore, {}))).toEqual(["article.updated title"]);
    const due = inMinutes(30);
    await schedule(tenant, _id, { unpublishTime: due });
    expect(await fired(() => runAt(due))).toEqual(["article.updated published"]);
  });

  it("of autosaves that are told together names the fields of all of them", async () => {
    const { _id } = await newArticle(tenant, { published: false });
    const autosaved = (fields: object) => post("/api/articles", { _id, autosave: true, ...fields });
    expect(await fired(() => autosaved({ title: "Typed" }))).toEqual([]);
    await autosaved({ content: "More" });
    await autosaved({ title: "Typed on" });
    expect(await fired(() => post("/api/articles", { _id, description: "Saved" }))).toEqual([
      "article.updated content,description,title",
    ]);
    expect(await fired(() => post("/api/articles", { _id, coverUrl: "https://example.com/a.jpg" }))).toEqual([
      "article.updated coverUrl",
    ]);
    await autosaved({ slug: "typed" });
    expect(await fired(() => runIn(7))).toEqual(["article.updated slug"]);
  });
});

describe("events of everything that readers see", () => {
  it("blog.updated: an update that changes something, and a new language of published articles", async () => {
    const path = `/api/blogs/${tenant.blogId}`;
    expect(await fired(() => put(tenant, path, { name: "Renamed", topicRefresh: "daily" }))).toEqual([
      "blog.updated name,topicRefresh",
    ]);
    expect(await fired(() => put(tenant, path, { name: "Renamed", locales: ["en"] }))).toEqual([]);
    expect(await fired(() => newArticle(tenant, { locale: "fr" }))).toEqual([
      "blog.updated locales",
      "article.created",
    ]);
    expect(await fired(() => newArticle(tenant, { locale: "fr" }))).toEqual(["article.created"]);
    const { _id } = await newArticle(tenant, { locale: "it", published: false });
    expect(await fired(() => post("/api/articles", { _id, published: true }))).toEqual([
      "blog.updated locales",
      "article.updated publishTime,published",
    ]);
    const [event] = await readOn(tenant, { kinds: "blog.updated" });
    const { changed: _, ...data } = event?.data ?? {};
    const blog = await sendJson(200, path, { as: tenant });
    expect(Object.keys(data)).toEqual(Object.keys(blog));
  });

  it("site.updated: its settings, its hosts and its redirects", async () => {
    const path = `/api/blogs/${tenant.blogId}/site`;
    const before = await now(tenant);
    const site = await put(tenant, path, { description: "Walks", accentColor: "#0f766e", font: "sans" });
    const [event] = await readOn(tenant, { after: before });
    expect(event).toMatchObject({ event: "site.updated", blogId: tenant.blogId, data: site });
    expect(event?.data.changed).toContain("description");
    const redirect = { from: "/old", to: "/new" };
    const added = await post<{ _id: string }>(`${path.replace("/site", "")}/redirects`, redirect);
    const remove = { as: tenant, method: "DELETE" };
    await sendJson(200, `/api/blogs/${tenant.blogId}/redirects/${added._id}`, remove);
    expect((await tellSince(tenant, before)).slice(1)).toEqual(["site.updated redirects", "site.updated redirects"]);
  });

  it("site.updated: a host that is added, verified by the sweep, lost to another blog and removed", async () => {
    const host = freshHost();
    const hosts = hostsOf(tenant);
    const other = await newTenant();
    const before = await now(tenant);
    const added = await hosts.add(host);
    await setDns(host, { texts: [proofOf(added)] });
    await makeDue(host);
    await sweepHosts();
    expect(await tellSince(tenant, before)).toEqual(["site.updated hosts", "site.updated hosts"]);
    const taken = await hostsOf(other).add(host);
    await setDns(host, { texts: [proofOf(taken)] });
    expect(await fired(() => hostsOf(other).check(host))).toEqual(["site.updated hosts"]);
    expect(await tellSince(other)).toEqual(["site.updated hosts", "site.updated hosts"]);
    expect(await fired(() => hosts.remove(host))).toEqual(["site.updated hosts"]);
  });

  it.each(["tag", "author"] as const)("%s.created, updated and deleted, and both of a merge", async (kind) => {
    const before = await now(tenant);
    const made = await post<Record<string, unknown> & { _id: string }>(`/api/${kind}s`, {
      blogId: tenant.blogId,
      name: `Old ${kind}`,
    });
    const other = await post(`/api/${kind}s`, { blogId: tenant.blogId, name: `Other ${kind}` });
    await put(tenant, `/api/${kind}s/${made._id}`, { name: `New ${kind}`, slug: `old-${kind}` });
    await put(tenant, `/api/${kind}s/${made._id}`, { name: `New ${kind}` });
    await post(`/api/${kind}s/${made._id}/merge`, { into: other._id });
    await sendJson(200, `/api/${kind}s/${other._id}`, { as: tenant, method: "DELETE" });
    expect(await tellSince(tenant, before)).toEqual([
      `${kind}.created`,
      `${kind}.created`,
      `${kind}.updated name`,
      `${kind}.deleted`,
      `${kind}.updated articles,publishedArticles`,
      `${kind}.deleted`,
    ]);
    const [first] = await readOn(tenant, { after: before });
    expect(first).toMatchObject({ event: `${kind}.created`, blogId: tenant.blogId });
    expect(first?.data).toEqual(made);
  });

  it("media.created, updated and deleted, of the whole organization", async () => {
    const before = await now(tenant);
    const item = await newMedia(tenant);
    await put(tenant, `/api/media/${item._id}`, { alt: "A harbour" });
    const file = { as: tenant, method: "PUT", body: await newPng(31, 17), type: "image/png" };
    await sendJson(200, `/api/media/${item._id}/file`, file);
    await sendJson(200, `/api/media/${item._id}`, { as: tenant, method: "DELETE" });
    const events = await readOn(tenant, { after: before });
    expect(events.map(({ event }) => event)).toEqual([
      "media.created",
      "media.updated",
      "media.updated",
      "media.deleted",
    ]);
    expect(events[0]).toMatchObject({ blogId: null, data: item });
    expect(events[1]?.data).toMatchObject({ alt: "A harbour", changed: ["alt"] });
    expect(events[2]?.data.changed).toEqual(expect.arrayContaining(["bytes", "fileUrl", "height", "width"]));
    expect(events[3]?.data).toMatchObject({ _id: item._id, alt: "A harbour" });
  });
});

describe("contract 11.4: kinds beyond the first five", () => {
  it("go only to subscriptions that name them", async () => {
    const own = await newTenant();
    const all = await subscribe(own);
    const some = await subscribe(own, "ok", { events: ["blog.updated", "media.created"] });
    const blog = await put(own, `/api/blogs/${own.blogId}`, { name: "Renamed" });
    await newArticle(own);
    const [request] = await received(some.name);
    expect(JSON.parse(request?.body ?? "{}")).toMatchObject({
      event: "blog.updated",
      data: { ...blog, changed: ["name"] },
    });
    await quiet();
    expect(kindsOf(await seenBy(some.name))).toEqual(["blog.updated"]);
    expect(kindsOf(await seenBy(all.name))).toEqual(["article.created"]);
  });
});
