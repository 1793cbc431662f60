/** What schedules, deletions, autosaves, bulk requests and the list of generations cost in D1 (architecture, "Budgets"). */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { counted, expectWithin, noteNoUse, seedArticles } from "../helpers/counting.ts";
import { issueKey, sendJson, type Send } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import budgets from "./budgets.json";

let tenant: Tenant;
/** Three drafts: `seedArticles` makes the first three articles drafts. */
let drafts: string[];
/** Another draft, and an article that is published. */
let edited: { draft?: string | undefined; live?: string | undefined };
beforeAll(async () => {
  tenant = await newTenant();
  const seeded = await seedArticles(tenant, 200);
  drafts = seeded.slice(0, 3);
  edited = { draft: seeded[6], live: seeded[3] };
  await noteNoUse();
});

type Case = { readonly path: string; readonly ask?: Omit<Send, "as"> };

const schedule = (method = "GET", body?: object): Case => ({
  path: `/api/articles/${drafts[0]}/schedule`,
  ask: { method, body },
});
const deletion = (method: string): Case => ({ path: `/api/articles/${drafts[0]}/deletion`, ask: { method, body: {} } });
const bulk = (articleIds: readonly string[], action = "publish"): Case => ({
  path: "/api/articles/bulk",
  ask: { body: { action, articleIds } },
});

const typed = (fields: object): Case => ({ path: "/api/articles", ask: { body: { _id: drafts[0], ...fields } } });

const passage = (id: string | undefined, find: string): Case => ({
  path: `/api/articles/${id}/edits`,
  ask: { body: { edits: [{ find, replace: `${find}s` }] } },
});

/** In this order: some need what the one before has stored. */
const CASES: Record<keyof typeof budgets.publishing, () => Case> = {
  "schedule an article": () => schedule("PUT", { publishTime: "2031-01-01T09:00" }),
  "a schedule": () => schedule(),
  "what is scheduled": () => ({ path: "/api/schedules?limit=10" }),
  "an article with its schedule": () => ({ path: `/api/articles/${drafts[0]}?fields=title,schedule` }),
  "end a schedule": () => schedule("DELETE"),
  "delete an article later": () => deletion("PUT"),
  "what is to be deleted": () => ({ path: "/api/deletions?limit=10" }),
  "whether an article is to be deleted": () => ({ path: `/api/deletions?limit=10&articleId=${drafts[0]}` }),
  "keep it": () => deletion("DELETE"),
  "delete two articles later": () => bulk(drafts.slice(1), "deleteLater"),
  "keep both": () => bulk(drafts.slice(1), "keep"),
  // A draft that is saved by itself is rendered when it is published, which is tried without that first.
  "begin an autosave": () => typed({ autosave: true, content: "Typed" }),
  "go on with an autosave": () => typed({ autosave: true, content: "Typed on" }),
  "publish what was saved by itself": () => typed({ published: true }),
  "publish two articles at once": () => bulk(drafts.slice(1)),
  "unknown articles at once": () => bulk([newId(), newId()]),
  "articles of all blogs": () => ({ path: "/api/organization/articles?limit=10" }),
  "delete an article with a former state": () => ({ path: `/api/articles/${drafts[2]}`, ask: { method: "DELETE" } }),
  "what is in the trash": () => ({ path: "/api/trash?limit=10" }),
  "what of a blog is in the trash": () => ({ path: `/api/trash?limit=10&blogId=${tenant.blogId}` }),
  "restore an article": () => ({ path: `/api/trash/${drafts[2]}/restore`, ask: { method: "POST", body: {} } }),
  "replace a passage of a draft": () => passage(edited.draft, "Content"),
  "replace a passage of a published article": () => passage(edited.live, "Content"),
  "replace a passage of its working copy": () => passage(edited.live, "Contents"),
  generations: () => ({ path: "/api/generations?limit=10" }),
};

it.each(Object.entries(CASES))("%s is within its budget", async (name, of) => {
  const { path, ask } = of();
  const { response, ...counter } = await counted(path, { as: { apiKey: tenant.apiKey }, ...ask });
  expect(response.status, await response.text()).toBe(200);
  expectWithin(name, budgets.publishing, counter);
});

/** Of an organization with a hundred schedules of each state in one blog, and none in the other. */
const LISTS: Record<keyof typeof budgets.schedules, (blogId: string, empty: string) => string> = {
  "those of an organization": () => "?limit=10",
  "those of a blog": (blogId) => `?limit=10&blogId=${blogId}`,
  "those of an empty blog": (_, empty) => `?limit=10&blogId=${empty}`,
  "waiting ones": () => "?limit=10&state=waiting",
  "failed ones": () => "?limit=10&state=failed",
  "waiting ones of a blog": (blogId) => `?limit=10&state=waiting&blogId=${blogId}`,
  "failed ones of a blog": (blogId) => `?limit=10&state=failed&blogId=${blogId}`,
  "failed ones of an empty blog": (_, empty) => `?limit=10&state=failed&blogId=${empty}`,
  "failed ones of an empty blog, to which the key is pinned": () => "?limit=10&state=failed",
  "those of a blog that end in a month": (blogId) =>
    `?limit=10&blogId=${blogId}&time=unpublish&from=2031-02-01T00:00:00Z&to=2031-03-01T00:00:00Z`,
};

describe("lists of schedules", () => {
  let other: Tenant;
  let empty: string;
  let pinned: string;
  beforeAll(async () => {
    other = await newTenant();
    const as = { operatorToken: other.operatorToken };
    empty = (await sendJson<{ _id: string }>(200, "/api/blogs", { as, body: { name: "Empty" } }))._id;
    pinned = (await issueKey(as, ["articles:read"], { blogId: empty })).secret;
    const ids = JSON.stringify(await seedArticles(other, 200));
    // The failed ones come before the waiting ones in half of the order, behind them in the other half.
    await env.DB.prepare(
      `insert into schedules (article_id, organization_id, blog_id, publish_time, unpublish_time, time_zone, due_time, actor_kind, actor_id,
         version, creation_time, failure_code)
       select value, ?1, ?2, time, '2031-02-15T00:00:00.000Z', 'UTC', time, 'key', 'k', value, time, iif(key % 100 < 50, 'not_found', null)
       from (select key, value, strftime('%Y-%m-%dT%H:%M:%fZ', '2031-01-01', key || ' minutes') as time from json_each(?3))`,
    )
      .bind(other.organizationId, other.blogId, ids)
      .run();
    await noteNoUse();
  });

  it.each(Object.entries(LISTS))("%s are within their budget", async (name, queryOf) => {
    const apiKey = name.includes("pinned") ? pinned : other.apiKey;
    const path = `/api/schedules${queryOf(other.blogId, empty)}`;
    const { response, ...counter } = await counted(path, { as: { apiKey } });
    const shown = (await response.json()) as unknown[];
    expect(shown).toHaveLength(name.includes("empty") ? 0 : 10);
    expectWithin(name, budgets.schedules, counter);
  });
});
