/** Contract 11.2, 11.9: the states of a webhook subscription, and its streak. */
import { describe, expect, it } from "vitest";
import { outcome } from "../helpers/outcome.ts";
import { quiet } from "../helpers/refusals.ts";
import { deliveriesOf, received, seenBy, settled, subscribe, subscriptionNow } from "../helpers/webhooks.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

const PATH = "/api/webhooksubscriptions";

/** Changes a subscription. */
function change(tenant: Tenant, id: string, body: object) {
  const as = { operatorToken: tenant.operatorToken };
  return sendJson(200, `${PATH}/${id}`, { as, method: "PUT", body });
}

/** Fires one event, and waits until the receiver that always listens has it and nothing else is under way. */
async function fire(tenant: Tenant, witness: { name: string }): Promise<void> {
  const before = await seenBy(witness.name);
  await newArticle(tenant);
  await received(witness.name, before.length + 1);
  await quiet();
}

/** Fires so many events and waits until the subscription has been tried with each. */
async function fail(tenant: Tenant, subscriptionId: string, times: number): Promise<void> {
  const before = await deliveriesOf(tenant, subscriptionId);
  for (let i = 0; i < times; i++) await newArticle(tenant);
  await settled(tenant, subscriptionId, Math.min(before.length + times, 100));
}

describe("active", () => {
  it("is the state of a new subscription, which receives", async () => {
    const tenant = await newTenant();
    const { name, active, failureStreak, deactivationTime } = await subscribe(tenant);
    expect({ active, failureStreak, deactivationTime }).toEqual({
      active: true,
      failureStreak: 0,
      deactivationTime: null,
    });
    await newArticle(tenant);
    expect(await received(name)).toHaveLength(1);
  });

  it("19 failures in a row leave it active", async () => {
    const tenant = await newTenant();
    const { _id } = await subscribe(tenant, "status-500");
    await fail(tenant, _id, 19);
    expect(await subscriptionNow(tenant, _id)).toMatchObject({
      active: true,
      failureStreak: 19,
      deactivationTime: null,
    });
  });

  it("a success in between begins the row anew", async () => {
    const tenant = await newTenant();
    const { _id } = await subscribe(tenant, "fail-19");
    await fail(tenant, _id, 19);
    expect(await subscriptionNow(tenant, _id)).toMatchObject({ failureStreak: 19 });
    await newArticle(tenant);
    expect(await settled(tenant, _id, 20)).toContainEqual(expect.objectContaining({ state: "succeeded" }));
    expect(await subscriptionNow(tenant, _id)).toMatchObject({ active: true, failureStreak: 0 });
  });

  it("setting active to true clears the streak of one that is active still", async () => {
    const tenant = await newTenant();
    const { _id } = await subscribe(tenant, "status-500");
    await fail(tenant, _id, 3);
    expect(await subscriptionNow(tenant, _id)).toMatchObject({ active: true, failureStreak: 3 });
    expect(await change(tenant, _id, { active: true })).toMatchObject({ active: true, failureStreak: 0 });
  });

  it("20 failures in a row deactivate it, and there are no further deliveries", async () => {
    const tenant = await newTenant();
    const witness = await subscribe(tenant);
    const { _id, name } = await subscribe(tenant, "status-500");
    await fail(tenant, _id, 20);
    expect(await subscriptionNow(tenant, _id)).toMatchObject({
      active: false,
      failureStreak: 20,
      deactivationTime: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await fire(tenant, witness);
    expect(await deliveriesOf(tenant, _id)).toHaveLength(20);
    expect(await seenBy(name)).toHaveLength(20);
  });

  it("the failures of one subscription deactivate no other one", async () => {
    const tenant = await newTenant();
    const [bad, good] = [await subscribe(tenant, "status-500"), await subscribe(tenant)];
    await fail(tenant, bad._id, 20);
    await settled(tenant, good._id, 20);
    expect(await subscriptionNow(tenant, bad._id)).toMatchObject({ active: false });
    expect(await subscriptionNow(tenant, good._id)).toMatchObject({ active: true, failureStreak: 0 });
  });
});

describe("deactivated", () => {
  it("PUT whose body sets active to true makes it active again, with a streak of 0", async () => {
    const tenant = await newTenant();
    const { _id, name } = await subscribe(tenant, "fail-20");
    await fail(tenant, _id, 20);
    expect(await subscriptionNow(tenant, _id)).toMatchObject({ active: false });
    const active = { active: true, failureStreak: 0, deactivationTime: null };
    expect(await change(tenant, _id, { active: true })).toMatchObject(active);
    await newArticle(tenant);
    expect(await received(name, 21)).toHaveLength(21);
    await settled(tenant, _id, 21);
    expect(await subscriptionNow(tenant, _id)).toMatchObject(active);
  });

  it("after that it takes 20 more failures to deactivate it", async () => {
    const tenant = await newTenant();
    const { _id } = await subscribe(tenant, "status-500");
    await fail(tenant, _id, 20);
    await change(tenant, _id, { active: true });
    await fail(tenant, _id, 19);
    expect(await subscriptionNow(tenant, _id)).toMatchObject({ active: true, failureStreak: 19 });
    await fail(tenant, _id, 1);
    expect(await subscriptionNow(tenant, _id)).toMatchObject({ active: false, failureStreak: 20 });
  });

  it("a PUT that does not set active leaves it deactivated", async () => {
    const tenant = await newTenant();
    const { _id } = await subscribe(tenant);
    await change(tenant, _id, { active: false });
    expect(await change(tenant, _id, { events: ["article.created"] })).toMatchObject({ active: false });
  });

  it("what happens meanwhile is not delivered, not even after it is active again", async () => {
    const tenant = await newTenant();
    const [witness, { _id, name }] = [await subscribe(tenant), await subscribe(tenant)];
    expect(await change(tenant, _id, { active: false })).toMatchObject({ active: false });
    await fire(tenant, witness);
    await change(tenant, _id, { active: true });
    await fire(tenant, witness);
    expect(await settled(tenant, _id, 1)).toHaveLength(1);
    expect(await seenBy(name)).toHaveLength(1);
  });

  it("an operator can deactivate it by active false", async () => {
    const tenant = await newTenant();
    const [witness, { _id, name }] = [await subscribe(tenant), await subscribe(tenant)];
    await change(tenant, _id, { active: false });
    expect(await subscriptionNow(tenant, _id)).toMatchObject({ active: false, deactivationTime: expect.any(String) });
    await fire(tenant, witness);
    expect(await seenBy(name)).toEqual([]);
  });
});

describe("any by DELETE", () => {
  it.each([true, false])("a subscription whose active is %s is removed and receives nothing more", async (active) => {
    const tenant = await newTenant();
    const as = { operatorToken: tenant.operatorToken };
    const [witness, { _id, name }] = [await subscribe(tenant), await subscribe(tenant)];
    await change(tenant, _id, { active });
    await sendJson(200, `${PATH}/${_id}`, { as, method: "DELETE" });
    expect(await sendJson(200, PATH, { as })).toMatchObject([{ _id: witness._id }]);
    const put = { as, method: "PUT", body: { active: true } };
    expect(await outcome(`${PATH}/${_id}`, put)).toBe("404 not_found");
    await fire(tenant, witness);
    expect(await seenBy(name)).toEqual([]);
  });
});
