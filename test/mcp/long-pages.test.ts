/** Pages of lists whose items are long: models read all of a page, so that its length counts and not only its items. */
import { beforeAll, expect, inject, it } from "vitest";
import { historyOf } from "../helpers/history.ts";
import { limited } from "../helpers/limiter.ts";
import { connected, fail, succeed } from "../helpers/mcp-connected.ts";
import { newMedia } from "../helpers/pictures.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

/** Takes long for what `npm test` learns of it. */
const whole = it.runIf(inject("exhaustive"));

type Item = { _id: string; slug: string; number: number };
type Page = { nextCursor: string | null } & Record<string, unknown>;

const MOST = 50_000;

let tenant: Tenant;
let token: string;
beforeAll(async () => {
  tenant = await newTenant();
  token = await connected(tenant);
});

/** Returns the items of all pages of a list under `name`, and the lengths of the pages. */
async function pagesOf(tool: string, name: string, input: object, bindings: object = {}) {
  const items: Item[] = [];
  const lengths: number[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: Page = await succeed<Page>(token, tool, { ...input, ...(cursor && { cursor }) }, { bindings });
    items.push(...(page[name] as Item[]));
    lengths.push(JSON.stringify(page).length);
    cursor = page.nextCursor;
  }
  return { items, lengths };
}

it("list_tags ends a page before the names in other languages make it too long; each tag comes once", async () => {
  const names = Object.fromEntries(Array.from({ length: 99 }, (_, of) => [`de-x-${100 + of}`, "n".repeat(90)]));
  const made: string[] = [];
  for (let of = 0; of < 7; of++) {
    const body = { blogId: tenant.blogId, name: `Tag ${of}`, names };
    made.push((await sendJson<{ slug: string }>(200, "/api/tags", { as: { apiKey: tenant.apiKey }, body })).slug);
  }
  const { items, lengths } = await pagesOf("list_tags", "tags", { blogId: tenant.blogId });
  expect(items.map(({ slug }) => slug)).toEqual(made);
  expect(lengths).toHaveLength(2);
  expect(Math.max(...lengths)).toBeLessThan(MOST + 200);
});

it("compare_locales and list_articles do, too", async () => {
  const { _id: blogId } = await sendJson<{ _id: string }>(200, "/api/blogs", {
    as: { apiKey: tenant.apiKey },
    body: { name: "Long", locales: Array.from({ length: 100 }, (_, of) => `en-x-locale-${100 + of}`) },
  });
  const description = "d".repeat(2000);
  const slugs = Array.from({ length: 40 }, (_, of) => `long-${of}`);
  for (const slug of slugs) await newArticle(tenant, { blogId, slug, description, locale: "en-x-locale-100" });
  const compared = await pagesOf("compare_locales", "slugs", { blogId, limit: 100 });
  expect(compared.items.map(({ slug }) => slug)).toEqual(slugs.toSorted());
  const listed = await pagesOf("list_articles", "articles", { blogId, limit: 100 });
  expect(listed.items.map(({ slug }) => slug)).toEqual(slugs.toReversed());
  for (const { lengths } of [compared, listed]) {
    expect(lengths).toHaveLength(2);
    expect(Math.max(...lengths)).toBeLessThan(MOST + 200);
  }
});

it("list_revisions has pages", async () => {
  const article = await newArticle(tenant, { description: "d".repeat(2000) });
  const history = historyOf({ apiKey: tenant.apiKey }, article._id);
  for (let of = 0; of < 25; of++) await history.update({ title: `Title ${of}` });
  const articleId = article._id;
  const { items, lengths } = await pagesOf("list_revisions", "revisions", { articleId });
  expect(items.map(({ number }) => number)).toEqual(Array.from({ length: 25 }, (_, of) => 25 - of));
  expect(lengths).toHaveLength(2);
  expect(Math.max(...lengths)).toBeLessThan(MOST + 200);
  expect(await fail(token, "list_revisions", { articleId, cursor: "x" })).toMatchObject({ code: "invalid_cursor" });
});

whole("where calls are counted, a page that ends early counts once", async () => {
  const as = { apiKey: tenant.apiKey };
  const locales = Array.from({ length: 100 }, (_, of) => `en-x-locale-${100 + of}`);
  const { _id: blogId } = await sendJson<{ _id: string }>(200, "/api/blogs", { as, body: { name: "Dear", locales } });
  const slugs = Array.from({ length: 10 }, (_, of) => `dear-${of}`);
  for (const slug of slugs)
    for (const locale of locales.slice(0, 9))
      await newArticle(tenant, { blogId, slug, locale, title: "t".repeat(300) });
  const compared = await pagesOf("compare_locales", "slugs", { blogId, structure: true }, limited({ comparisons: 2 }));
  expect(compared.items.map(({ slug }) => slug)).toEqual(slugs);
  const made: string[] = [];
  for (let of = 0; of < 40; of++) made.push((await newMedia(as, `?name=harbour&alt=${"a".repeat(1000)}`))._id);
  const listed = await pagesOf("list_media", "media", { query: "harbour", limit: 100 }, limited({ searches: 2 }));
  expect(listed.items.map(({ _id }) => _id)).toEqual(made.toReversed());
  for (const { lengths } of [compared, listed]) {
    expect(lengths).toHaveLength(2);
    expect(Math.max(...lengths)).toBeLessThan(MOST + 200);
  }
});
