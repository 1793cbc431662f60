/** Contract 10.3, 10.5, 10.12, 11.11, 11.12, 5.3: API keys, access tokens, the audit, the log of deliveries, ping. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { outcome, wrongFields } from "../helpers/outcome.ts";
import { quiet } from "../helpers/refusals.ts";
import { deliveriesOf, received, seenBy, settled, subscribe, type DeliveryBody } from "../helpers/webhooks.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

type Shown = Record<string, unknown> & { _id: string; secret: string };

let tenant: Tenant;
let as: { operatorToken: string };

beforeAll(async () => {
  tenant = await newTenant();
  as = { operatorToken: tenant.operatorToken };
});

const later = (): string => new Date(Date.now() + 86_400_000).toISOString();

describe("API keys", () => {
  const create = (body: object) => sendJson<Shown>(200, "/api/apikeys", { as, body });

  it("are created with a name, scopes, a pin and an expiry; the secret is shown once", async () => {
    const body = {
      name: "Build",
      scopes: ["articles:read", "contacts:read"],
      blogId: tenant.blogId,
      expirationTime: later(),
    };
    const { secret, ...key } = await create(body);
    expect(key).toEqual({
      ...body,
      _id: expect.any(String),
      hint: secret.slice(-4),
      lastUsedTime: null,
      creationTime: expect.any(String),
    });
    const list = await sendJson<Shown[]>(200, "/api/apikeys", { as });
    expect(list).toContainEqual(key);
    expect(JSON.stringify(list)).not.toContain(secret);
  });

  it("say when they were last used", async () => {
    const { _id, secret } = await create({ name: "Used" });
    await sendJson(200, "/api/blogs", { as: { apiKey: secret } });
    await expect
      .poll(async () => (await sendJson<Shown[]>(200, "/api/apikeys", { as })).find((key) => key._id === _id))
      .toMatchObject({ lastUsedTime: expect.any(String) });
  });
});

describe("operator access tokens", () => {
  it("are created, listed without their secrets and revoked", async () => {
    const { secret, ...token } = await sendJson<Shown>(200, "/api/accesstokens", { as, body: { name: "Second" } });
    expect(Object.keys(token).sort()).toEqual(
      ["_id", "name", "hint", "expirationTime", "lastUsedTime", "creationTime"].sort(),
    );
    const list = await sendJson<Shown[]>(200, "/api/accesstokens", { as });
    expect(list).toContainEqual(token);
    expect(JSON.stringify(list)).not.toContain(secret);
    expect(await outcome("/api/webhooksubscriptions", { as: { operatorToken: secret } })).toBe("200");
    await sendJson(200, `/api/accesstokens/${token._id}`, { as, method: "DELETE" });
    expect(await outcome("/api/blogs", { as: { operatorToken: secret } })).toBe("401 credentials_invalid");
  });

  it("are no API keys: neither list nor revocation mixes them", async () => {
    const { _id } = await sendJson<Shown>(200, "/api/accesstokens", { as, body: { name: "x" } });
    expect(await outcome(`/api/apikeys/${_id}`, { as, method: "DELETE" })).toBe("404 not_found");
    expect(JSON.stringify(await sendJson(200, "/api/apikeys", { as }))).not.toContain(_id);
    expect(await wrongFields("/api/accesstokens", { as, body: { name: "x", scopes: [] } })).toEqual(["scopes"]);
  });
});

describe("the log of deliveries", () => {
  it("shows each attempt with its state, status and duration, newest first", async () => {
    const own = await newTenant();
    const { _id } = await subscribe(own, "fail-1");
    await newArticle(own);
    await settled(own, _id, 1);
    await sendJson(200, "/api/blogs", { as: own, body: { name: "x" } });
    const log = await settled(own, _id, 2);
    expect(log).toMatchObject([
      { event: "blog.created", state: "succeeded", status: 200, error: null },
      { event: "article.created", state: "failed", status: 500, error: "status" },
    ]);
    for (const { durationMs, creationTime, attemptTime, settleTime } of log) {
      expect(Number.isInteger(durationMs)).toBe(true);
      const times = [creationTime, attemptTime ?? "", settleTime ?? ""];
      expect(times).toEqual(times.toSorted());
    }
  });
});

describe("the log of deliveries, of one state", () => {
  const STATES = ["open", "claimed", "succeeded", "failed", "skipped", "unknown"];
  const logOf = (own: Tenant, id: string, query: string): Promise<DeliveryBody[]> =>
    sendJson(200, `/api/webhooksubscriptions/${id}/deliveries${query}`, { as: { operatorToken: own.operatorToken } });

  it("shows those alone, newest first", async () => {
    const own = await newTenant();
    const { _id } = await subscribe(own, "fail-2");
    for (let i = 0; i < 4; i++) {
      await newArticle(own);
      await settled(own, _id, i + 1);
    }
    const [third, second, first, zeroth] = (await logOf(own, _id, "")).map((entry) => entry._id);
    const idsOf = async (state: string) => (await logOf(own, _id, `?state=${state}`)).map((entry) => entry._id);
    expect(await idsOf("succeeded")).toEqual([third, second]);
    expect(await idsOf("failed")).toEqual([first, zeroth]);
    for (const state of ["open", "claimed", "skipped", "unknown"]) expect(await idsOf(state), state).toEqual([]);
    for (const state of STATES) {
      await env.DB.prepare("update deliveries set state = ? where id = ?").bind(state, second).run();
      expect(await idsOf(state), state).toContain(second);
    }
  });
});

describe("a ping", () => {
  const ping = (own: Tenant, id: string) =>
    send(`/api/webhooksubscriptions/${id}/ping`, { as: { operatorToken: own.operatorToken }, method: "POST" });

  it("is a signed request to this one subscription, whatever its events; 202 with its delivery", async () => {
    const own = await newTenant();
    const [pinged, other] = [await subscribe(own, "ok", { events: ["blog.created"] }), await subscribe(own)];
    const response = await ping(own, pinged._id);
    expect(response.status).toBe(202);
    const delivery = await response.json<DeliveryBody>();
    expect(delivery).toMatchObject({ event: "ping", state: "open" });
    const [request] = await received(pinged.name);
    expect(request?.headers).toMatchObject({ "x-service-event": "ping", "x-service-delivery": delivery._id });
    expect(JSON.parse(request?.body ?? "")).toMatchObject({ event: "ping", data: { subscriptionId: pinged._id } });
    expect(await settled(own, pinged._id, 1)).toMatchObject([{ _id: delivery._id, state: "succeeded" }]);
    await quiet();
    expect(await seenBy(other.name)).toEqual([]);
  });

  it("of an inactive subscription is 409, of an unknown one 404", async () => {
    const own = await newTenant();
    const { _id } = await subscribe(own);
    const put = { as: { operatorToken: own.operatorToken }, method: "PUT", body: { active: false } };
    await sendJson(200, `/api/webhooksubscriptions/${_id}`, put);
    expect((await ping(own, _id)).status).toBe(409);
    expect((await ping(own, newId())).status).toBe(404);
    expect((await ping(tenant, _id)).status).toBe(404);
    expect(await deliveriesOf(own, _id)).toEqual([]);
  });
});
