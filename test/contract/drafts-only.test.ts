/** Contract 10.18: who may only write drafts changes nothing that readers see, now or at a set time. */
import { beforeAll, describe, expect, it } from "vitest";
import { inMinutes, schedule } from "../helpers/schedules.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newKey, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let all: { apiKey: string };
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  all = { apiKey: tenant.apiKey };
  as = {
    apiKey: await newKey({ operatorToken: tenant.operatorToken }, ["articles:read", "articles:draft", "blogs:read"]),
  };
});

const save = (body: object) => send("/api/articles", { as, body });
const read = (id: string) => sendJson(200, `/api/articles/${id}`, {});

/** Returns what readers see of the blog: each of its articles, its tags, and where a former slug leads. */
const seen = async () => [
  await sendJson(200, `/api/articles?blogId=${tenant.blogId}&limit=100`, {}),
  await sendJson(200, `/api/tags?blogId=${tenant.blogId}`, {}),
  (await send(`/api/articles/former?blogId=${tenant.blogId}&moved=follow`, {})).status,
];

describe("contract 10.18: with the scope articles:draft", () => {
  it("drafts are written, restored and illustrated, and working copies saved and discarded", async () => {
    const draft = await sendJson<ArticleBody>(200, "/api/articles", {
      as,
      body: { blogId: tenant.blogId, title: "Mine" },
    });
    expect(draft.published).toBe(false);
    const changed = { _id: draft._id, title: "Mine, later", published: false, tags: ["own"] };
    expect(await sendJson(200, "/api/articles", { as, body: changed })).toMatchObject({ title: "Mine, later" });
    expect(
      await sendJson(200, `/api/articles/${draft._id}/revisions/1/restore`, { as, method: "POST", body: {} }),
    ).toMatchObject({ title: "Mine" });
    const live = await newArticle(tenant, { title: "Live" });
    const copy = { as, method: "PUT", body: { title: "Live, unpublished", tags: ["later"] } };
    await sendJson(200, `/api/articles/${live._id}/draft`, copy);
    expect(await read(live._id)).toMatchObject({ title: "Live" });
    await sendJson(200, `/api/articles/${live._id}/draft`, { as, method: "DELETE" });
  });

  it("nothing is changed that readers see", async () => {
    const live = await newArticle(tenant, { title: "Public", slug: "public", tags: ["shared"] } as object);
    await newArticle(tenant, { title: "Moved", slug: "former" });
    const moved = await sendJson<ArticleBody>(200, "/api/articles/former", { as: all });
    await sendJson(200, "/api/articles", { as: all, body: { _id: moved._id, slug: "present" } });
    const draft = await newArticle(tenant, { title: "Draft", published: false });
    const waiting = await newArticle(tenant, { title: "Waiting", published: false });
    await schedule(all, waiting._id, { publishTime: inMinutes(60) });
    const translation = await newArticle(tenant, {
      title: "Öffentlich",
      slug: "public",
      locale: "de",
      published: false,
    });
    const before = await seen();

    const to = (id: string, more: object) => ({ _id: id, ...more });
    const refused: [object, "scope_missing" | "slug_taken"][] = [
      [{ blogId: tenant.blogId, title: "At once", published: true }, "scope_missing"],
      [{ blogId: tenant.blogId, title: "Sharing", slug: "public", locale: "pt", tags: ["other"] }, "scope_missing"],
      [{ blogId: tenant.blogId, title: "In its place", slug: "former" }, "slug_taken"],
      [to(draft._id, { published: true }), "scope_missing"],
      [to(draft._id, { slug: "former" }), "slug_taken"],
      [to(draft._id, { slug: "public", locale: "fr", authors: ["Other"] }), "scope_missing"],
      [to(live._id, { title: "Changed" }), "scope_missing"],
      [to(live._id, { published: false }), "scope_missing"],
      [to(live._id, { tags: [] }), "scope_missing"],
      [to(waiting._id, { content: "Published tomorrow, unseen" }), "scope_missing"],
      [to(translation._id, { tags: ["other"] }), "scope_missing"],
    ];
    for (const [body, code] of refused) await refusalOf(await save(body), code);
    // What is the same may be sent back.
    const same = { slug: "public", tags: ["shared"], title: "Übersetzt" };
    await sendJson(200, "/api/articles", { as, body: to(translation._id, same) });
    // A derived slug keeps away from the tags of others.
    const derived = { blogId: tenant.blogId, title: "Public", locale: "it", tags: ["other"] };
    expect(await sendJson(200, "/api/articles", { as, body: derived })).toMatchObject({ slug: "public-2" });

    const at = (id: string, path: string, method: string, body?: object) =>
      send(`/api/articles/${id}${path}`, { as, method, ...(body && { body }) });
    const others = [
      await at(live._id, "", "DELETE"),
      await at(draft._id, "", "DELETE"),
      await at(draft._id, "/schedule", "PUT", { publishTime: inMinutes(60) }),
      await at(waiting._id, "/schedule", "DELETE"),
      await at(live._id, "/draft/publish", "POST", {}),
      await at(draft._id, "/previews", "POST", {}),
      await at(live._id, "/revisions/1/restore", "POST", {}),
      await send("/api/articles/generate", { as, body: { blogId: tenant.blogId, topic: "A topic" } }),
    ];
    for (const answer of others) expect([403, 404], await answer.clone().text()).toContain(answer.status);
    expect(await seen()).toEqual(before);
  });

  it("tags are shared with what will be published, too", async () => {
    const soon = { title: "Soon", slug: "soon", tags: ["own"], published: false };
    const { _id } = await newArticle(tenant, soon as object);
    await schedule(all, _id, { publishTime: inMinutes(60) });
    const body = { blogId: tenant.blogId, title: "Bald", slug: "soon", locale: "de" };
    await refusalOf(await save({ ...body, tags: ["spam"] }), "scope_missing");
    await sendJson(200, "/api/articles", { as, body: { ...body, tags: ["own"] } });
  });

  it("a working copy that is applied as its article is unpublished changes no translation, and takes no former slug", async () => {
    const one = await newArticle(tenant, { title: "One", slug: "twins", tags: ["both"] } as object);
    await newArticle(tenant, { title: "Eins", slug: "twins", locale: "de" });
    const gone = await newArticle(tenant, { title: "Gone", slug: "gone" });
    await sendJson(200, "/api/articles", { as: all, body: { _id: gone._id, slug: "went" } });
    const copy = { title: "One, later", slug: "gone", tags: ["spam"] };
    await sendJson(200, `/api/articles/${one._id}/draft`, { as, method: "PUT", body: copy });
    const led = async () => (await send(`/api/articles/gone?blogId=${tenant.blogId}&moved=follow`, {})).status;
    expect(await led()).toBe(200);
    const unpublished = { _id: one._id, published: false };
    expect(await sendJson(200, "/api/articles", { as: all, body: unpublished })).toMatchObject({
      title: "One, later",
      slug: "twins",
    });
    expect(await led()).toBe(200);
    const [twin] = await sendJson<object[]>(200, `/api/articles?blogId=${tenant.blogId}&slug=twins&fields=tags`, {});
    expect(twin).toMatchObject({ tags: [{ slug: "both" }] });
  });

  it("a key with articles:write has it, too", async () => {
    const writer = { apiKey: await newKey({ operatorToken: tenant.operatorToken }, ["articles:write"]) };
    const body = { blogId: tenant.blogId, title: "Written" };
    expect(await sendJson(200, "/api/articles", { as: writer, body })).toMatchObject({ title: "Written" });
  });
});
