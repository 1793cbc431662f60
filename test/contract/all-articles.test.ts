/** Contract 4.11, 4.12, 4.14: the articles of all blogs, and who wrote them. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { counted } from "../helpers/counting.ts";
import { outcome } from "../helpers/outcome.ts";
import { send, sendJson, type Credential } from "../helpers/requests.ts";
import { newKey, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

const BLOGS = 30;
const EACH = 25;
const PATH = "/api/organization/articles";

let tenant: Tenant;
let all: { id: string; published: number; locale: string; blogId: string; publishTime: string | null }[];

beforeAll(async () => {
  tenant = await newTenant();
  const neighbour = await newTenant();
  await fill(tenant, BLOGS);
  await fill(neighbour, 2);
  const { results } = await env.DB.prepare(
    `select id, published, locale, blog_id as "blogId", publish_time as "publishTime" from articles
     where organization_id = ? order by creation_time desc, id desc`,
  )
    .bind(tenant.organizationId)
    .all<(typeof all)[number]>();
  all = results;
});

/** Stores blogs with articles. Many have the same time, and one blog has the newest ones, as after an import. */
async function fill({ organizationId, blogId }: Tenant, blogs: number): Promise<void> {
  await env.DB.prepare(
    `insert into blogs (id, organization_id, name, vanity_id, cover_url, locales, version, creation_time, last_edit_time)
     select ?1 || value, ?1, 'Blog', ?1 || value, '', '["en","de"]', 'v', '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z'
     from json_each(?2)`,
  )
    .bind(organizationId, JSON.stringify(Array.from({ length: blogs - 1 }, (_, n) => n)))
    .run();
  await env.DB.prepare(
    `insert into articles (id, organization_id, blog_id, title, description, slug, locale, cover_url, published,
       version, creation_time, last_edit_time, publish_time, content)
     select replace(?4, '-0000-', '-' || printf('%04x', row_number() over (order by n.value * 7 % 25, b.id)) || '-'), ?1, b.id, 'Title', '', 'slug-' || n.value, iif(n.value % 3, 'en', 'de'), '', n.value % 2,
       b.id || n.value, strftime('%Y-%m-%dT%H:%M:%S.000Z', iif(b.id = ?3, '2026-05-01', '2026-03-01'), (n.value / 2) || ' minutes'),
       '2026-06-01T00:00:00.000Z', iif(n.value % 2, strftime('%Y-%m-%dT%H:%M:%S.000Z', '2026-06-01', n.value || ' hours'), null), ''
     from blogs b, json_each(?2) n
     where b.organization_id = ?1`,
  )
    .bind(
      organizationId,
      JSON.stringify(Array.from({ length: EACH }, (_, n) => n)),
      blogId,
      newId().replace(/-[^-]+-/, "-0000-"),
    )
    .run();
}

/** Returns the ids of all pages of a list. */
async function walk(query: string, apiKey = tenant.apiKey): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | undefined = `${PATH}?${query}`; next !== undefined;) {
    const response: Response = await send(next, { as: { apiKey } });
    expect(response.status).toBe(200);
    const page = await response.json<{ _id: string }[]>();
    ids.push(...page.map(({ _id }) => _id));
    next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("Link") ?? "")?.[1];
  }
  return ids;
}

