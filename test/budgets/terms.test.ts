/** What tags and authors cost in D1 (architecture, "Budgets"): a page of a tag's articles is two rows for each article. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { counted, expectWithin, noteNoUse, seedArticles } from "../helpers/counting.ts";
import { sendJson, type Send } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import budgets from "./budgets.json";

let tenant: Tenant;
let ids: string[];
let tagId: string;
beforeAll(async () => {
  tenant = await newTenant();
  ids = await seedArticles(tenant, 200);
  const body = { blogId: tenant.blogId, name: "Porto" };
  tagId = (await sendJson<{ _id: string }>(200, "/api/tags", { as: { apiKey: tenant.apiKey }, body }))._id;
  await env.DB.prepare(
    "insert or ignore into slug_terms (blog_id, slug, kind, term_id, position) select blog_id, slug, 'tag', ?, 0 from articles where blog_id = ?",
  )
    .bind(tagId, tenant.blogId)
    .run();
  await noteNoUse();
});

type Case = { readonly path: string; readonly ask?: Send };

const list = (query: string, fields = "_id,title"): Case => ({
  path: `/api/articles?blogId=${tenant.blogId}&fields=${fields}&limit=10&${query}`,
});
const write = (path: string, body: object, method = "POST"): Case => ({ path, ask: { method, body } });
const save = (body: object): Case => write("/api/articles", body);

/** In this order: some need what the one before has stored. */
const CASES: Record<keyof typeof budgets.terms, () => Case> = {
  "a page of 10 articles of a tag": () => list("tag=porto"),
  "such a page by publication": () => list("tag=porto&sort=publishTime"),
  "such a page with tags and authors": () => list("tag=porto", "title,tags,authors"),
  "such a page of a locale": () => list("tag=porto&locale=en"),
  "such a page of a locale by publication": () => list("tag=porto&locale=en&sort=publishTime"),
  "the site's page of a tag": () => ({ path: "/tenant/tags/porto" }),
  "the site's page of a tag, further on": () => ({
    path: "/tenant/tags/porto?before=2099-01-01T10:00:00.000Z_00000000-0000-0000-0000-000000000000",
  }),
  "tags of a blog": () => ({ path: `/api/tags?blogId=${tenant.blogId}` }),
  "create an article with two tags": () => save({ blogId: tenant.blogId, title: "New", tags: ["Porto", "Ferries"] }),
  "give a draft a tag": () => save({ _id: ids[0], tags: ["Porto", "Ferries"] }),
  "give a published article a tag": () => save({ _id: ids[10], tags: ["Porto", "Ferries"] }),
  "the same tags again": () => save({ _id: ids[10], tags: ["Porto", "Ferries"] }),
  "publish an article with two tags": () => save({ _id: ids[0], published: true }),
  "create a tag": () => write("/api/tags", { blogId: tenant.blogId, name: "Trains" }),
  "a tag": () => ({ path: `/api/tags/${tagId}`, ask: { as: { apiKey: tenant.apiKey } } }),
  "rename a tag": () => write(`/api/tags/${tagId}`, { name: "Oporto" }, "PUT"),
};

it.each(Object.entries(CASES))("%s is within its budget", async (name, of) => {
  const { path, ask } = of();
  const as = ask === undefined ? {} : { apiKey: tenant.apiKey };
  const { response, ...counter } = await counted(path, { as, ...ask });
  expect(response.status, await response.text()).toBe(200);
  expectWithin(name, budgets.terms, counter);
});
