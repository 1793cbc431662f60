/** Links to previews: what must not be logged, retention, and a link that is revoked while it is opened. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { removeExpired } from "../../src/store/retention.ts";
import { send, sendJson, type Credential } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let as: Credential;
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

type Link = { _id: string; token: string };

const linkTo = (articleId: string): Promise<Link> =>
  sendJson<Link>(200, `/api/articles/${articleId}/previews`, { as, body: {} });

/** Returns the database, which fails each query. */
const failing = new Proxy(env.DB, {
  get() {
    throw new Error("D1_ERROR: the database is gone");
  },
});

describe("a preview link", () => {
  it("is in no line of the log, whatever happens", async () => {
    const { _id } = await newArticle(tenant, { published: false });
    const { token } = await linkTo(_id);
    const lines: unknown[] = [];
    const spies = (["log", "info", "warn", "error"] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation((...texts: unknown[]) => void lines.push(...texts)),
    );
    const open = (bindings: Partial<Env> = {}) => send(`/previews/${token}`, { bindings });
    expect((await open()).status).toBe(200);
    const failed = await open({ DB: failing });
    expect(failed.status).toBe(500);
    expect(await failed.text()).not.toContain(token);
    for (const spy of spies) spy.mockRestore();
    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(lines)).not.toContain(token);
  });

  it("is removed once it has ended, and not before", async () => {
    const { _id } = await newArticle(tenant, { published: false });
    const [one, two] = [await linkTo(_id), await linkTo(_id)];
    await env.DB.prepare("update previews set expiration_time = ? where id = ?")
      .bind(new Date(Date.now() - 1000).toISOString(), one._id)
      .run();
    await removeExpired(env.DB, new Date());
    const { results } = await env.DB.prepare("select id from previews where article_id = ?").bind(_id).all();
    expect(results).toEqual([{ id: two._id }]);
  });

  it("is revoked once by two at once", async () => {
    const { _id } = await newArticle(tenant, { published: false });
    const link = await linkTo(_id);
    const revoke = () => send(`/api/articles/${_id}/previews/${link._id}`, { as, method: "DELETE" });
    const answers = await Promise.all([revoke(), revoke()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
  });

  it("is not made for an article that is deleted at the same time, or is deleted with it", async () => {
    const { _id } = await newArticle(tenant, { published: false });
    const [made] = await Promise.all([
      send(`/api/articles/${_id}/previews`, { as, body: {} }),
      send(`/api/articles/${_id}`, { as, method: "DELETE" }),
    ]);
    expect([200, 404]).toContain(made.status);
    const { results } = await env.DB.prepare("select 1 from previews where article_id = ?").bind(_id).all();
    expect(results).toEqual([]);
  });
});
