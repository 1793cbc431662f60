/** Signatures, checked by public libraries that nobody here wrote: of the `t=…,v1=…` scheme, and of Standard Webhooks. */
import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { newWebhookSecret } from "../../src/domain/secrets.ts";
import { signBody, signStandard } from "../../src/background/webhooks/signature.ts";
import { relayEvents, storeEvent, testRelay } from "../helpers/relay.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";
import { received, seenBy, subscribe } from "../helpers/webhooks.ts";

const { webhooks } = new Stripe("sk_test_not_used");
const crypto = Stripe.createSubtleCryptoProvider();

/** What the library makes of a delivery: the parsed body, or an exception. */
function verify(body: string, header: string, secret: string, toleranceSeconds = 300): Promise<unknown> {
  return webhooks.constructEventAsync(body, header, secret, toleranceSeconds, crypto);
}

const bodies: [string, unknown][] = [
  ["plain", { title: "Hello" }],
  ["emoji", { title: "👩‍👩‍👧‍👦 🏳️‍🌈 🇵🇹" }],
  ["U+2028 and U+2029", { title: "line\u2028separator\u2029paragraph" }],
  ["quotes, backslashes and controls", { title: 'a "b" \\ c \u0001 \t' }],
  ["right to left and combining marks", { title: "שלום é ‮abc" }],
  ["200 KB", { description: "ü€𝄞 ".repeat(20_000) }],
];

describe("the signature", () => {
  it.each(bodies)("of a delivered body is verified: %s", async (_, data) => {
    const tenant = await newTenant();
    const { secret, name } = await subscribe(tenant, "ok");
    await storeEvent(tenant, "article.updated", data);
    await relayEvents(testRelay(), tenant);
    const [seen] = await seenBy(name);
    if (seen === undefined) throw new Error("nothing was delivered");
    const header = seen.headers["x-service-signature"] ?? "";
    expect(await verify(seen.body, header, secret)).toMatchObject({ event: "article.updated", data });
    await expect(verify(`${seen.body} `, header, secret)).rejects.toThrow(/signature/i);
    expect(new Webhook(secret).verify(seen.body, seen.headers)).toMatchObject({ event: "article.updated", data });
    expect(() => new Webhook(secret).verify(`${seen.body} `, seen.headers)).toThrow(/signature/i);
    await expect(verify(seen.body, header, newWebhookSecret())).rejects.toThrow(/signature/i);
  });

  it("of a real change is verified, and its timestamp is the body's", async () => {
    const tenant = await newTenant();
    const { secret, name } = await subscribe(tenant, "ok", { events: ["article.created"] });
    const article = await newArticle(tenant, { title: "Grüße aus 東京 🗼" });
    const [seen] = await received(name);
    const header = seen?.headers["x-service-signature"] ?? "";
    const event = await verify(seen?.body ?? "", header, secret);
    const { content: _, ...data } = article;
    expect(event).toMatchObject({ event: "article.created", data });
    expect(header).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
    expect(header).toContain(`t=${(event as unknown as { timestamp: number }).timestamp},`);
  });

  it("of Standard Webhooks is that of its published example", async () => {
    const signed = { eventId: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1614265330, body: '{"test": 2432232314}' };
    expect(await signStandard("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", signed)).toBe(
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    );
  });

  it("of Standard Webhooks names the event, which is the same for every subscription", async () => {
    const tenant = await newTenant();
    const [one, two] = [await subscribe(tenant, "ok"), await subscribe(tenant, "ok")];
    const eventId = await storeEvent(tenant);
    await relayEvents(testRelay(), tenant);
    const ids = [await seenBy(one.name), await seenBy(two.name)].map(([seen]) => seen?.headers["webhook-id"]);
    expect(ids).toEqual([eventId, eventId]);
  });

  it("is outside the replay window of an old attempt", async () => {
    const secret = newWebhookSecret();
    const tenMinutesAgo = Math.floor(Date.now() / 1000) - 600;
    const header = await signBody(secret, tenMinutesAgo, "{}");
    await expect(verify("{}", header, secret)).rejects.toThrow(/tolerance/i);
    await expect(verify("{}", header, secret, 3600)).resolves.toEqual({});
  });

  it("is made in the second of the attempt, however long the event waited", async () => {
    const tenant = await newTenant();
    const { secret, name } = await subscribe(tenant, "ok");
    const eventId = await storeEvent(tenant);
    await env.DB.prepare("update events set creation_time = '2020-01-01T00:00:00.000Z' where id = ?")
      .bind(eventId)
      .run();
    await relayEvents(testRelay(), tenant);
    const [seen] = await seenBy(name);
    await expect(verify(seen?.body ?? "", seen?.headers["x-service-signature"] ?? "", secret)).resolves.toBeDefined();
  });
});
