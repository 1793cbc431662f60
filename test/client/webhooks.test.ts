/** `verifyWebhook` of `@edgepress/client`, against what the service signs (contract 11.6). */
import { expect, it } from "vitest";
import { verifyWebhook } from "../../packages/client/src/index.ts";
import { signBody } from "../../src/background/webhooks/signature.ts";

const SECRET = "whsec_of-the-test";
const BODY = JSON.stringify({ event: "ping", timestamp: 1, data: { subscriptionId: "1" }, more: "ü 🌍" });
const now = () => Math.floor(Date.now() / 1000);

const request = (signature: string | null, body = BODY) =>
  new Request("https://site.example/hook", {
    method: "POST",
    body,
    headers: signature === null ? {} : { "X-Service-Signature": signature },
  });

it("returns the event of a genuine webhook", async () => {
  const event = await verifyWebhook(request(await signBody(SECRET, now(), BODY)), SECRET);
  expect(event).toEqual(JSON.parse(BODY));
  expect(event.event === "ping" && event.data.subscriptionId).toBe("1");
});

it("accepts several secrets while one is replaced", async () => {
  const signature = await signBody(SECRET, now(), BODY);
  await expect(verifyWebhook(request(signature), ["whsec_new", SECRET])).resolves.toBeDefined();
  await expect(verifyWebhook(request(signature), [])).rejects.toMatchObject({ code: "signature_invalid" });
});

it("refuses what somebody else has sent, or changed", async () => {
  const signature = await signBody(SECRET, now(), BODY);
  const [time, hex = ""] = signature.split(",v1=");
  const wrong = [
    request(null),
    request(signature, `${BODY} `),
    request(await signBody("whsec_other", now(), BODY)),
    request(`t=${now() + 1},v1=${hex}`),
    request(`${time},v1=${hex.slice(2)}`),
    request(`${time},v1=${hex.toUpperCase()}`),
    request(`${time},v0=${hex}`),
  ];
  for (const each of wrong) {
    await expect(verifyWebhook(each, SECRET)).rejects.toMatchObject({ code: "signature_invalid", status: 400 });
  }
});

it("refuses everything while the secret is not set", async () => {
  // Nobody can sign with an empty key here, but other libraries can.
  await expect(verifyWebhook(request(`t=${now()},v1=${"0".repeat(64)}`), "")).rejects.toMatchObject({
    code: "signature_invalid",
  });
});

it("refuses what is older or newer than the tolerance", async () => {
  for (const time of [now() - 400, now() + 400]) {
    const signature = await signBody(SECRET, time, BODY);
    await expect(verifyWebhook(request(signature), SECRET)).rejects.toMatchObject({ code: "timestamp_invalid" });
    await expect(verifyWebhook(request(signature), SECRET, { toleranceSeconds: 600 })).resolves.toBeDefined();
  }
});
