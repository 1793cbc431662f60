/** Contract 20.11: a contact is erased, with everything that names the person elsewhere. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { freshAddress } from "../helpers/mails.ts";
import { outcome } from "../helpers/outcome.ts";
import { HeldQueue } from "../helpers/relay.ts";
import { relayEvents, testRelay } from "../helpers/relay.ts";
import { counted } from "../helpers/counting.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { deliveriesOf, seenBy, settled, subscribe } from "../helpers/webhooks.ts";

type Contact = { _id: string; email: string; name: string };

const NAME = "Ada of the Harbour";

let tenant: Tenant;
let address: string;

const key = () => ({ as: { apiKey: tenant.apiKey } });
const operator = () => ({ as: { operatorToken: tenant.operatorToken } });
const erase = (id: string, more = {}) => send(`/api/contacts/${id}`, { ...key(), method: "DELETE", ...more });
const create = (more = {}) =>
  sendJson<Contact>(200, "/api/contacts", {
    ...key(),
    body: { blogId: tenant.blogId, email: address, name: NAME },
    ...more,
  });

/** Returns the tables that have a text in any of their columns. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'article_text%' and name not like '\\_cf%' escape '\\' and name not like 'sqlite%'",
  ).all<{ name: string }>();
  const found: string[] = [];
  for (const { name } of tables.results) {
    const { results } = await env.DB.prepare(`select * from "${name}"`).all();
    if (JSON.stringify(results).includes(text)) found.push(name);
  }
  return found;
}

beforeEach(async () => {
  tenant = await newTenant();
  address = freshAddress();
});

afterEach(() => vi.useRealTimers());

it("nothing names the person any more: no event, no delivery, no response, no entry of the audit log", async () => {
  const subscription = await subscribe(tenant);
  const headers = { "Idempotency-Key": "contact-1" };
  const { _id } = await create({ headers });
  await settled(tenant, subscription._id, 1);
  await send(`/blogs/${tenant.blogId}/subscribe`, { body: { email: address } });
  await env.DB.prepare("delete from local_mails").run();
  expect((await tablesWith(address)).toSorted()).toEqual(["contact_requests", "contacts", "events", "idempotency"]);
  expect((await erase(_id)).status).toBe(200);
  expect([await tablesWith(address), await tablesWith(NAME)]).toEqual([[], []]);
  expect(await outcome(`/api/contacts/${_id}`, key())).toBe("404 not_found");
  expect(await sendJson(200, `/api/contacts?blogId=${tenant.blogId}`, key())).toEqual([]);
  expect(await create({ headers })).toMatchObject({ _id, email: "", name: "" });
  const [entry] = await sendJson<{ action: string; resourceId: string; resourceName: string | null }[]>(
    200,
    "/api/audit?kind=contacts",
    operator(),
  );
  expect(entry).toMatchObject({ action: "contacts.erase", resourceId: _id, resourceName: null });
  const eventId = await env.DB.prepare("select event_id as id from deliveries where subscription_id = ?")
    .bind(subscription._id)
    .first<string>("id");
  const path = `/api/webhooksubscriptions/${subscription._id}/deliveries/${eventId}`;
  expect(JSON.stringify(await sendJson(200, path, operator()))).not.toContain(address);
});

it("reads none of the answers that were stored at another time of the day", async () => {
  const { _id } = await create({ headers: { "Idempotency-Key": "create" } });
  await env.DB.prepare(
    `insert into idempotency (organization_id, key, fingerprint, token, answer, creation_time, lease_time)
     select ?1, 'key ' || value, '', '', '{}', ?2, ?2 from json_each(?3)`,
  )
    .bind(
      tenant.organizationId,
      new Date(Date.now() - 3_600_000).toISOString(),
      JSON.stringify(Array.from({ length: 500 }, (_, n) => n)),
    )
    .run();
  const { response, counts } = await counted(`/api/contacts/${_id}`, { ...key(), method: "DELETE" });
  expect(response.status).toBe(200);
  expect(counts.rowsRead).toBeLessThan(100);
  expect(await tablesWith(address)).toEqual([]);
});

it("nor does an event that a clock which went back has dated before its id", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 10_000 });
  const { _id } = await create();
  await erase(_id);
  expect(await tablesWith(address)).toEqual([]);
});

it("a delivery that waits is skipped", async () => {
  const subscription = await subscribe(tenant);
  const { _id } = await create();
  await settled(tenant, subscription._id, 1);
  await env.DB.prepare("update deliveries set state = 'open', settle_time = null where organization_id = ?")
    .bind(tenant.organizationId)
    .run();
  await erase(_id);
  expect(await deliveriesOf(tenant, subscription._id)).toMatchObject([{ state: "skipped", error: "contact_erased" }]);
});

it("an event that waits for its fan-out is sent to nobody", async () => {
  const subscription = await subscribe(tenant);
  const { _id } = await create({ bindings: { EVENTS: new HeldQueue() as never } });
  await erase(_id);
  await relayEvents(testRelay(), tenant);
  expect([await deliveriesOf(tenant, subscription._id), await seenBy(subscription.name)]).toEqual([[], []]);
});

it("touches no other contact and no other event, and makes room in the quota", async () => {
  const { _id } = await create();
  const other = await create({ body: { blogId: tenant.blogId, email: freshAddress(), name: "Grace" } });
  const used = async () =>
    (await sendJson<{ contacts: { used: number } }>(200, "/api/usage", operator())).contacts.used;
  expect(await used()).toBe(2);
  await erase(_id);
  expect(await used()).toBe(1);
  expect((await tablesWith("Grace")).toSorted()).toEqual(["contacts", "events"]);
  expect(await sendJson(200, `/api/contacts/${other._id}`, key())).toMatchObject({ name: "Grace" });
  await create();
});

it("takes If-Match, is 404 the second time, and leaves a link to unsubscribe that leads nowhere", async () => {
  const { _id } = await create();
  const { unsubscribeUrl } = await sendJson<{ unsubscribeUrl: string }>(200, `/api/contacts/${_id}`, key());
  const etag = (await send(`/api/contacts/${_id}`, key())).headers.get("ETag") ?? "";
  expect((await erase(_id, { headers: { "If-Match": '"another"' } })).status).toBe(412);
  expect((await erase(_id, { headers: { "If-Match": etag } })).status).toBe(200);
  expect((await erase(_id)).status).toBe(404);
  expect((await send(new URL(unsubscribeUrl).pathname)).status).toBe(404);
});
