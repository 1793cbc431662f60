/** What readers' feeds, lists and rendered texts cost in D1: one query each (architecture, "Budgets"). */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { sweepHosts } from "../../src/background/hosts/sweep.ts";
import { newId } from "../../src/lib/ids.ts";
import { indexDueArticles } from "../../src/store/articles/system-search-index.ts";
import { counted, countingDatabase, expectWithin, noteNoUse, seedArticles } from "../helpers/counting.ts";
import { newHost } from "../helpers/hosts.ts";
import { sendJson, type Send } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import budgets from "./budgets.json";

let tenant: Tenant;
let host: string;

beforeAll(async () => {
  tenant = await newTenant("Tenant");
  host = await newHost(tenant);
  await seedArticles(tenant, 2000);
  await env.DB.prepare("update articles set publish_time = creation_time where published = 1").run();
  while ((await indexDueArticles(env.DB)) > 0);
  await sendJson(200, `/api/blogs/${tenant.blogId}/redirects`, {
    as: { apiKey: tenant.apiKey },
    body: { from: "/old/path", to: "/archive" },
  });
  await noteNoUse();
});

type Case = { readonly path: string; readonly status?: number; readonly ask?: Send; readonly queries?: number };

const of = (file: string): Case => ({ path: `/blogs/${tenant.blogId}/${file}` });

const site = (path: string): Case => ({ path: `/tenant${path}` });

/** Reads and changes the site of the blog, with a key: which is looked up first. */
const ofSite = (more: Send, queries: number): Case => ({
  path: `/api/blogs/${tenant.blogId}/site`,
  ask: { as: { apiKey: tenant.apiKey }, ...more },
  queries,
});

const CASES: Record<keyof typeof budgets.readers, () => Case> = {
  "article by slug, rendered": () => ({ path: "/api/articles/article-1005?fields=title,html,excerpt,headings,url" }),
  "list of 20, rendered": () => ({
    path: `/api/articles?blogId=${tenant.blogId}&limit=20&fields=_id,title,html,excerpt,url`,
  }),
  "feed as RSS": () => of("feed.xml"),
  "feed as Atom": () => of("atom.xml"),
  "feed as JSON, by vanityId": () => ({ path: "/blogs/tenant/feed.json" }),
  "feed of a locale": () => of("feed.xml?locale=de"),
  "feed of an unknown tag": () => of("feed.xml?tag=none"),
  "feed of an unknown blog": () => ({ path: `/blogs/${newId()}/feed.xml`, status: 404 }),
  "site map of 1000 articles": () => of("sitemap.xml"),
  "llms.txt of 500 articles": () => of("llms.txt"),
  "article as Markdown": () => of("articles/article-1005.md"),
  "site: front page": () => site(""),
  "site: front page, further on": () => site("?before=2024-01-01T10:00:00.000Z_00000000-0000-0000-0000-000000000000"),
  "site: article": () => site("/de/article-1006"),
  "site: tag that there is not": () => ({ ...site("/tags/none"), status: 404, queries: 3 }),
  "site: all articles": () => site("/archive"),
  "site: search": () => ({ ...site("/search?q=title"), queries: 3 }),
  "site: article that there is not": () => ({ ...site("/en/none"), status: 404, queries: 4 }),
  "site: path of a redirect": () => ({ ...site("/old/path"), status: 301, queries: 3 }),
  "site: blog that there is not": () => ({ path: "/no-such-blog/en/none", status: 404 }),
  "search of a reader": () => ({ path: `/blogs/${tenant.blogId}/search?q=title&limit=10`, queries: 2 }),
  "search of a reader that finds nothing": () => ({ path: `/blogs/${tenant.blogId}/search?q=nothing`, queries: 2 }),
  "with a key: the site of a blog": () => ofSite({}, 2),
  "the redirects of a blog": () => ({ ...ofSite({}, 3), path: `/api/blogs/${tenant.blogId}/redirects` }),
  "add a redirect": () => ({
    ...ofSite({ body: { from: "/older/path", to: "/old/path" } }, 12),
    path: `/api/blogs/${tenant.blogId}/redirects`,
  }),
  "the hosts of a blog": () => ({ ...ofSite({}, 3), path: `/api/blogs/${tenant.blogId}/site/hosts` }),
  "check a host": () => ({
    ...ofSite({ method: "POST" }, 8),
    path: `/api/blogs/${tenant.blogId}/site/hosts/${host}/check`,
  }),
  "change the site of a blog": () => ofSite({ method: "PUT", body: { description: "New" } }, 6),
};

describe("readers", () => {
  it.each(Object.entries(CASES))("%s is within its budget, by one query without credentials", async (name, ask) => {
    const { path, ask: asked, status = 200, queries = 1 } = ask();
    const { response, ...counter } = await counted(path, asked);
    expect(response.status, await response.text()).toBe(status);
    expectWithin(name, budgets.readers, counter);
    expect(counter.counts.queries).toBe(queries);
  });
});

it("the minute's sweep of hosts reads next to nothing where none is due, however many there are", async () => {
  await env.DB.prepare(
    `insert into site_hosts (blog_id, host, organization_id, token, next_check_time, creation_time)
     select ?1, value || '.example.com', ?2, value, '2999-01-01T00:00:00.000Z', ?3 from json_each(?4)`,
  )
    .bind(tenant.blogId, tenant.organizationId, "2026-01-01T00:00:00.000Z", JSON.stringify([...Array(500).keys()]))
    .run();
  const { db, counts } = countingDatabase();
  await sweepHosts({
    db,
    resolver: { url: "", rules: { allowLoopback: false } },
    baseUrl: "",
    now: () => new Date(),
    log: () => {},
  });
  expect(counts).toMatchObject({ queries: 1, rowsWritten: 0 });
  expect(counts.rowsRead).toBeLessThan(10);
});
