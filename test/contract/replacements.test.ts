/** Contract 11.22: a signing secret is replaced without a gap. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { sweepWebhooks } from "../../src/background/webhooks/sweep.ts";
import { signBody } from "../../src/background/webhooks/signature.ts";
import { outcome } from "../helpers/outcome.ts";
import { inSeconds, relayEvents, consumeEventsOf, storeEvent, testRelay } from "../helpers/relay.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";
import { received, seenBy, subscribe, type Subscribed } from "../helpers/webhooks.ts";

const PATH = "/api/webhooksubscriptions";
type Ends = { endTime: string | null; replaces: string | null };

async function replacing(behaviour = "ok") {
  const tenant = await newTenant();
  const as = { operatorToken: tenant.operatorToken };
  const first = await subscribe(tenant, behaviour, { events: ["article.updated"], name: "Site" });
  const replace = `${PATH}/${first._id}/replacement`;
  const second = await sendJson<Subscribed & Ends>(200, replace, { as, method: "POST" });
  const show = (id: string) => sendJson<Subscribed & Ends>(200, `${PATH}/${id}`, { as });
  const remove = (id: string) => sendJson(200, `${PATH}/${id}`, { as, method: "DELETE" });
  const event = async () => {
    const id = await storeEvent(tenant);
    await relayEvents(testRelay(), tenant);
    return id;
  };
  /** The secrets with which the requests were signed. */
  const signers = async () =>
    Promise.all(
      (await seenBy(first.name)).map(async ({ headers, body }) => {
        const { "x-service-signature": signature = "", "webhook-id": id } = headers;
        const timestamp = Number(/^t=(\d+)/.exec(signature)?.[1]);
        const isFirst = (await signBody(first.secret, timestamp, body)) === signature;
        if (!isFirst) expect(await signBody(second.secret, timestamp, body)).toBe(signature);
        return { id, by: isFirst ? "first" : "second" };
      }),
    );
  return { tenant, as, first, second, replace, show, remove, event, signers };
}

const A_DAY = 86_400 + 60;

it("sends every event with both secrets for a day, and then with the new one only", async () => {
  const { as, first, second, show, event, signers } = await replacing();
  expect(second).toMatchObject({
    url: first.url,
    events: ["article.updated"],
    active: true,
    replaces: first._id,
    endTime: null,
    secret: expect.stringMatching(/^whsec_/),
  });
  expect(second.secret).not.toBe(first.secret);
  expect(Date.parse((await show(first._id)).endTime ?? "") - Date.parse(second.creationTime)).toBe(86_400_000);
  const both = await event();
  await received(first.name, 2);
  await sweepWebhooks(testRelay({ now: inSeconds(3600) }));
  expect(await outcome(`${PATH}/${first._id}`, { as })).toBe("200");
  await sweepWebhooks(testRelay({ now: inSeconds(A_DAY) }));
  expect(await outcome(`${PATH}/${first._id}`, { as })).toBe("404 not_found");
  const after = await event();
  await received(first.name, 3);
  const sent = await signers();
  expect(
    sent
      .filter(({ id }) => id === both)
      .map(({ by }) => by)
      .sort(),
  ).toEqual(["first", "second"]);
  expect(sent.filter(({ id }) => id === after)).toEqual([{ id: after, by: "second" }]);
  const audit = await sendJson<{ action: string; actor: { kind: string } }[]>(200, "/api/audit", { as });
  expect(audit).toContainEqual(
    expect.objectContaining({
      action: "webhooksubscriptions.end",
      actor: expect.objectContaining({ kind: "service" }),
    }),
  );
});

it("loses no event that waited for the first when it was ended, and sends none with the old secret", async () => {
  const tenant = await newTenant();
  const as = { operatorToken: tenant.operatorToken };
  const first = await subscribe(tenant);
  const open = await storeEvent(tenant);
  await consumeEventsOf(testRelay(), tenant);
  const unfanned = await storeEvent(tenant);
  const second = await sendJson<Subscribed>(200, `${PATH}/${first._id}/replacement`, { as, method: "POST" });
  await sendJson(200, `${PATH}/${first._id}`, { as, method: "DELETE" });
  await relayEvents(testRelay(), tenant);
  await sweepWebhooks(testRelay());
  const relay = testRelay();
  await sweepWebhooks(relay);
  await relayEvents(relay, tenant);
  const seen = await received(first.name, 2);
  expect(seen.map(({ headers }) => String(headers["webhook-id"])).sort()).toEqual([open, unfanned].sort());
  for (const { headers, body } of seen) {
    const { "x-service-signature": signature = "" } = headers;
    expect(await signBody(second.secret, Number(/^t=(\d+)/.exec(signature)?.[1]), body)).toBe(signature);
  }
});

it("sends what was to be delivered again by the first with the new secret, also if both had it", async () => {
  const { tenant, as, first, second, show, remove, event, signers } = await replacing();
  const id = await event();
  await received(first.name, 2);
  await sendJson(202, `${PATH}/${first._id}/deliveries/${id}/redeliver`, { as, method: "POST" });
  await remove(first._id);
  expect((await show(second._id)).replaces).toBeNull();
  const relay = testRelay();
  await sweepWebhooks(relay);
  await relayEvents(relay, tenant);
  await received(first.name, 3);
  expect((await signers()).map(({ by }) => by).sort()).toEqual(["first", "second", "second"]);
});

it("keeps the first while the new one is inactive, and for good if the new one is deleted", async () => {
  const { as, first, second, show, remove } = await replacing();
  await sendJson(200, `${PATH}/${second._id}`, { as, method: "PUT", body: { active: false } });
  await sweepWebhooks(testRelay({ now: inSeconds(A_DAY) }));
  expect((await show(first._id)).endTime).not.toBeNull();
  await remove(second._id);
  expect((await show(first._id)).endTime).toBeNull();
  await sweepWebhooks(testRelay({ now: inSeconds(A_DAY) }));
  expect((await show(first._id)).active).toBe(true);
});

it("is refused while it goes on, for an inactive subscription and above the limit", async () => {
  const { tenant, as, first, second, replace, remove } = await replacing();
  const post = { as, method: "POST" };
  expect(await outcome(replace, post)).toBe("409 subscription_being_replaced");
  expect(await outcome(`${PATH}/${second._id}/replacement`, post)).toBe("409 subscription_being_replaced");
  await remove(first._id);
  await env.DB.prepare("update webhook_subscriptions set active = 0 where id = ?").bind(second._id).run();
  expect(await outcome(`${PATH}/${second._id}/replacement`, post)).toBe("409 subscription_inactive");
  const third = await subscribe(tenant);
  await env.DB.prepare(
    `insert into webhook_subscriptions select 'copy' || n.value || s.id, organization_id, blog_id, url, events, active, secret, 0, 0, 0,
       null, version, creation_time, last_edit_time, 0, '', null, 0, null, null
     from webhook_subscriptions s, json_each(?) n where s.id = ?`,
  )
    .bind(JSON.stringify(Array.from({ length: 98 }, (_, n) => n)), third._id)
    .run();
  expect(await outcome(`${PATH}/${third._id}/replacement`, post)).toBe("409 subscription_limit");
});
