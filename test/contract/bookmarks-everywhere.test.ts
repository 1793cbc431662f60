/** Contract 13.7: every operation takes bookmarks and gives them out. */
import { beforeAll, describe, expect, it } from "vitest";
import { counted, noteNoUse } from "../helpers/counting.ts";
import { call, everyRoute, everyWrite, newWorld, reaching, validInput, type World } from "../helpers/operations.ts";
import { headerOf } from "../helpers/outcome.ts";
import { quiet, refusalOf, storingNothing } from "../helpers/refusals.ts";
import { issueKey, send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody } from "../helpers/tenant.ts";

const BOOKMARK = "Edgepress-Bookmark";

const from = (bookmark: string): Record<string, string> => ({ [BOOKMARK]: bookmark });

describe("what a read costs", () => {
  it("with a bookmark, a query at the primary beside its own; without one, a round trip less", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { title: "Counted" });
    await noteNoUse();
    const as = { apiKey: tenant.apiKey };
    for (const path of [`/api/articles/${_id}`, "/api/search?query=counted"]) {
      await sendJson(200, path, { as });
      const plain = await counted(path, { as });
      const bookmarked = await counted(path, { as, headers: from("any") });
      expect([plain.response.status, plain.counts.roundTrips]).toEqual([200, 1]);
      expect([bookmarked.response.status, bookmarked.counts.roundTrips]).toEqual([200, 2]);
      expect(bookmarked.counts.queries).toBe(plain.counts.queries);
    }
  });
});

describe("every operation", () => {
  let world: World;
  /** In each, all writes are made one after the other. */
  let written: { readonly withBookmarks: World; readonly without: World };
  beforeAll(async () => {
    world = await newWorld();
    written = { withBookmarks: await newWorld(), without: await newWorld() };
  });

  const reads = everyRoute.filter(({ route }) => route.method === "get");
  it.each(reads)("$title answers the same with a bookmark", async ({ route }) => {
    const as = reaching(route, world);
    const input = validInput(route, world);
    const plain = await call(route, input, { as });
    const response = await call(route, input, { as, headers: from("any") });
    expect([response.status, await response.text()]).toEqual([200, await plain.text()]);
    expect(plain.headers.get(BOOKMARK)).toBeNull();
    const again = await call(route, input, { as, headers: from(headerOf(response, BOOKMARK)) });
    expect([again.status, again.headers.get("ETag")]).toEqual([200, plain.headers.get("ETag")]);
  });

  it.each(everyWrite)("$title answers with a bookmark, also when it is repeated", async ({ route, title }) => {
    const own = written.withBookmarks;
    await quiet();
    const options = { as: reaching(route, own), headers: { ...from("any"), "Idempotency-Key": title } };
    const input = validInput(route, own);
    for (const replayed of [null, "true"]) {
      const response = await call(route, input, options);
      expect([200, 202], await response.text()).toContain(response.status);
      expect(response.headers.get("Idempotent-Replayed")).toBe(replayed);
      expect(headerOf(response, BOOKMARK)).toMatch(/^[0-9a-f]+(-[0-9a-f]+)+$/);
    }
  });

  it.each(everyWrite)("$title answers without one to a request without one", async ({ route }) => {
    const own = written.without;
    await quiet();
    const response = await call(route, validInput(route, own), { as: reaching(route, own) });
    expect([200, 202], await response.text()).toContain(response.status);
    expect(response.headers.get(BOOKMARK)).toBeNull();
  });

  it("a stream of events has none, because it begins before the write", async () => {
    const as = { apiKey: world.tenant.apiKey };
    const body = { blogId: world.tenant.blogId, topic: "Walks" };
    const headers = { ...from("any"), Accept: "text/event-stream" };
    const response = await send("/api/articles/generate", { as, body, headers });
    expect(await response.text()).toContain("event: result");
    expect(response.headers.get(BOOKMARK)).toBeNull();
  });

  it("takes as a bookmark what it gave out", async () => {
    const as = { apiKey: world.tenant.apiKey };
    const body = { blogId: world.tenant.blogId, title: "Next" };
    const written = await send("/api/articles", { as, body, headers: from("any") });
    const headers = from(headerOf(written, BOOKMARK));
    const list = await sendJson<ArticleBody[]>(200, `/api/articles?blogId=${world.tenant.blogId}`, { as, headers });
    expect(list.map(({ title }) => title)).toContain("Next");
  });

  const MALFORMED = [
    "",
    "ANY",
    "any, any",
    "null",
    "0",
    "nonsense",
    "first-primary",
    "first-unconstrained",
    "0000000a-",
    "-0000000a",
    "0000000a--0000000b",
    "0000000A-0000000B",
    "0000000a-0000000b, 0000000a-0000000b",
    "' or 1=1 --",
    `0000000a-${"0".repeat(120)}`,
    "0-".repeat(5000),
  ];

  it("refuses a malformed bookmark by its name, and changes nothing", async () => {
    await storingNothing(async () => {
      for (const { route } of everyRoute) {
        const as = { operatorToken: world.tenant.operatorToken };
        const response = await call(route, validInput(route, world), { as, headers: from("nonsense") });
        const { errors } = await refusalOf(response, "invalid_request");
        expect(errors?.map(({ path }) => path)).toEqual([BOOKMARK]);
      }
      for (const bookmark of MALFORMED) {
        const response = await send("/api/me", { as: { apiKey: world.tenant.apiKey }, headers: from(bookmark) });
        await refusalOf(response, "invalid_request");
        expect(response.headers.get(BOOKMARK)).toBeNull();
      }
    });
  });

  it("says nothing of a bookmark to who may not call at all", async () => {
    const headers = from("nonsense");
    const path = `/api/articles?blogId=${world.tenant.blogId}`;
    await refusalOf(await send(path, { as: { apiKey: `${world.tenant.apiKey}x` }, headers }), "credentials_invalid");
    const { secret } = await issueKey({ operatorToken: world.tenant.operatorToken }, ["blogs:read"]);
    await refusalOf(await send(path, { as: { apiKey: secret }, headers }), "scope_missing");
  });
});
