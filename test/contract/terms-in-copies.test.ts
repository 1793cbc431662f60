/** Contract 18.23: working copies follow the tags and authors of their blog. */
import { env } from "cloudflare:workers";
import { RATES } from "../../src/domain/rates.ts";
import { beforeAll, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { counted, seedArticles } from "../helpers/counting.ts";
import { limited } from "../helpers/limiter.ts";
import { headerOf, outcome } from "../helpers/outcome.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { consistent, termsOf, type Term } from "../helpers/terms.ts";

let tenant: Tenant;
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const { slugsOf, tags, tagNamed, shown } = termsOf(() => tenant);

const add = (name: string, kind = "tags") =>
  sendJson<Term>(200, `/api/${kind}`, { as, body: { blogId: tenant.blogId, name } });

type Copy = { tags: { slug: string; name: string }[] };

/** A published article whose working copy names these. */
async function copyWith(fields: object) {
  const { _id } = await newArticle(tenant, {});
  const path = `/api/articles/${_id}/draft`;
  await sendJson(200, path, { as, method: "PUT", body: fields });
  return { _id, path, read: () => send(path, { as }), publish: () => outcome(`${path}/publish`, { as, body: {} }) };
}

it("a merged tag is the other one, once, and does not come back by a publication", async () => {
  const [old, next] = [await add("Old merged"), await add("New merged")];
  const { _id, path, read, publish } = await copyWith({ tags: ["Old merged", "Third", "New merged"] });
  const before = await read();
  await sendJson(200, `/api/tags/${old._id}/merge`, { as, body: { into: next._id } });
  const after = await read();
  expect((await after.json<Copy>()).tags).toEqual([
    { slug: "new-merged", name: "New merged" },
    { slug: "third", name: "Third" },
  ]);
  const etags = [before, after].map((response) => headerOf(response, "ETag"));
  expect(etags[0]).not.toBe(etags[1]);
  // The version is the same: who saw the old name still saves.
  const headers = { "If-Match": etags[0] ?? "" };
  await sendJson(200, path, { as, method: "PUT", body: { title: "More" }, headers });
  expect(await publish()).toBe("200");
  expect(await slugsOf(_id)).toEqual(["new-merged", "third"]);
  expect((await tags()).map(({ slug }) => slug)).not.toContain("old-merged");
  await consistent();
});

it("a renamed tag stays one, under its new slug or only its new name", async () => {
  const { _id: tagId } = await add("Old slug");
  const { _id, read, publish } = await copyWith({ tags: ["Old slug"] });
  await sendJson(200, `/api/tags/${tagId}`, { as, method: "PUT", body: { slug: "new-slug" } });
  expect((await (await read()).json<Copy>()).tags).toEqual([{ slug: "new-slug", name: "Old slug" }]);
  await sendJson(200, `/api/tags/${tagId}`, { as, method: "PUT", body: { name: "New name" } });
  expect((await (await read()).json<Copy>()).tags).toEqual([{ slug: "new-slug", name: "New name" }]);
  expect(await publish()).toBe("200");
  expect(await slugsOf(_id)).toEqual(["new-slug"]);
  expect((await tagNamed("new-slug"))._id).toBe(tagId);
  expect((await tags()).map(({ slug }) => slug)).not.toContain("old-slug");
});

it("a deleted author is gone, and so it is after the publication", async () => {
  const { _id: authorId } = await add("Ada Leaving", "authors");
  const { _id, publish } = await copyWith({ authors: ["Ada Leaving", "Bo Staying"], tags: ["Ada Leaving"] });
  await sendJson(200, `/api/authors/${authorId}`, { as, method: "DELETE" });
  expect(await publish()).toBe("200");
  expect((await shown(_id)).authors).toMatchObject([{ slug: "bo-staying" }]);
  expect(await slugsOf(_id)).toEqual(["ada-leaving"]);
});

it("a publication at the moment of a merge does not bring the tag back", async () => {
  const [old, next] = [await add("Old raced"), await add("New raced")];
  const { _id, read } = await copyWith({ tags: ["Old raced"] });
  const headers = { "If-Match": headerOf(await read(), "ETag") };
  const path = `/api/articles/${_id}/draft/publish`;
  const [merged, published] = await Promise.all([
    outcome(`/api/tags/${old._id}/merge`, { as, body: { into: next._id } }),
    outcome(path, { as, body: {}, headers }),
  ]);
  expect([merged, published]).toEqual(["200", "200"]);
  expect(await slugsOf(_id)).toEqual(["new-raced"]);
  expect((await tags()).map(({ slug }) => slug)).not.toContain("old-raced");
});

it("shows the name that a tag has, and not the text that named it, as its preview does", async () => {
  await add("Night Trains");
  const tagsSent = ["night-trains", "NIGHT TRAINS", { slug: "night-trains", name: "Wrong" }];
  for (const sent of tagsSent) {
    const { _id, read, publish } = await copyWith({ tags: [sent, "Own words"], authors: ["Ada In Copies"] });
    const named = [
      { slug: "night-trains", name: "Night Trains" },
      { slug: "own-words", name: "Own words" },
    ];
    expect((await (await read()).json<Copy>()).tags).toEqual(named);
    const { url } = await sendJson<{ url: string }>(200, `/api/articles/${_id}/previews`, { as, body: {} });
    const page = await (await send(new URL(url).pathname, { headers: { Accept: "text/html" } })).text();
    expect(page).toContain("tags: Night Trains, Own words");
    expect(await publish()).toBe("200");
  }
  expect((await tagNamed("night-trains")).name).toBe("Night Trains");
});

it("another name counts as a bulk change where many working copies may have to follow", async () => {
  const owner = await newTenant();
  const asOwner = { apiKey: owner.apiKey };
  const body = { blogId: owner.blogId, name: "Much used" };
  const { _id } = await sendJson<Term>(200, "/api/tags", { as: asOwner, body });
  const ids = await seedArticles(owner, LIMITS.copiesRenamed + 1);
  const copies = (some: string[]) =>
    env.DB.batch(
      some.map((id) =>
        env.DB.prepare(
          `insert into working_copies (article_id, organization_id, members, base_version, version, actor_kind, actor_id, creation_time, last_edit_time)
           select id, organization_id, '{"tags":[{"slug":"much-used","name":"Much used"}]}', version, version, 'key', 'k', creation_time, creation_time
           from articles where id = ?`,
        ).bind(id),
      ),
    );
  const bindings = limited({ bulk: 0 });
  const rename = (name: string) =>
    outcome(`/api/tags/${_id}`, { as: asOwner, method: "PUT", body: { name }, bindings });
  await copies(ids.slice(1));
  expect(await rename("Few copies")).toBe("200");
  const long = (bytes: number) =>
    env.DB.prepare(
      "update working_copies set content = replace(hex(zeroblob(?)), '00', 'a') where article_id in (select value from json_each(?))",
    )
      .bind(bytes, JSON.stringify(ids.slice(1, 7)))
      .run();
  await long(900_000);
  expect(await rename("Long copies")).toBe("429 rate_limited");
  await long(0);
  await copies(ids.slice(0, 1));
  expect(await rename("Many copies")).toBe("429 rate_limited");
  // What renames nothing is free, and so are other members.
  expect(await rename("Few copies")).toBe("200");
  const names = { names: { de: "Viel genutzt" } };
  expect(await outcome(`/api/tags/${_id}`, { as: asOwner, method: "PUT", body: names, bindings })).toBe("200");
});

it("the end of a tag counts as so many bulk changes as it has articles for", async () => {
  const owner = await newTenant();
  const as = { apiKey: owner.apiKey };
  const add = (name: string) => sendJson<Term>(200, "/api/tags", { as, body: { blogId: owner.blogId, name } });
  const [large, into] = [await add("Large"), await add("Into")];
  await env.DB.prepare("update terms set articles = ? where id = ?")
    .bind(2 * LIMITS.articlesOfBulk, large._id)
    .run();
  const merge = (most: number) =>
    outcome(`/api/tags/${large._id}/merge`, {
      as,
      body: { into: into._id },
      bindings: limited({ bulk: most }),
    });
  expect(await merge(2)).toBe("429 rate_limited");
  expect(await merge(3)).toBe("200");
  await env.DB.prepare("update terms set articles = 999999 where id = ?").bind(into._id).run();
  const all = { as, method: "DELETE", bindings: limited({ bulk: RATES.bulk }) };
  expect(await outcome(`/api/tags/${into._id}`, all)).toBe("200");
});

it("a change reads no lists of copies that do not name it", async () => {
  const { _id } = await add("Seldom used");
  const names = Array.from({ length: 20 }, (_, n) => `Often used ${n}`);
  for (let n = 0; n < 10; n++) await copyWith({ tags: names });
  const change = { as, method: "PUT", body: { name: "Hardly used" } };
  const { response, counts } = await counted(`/api/tags/${_id}`, change);
  expect(response.status).toBe(200);
  expect(counts.rowsRead).toBeLessThan(100);
});
