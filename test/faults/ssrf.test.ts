/** Targets that a subscription may not have, through REST (the rule itself: test/outbound/target.test.ts). */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import worker from "../../src/worker.ts";
import { relayEvents, storeEvent, testRelay, deliveryRowsOf } from "../helpers/relay.ts";
import { send, sendJson, authorization, ORIGIN } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";
import { seenBy, subscribe } from "../helpers/webhooks.ts";

const FORBIDDEN = [
  "http://example.com/hook",
  "https://127.0.0.1/",
  "https://127.1/",
  "https://2130706433/",
  "https://0x7f000001/",
  "https://0177.0.0.1/",
  "https://0/",
  "https://１２７.０.０.１/",
  "https://①②⑦.⓪.⓪.①/",
  "https://127.0.0.1./",
  "https://[::1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[64:ff9b::7f00:1]/",
  "https://[fe80::1%25eth0]/",
  "https://10.0.0.1/",
  "https://169.254.169.254/latest/meta-data/",
  "https://metadata.google.internal/",
  "https://8.8.8.8/",
  "https://localhost/",
  "https://localhost./",
  "https://printer/",
  "https://nas.local/",
  "https://db.internal/",
  "https://127.0.0.1.nip.io/",
  "https://user:password@example.com/",
  "https://example.com@127.0.0.1/",
  "https://example.com:22/",
  "https://example.com:80/",
  "ftp://example.com/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "https:\\\\127.0.0.1/",
  "https://exa\nmple.com/",
  "//example.com/",
  "not a url",
];

/** As in production, where loopback is not allowed. */
async function strictly(path: string, operatorToken: string, method: string, body: object): Promise<Response> {
  const context = createExecutionContext();
  const headers = { ...authorization({ operatorToken }), "Content-Type": "application/json" };
  const request = new Request(new URL(path, ORIGIN), { method, headers, body: JSON.stringify(body) });
  const response = await worker.fetch(request, { ...env, ALLOW_LOOPBACK_WEBHOOKS: "false" as const }, context);
  await waitOnExecutionContext(context);
  return response;
}

describe("a forbidden target", () => {
  it.each(FORBIDDEN)("%s is refused on creation and on update, and stored nowhere", async (url) => {
    const tenant = await newTenant();
    const path = "/api/webhooksubscriptions";
    const created = await strictly(path, tenant.operatorToken, "POST", { url });
    expect(created.status).toBe(400);
    expect(await created.json()).toMatchObject({ code: "target_not_allowed", errors: [{ path: "url" }] });
    const good = await strictly(path, tenant.operatorToken, "POST", { url: "https://example.com/hook" });
    const { _id } = await good.json<{ _id: string }>();
    const updated = await strictly(`${path}/${_id}`, tenant.operatorToken, "PUT", { url, active: false });
    expect(updated.status).toBe(400);
    const stored = await sendJson(200, path, { as: { operatorToken: tenant.operatorToken } });
    expect(stored).toMatchObject([{ _id, url: "https://example.com/hook", active: true }]);
  });

  it("is not sent to either, where it stands in the database all the same", async () => {
    const tenant = await newTenant();
    const { _id } = await subscribe(tenant, "ok");
    for (const url of ["https://169.254.169.254/", "https://localhost/", "http://10.0.0.1/"]) {
      await env.DB.prepare("update webhook_subscriptions set url = ? where id = ?").bind(url, _id).run();
      const eventId = await storeEvent(tenant);
      await relayEvents(testRelay({ targetRules: { allowLoopback: false } }), tenant);
      expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "failed", error: "target", duration_ms: 0 }]);
    }
  });

  it("is not reached by a redirect", async () => {
    const tenant = await newTenant();
    for (const status of [301, 302, 303, 307, 308]) {
      const { name } = await subscribe(tenant, `redirect-${status}`);
      await storeEvent(tenant);
      await relayEvents(testRelay(), tenant);
      expect(await seenBy(`redirected-${name}`)).toEqual([]);
      expect(await seenBy(name)).not.toEqual([]);
    }
  });
});

describe("loopback", () => {
  it("is allowed in local runs only, where a setting says so", async () => {
    const tenant = await newTenant();
    const body = { url: `${env.RECEIVER.url}/ok/x` };
    const as = { operatorToken: tenant.operatorToken };
    expect((await send("/api/webhooksubscriptions", { as, body })).status).toBe(200);
    expect((await strictly("/api/webhooksubscriptions", tenant.operatorToken, "POST", body)).status).toBe(400);
  });
});
