/** Contract 18.11: working copies whose article becomes a draft, or is published by a bulk request. */
import { beforeAll, expect, it } from "vitest";
import { historyOf, updatesOf } from "../helpers/history.ts";
import { sendJson } from "../helpers/requests.ts";
import { inMinutes, runAt, schedule } from "../helpers/schedules.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { usageOf } from "../helpers/usage.ts";

let tenant: Tenant;
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const create = async (fields: Partial<ArticleBody> = {}) => {
  const article = await newArticle(tenant, fields);
  return { article, ...historyOf(as, article._id) };
};

it("becomes part of an article that becomes a draft, but for what the request says itself", async () => {
  const { article, path, save, update, read, list } = await create({
    title: "One",
    content: "One",
    description: "One",
  });
  const publishTime = "2024-05-01T00:00:00.000Z";
  await save({
    title: "Two",
    content: "Two *words*",
    description: "Two",
    seo: { title: "There" },
    tags: ["Folded in"],
    publishTime,
  });
  const [states, updates] = [(await list()).length, await updatesOf(article._id)];
  const headers = { "Idempotency-Key": path };
  const unpublished = await update({ published: false, description: "Asked for" }, { headers });
  expect(unpublished).toMatchObject({
    title: "Two",
    content: "Two *words*",
    description: "Asked for",
    published: false,
  });
  expect(await update({ published: false, description: "Asked for" }, { headers })).toEqual(unpublished);
  expect(await sendJson(200, `${path}?fields=tags,seo,publishTime,workingCopy,html`, { as })).toMatchObject({
    tags: [{ name: "Folded in" }],
    seo: { title: "There" },
    publishTime,
    workingCopy: null,
    html: "<p>Two <em>words</em></p>",
  });
  expect((await read(states + 1)).content).toBe("One");
  expect(await updatesOf(article._id)).toBe(updates + 1);
  const { counted, recounted } = await usageOf(tenant.organizationId);
  expect(counted).toEqual(recounted);
});

it("becomes part of a draft by a bulk request, too, but for a slug that another article has", async () => {
  const { article, path, save } = await create({ slug: "its-own", title: "One" });
  await newArticle(tenant, { slug: "taken-by-now" });
  await save({ title: "Two", slug: "taken-by-now" });
  const body = { action: "unpublish", articleIds: [article._id] };
  expect(await sendJson(200, "/api/articles/bulk", { as, body })).toMatchObject([{ outcome: "changed" }]);
  expect(await sendJson(200, `${path}?fields=title,slug,published,workingCopy`, { as })).toEqual({
    title: "Two",
    slug: "its-own",
    published: false,
    workingCopy: null,
  });
});

it("is published by a bulk publication of its article", async () => {
  const { article, path, save } = await create({ title: "One" });
  await save({ title: "Two" });
  const publish = { as, body: { action: "publish", articleIds: [article._id] } };
  expect(await sendJson(200, "/api/articles/bulk", publish)).toMatchObject([{ outcome: "changed" }]);
  expect(await sendJson(200, path)).toMatchObject({ title: "Two" });
  expect(await sendJson(200, "/api/articles/bulk", publish)).toMatchObject([{ outcome: "unchanged" }]);
});

it("becomes part of an article that its schedule makes a draft", async () => {
  const { article, path, save } = await create({ title: "One" });
  await schedule(as, article._id, { unpublishTime: inMinutes(5) });
  await save({ title: "Two" });
  await runAt(inMinutes(6));
  expect(await sendJson(200, `${path}?fields=title,published,schedule,workingCopy`, { as })).toEqual({
    title: "Two",
    published: false,
    schedule: null,
    workingCopy: null,
  });
});
