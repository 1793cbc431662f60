/** Deletions whose answer was lost, and that are asked for again; and a cron that does not carry them out. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { parseSettings } from "../../src/env.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { recordHealth } from "../../src/store/edge/system-health.ts";
import { deleteAfter, deletion } from "../helpers/deletions.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const LATER = LIMITS.undoSeconds + 1;
const deletedEventsOf = async (id: string) =>
  (await env.DB.prepare("select count(*) as n from events where kind = 'article.deleted' and data ->> '_id' = ?")
    .bind(id)
    .first<number>("n")) ?? 0;

it.each(["while it can be undone", "after it was carried out"])(
  "with its key, it is answered as before %s",
  async (moment) => {
    const { _id } = await newArticle(tenant);
    const ask = { as, method: "PUT", body: {}, headers: { "Idempotency-Key": `delete-${_id}` } };
    const first = await (await send(`/api/articles/${_id}/deletion`, ask)).text();
    if (moment.startsWith("after")) await deleteAfter(LATER);
    const again = await send(`/api/articles/${_id}/deletion`, ask);
    expect([again.status, again.headers.get("Idempotent-Replayed"), await again.text()]).toEqual([200, "true", first]);
    await deleteAfter(LATER);
    expect(await deletedEventsOf(_id)).toBe(1);
  },
);

it("with its key, it does not begin anew after it was undone", async () => {
  const { _id } = await newArticle(tenant);
  const headers = { "Idempotency-Key": `delete-${_id}` };
  await deletion(as, _id, headers);
  await sendJson(200, `/api/articles/${_id}/deletion`, { as, method: "DELETE" });
  await deletion(as, _id, headers);
  await deleteAfter(LATER);
  expect((await send(`/api/articles/${_id}`)).status).toBe(200);
});

it("without a key, the same deletion is asked for again: one event, and 404 once the article is gone", async () => {
  const { _id } = await newArticle(tenant);
  const [first, again] = [await deletion(as, _id), await deletion(as, _id)];
  expect(Date.parse(again.dueTime)).toBeGreaterThanOrEqual(Date.parse(first.dueTime));
  expect(await sendJson<unknown[]>(200, `/api/deletions?articleId=${_id}`, { as })).toHaveLength(1);
  await deleteAfter(LATER);
  expect(await deletedEventsOf(_id)).toBe(1);
  for (const path of [`/api/articles/${_id}/deletion`, `/api/articles/${_id}`]) {
    const method = path.endsWith("deletion") ? "PUT" : "DELETE";
    await refusalOf(await send(path, { as, method, body: {} }), "not_found");
  }
  expect(await deletedEventsOf(_id)).toBe(1);
});

it("a cron that carries out none is seen by /healthz", async () => {
  const { _id } = await newArticle(tenant);
  await deletion(as, _id);
  const late = async (seconds: number) => {
    const due = new Date(Date.now() - seconds * 1000).toISOString();
    await env.DB.prepare("update deletions set due_time = ? where article_id = ?").bind(due, _id).run();
    await recordHealth(env.DB, new Date(), parseSettings(env).quota);
    return sendJson<{ late: string[]; deletions: { count: number } }>(200, "/healthz");
  };
  // The run of this minute will do it.
  expect(await late(60)).toMatchObject({ deletions: { count: 0 } });
  expect(await late(600)).toMatchObject({ late: expect.arrayContaining(["deletions"]), deletions: { count: 1 } });
});