describe("the articles of all blogs", () => {
  it("are in one order over all pages, whatever the size of these", async () => {
    expect(all).toHaveLength(BLOGS * EACH);
    const ids = all.map(({ id }) => id);
    expect(await walk("fields=_id")).toEqual(ids);
    expect(await walk("limit=17&fields=_id,title")).toEqual(ids);
  });

  it.each([
    ["published=true", (each: (typeof all)[number]) => each.published === 1],
    ["published=false", (each: (typeof all)[number]) => each.published === 0],
    ["locale=de", (each: (typeof all)[number]) => each.locale === "de"],
    ["locale=de&published=false", (each: (typeof all)[number]) => each.locale === "de" && each.published === 0],
  ])("are narrowed by %s", async (query, fits) => {
    expect(await walk(`${query}&limit=23&fields=_id`)).toEqual(all.filter(fits).map(({ id }) => id));
  });

  it("are in the order of their publication if asked for", async () => {
    const key = (each: (typeof all)[number]) => `${each.publishTime} ${each.id}`;
    const published = all
      .filter((each) => each.published === 1)
      .toSorted((one, other) => (key(one) < key(other) ? 1 : -1));
    expect(await walk("sort=publishTime&limit=31&fields=_id")).toEqual(published.map(({ id }) => id));
  });

  it("are in the order of their last edit if asked for (contract 4.14)", async () => {
    const expected = all.toSorted((one, other) => (one.id < other.id ? 1 : -1)).map(({ id }) => id);
    expect(await walk("sort=lastEditTime&limit=31&fields=_id")).toEqual(expected);
    const edited = expected.at(-7) ?? "";
    await env.DB.prepare("update articles set last_edit_time = '2026-06-02T00:00:00.000Z' where id = ?")
      .bind(edited)
      .run();
    const ids = [edited, ...expected.filter((id) => id !== edited)];
    expect(await walk("sort=lastEditTime&limit=31&fields=_id")).toEqual(ids);
    const { blogId } = all.find(({ id }) => id === edited) ?? { blogId: "" };
    const ofBlog = new Set(all.flatMap((each) => (each.blogId === blogId && each.locale === "de" ? [each.id] : [])));
    const path = `/api/articles?blogId=${blogId}&locale=de&fields=_id&sort=lastEditTime`;
    expect((await sendJson<ArticleBody[]>(200, path, { as: tenant })).map(({ _id }) => _id)).toEqual(
      ids.filter((id) => ofBlog.has(id)),
    );
    expect(await outcome(`${path}&tag=x`)).toBe("400 invalid_request");
  });

  it("are those with the `ids` that are asked for, as far as the caller sees them (contract 4.14)", async () => {
    const [first, second] = all.filter(({ published }) => published === 1);
    const draft = all.find(({ published, blogId }) => published === 0 && blogId === first?.blogId);
    const stranger = (
      await env.DB.prepare("select id from articles where organization_id <> ?")
        .bind(tenant.organizationId)
        .first<{ id: string }>()
    )?.id;
    const asked = [draft?.id, first?.id, second?.id, stranger, newId()];
    const mine = all.filter(({ id }) => asked.includes(id)).map(({ id }) => id);
    expect(await walk(`ids=${asked.join(",")}&fields=_id&limit=1`)).toEqual(mine);
    const shownTo = async (as: Credential) =>
      (
        await sendJson<ArticleBody[]>(200, `/api/articles?blogId=${first?.blogId}&ids=${asked.join(",")}&fields=_id`, {
          as,
        })
      ).map(({ _id }) => _id);
    const isPublic = ({ id, blogId }: (typeof all)[number]) =>
      blogId === first?.blogId && [first?.id, second?.id].includes(id);
    expect(await shownTo({})).toEqual(all.filter(isPublic).map(({ id }) => id));
    expect(await shownTo(tenant)).toEqual(
      all.filter(({ id, blogId }) => asked.includes(id) && blogId === first?.blogId).map(({ id }) => id),
    );
    expect(await walk("ids=slug")).toEqual([]);
    expect(await outcome(`${PATH}?ids=`, { as: tenant })).toBe("400 invalid_request");
    expect(await outcome(`${PATH}?ids=${Array.from({ length: 101 }, newId).join(",")}`, { as: tenant })).toBe(
      "400 invalid_request",
    );
  });

  it("are those of its blog for a pinned key", async () => {
    const apiKey = await newKey({ operatorToken: tenant.operatorToken }, ["articles:read"], { blogId: tenant.blogId });
    const own = all.filter(({ blogId }) => blogId === tenant.blogId).map(({ id }) => id);
    expect(await walk("limit=7&fields=_id", apiKey)).toEqual(own);
  });

  it("read one entry of each blog, and no more entries and articles than a page of n may have", async () => {
    const n = 10 + 1;
    for (const query of ["limit=10", "limit=10&locale=de&published=true", "limit=10&sort=publishTime"]) {
      const { response, ran } = await counted(`${PATH}?${query}`, { as: { apiKey: tenant.apiKey } });
      expect(await response.json()).toHaveLength(10);
      const { rowsRead = Infinity } = ran.find(({ text }) => text.includes("json_each")) ?? {};
      // Of each blog its row and its first entry. SQLite counts the rows that subqueries and json_each give, too.
      expect(rowsRead).toBeLessThanOrEqual(4 * BLOGS + 4 * n * n + n);
    }
  });
});

describe("who wrote an article", () => {
  const FIELDS = "fields=_id,createdBy,lastEditedBy";
  type Shown = { createdBy: { kind: string; id: string } | null; lastEditedBy: { kind: string; id: string } | null };

  it("is whoever created it, and whoever changed it last", async () => {
    const as = { operatorToken: tenant.operatorToken };
    const { _id: apiKeyId, secret } = await sendJson<{ _id: string; secret: string }>(200, "/api/apikeys", {
      as,
      body: { name: "writer", scopes: ["articles:read", "articles:write"] },
    });
    const body = { blogId: tenant.blogId, title: "By a key" };
    const { _id } = await sendJson<ArticleBody>(200, "/api/articles", { as: { apiKey: secret }, body });
    const shown = () => sendJson<Shown>(200, `/api/articles/${_id}?${FIELDS}`, { as });
    const key = { kind: "key", id: apiKeyId };
    expect(await shown()).toEqual({ _id, createdBy: key, lastEditedBy: key });
    for (const name of ["createdBy", "lastEditedBy"])
      expect(await outcome(`/api/articles/${_id}?fields=${name}`)).toBe("400 invalid_request");
    // Tags are no part of a former state, and it is not who gave them that has created the article.
    await sendJson(200, "/api/articles", { as, body: { _id, tags: ["Ferries"] } });
    expect((await shown()).createdBy).toEqual(key);
    await sendJson(200, "/api/articles", { as, body: { _id, title: "By an operator" } });
    const edited = await shown();
    expect(edited.createdBy).toEqual(key);
    expect(edited.lastEditedBy?.kind).toBe("operator");
    // The audit log keeps its entries for a while only.
    await env.DB.prepare("delete from audit where organization_id = ?").bind(tenant.organizationId).run();
    await env.DB.prepare("delete from revisions where article_id = ?").bind(_id).run();
    expect(await shown()).toEqual({ _id, createdBy: key, lastEditedBy: null });
  });
});
