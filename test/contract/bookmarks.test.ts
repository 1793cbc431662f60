/** Contract 13.7: reads with credentials at replicas that are new enough for their caller. */
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { counted, noteNoUse } from "../helpers/counting.ts";
import { call, everyRoute, newWorld, reaching, validInput, type World } from "../helpers/operations.ts";
import { headerOf } from "../helpers/outcome.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { issueKey, send, sendJson, type Send } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { LaggingReplica } from "../platform/lagging-replica.ts";

const BOOKMARK = "Edgepress-Bookmark";
const LAG = 60;

const from = (bookmark: string): Record<string, string> => ({ [BOOKMARK]: bookmark });

describe("beside a replica that lags", () => {
  let now: number;
  let replica: LaggingReplica;
  let tenant: Tenant;
  let article: ArticleBody;
  /** A bookmark that the replica has reached: of the article titled "Before". */
  let reached: string;

  /** Sends a request with the tenant's key to the service whose reads this replica may answer. */
  const ask = (path: string, options: Send = {}): Promise<Response> =>
    send(path, { as: { apiKey: tenant.apiKey }, bindings: { DB: replica.database }, ...options });

  const shown = async (path: string, headers: Record<string, string>): Promise<string> => {
    const response = await ask(path, { headers });
    expect(response.status).toBe(200);
    return response.text();
  };

  const titled = async (title: string): Promise<string> =>
    headerOf(await ask("/api/articles", { body: { _id: article._id, title, content: title } }), BOOKMARK);

  const READS: Record<string, () => string> = {
    "an article": () => `/api/articles/${article._id}`,
    "a list": () => `/api/articles?blogId=${tenant.blogId}`,
    "a search": () => "/api/search?query=before%20or%20after",
    translations: () => `/api/blogs/${tenant.blogId}/locales?structure=true`,
  };

  beforeEach(async () => {
    now = 0;
    replica = new LaggingReplica(LAG, () => now);
    tenant = await newTenant();
    article = await newArticle(tenant, { title: "before or after", published: false });
    reached = await titled("Before or after");
    await replica.follow();
    now += LAG;
  });

  describe.each(Object.entries(READS))("%s", (_, path) => {
    it("is read from the replica with a bookmark that it has reached", async () => {
      expect(await shown(path(), from(reached))).toContain("Before or after");
      await titled("Before or after that");
      const first = replica.answered;
      expect(await shown(path(), from(reached))).not.toContain("Before or after that");
      expect(replica.answered).toBeGreaterThan(first);
    });

    it("shows a writer their own write, with its bookmark", async () => {
      await shown(path(), from(reached));
      const written = await titled("Before or after that");
      expect(written > reached).toBe(true);
      const response = await ask(path(), { headers: from(written) });
      expect(await response.text()).toContain("Before or after that");
      expect(headerOf(response, BOOKMARK) >= written).toBe(true);
    });

    it("is read from the primary without a bookmark", async () => {
      await shown(path(), from(reached));
      await titled("Before or after that");
      const { answered } = replica;
      const response = await ask(path());
      expect(await response.text()).toContain("Before or after that");
      expect(response.headers.get(BOOKMARK)).toBeNull();
      expect(replica.answered).toBe(answered);
    });

    it("is read from any replica with `any`, and later reads go on from there", async () => {
      const response = await ask(path(), { headers: from("any") });
      expect(await response.text()).toContain("Before or after");
      await titled("Before or after that");
      expect(await shown(path(), from("any"))).not.toContain("Before or after that");
      expect(await shown(path(), from(headerOf(response, BOOKMARK)))).not.toContain("Before or after that");
    });
  });

  it("the public details of a blog are as new as the bookmark, too", async () => {
    const path = `/blogs/${tenant.blogId}`;
    await shown(path, from(reached));
    const name = "Renamed";
    const change = { as: { operatorToken: tenant.operatorToken }, method: "PUT", body: { name } };
    const renamed = headerOf(await ask(`/api/blogs/${tenant.blogId}`, change), BOOKMARK);
    expect(await shown(path, from(reached))).not.toContain(name);
    expect(await shown(path, from(renamed))).toContain(name);
  });

  it("a refused write has the bookmark of what refused it", async () => {
    const path = `/api/articles/${article._id}`;
    const etag = headerOf(await ask(path, { headers: from(reached) }), "ETag");
    await titled("Before or after that");
    const body = { _id: article._id, title: "Too late" };
    const refused = await ask("/api/articles", { body, headers: { "If-Match": etag } });
    expect(refused.status).toBe(412);
    expect(await shown(path, from(headerOf(refused, BOOKMARK)))).toContain("Before or after that");
  });

  it("whoever brings no credentials gets what they would get without a bookmark", async () => {
    const path = `/api/articles/${(await newArticle(tenant, { title: "Public", published: true }))._id}`;
    for (const bookmark of ["any", "nonsense", reached]) {
      const response = await ask(path, { as: {}, headers: from(bookmark) });
      expect([response.status, response.headers.get(BOOKMARK)]).toEqual([200, null]);
      expect(headerOf(response, "Cache-Control")).toContain("public");
    }
  });

  it("an answer with a bookmark is for nobody else", async () => {
    const response = await ask(`/api/articles/${article._id}`, { headers: from(reached) });
    expect(headerOf(response, "Cache-Control")).toBe("private, no-store");
  });

  describe("a credential is looked up at the primary", () => {
    it.each(Object.entries(READS))("a revoked key reads nothing, although the replica has it: %s", async (_, path) => {
      await shown(path(), from(reached));
      await shown(path(), from(reached));
      await env.DB.prepare("delete from credentials where organization_id = ? and kind = 'key'")
        .bind(tenant.organizationId)
        .run();
      for (const bookmark of [reached, "any"]) {
        const response = await ask(path(), { headers: from(bookmark) });
        expect([response.status, response.headers.get(BOOKMARK)]).toEqual([401, null]);
        expect(await response.text()).not.toContain("Before");
      }
    });

    it("a key that has lost its scope is refused", async () => {
      await shown(`/api/articles/${article._id}`, from(reached));
      await env.DB.prepare("update credentials set scopes = '[]' where organization_id = ? and kind = 'key'")
        .bind(tenant.organizationId)
        .run();
      expect((await ask(`/api/articles/${article._id}`, { headers: from(reached) })).status).toBe(403);
    });

    it("at the same time as the replica is read", async () => {
      const path = `/api/articles/${article._id}`;
      await shown(path, from(reached));
      // Both answer only once both have been asked.
      const asked = { primary: Promise.withResolvers<void>(), replica: Promise.withResolvers<void>() };
      const both = Promise.all([asked.primary.promise, asked.replica.promise]);
      const gated = (side: keyof typeof asked) => ({
        prepare: (text: string) => ({
          bind: (...values: unknown[]) => ({
            async all() {
              asked[side].resolve();
              await both;
              return env.DB.prepare(text)
                .bind(...values)
                .all();
            },
          }),
        }),
        getBookmark: () => null,
      });
      const DB = { ...gated("primary"), withSession: () => gated("replica") } as unknown as D1Database;
      expect((await ask(path, { headers: from(reached), bindings: { DB } })).status).toBe(200);
    });
  });
});

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
  beforeAll(async () => {
    world = await newWorld();
  });

  const reads = everyRoute.filter(({ route }) => route.method === "get");
  const writes = everyRoute.filter(({ route }) => route.operation.effect !== "read");

  it.each(reads)("$title answers the same with a bookmark", async ({ route }) => {
    const as = await reaching(route, world);
    const input = validInput(route, world);
    const plain = await call(route, input, { as });
    const response = await call(route, input, { as, headers: from("any") });
    expect([response.status, await response.text()]).toEqual([200, await plain.text()]);
    expect(plain.headers.get(BOOKMARK)).toBeNull();
    const again = await call(route, input, { as, headers: from(headerOf(response, BOOKMARK)) });
    expect([again.status, again.headers.get("ETag")]).toEqual([200, plain.headers.get("ETag")]);
  });

  it.each(writes)("$title answers with a bookmark, also when it is repeated", async ({ route }) => {
    const own = await newWorld();
    const options = { as: await reaching(route, own), headers: { "Idempotency-Key": "once" } };
    const input = validInput(route, own);
    for (const replayed of [null, "true"]) {
      const response = await call(route, input, options);
      expect([200, 202], await response.text()).toContain(response.status);
      expect(response.headers.get("Idempotent-Replayed")).toBe(replayed);
      expect(headerOf(response, BOOKMARK)).toMatch(/^[0-9a-f]+(-[0-9a-f]+)+$/);
    }
  });

  it("takes as a bookmark what it gave out", async () => {
    const as = { apiKey: world.tenant.apiKey };
    const written = await send("/api/articles", { as, body: { blogId: world.tenant.blogId, title: "Next" } });
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
