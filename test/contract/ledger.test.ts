/** Contract 14.17: what an organization uses of what costs money is counted, and shown by day and month. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { flushLedger } from "../../src/meter.ts";
import { countingDatabase, type Counter } from "../helpers/counting.ts";
import { generated } from "../helpers/generating.ts";
import { newPng, upload, type MediaBody } from "../helpers/pictures.ts";
import { consumed, HeldQueue } from "../helpers/relay.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { seenBy, subscribe } from "../helpers/webhooks.ts";

let counter: Counter;
let bindings: Partial<Env>;
beforeEach(async () => {
  await flushLedger();
  counter = countingDatabase();
  const [EVENTS, DELIVERIES, DELIVERIES_SLOW, SIZES, PURGES] = Array.from({ length: 5 }, () => new HeldQueue<unknown>());
  bindings = { DB: counter.db, EVENTS, DELIVERIES, DELIVERIES_SLOW, SIZES, PURGES } as unknown as Partial<Env>;
});

const ledgerOf = ({ organizationId }: Tenant) =>
  env.DB.prepare(
    `select sum(rows_written) as rowsWritten, sum(deliveries) as deliveries, sum(model_tokens) as modelTokens,
      sum(picture_operations) as pictureOperations from ledger where organization_id = ?`,
  )
    .bind(organizationId)
    .first<Record<string, number>>();

/** Hands a message of an organization to the consumer of a queue, which works through the counting database. */
const consume = (queue: string, message: object) => consumed(`edgepress-${queue}`, [message], bindings);

it("is what D1, the receiver, the model and the pictures say, and nobody else pays", async () => {
  const [tenant, other] = [await newTenant(), await newTenant()];
  const { organizationId, blogId } = tenant;
  const as = { apiKey: tenant.apiKey };
  const { name } = await subscribe(tenant);
  const paid = async () => {
    await flushLedger();
    return ledgerOf(tenant);
  };
  const before = (await paid())?.["rowsWritten"] ?? 0;
  counter.counts.rowsWritten = 0;
  for (let n = 0; n < 5; n++) {
    const body = { blogId, title: `Article ${n}`, published: true, content: "Words" };
    const { _id } = await sendJson<ArticleBody>(200, "/api/articles", { as, body, bindings });
    for (const content of ["Words.", "More words."])
      await sendJson(200, `/api/articles/${_id}/draft`, { as, method: "PUT", body: { content }, bindings });
  }
  await generated(tenant, { bindings: { ...bindings } });
  const media = await upload(tenant, await newPng(900, 20), { bindings });
  const { _id: mediaId } = await media.json<MediaBody>();
  await consume("sizes", { mediaId, organizationId });
  await consume("events", { organizationId });
  await consume("deliveries", { organizationId });
  const found = await paid();

  const counted = counter.counts.rowsWritten;
  expect(Math.abs((found?.["rowsWritten"] ?? 0) - before - counted)).toBeLessThan(counted / 100);
  expect(found?.["deliveries"]).toBe((await seenBy(name)).length);
  expect(found?.["deliveries"]).toBeGreaterThan(4);
  const [generation] = await sendJson<{ inputTokens: number; outputTokens: number }[]>(200, "/api/generations", { as });
  expect(found?.["modelTokens"]).toBe((generation?.inputTokens ?? 0) + (generation?.outputTokens ?? 0));
  expect(found?.["modelTokens"]).toBeGreaterThan(0);
  const { objects } = await env.MEDIA.list({ prefix: `${organizationId}/${mediaId}` });
  expect(objects.length).toBeGreaterThan(1);
  expect(found?.["pictureOperations"]).toBe(objects.length - 1);
  expect((await ledgerOf(other))?.["rowsWritten"]).toBeNull();
});
