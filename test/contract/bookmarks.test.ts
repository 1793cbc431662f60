/** Contract 13.7: a replica that lags answers who has a bookmark that it has reached. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { connect } from "../helpers/connected.ts";
import { headerOf } from "../helpers/outcome.ts";
import { newMember } from "../helpers/people.ts";
import { send, type Send } from "../helpers/requests.ts";
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
    headerOf(
      await ask("/api/articles", { body: { _id: article._id, title, content: title }, headers: from("any") }),
      BOOKMARK,
    );

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
    const change = { as: { operatorToken: tenant.operatorToken }, method: "PUT", body: { name }, headers: from("any") };
    const renamed = headerOf(await ask(`/api/blogs/${tenant.blogId}`, change), BOOKMARK);
    expect(await shown(path, from(reached))).not.toContain(name);
    expect(await shown(path, from(renamed))).toContain(name);
  });

  it("a refused write has the bookmark of what refused it", async () => {
    const path = `/api/articles/${article._id}`;
    const etag = headerOf(await ask(path, { headers: from(reached) }), "ETag");
    await titled("Before or after that");
    const body = { _id: article._id, title: "Too late" };
    const refused = await ask("/api/articles", { body, headers: { ...from("any"), "If-Match": etag } });
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

    it("an application that was disconnected reads nothing, although the replica still has its connection", async () => {
      const { organizationId } = tenant;
      const { userId } = await newMember(organizationId, "owner");
      const scopes = ["articles:read"] as const;
      const app = await connect({ organizationId, userId, scopes, resource: "/api" });
      const read = () =>
        ask(`/api/articles/${article._id}`, {
          as: {},
          headers: { ...from(reached), Authorization: `Bearer ${app.access_token}` },
        });
      const { answered } = replica;
      expect((await read()).status).toBe(200);
      expect(replica.answered).toBeGreaterThan(answered);
      await env.DB.prepare("update connected_apps set disconnect_time = '2026-01-01' where id = ?")
        .bind(app.connectionId)
        .run();
      expect((await read()).status).toBe(401);
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
