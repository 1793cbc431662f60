/** Contract 2.4: a resource can be sent back as it was read; what only the service sets may not differ. */
import { beforeAll, expect, it } from "vitest";
import { historyOf, updatesOf } from "../helpers/history.ts";
import { headerOf, problemOf, wrongFields } from "../helpers/outcome.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { inMinutes, schedule } from "../helpers/schedules.ts";
import { newIdeas } from "../helpers/ideas.ts";
import { newMember } from "../helpers/people.ts";
import { newMedia } from "../helpers/pictures.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const read = (path: string) => sendJson(200, path, { as });
const put = (path: string, body: object) => sendJson(200, path, { as, method: "PUT", body });

/** Sends each of these members with another value, and expects that it is named. */
async function differing(path: string, method: string, whole: Record<string, unknown>, others: object): Promise<void> {
  for (const [name, value] of Object.entries(others)) {
    const ask = { as, method, body: { ...whole, [name]: value } };
    expect([name, (await problemOf(path, ask)).code]).toEqual([name, "immutable_field"]);
    expect(await wrongFields(path, ask)).toEqual([name]);
  }
}

it.each(["tags", "authors"])("a term: %s", async (kind) => {
  const { _id } = await sendJson<{ _id: string }>(200, `/api/${kind}`, {
    as,
    body: { blogId: tenant.blogId, name: `Sent back ${kind}` },
  });
  const path = `/api/${kind}/${_id}`;
  const whole = await read(path);
  expect(await put(path, { ...whole, name: "Renamed" })).toMatchObject({ name: "Renamed", articles: 0 });
  const now = await read(path);
  const other = await newTenant();
  await differing(path, "PUT", now, {
    _id: other.blogId,
    blogId: other.blogId,
    articles: 7,
    publishedArticles: 7,
    creationTime: "2020-01-01T00:00:00.000Z",
    lastEditTime: "2020-01-01T00:00:00.000Z",
  });
});

it("a working copy", async () => {
  const { _id } = await newArticle(tenant, { title: "Public" });
  const path = `/api/articles/${_id}/draft`;
  await put(path, { title: "Next", tags: ["Sent with it"], seo: { title: "For machines" } });
  const whole = await read(path);
  expect(await put(path, { ...whole, description: "More" })).toMatchObject({
    title: "Next",
    description: "More",
    tags: [{ slug: "sent-with-it", name: "Sent with it" }],
  });
  await differing(path, "PUT", await read(path), {
    changed: [],
    articleChanged: true,
    by: { kind: "user", id: "somebody" },
    creationTime: "2020-01-01T00:00:00.000Z",
  });
  const other = await newArticle(tenant);
  expect(await wrongFields(path, { as, method: "PUT", body: { articleId: other._id } })).toEqual(["articleId"]);
  // Of an article without a working copy, there is nothing that it could equal.
  const bare = await newArticle(tenant);
  const ask = { as, method: "PUT", body: { title: "x", changed: ["title"] } };
  expect((await problemOf(`/api/articles/${bare._id}/draft`, ask)).code).toBe("immutable_field");
});

it("a schedule", async () => {
  const { _id } = await newArticle(tenant, { published: false });
  const path = `/api/articles/${_id}/schedule`;
  await schedule(as, _id, { publishTime: inMinutes(5) });
  const whole = await read(path);
  expect(whole).toMatchObject({ unpublishTime: null, failure: null });
  expect(await put(path, { ...whole, timeZone: "Asia/Tokyo" })).toMatchObject({
    publishTime: whole.publishTime,
    timeZone: "Asia/Tokyo",
  });
  await differing(path, "PUT", await read(path), {
    title: "Another",
    published: true,
    state: "failed",
    scheduledBy: { kind: "user", id: "somebody" },
    dueTime: "2040-01-01T00:00:00.000Z",
  });
});

