/** A list costs the same on every page and with any size of the table (architecture, "Budgets"). */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { encodeCursor, encodeSlugCursor } from "../../src/domain/cursor.ts";
import { fillList, LISTS, placesOf, reading } from "../helpers/lists.ts";
import { counted, noteNoUse, seedArticles, type Counter, type Ran } from "../helpers/counting.ts";
import { sendJson, type Credential } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

const ARTICLES = 5000;
const PAGE = 20;

let tenant: Tenant;
let neighbour: Tenant;

beforeAll(async () => {
  [tenant, neighbour] = [await newTenant(), await newTenant()];
  await seedArticles(tenant, ARTICLES);
  // The same slugs in the same table, but of another organization. No list may read these rows.
  await seedArticles(neighbour, 500);
  await noteNoUse();
});

const FILTERS: Record<string, string> = {
  "all articles": "",
  "a locale": "&locale=de",
  "published ones": "&published=true",
  drafts: "&published=false",
  "published ones of a locale": "&published=true&locale=de",
  "drafts of a locale": "&published=false&locale=de",
  "three fields": "&fields=_id,title,slug",
  "all by their last edit": "&sort=lastEditTime",
  "published ones by their last edit": "&published=true&sort=lastEditTime",
};

/** A list of both states is merged of two, each of which looks at the blog and is one row ahead. */
const isMerged = (filter: string): boolean => !filter.includes("published");

describe.each(Object.entries(FILTERS))("a list of %s", (_, filter) => {
  it("reads n + 1 rows on every page", async () => {
    for (const { ran } of await pages({}, filter, "published = 1")) {
      expect(rowsOfArticles(ran)).toBeLessThanOrEqual(PAGE + 1);
      await expectNoSort(ran);
    }
  });

  it("reads n + 1 rows on every page with a key, and the row of the blog, to know whose it is", async () => {
    for (const { ran } of await pages({ apiKey: tenant.apiKey }, filter, "true")) {
      expect(rowsOfArticles(ran)).toBeLessThanOrEqual(PAGE + 1 + 1 + (isMerged(filter) ? 2 : 0));
      await expectNoSort(ran);
    }
  });

  it("reads none with the key of another organization", async () => {
    const path = `/api/articles?blogId=${tenant.blogId}&limit=${PAGE}${filter}`;
    const { response, ran } = await counted(path, { as: { apiKey: neighbour.apiKey } });
    expect([response.status, await response.json()]).toEqual([200, []]);
    expect(rowsOfArticles(ran)).toBeLessThanOrEqual(isMerged(filter) ? 2 : 1);
  });
});

describe("the other lists", () => {
  it("do not sort", async () => {
    const [apiKey, operator] = [{ apiKey: tenant.apiKey }, { operatorToken: tenant.operatorToken }];
    const body = { url: "https://hooks.example.com/edgepress" };
    const { _id } = await sendJson<{ _id: string }>(200, "/api/webhooksubscriptions", { as: operator, body });
    const cursor = `cursor=${encodeCursor({ time: new Date().toISOString(), id: tenant.blogId })}`;
    const lists: [string, Credential][] = [
      [`/api/contacts?blogId=${tenant.blogId}`, apiKey],
      [`/api/contacts?blogId=${tenant.blogId}&${cursor}`, apiKey],
      [`/api/webhooksubscriptions/${_id}/deliveries`, operator],
      [`/api/webhooksubscriptions/${_id}/deliveries?${cursor}`, operator],
      [`/api/webhooksubscriptions/${_id}/deliveries?state=failed`, operator],
      [`/api/webhooksubscriptions/${_id}/deliveries?state=failed&${cursor}`, operator],
      ["/api/deliveries/hours", operator],
      ["/api/audit", operator],
      [`/api/audit?${cursor}`, operator],
    ];
    for (const [path, as] of lists) {
      const { response, ran } = await counted(path, { as });
      expect(response.status, path).toBe(200);
      await expectNoSort(ran);
    }
  });
});

describe.each(Object.entries(LISTS))("the list of %s", (name, list) => {
  it("reads exactly n + 1 rows on every page, of members with the rows of their users", async () => {
    const [owner, others] = [await newTenant(), await newTenant()];
    await fillList(list, owner, 300);
    await fillList(list, others, 50);
    await noteNoUse();
    const places = await placesOf(list, owner);
    for (const at of [undefined, 150, 250]) {
      const place = at === undefined ? undefined : places[at];
      const cursor = place === undefined ? "" : `&cursor=${encodeCursor(place)}`;
      const { response, ran } = await counted(`${list.path}?limit=${PAGE}${cursor}`, { as: reading(owner) });
      const shown = (await response.json<{ _id: string }[]>()).map(({ _id }) => _id);
      expect(shown).toEqual(places.slice(at ?? 0, (at ?? 0) + PAGE).map(({ id }) => id));
      const rows = ran.filter(({ text }) => text.includes("order by")).map(({ rowsRead }) => rowsRead);
      // Of each member, the name and the address are another row.
      const rowsOfItem = name === "members" ? 2 : 1;
      expect(rows).toEqual([(PAGE + 1) * rowsOfItem]);
      await expectNoSort(ran);
    }
  });
});

