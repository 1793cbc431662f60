/** What the list of revoked credentials costs in D1, of an organization that has as many as are kept, and more. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { counted, expectWithin, noteNoUse } from "../helpers/counting.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";
import budgets from "./budgets.json";

it("a page of revoked keys and tokens is within its budget", async () => {
  const { organizationId, operatorToken } = await newTenant();
  await env.DB.prepare(
    `insert into revoked_credentials (id, organization_id, credential_id, kind, name, hint, creation_time, revoke_time, actor_kind, actor_id)
     select value, ?1, value, 'key', 'Old', 'abcd', ?3, ?3, 'token', 'gone' from json_each(?2)`,
  )
    .bind(organizationId, JSON.stringify(Array.from({ length: 300 }, () => newId())), "2024-01-01T00:00:00.000Z")
    .run();
  await noteNoUse();
  // Who calls is remembered.
  await sendJson(200, "/api/blogs", { as: { operatorToken } });
  const { response, ...counter } = await counted("/api/revocations?limit=20", { as: { operatorToken } });
  expect(await response.json()).toHaveLength(20);
  expectWithin("revoked keys and tokens", budgets.revocations, counter);
});