it("an article with all that its fields can name", async () => {
  const fields =
    "_id,blogId,title,slug,locale,published,creationTime,lastEditTime,publishTime,schedule,workingCopy,origin,seo,tags,authors,createdBy,lastEditedBy";
  const { _id } = await newArticle(tenant, { title: "Whole" });
  const { save, update } = historyOf(as, _id);
  await update({ tags: ["Porto", "Slow travel"], authors: ["Ada Lovelace"] });
  await save({ title: "Next" });
  await schedule(as, _id, { unpublishTime: inMinutes(5) });
  const path = `/api/articles/${_id}?fields=${fields}`;
  const response = await send(path, { as });
  const whole = await response.json<Record<string, unknown>>();
  expect(whole).toMatchObject({ schedule: { state: "waiting" }, origin: { kind: "human" } });
  const before = await updatesOf(_id);
  await sendJson(200, "/api/articles", { as, body: whole });
  // It equals what is stored, so nothing has happened.
  expect(await updatesOf(_id)).toBe(before);
  expect(headerOf(await send(path, { as }), "ETag")).toBe(headerOf(response, "ETag"));
  await sendJson(200, "/api/articles", { as, body: { ...whole, tags: [{ slug: "porto", name: "Porto" }] } });
  expect(await read(path)).toMatchObject({ tags: [{ slug: "porto" }], authors: [{ slug: "ada-lovelace" }] });
  await differing("/api/articles", "POST", await read(path), {
    schedule: null,
    workingCopy: null,
    origin: { ...(whole["origin"] as object), model: "x" },
  });
  expect(await wrongFields("/api/articles", { as, body: { _id, publishTime: null } })).toEqual(["publishTime"]);
  const { blogId } = tenant;
  expect(await wrongFields("/api/articles", { as, body: { blogId, tags: ["", { slug: "X" }, 5] } })).toEqual([
    "tags.0",
    "tags.1",
    "tags.2",
  ]);
});

it("a picture, a member, the organization and a topic idea", async () => {
  const operator = { operatorToken: tenant.operatorToken };
  const { memberId } = await newMember(tenant.organizationId, "writer");
  const [idea = ""] = await newIdeas(tenant, [{}]);
  const creationTime = "2020-01-01T00:00:00.000Z";
  for (const { path, change, differs, by = as, method = "PUT" } of [
    {
      path: `/api/media/${(await newMedia(as))._id}`,
      change: { alt: "Boats" },
      differs: { url: "https://x.example", bytes: 1, articles: 7, lastEditTime: creationTime },
    },
    { path: `/api/members/${memberId}`, change: { role: "reader" }, differs: { email: "x@example.com" }, by: operator },
    { path: "/api/organization", change: { name: "Renamed" }, differs: { creationTime }, by: operator },
    {
      path: `/api/topics/${idea}`,
      change: { status: "dismissed" },
      differs: { title: "x", source: { kind: "feed", name: "x" }, articleId: memberId },
      method: "PATCH",
    },
  ]) {
    const whole = await sendJson(200, path, { as: by });
    expect(await sendJson(200, path, { as: by, method, body: { ...whole, ...change } })).toMatchObject(change);
    const now = await sendJson(200, path, { as: by });
    for (const [name, value] of Object.entries(differs)) {
      const ask = { as: by, method, body: { ...now, [name]: value } };
      expect([name, (await problemOf(path, ask)).code]).toEqual([name, "immutable_field"]);
    }
  }
});

it("an If-Match that does not fit comes first (contract 13.2)", async () => {
  const { _id } = await newArticle(tenant, { title: "Public" });
  const [draft, plan] = [`/api/articles/${_id}/draft`, `/api/articles/${_id}/schedule`];
  await put(draft, { title: "Next" });
  await schedule(as, _id, { unpublishTime: inMinutes(5) });
  const lastEditTime = "2020-01-01T00:00:00.000Z";
  for (const [path, method, body] of [
    [draft, "PUT", { lastEditTime }],
    [plan, "PUT", { unpublishTime: inMinutes(6), title: "Another" }],
    ["/api/articles", "POST", { _id, workingCopy: null }],
    ["/api/articles", "POST", { _id, lastEditTime }],
    [`/api/blogs/${tenant.blogId}`, "PUT", { lastEditTime }],
  ] as const) {
    const ask = { as, method, body, headers: { "If-Match": '"old"' } };
    expect([path, (await problemOf(path, ask)).code]).toEqual([path, "precondition_failed"]);
  }
});