describe("the translations of a blog", () => {
  const SLUGS = 1500;
  const LOCALES = ["de", "en", "pt"];
  const slugOf = (n: number): string => `slug-${String(n).padStart(4, "0")}`;
  let translated: Tenant;

  beforeAll(async () => {
    translated = await newTenant();
    const as = { apiKey: translated.apiKey };
    await sendJson(200, `/api/blogs/${translated.blogId}`, { as, method: "PUT", body: { locales: LOCALES } });
    for (const locale of LOCALES) {
      const slugs = JSON.stringify(Array.from({ length: SLUGS }, (_, n) => slugOf(n)));
      // `creation_time` has the reverse order of the slugs, so that no page can depend on another index.
      await env.DB.prepare(
        `insert into articles (id, organization_id, blog_id, title, description, slug, locale, cover_url, published,
           version, creation_time, last_edit_time, content)
         select ?2 || ?3 || value, ?1, ?2, 'Title', '', value, ?3, '', 0, value, 9999 - key, '', '' from json_each(?4)`,
      )
        .bind(translated.organizationId, translated.blogId, locale, slugs)
        .run();
    }
    await noteNoUse();
  });

  it.each([
    ["the first page", 0, PAGE],
    ["one in the middle", 700, PAGE],
    ["the last one", SLUGS - 10, 10],
  ])("%s reads the articles of its slugs, of one slug more, and one row", async (_, start, length) => {
    const cursor = start === 0 ? "" : `&cursor=${encodeSlugCursor(slugOf(start))}`;
    const path = `/api/blogs/${translated.blogId}/locales?limit=${PAGE}${cursor}`;
    const { response, ran } = await counted(path, { as: { apiKey: translated.apiKey } });
    const shown = await response.json<{ slug: string; articles: unknown[]; missing: string[] }[]>();
    expect(shown.map(({ slug }) => slug)).toEqual(Array.from({ length }, (__, n) => slugOf(start + n)));
    for (const { articles, missing } of shown) expect([articles.length, missing]).toEqual([LOCALES.length, []]);
    // One more row is that of the blog, which says to which organization it belongs.
    expect(rowsOfArticles(ran)).toBeLessThanOrEqual((PAGE + 1) * LOCALES.length + 1 + 1);
    await expectNoSort(ran);
  });

  it.each([
    ["alone", "", 1],
    ["with a cursor before it", `&cursor=${encodeSlugCursor(slugOf(3))}`, 1],
    ["with a cursor behind it", `&cursor=${encodeSlugCursor(slugOf(703))}`, 0],
  ])("of one slug, %s, read its articles", async (_, cursor, length) => {
    const path = `/api/blogs/${translated.blogId}/locales?slug=${slugOf(702)}${cursor}`;
    const { response, ran } = await counted(path, { as: { apiKey: translated.apiKey } });
    expect(await response.json()).toHaveLength(length);
    expect(rowsOfArticles(ran)).toBeLessThanOrEqual(LOCALES.length + 1 + 1);
    await expectNoSort(ran);
  });

  it("read none of another organization's", async () => {
    const path = `/api/blogs/${translated.blogId}/locales?limit=${PAGE}`;
    const { response, ran } = await counted(path, { as: { apiKey: neighbour.apiKey } });
    expect(response.status).toBe(403);
    expect(rowsOfArticles(ran)).toBeLessThanOrEqual(1);
  });
});

/** Reads the first page of a list, one in the middle and the last one. `seen` is SQL for the articles of the caller. */
async function pages(as: Credential, filter: string, seen: string): Promise<Counter[]> {
  const query = new URLSearchParams(filter);
  const [published, locale, sort] = [query.get("published"), query.get("locale"), query.get("sort") ?? undefined];
  const { results: all } = await env.DB.prepare(
    // The articles were last edited when they were created.
    `select id, creation_time as "time" from articles where blog_id = ? and ${seen}
       and ${published === null ? "true" : `published = ${published === "true" ? 1 : 0}`}
       and ${locale === null ? "true" : `locale = '${locale}'`} order by creation_time desc, id desc`,
  )
    .bind(tenant.blogId)
    .all<{ id: string; time: string }>();
  const places = [undefined, all[Math.floor(all.length / 2)], all.at(-PAGE / 2)];
  const found: Counter[] = [];
  for (const [index, place] of places.entries()) {
    const cursor = place === undefined ? "" : `&cursor=${encodeCursor(place, sort)}`;
    const path = `/api/articles?blogId=${tenant.blogId}&limit=${PAGE}${filter}${cursor}`;
    const { response, ...counter } = await counted(path, { as });
    const shown = await response.json<unknown[]>();
    expect(response.status, JSON.stringify(shown)).toBe(200);
    if (all.length > 0 && index < 2) expect(shown, path).toHaveLength(PAGE);
    found.push(counter);
  }
  return found;
}

/** Returns the number of rows that the list itself read, without those of the authentication. */
function rowsOfArticles(ran: readonly Ran[]): number {
  const lists = ran.filter(({ text }) => text.includes('from "articles"'));
  return lists.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
}

/** Checks that no statement sorts: each one reads an index that has the order of its list. */
async function expectNoSort(ran: readonly Ran[]): Promise<void> {
  for (const { text, params } of ran) {
    const plan = env.DB.prepare(`explain query plan ${text}`).bind(...params);
    const steps = (await plan.all<{ detail: string }>()).results.map(({ detail }) => detail);
    expect(steps.join("\n"), text).not.toContain("TEMP B-TREE");
  }
}
