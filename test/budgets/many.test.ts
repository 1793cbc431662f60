/** What changes of many articles at once cost in D1 (architecture, "Budgets"): bulk requests, merged and deleted terms. */
import { beforeAll, expect, it } from "vitest";
import { counted, expectWithin, noteNoUse, seedArticles } from "../helpers/counting.ts";
import { sendJson, type Send } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import budgets from "./budgets.json";

let tenant: Tenant;
/** The first three are drafts. */
let ids: string[];
const made: Record<string, string> = {};
beforeAll(async () => {
  tenant = await newTenant();
  const as = { apiKey: tenant.apiKey };
  ids = await seedArticles(tenant, 200);
  for (const [kind, name] of [
    ["tags", "Boats"],
    ["tags", "Ships"],
    ["authors", "Ada"],
    ["authors", "Bo"],
  ] as const) {
    const body = { blogId: tenant.blogId, name };
    made[name] = (await sendJson<{ _id: string }>(200, `/api/${kind}`, { as, body }))._id;
  }
  await noteNoUse();
});

type Case = { readonly path: string; readonly ask?: Send };

const bulk = (action: string, articleIds: readonly string[], more: object = {}): Case => ({
  path: "/api/articles/bulk",
  ask: { body: { action, articleIds, ...more } },
});
const write = (path: string, body: object, method = "POST"): Case => ({ path, ask: { method, body } });

/** In this order: some need what the one before has stored. */
const CASES: Record<keyof typeof budgets.many, () => Case> = {
  "tag two articles at once": () => bulk("tag", ids.slice(10, 12), { tags: ["Boats"] }),
  "schedule two articles at once": () =>
    bulk("schedule", ids.slice(0, 2), { schedule: { publishTime: "2031-01-01T09:00" } }),
  "delete two articles at once": () => bulk("delete", ids.slice(20, 22)),
  "merge a tag of two articles": () => write(`/api/tags/${made["Boats"]}/merge`, { into: made["Ships"] }),
  "delete a tag of two articles": () => ({ path: `/api/tags/${made["Ships"]}`, ask: { method: "DELETE" } }),
  "unpublish two articles at once": () => bulk("unpublish", ids.slice(33, 35)),
  "create an author": () => write("/api/authors", { blogId: tenant.blogId, name: "Grace" }),
  "an author": () => ({ path: `/api/authors/${made["Ada"]}` }),
  "authors of a blog": () => ({ path: `/api/authors?blogId=${tenant.blogId}` }),
  "rename an author": () => write(`/api/authors/${made["Ada"]}`, { name: "Ada Lovelace" }, "PUT"),
  "give an article two authors": () => write("/api/articles", { _id: ids[40], authors: ["Ada Lovelace", "Bo"] }),
  "merge an author": () => write(`/api/authors/${made["Ada"]}/merge`, { into: made["Bo"] }),
  "delete an author": () => ({ path: `/api/authors/${made["Bo"]}`, ask: { method: "DELETE" } }),
};

it.each(Object.entries(CASES))("%s is within its budget", async (name, of) => {
  const { path, ask } = of();
  const { response, ...counter } = await counted(path, { as: { apiKey: tenant.apiKey }, ...ask });
  expect(response.status, await response.text()).toBe(200);
  expectWithin(name, budgets.many, counter);
});
