/** Contract 4.5: an update that changes nothing. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { outcome } from "../helpers/outcome.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody } from "../helpers/tenant.ts";

async function world() {
  const tenant = await newTenant();
  const article = await newArticle(tenant, { title: "Ferries", content: "By *boat*.", published: true });
  const count = async (table: "events" | "audit") =>
    env.DB.prepare(`select count(*) as n from ${table} where organization_id = ?`)
      .bind(tenant.organizationId)
      .first<number>("n");
  const counts = async () => [await count("events"), await count("audit")];
  const etag = async () =>
    (await send(`/api/articles/${article._id}`, { as: { apiKey: tenant.apiKey } })).headers.get("ETag");
  const update = (body: object, headers: Record<string, string> = {}) =>
    send("/api/articles", { as: { apiKey: tenant.apiKey }, body: { _id: article._id, ...body }, headers });
  return { tenant, article, counts, etag, update };
}

describe("an update that changes nothing", () => {
  it.each([
    ["with no member at all", () => ({})],
    ["with one member as it is", () => ({ title: "Ferries" })],
    ["with all members as they were read", (article: ArticleBody) => article],
  ])("%s: answers the article as it is, and writes nothing", async (_, bodyOf) => {
    const { article, counts, etag, update } = await world();
    const before = [await counts(), await etag()];
    const response = await update(bodyOf(article));
    expect([response.status, await response.json()]).toEqual([200, article]);
    expect(response.headers.get("ETag")).toBe(before[1]);
    expect([await counts(), await etag()]).toEqual(before);
  });

  it("is one event as soon as one member differs", async () => {
    const { article, counts, update } = await world();
    const [events = 0, audit = 0] = await counts();
    const response = await update({ ...article, description: "New" });
    expect(await response.json()).toMatchObject({ description: "New", title: "Ferries" });
    expect(await counts()).toEqual([Number(events) + 1, Number(audit) + 1]);
  });

  it("is refused all the same where its version is gone, or the article", async () => {
    const { tenant, article, update } = await world();
    expect((await update({ title: "Ferries" }, { "If-Match": '"gone"' })).status).toBe(412);
    const other = await newTenant();
    const body = { _id: article._id, title: "Ferries" };
    expect(await outcome("/api/articles", { as: { apiKey: other.apiKey }, body })).toBe("404 not_found");
    expect(await sendJson(200, `/api/articles/${article._id}`, { as: { apiKey: tenant.apiKey } })).toEqual(article);
  });

  it("keeps its answer under its Idempotency-Key", async () => {
    const { article, update } = await world();
    const keyed = { "Idempotency-Key": "unchanged" };
    const first = await update({ title: "Ferries" }, keyed);
    expect(first.headers.has("Idempotent-Replayed")).toBe(false);
    await (await update({ title: "Boats" })).json();
    const again = await update({ title: "Ferries" }, keyed);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect([await first.json(), await again.json()]).toEqual([article, article]);
  });
});
