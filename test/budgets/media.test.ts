/** What the library costs in D1 (architecture, "Budgets"), and that articles without pictures pay nothing for it. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { counted, expectWithin, noteNoUse, seedArticles } from "../helpers/counting.ts";
import { freshGif, newMedia, type MediaBody } from "../helpers/pictures.ts";
import type { Send } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import budgets from "./budgets.json";

let tenant: Tenant;
let item: MediaBody;
let unused: MediaBody;
let ids: string[];
beforeAll(async () => {
  tenant = await newTenant();
  ids = await seedArticles(tenant, 50);
  await env.DB.prepare(
    `insert into media (id, organization_id, media_type, bytes, creation_time, library, name, width, height, sha256, sizes, version, last_edit_time)
     select 'item-' || value, ?1, 'image/png', 10, '2024-01-01T00:00:00.000Z', 1, 'harbour', 8, 8, 'hash-' || value, '[]', 'v', '2024-01-01T00:00:00.000Z'
     from json_each(?2)`,
  )
    .bind(tenant.organizationId, JSON.stringify(Array.from({ length: 200 }, (_, n) => n)))
    .run();
  [item, unused] = [await newMedia(tenant), await newMedia(tenant)];
  // Without sizes, an image has a place more in an index; the queue makes them at some moment.
  await env.DB.prepare("update media set sizes = '[]' where sizes is null").run();
  await newArticle(tenant, { content: item.url });
  await noteNoUse();
});

it("a page of the articles that show a picture reads as many rows as it has articles", async () => {
  await env.DB.prepare(
    `insert or ignore into media_uses (media_id, article_id, place, organization_id)
     select 'item-0', value, place, ?1 from json_each(?2), (select 'article' as place union all select 'draft')`,
  )
    .bind(tenant.organizationId, JSON.stringify(ids))
    .run();
  const { ran, response } = await counted("/api/media/item-0/usage?limit=5", { as: { apiKey: tenant.apiKey } });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject(
    ids
      .toReversed()
      .slice(0, 5)
      .map((articleId) => ({ articleId })),
  );
  const page = ran.find(({ text }) => text.includes("json_group_array"));
  // Of each article and of the one behind the page: the text's use, the draft's, and the article for both.
  expect(page?.rowsRead).toBeLessThanOrEqual(4 * 6 + 2);
  await env.DB.prepare("delete from media_uses where media_id = 'item-0'").run();
});

type Case = { readonly path: string; readonly ask?: Send };
const write = (path: string, body: object | Uint8Array, method = "POST", type = "application/json"): Case => ({
  path,
  ask: { method, body, headers: { "Content-Type": type } },
});

// What an upload costs does not grow with the library, which has 200 pictures here.
/** In this order: the last ones delete what the others need. */
const CASES: Record<keyof typeof budgets.media, () => Case> = {
  "a file": () => ({ path: `/media/${item._id}` }),
  "a page of 20 pictures": () => ({ path: "/api/media?limit=20", ask: {} }),
  "a search that finds all": () => ({ path: "/api/media?limit=20&query=harbour", ask: {} }),
  "one picture": () => ({ path: `/api/media/${item._id}`, ask: {} }),
  "where it is used": () => ({ path: `/api/media/${item._id}/usage`, ask: {} }),
  "upload a picture": () => write("/api/media", freshGif(), "POST", "image/gif"),
  "make a card": () => write("/api/embeds", { url: "https://vimeo.com/76979871" }),
  "describe a picture": () => write(`/api/media/${item._id}`, { alt: "Boats" }, "PUT"),
  "save an article without pictures": () => write("/api/articles", { _id: ids[0], content: "Text" }),
  "save an article with a picture": () => write("/api/articles", { _id: ids[0], content: `![](${item.url})` }),
  "save it again with another text": () => write("/api/articles", { _id: ids[0], content: `More ![](${item.url})` }),
  "delete a picture": () => ({ path: `/api/media/${unused._id}`, ask: { method: "DELETE" } }),
};

it.each(Object.entries(CASES))("%s is within its budget", async (name, of) => {
  const { path, ask } = of();
  const as = ask === undefined ? {} : { apiKey: tenant.apiKey };
  const { response, ...counter } = await counted(path, { as, ...ask });
  expect(response.status).toBe(200);
  await response.arrayBuffer();
  expectWithin(name, budgets.media, counter);
});
