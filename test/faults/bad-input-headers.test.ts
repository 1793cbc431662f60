/** Headers that steer a request: preconditions and Idempotency-Keys, as nobody should send them. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { issueToken, send, sendJson } from "../helpers/requests.ts";
import { call, everyRoute, newWorld, reaching, requestOf, validInput, type World } from "../helpers/operations.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { spread } from "../helpers/sample.ts";

const writes = everyRoute.filter(({ route }) => route.operation.effect !== "read");
const reads = everyRoute.filter(({ route }) => route.operation.effect === "read" && route.method === "get");

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

const as = () => ({ apiKey: world.tenant.apiKey });

/** An article with its ETag. */
async function newVersion(): Promise<{ id: string; etag: string }> {
  const body = { blogId: world.tenant.blogId, title: "versioned", published: true };
  const response = await send("/api/articles", { as: as(), body });
  const { _id } = (await response.json()) as { _id: string };
  return { id: _id, etag: response.headers.get("ETag") ?? "" };
}

describe("If-Match", () => {
  /** Headers that name no version of an article, made of its true one. */
  const stale = (etag: string): string[] => [
    "",
    " ",
    '"',
    '""',
    "abc",
    "null",
    "**",
    "* ",
    '"*"',
    etag.slice(1, -1),
    etag.slice(1),
    etag.slice(0, -1),
    etag.toUpperCase(),
    `' ${etag.slice(1, -1)}'`,
    `" ${etag.slice(1, -1)} "`,
    `"${etag.slice(1, -2)}"`,
    `"x", "y", W/"${etag.slice(1, -2)}"`,
    `"${etag.slice(1, -1)}x"`,
    '"\' or 1=1 --"',
    '"x",'.repeat(5000),
    '"'.repeat(10_001),
    `"${"a".repeat(50_000)}"`,
  ];

  it("that names no version of the article is 412 and changes nothing", async () => {
    const { id, etag } = await newVersion();
    await storingNothing(async () => {
      for (const tag of spread(
        stale(etag).filter((text) => text.trim() !== "*"),
        8,
      )) {
        const headers = { "If-Match": tag };
        const change = await send("/api/articles", { as: as(), body: { _id: id, title: "changed" }, headers });
        await refusalOf(change, "precondition_failed");
        await refusalOf(
          await send(`/api/articles/${id}`, { as: as(), method: "DELETE", headers }),
          "precondition_failed",
        );
      }
    });
  });

  it("that names it among others, or anything, lets the write through", async () => {
    for (const list of [
      (etag: string) => etag,
      (etag: string) => ` ${etag} `,
      (etag: string) => `"x", ${etag}`,
      (etag: string) => `${etag},"x"`,
      (etag: string) => `"x", "y", W/${etag}`,
      (etag: string) => `W/"x" , ${etag} ,, "y"`,
      () => "*",
      () => " * ",
    ]) {
      const { id, etag } = await newVersion();
      const headers = { "If-Match": list(etag) };
      await sendJson(200, "/api/articles", { as: as(), body: { _id: id, title: "changed" }, headers });
    }
  });
});

describe("every write", () => {
  const KEYS = ["", " ", "\t", "a".repeat(256), "a".repeat(10_000)];

  it.each(spread(writes))(
    "refuses an If-Match that fits nothing, and an Idempotency-Key that is empty or too long: $title",
    async ({ route }) => {
      const credential = reaching(route, world);
      const ask = (headers: Record<string, string>) =>
        call(route, validInput(route, world), { as: credential, headers });
      await storingNothing(async () => {
        await refusalOf(await ask({ "If-Match": '"019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d"' }), "precondition_failed");
        for (const key of KEYS) {
          await refusalOf(await ask({ "Idempotency-Key": key }), "invalid_request");
        }
      });
    },
  );
});

