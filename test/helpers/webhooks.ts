/** Webhook subscriptions of tests, and the requests that their receiver got. */
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import type { Seen } from "./receiver.ts";
import { sendJson } from "./requests.ts";
import type { Tenant } from "./tenant.ts";

export type SubscriptionBody = {
  _id: string;
  url: string;
  blogId: string | null;
  events: string[];
  active: boolean;
  failureStreak: number;
  deactivationTime: string | null;
  organization: string;
  creationTime: string;
  lastEditTime: string;
};

export type DeliveryBody = {
  _id: string;
  event: string;
  state: string;
  status: number | null;
  durationMs: number | null;
  error: string | null;
  creationTime: string;
  attemptTime: string | null;
  settleTime: string | null;
};

/** A subscription with its secret, and the name under which the receiver records its requests. */
export type Subscribed = SubscriptionBody & { readonly secret: string; readonly name: string };

/** For `vi.waitFor`: how long a test waits before it fails, in milliseconds. It is no measurement. */
export const PATIENCE = { timeout: 45_000, interval: 20 };

/** Creates a subscription to a receiver with this behaviour (test/helpers/receiver.ts). */
export async function subscribe(tenant: Tenant, behaviour = "ok", fields: object = {}): Promise<Subscribed> {
  const name = newId();
  const body = { url: receiverUrl(behaviour, name), ...fields };
  const as = { operatorToken: tenant.operatorToken };
  const created = await sendJson<Omit<Subscribed, "name">>(200, "/api/webhooksubscriptions", { as, body });
  return { ...created, name };
}

/** Returns the URL of a receiver with this behaviour and name. */
export const receiverUrl = (behaviour: string, name: string): string => `${env.RECEIVER.url}/${behaviour}/${name}`;

/** Returns the requests that the receiver of this name has got so far. */
export async function seenBy(name: string): Promise<Seen[]> {
  return (await fetch(`${env.RECEIVER.url}/_seen/${name}`)).json();
}

/** Waits until the receiver of this name got at least `count` requests, and returns them. */
export function received(name: string, count = 1): Promise<Seen[]> {
  return vi.waitFor(async () => {
    const seen = await seenBy(name);
    expect(seen.length).toBeGreaterThanOrEqual(count);
    return seen;
  }, PATIENCE);
}

/** Returns the kinds of the events in these requests, in the order of their arrival. */
export const kindsOf = (seen: readonly Seen[]): string[] =>
  seen.map((request) => request.headers["x-service-event"] ?? "none");

/** Returns the delivery log of a subscription, newest first. */
export function deliveriesOf(tenant: Tenant, subscriptionId: string): Promise<DeliveryBody[]> {
  const as = { operatorToken: tenant.operatorToken };
  return sendJson(200, `/api/webhooksubscriptions/${subscriptionId}/deliveries`, { as });
}

/** Waits until at least `count` deliveries of a subscription have ended, and returns the log. */
export function settled(tenant: Tenant, subscriptionId: string, count: number): Promise<DeliveryBody[]> {
  return vi.waitFor(async () => {
    const log = await deliveriesOf(tenant, subscriptionId);
    expect(log.filter(({ state }) => state !== "open" && state !== "claimed").length).toBeGreaterThanOrEqual(count);
    return log;
  }, PATIENCE);
}

/** Returns the attempts of an organization that were counted, by the hour. */
export async function hoursOf({ organizationId }: Tenant): Promise<object[]> {
  const query = "select hour, succeeded, failed from delivery_hours where organization_id = ? order by hour";
  return (await env.DB.prepare(query).bind(organizationId).all<object>()).results;
}

/** Returns the current state of a subscription. Throws if it does not exist. */
export async function subscriptionNow(tenant: Tenant, id: string): Promise<SubscriptionBody> {
  const as = { operatorToken: tenant.operatorToken };
  const all = await sendJson<SubscriptionBody[]>(200, "/api/webhooksubscriptions", { as });
  const found = all.find(({ _id }) => _id === id);
  if (found === undefined) throw new Error(`no subscription ${id}`);
  return found;
}
