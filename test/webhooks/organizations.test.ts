/** A message names an organization: its work is done, and nobody else's; what names none does no harm. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import {
  consumed,
  consumeDeliveriesOf,
  consumeEventsOf,
  deliveryRowsOf,
  relayEvents,
  storeEvent,
  testRelay,
} from "../helpers/relay.ts";
import { newTenant } from "../helpers/tenant.ts";
import { received, seenBy, subscribe } from "../helpers/webhooks.ts";

/** An organization with a subscription, and an event that nobody has been told of. */
async function stored() {
  const tenant = await newTenant();
  const subscription = await subscribe(tenant);
  const eventId = await storeEvent(tenant);
  return { tenant, message: { organizationId: tenant.organizationId }, subscription, eventId };
}

async function fannedOut() {
  const world = await stored();
  await consumeEventsOf(testRelay(), world.tenant);
  return world;
}

describe("organizations", () => {
  it("are told apart: a message of one touches no event and no delivery of another", async () => {
    const [one, other, fresh] = [await stored(), await fannedOut(), await stored()];
    const relay = testRelay();
    await relayEvents(relay, one.tenant);
    for (const lane of ["quick", "slow"] as const) await consumeDeliveriesOf(relay, one.tenant, lane);
    expect(await seenBy(one.subscription.name)).toHaveLength(1);
    expect(await deliveryRowsOf(other.eventId)).toMatchObject([{ state: "open", token: null }]);
    expect(await deliveryRowsOf(fresh.eventId)).toEqual([]);
    const event = await env.DB.prepare("select fan_out_time from events where id = ?").bind(fresh.eventId).first();
    expect(event).toEqual({ fan_out_time: null });
    for (const { name } of [other.subscription, fresh.subscription]) expect(await seenBy(name)).toEqual([]);

    await consumeDeliveriesOf(relay, other.tenant);
    await relayEvents(relay, fresh.tenant);
    for (const { name } of [other.subscription, fresh.subscription]) expect(await seenBy(name)).toHaveLength(1);
  });

  it("of one batch have their turns each: all are fanned out, and sent", async () => {
    const worlds = [await stored(), await stored()];
    const relay = testRelay();
    await consumeEventsOf(relay, ...worlds.map(({ tenant }) => tenant));
    expect(relay.deliveries.quick.take()).toEqual(worlds.map(({ message }) => message));
    await consumed(
      "edgepress-deliveries",
      worlds.map(({ message }) => message),
    );
    for (const { subscription } of worlds) expect(await seenBy(subscription.name)).toHaveLength(1);
  });
});

describe("a message that names no organization", () => {
  it.each(["edgepress-deliveries", "edgepress-deliveries-slow", "edgepress-events"])(
    "is acknowledged, and disturbs nobody (%s)",
    async (queue) => {
      const { tenant, subscription, message, eventId } = await stored();
      if (queue !== "edgepress-events") await consumeEventsOf(testRelay(), tenant);
      const poison = [
        null,
        undefined,
        {},
        { eventId },
        { organizationId: null },
        { organizationId: 7 },
        { organizationId: [tenant.organizationId] },
        { organizationId: "" },
        { organizationId: newId() },
        "text",
      ];
      const bodies = [...poison, message, ...poison];
      expect(await consumed(queue, bodies)).toEqual({ acknowledged: bodies.length, retried: 0 });
      if (queue === "edgepress-deliveries-slow") await consumed("edgepress-deliveries", [message]);
      expect(await received(subscription.name)).toHaveLength(1);
    },
  );

  it("a message of an earlier version, with deliveries of its own, is a turn of its organization", async () => {
    const { subscription, message, eventId } = await fannedOut();
    const [delivery] = await deliveryRowsOf(eventId);
    const earlier = { ...message, deliveryIds: [delivery?.id] };
    expect(await consumed("edgepress-deliveries", [earlier])).toEqual({ acknowledged: 1, retried: 0 });
    expect(await seenBy(subscription.name)).toHaveLength(1);
  });
});
