/** What schedules, bulk requests and the list of generations cost in D1 (architecture, "Budgets"). */
import { beforeAll, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { counted, expectWithin, noteNoUse, seedArticles } from "../helpers/counting.ts";
import type { Send } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import budgets from "./budgets.json";

let tenant: Tenant;
/** Three drafts: `seedArticles` makes the first three articles drafts. */
let drafts: string[];
beforeAll(async () => {
  tenant = await newTenant();
  drafts = (await seedArticles(tenant, 200)).slice(0, 3);
  await noteNoUse();
});

type Case = { readonly path: string; readonly ask?: Omit<Send, "as"> };

const schedule = (method = "GET", body?: object): Case => ({
  path: `/api/articles/${drafts[0]}/schedule`,
  ask: { method, body },
});
const bulk = (articleIds: readonly string[]): Case => ({
  path: "/api/articles/bulk",
  ask: { body: { action: "publish", articleIds } },
});

/** In this order: some need what the one before has stored. */
const CASES: Record<keyof typeof budgets.publishing, () => Case> = {
  "schedule an article": () => schedule("PUT", { publishTime: "2031-01-01T09:00" }),
  "a schedule": () => schedule(),
  "what is scheduled": () => ({ path: "/api/schedules?limit=10" }),
  "an article with its schedule": () => ({ path: `/api/articles/${drafts[0]}?fields=title,schedule` }),
  "end a schedule": () => schedule("DELETE"),
  "publish two articles at once": () => bulk(drafts.slice(1)),
  "unknown articles at once": () => bulk([newId(), newId()]),
  generations: () => ({ path: "/api/generations?limit=10" }),
};

it.each(Object.entries(CASES))("%s is within its budget", async (name, of) => {
  const { path, ask } = of();
  const { response, ...counter } = await counted(path, { as: { apiKey: tenant.apiKey }, ...ask });
  expect(response.status, await response.text()).toBe(200);
  expectWithin(name, budgets.publishing, counter);
});