describe("If-None-Match", () => {
  const GARBAGE = ["", '"', "abc", '"x', 'W/"', "W/", '"x",'.repeat(5000), "'*'", "* x"];

  it.each(spread(reads))("that is garbage is ignored: $title", async ({ route }) => {
    const credential = reaching(route, world);
    const path = requestOf(route, validInput(route, world)).path;
    const first = await (await send(path, { as: credential })).text();
    for (const tag of GARBAGE) {
      const response = await send(path, { as: credential, headers: { "If-None-Match": tag } });
      expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: first });
    }
  });

  it("never turns a write into a 304", async () => {
    const { id } = await newVersion();
    for (const tag of ["*", '"x"']) {
      const headers = { "If-None-Match": tag };
      await sendJson(200, "/api/articles", { as: as(), body: { _id: id, title: tag }, headers });
    }
  });

  it("shows that a delivery has changed since its list was read", async () => {
    const credential = { operatorToken: (await issueToken({ operatorToken: world.tenant.operatorToken })).secret };
    const body = { url: `${env.RECEIVER.url}/ok/versions`, events: ["contact.created"] };
    const subscription = await sendJson<{ _id: string }>(200, "/api/webhooksubscriptions", { as: credential, body });
    const path = `/api/webhooksubscriptions/${subscription._id}`;
    const { _id } = await sendJson<{ _id: string }>(202, `${path}/ping`, { as: credential, method: "POST" });
    const stateOf = () => env.DB.prepare("select state from deliveries where id = ?").bind(_id).first("state");
    await expect.poll(stateOf).toBe("succeeded");
    const before = await send(`${path}/deliveries`, { as: credential });
    expect(await before.json()).toMatchObject([{ _id, state: "succeeded" }]);
    // Nothing of the service touches a delivery that has ended.
    await env.DB.prepare("update deliveries set state = 'failed', status = 500 where id = ?").bind(_id).run();
    const headers = { "If-None-Match": before.headers.get("ETag") ?? "none" };
    const after = await send(`${path}/deliveries`, { as: credential, headers });
    expect(after.status).toBe(200);
  });
});

describe("Idempotency-Key", () => {
  it("may be any other text: each is its own key", async () => {
    const keys = [
      "a",
      "A",
      "'",
      '"',
      "'; drop table idempotency; --",
      "%00",
      "{}",
      "null",
      "a b",
      "é",
      "a".repeat(255),
    ];
    const ids = new Set<string>();
    for (const key of keys) {
      const options = {
        as: as(),
        body: { blogId: world.tenant.blogId, title: "keyed" },
        headers: { "Idempotency-Key": key },
      };
      const first = await sendJson<{ _id: string }>(200, "/api/articles", options);
      expect(await sendJson(200, "/api/articles", options)).toEqual(first);
      ids.add(first._id);
    }
    expect(ids.size).toBe(keys.length);
  });
});

describe("headers that a proxy or an attacker adds", () => {
  it("change neither the caller, nor the id of the request, nor the method", async () => {
    const headers = {
      "X-Request-Id": "mine",
      "X-HTTP-Method-Override": "DELETE",
      "X-Method-Override": "DELETE",
      "X-Forwarded-Host": "evil.example",
      "X-Forwarded-Proto": "http",
      "X-Original-URL": "/api/audit",
      "X-Rewrite-URL": "/api/audit",
      "X-Organization": world.tenant.organizationId,
      "X-Tenant-Id": world.tenant.organizationId,
      Forwarded: "host=evil.example",
      Cookie: `Authorization=Token ${world.tenant.operatorToken}`,
      "Proxy-Authorization": `Token ${world.tenant.operatorToken}`,
      "X-Authorization": `Token ${world.tenant.operatorToken}`,
      "X-Long": "a".repeat(50_000),
      Accept: "text/html",
      "Accept-Encoding": "nonsense",
      Range: "bytes=0-1",
      Expect: "100-continue",
    };
    const path = `/api/articles/${world.draft._id}`;
    await storingNothing(async () => {
      const problem = await refusalOf(await send(path, { headers }), "not_found");
      expect(problem.requestId).not.toBe("mine");
      await refusalOf(await send("/api/articles", { headers, body: { title: "a" } }), "credentials_missing");
    });
    const list = await send(`/api/articles?blogId=${world.tenant.blogId}&limit=1`, { as: as(), headers });
    expect(list.status).toBe(200);
    expect(list.headers.get("Link")).toMatch(/^<https:\/\/edgepress\.test\//);
  });
});
