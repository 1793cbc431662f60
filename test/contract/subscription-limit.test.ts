/** Contract 14.4: an organization has at most 100 webhook subscriptions. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { outcome, problemOf } from "../helpers/outcome.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

const PATH = "/api/webhooksubscriptions";
const body = { url: "https://example.com/hook" };

const operator = ({ operatorToken }: Tenant) => ({ operatorToken });
const listed = (tenant: Tenant) => sendJson<{ _id: string }[]>(200, PATH, { as: operator(tenant) });

/** An organization with so many subscriptions. */
async function withSubscriptions(count: number): Promise<Tenant> {
  const tenant = await newTenant();
  const time = new Date().toISOString();
  await env.DB.prepare(
    `insert into webhook_subscriptions (id, organization_id, url, events, active, secret, failure_streak, epoch,
       since_seq, version, creation_time, last_edit_time)
     select value, ?1, ?2, '[]', 0, 'whsec_x', 0, 0, 0, value, ?3, ?3 from json_each(?4)`,
  )
    .bind(tenant.organizationId, body.url, time, JSON.stringify(Array.from({ length: count }, newId)))
    .run();
  return tenant;
}

describe("webhook subscriptions of an organization: 100", () => {
  it("the 100th is created, the 101st is 409, inactive ones included; deleting one makes room", async () => {
    const tenant = await withSubscriptions(LIMITS.subscriptions - 1);
    const as = operator(tenant);
    const { _id } = await sendJson<{ _id: string }>(200, PATH, { as, body });
    const problem = await problemOf(PATH, { as, body });
    expect(problem).toMatchObject({ status: 409, code: "subscription_limit" });
    expect(problem.detail).toContain(String(LIMITS.subscriptions));
    expect(await listed(tenant)).toHaveLength(100);
    await sendJson(200, `${PATH}/${_id}`, { as, method: "DELETE" });
    expect(await outcome(PATH, { as, body })).toBe("200");
  });

  it("ten created at once do not exceed it", async () => {
    const tenant = await withSubscriptions(LIMITS.subscriptions - 3);
    const as = operator(tenant);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcome(PATH, { as, body })));
    expect(outcomes.filter((each) => each === "200")).toHaveLength(3);
    expect(outcomes.filter((each) => each === "409 subscription_limit")).toHaveLength(7);
    expect(await listed(tenant)).toHaveLength(100);
  });
});
