/** What becomes of a credential: used, expired, revoked. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "../../src/domain/principal.ts";
import { touchCredential } from "../../src/store/access/system-credentials.ts";
import { countingDatabase } from "../helpers/counting.ts";
import { issueKey, issueToken, send, sendJson, type Credential } from "../helpers/requests.ts";
import { call, everyRoute, newWorld, validInput, type World } from "../helpers/operations.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { spread } from "../helpers/sample.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

const operator = () => ({ operatorToken: world.tenant.operatorToken });

/** Both kinds: how one is issued, presented, and where it is revoked. */
const KINDS = [
  {
    kind: "an API key",
    path: "/api/apikeys",
    issue: (more?: object) => issueKey(operator(), SCOPES, more),
    as: (secret: string): Credential => ({ apiKey: secret }),
  },
  {
    kind: "an operator token",
    path: "/api/accesstokens",
    issue: (more?: object) => issueToken(operator(), more),
    as: (secret: string): Credential => ({ operatorToken: secret }),
  },
];

const elsewhere = () => ({ "CF-Connecting-IP": crypto.randomUUID() });
const setColumn = (column: string, id: string, value: string | null) =>
  env.DB.prepare(`update credentials set ${column} = ? where id = ?`).bind(value, id).run();
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();

/** Some operations, and a public read: who calls is found out before what they ask for. */
const asked = [...spread(everyRoute, 3), ...everyRoute.filter(({ name }) => name === "listArticles")];

/** That a credential is refused by every operation, public reads included. */
async function isDead(as: Credential): Promise<void> {
  await storingNothing(async () => {
    for (const { route } of asked) {
      const response = await call(route, validInput(route, world), { as, headers: elsewhere() });
      await refusalOf(response, "credentials_invalid");
    }
  });
}

describe.each(KINDS)("$kind", ({ path, issue, as }) => {
  it("stops working at once when it is revoked", async () => {
    const { _id, secret } = await issue();
    await sendJson(200, "/api/blogs", { as: as(secret) });
    await sendJson(200, `${path}/${_id}`, { as: operator(), method: "DELETE" });
    await isDead(as(secret));
    await refusalOf(await send(`${path}/${_id}`, { as: operator(), method: "DELETE" }), "not_found");
  });

  it("stops working when it expires, to the millisecond before", async () => {
    const { _id, secret } = await issue({ expirationTime: "2999-01-01T00:00:00.000Z" });
    await sendJson(200, "/api/blogs", { as: as(secret) });
    await setColumn("expiration_time", _id, new Date().toISOString());
    await isDead(as(secret));
    await setColumn("expiration_time", _id, secondsAgo(-60));
    await sendJson(200, "/api/blogs", { as: as(secret) });
  });

  it("cannot be issued for a time that is over", async () => {
    await storingNothing(async () => {
      for (const expirationTime of [secondsAgo(1), "1970-01-01T00:00:00Z", new Date().toISOString()]) {
        const body = { name: "late", expirationTime };
        await refusalOf(await send(path, { as: operator(), body }), "invalid_request");
      }
    });
  });

  it("notes its use once an hour", async () => {
    const { _id, secret } = await issue();
    const lastUsed = async () => {
      const all = await sendJson<{ _id: string; lastUsedTime: string | null }[]>(200, path, { as: operator() });
      return all.find((one) => one._id === _id)?.lastUsedTime;
    };
    const use = () => sendJson(200, "/api/blogs", { as: as(secret) });
    expect(await lastUsed()).toBeNull();
    await use();
    expect(Date.now() - Date.parse((await lastUsed()) ?? "")).toBeLessThan(60_000);
    for (const [age, noted] of [
      [3590, false],
      [3601, true],
      [100_000, true],
    ] as const) {
      const before = secondsAgo(age);
      await setColumn("last_used_time", _id, before);
      await use();
      expect((await lastUsed()) !== before, `${age} seconds`).toBe(noted);
    }
  });

  it("writes nothing for the uses in between: reads would cost writes", async () => {
    const { secret } = await issue();
    await sendJson(200, "/api/blogs", { as: as(secret) });
    const { db, ran } = countingDatabase();
    await sendJson(200, "/api/blogs", { as: as(secret), bindings: { DB: db } });
    expect(ran.map(({ text }) => text.split(" ")[0])).toEqual(["select", "select"]);
  });

  it("notes one of two uses that find it due at the same time", async () => {
    const { _id } = await issue();
    const [first, second] = [new Date("2026-11-20T10:00:00.000Z"), new Date("2026-11-20T10:00:30.000Z")];
    await touchCredential(env.DB, _id, first);
    await touchCredential(env.DB, _id, second);
    const row = await env.DB.prepare("select last_used_time from credentials where id = ?").bind(_id).first();
    expect(row).toEqual({ last_used_time: first.toISOString() });
  });

  it("does not note a use that it was refused", async () => {
    const { _id, secret } = await issue({ expirationTime: "2999-01-01T00:00:00.000Z" });
    await setColumn("expiration_time", _id, secondsAgo(1));
    await send("/api/blogs", { as: as(secret), headers: elsewhere() });
    const row = await env.DB.prepare("select last_used_time from credentials where id = ?").bind(_id).first();
    expect(row).toEqual({ last_used_time: null });
  });
});

describe("an operator token that revokes itself", () => {
  it("is answered, and dead afterwards", async () => {
    const { _id, secret } = await issueToken(operator());
    const as = { operatorToken: secret };
    await sendJson(200, `/api/accesstokens/${_id}`, { as, method: "DELETE" });
    await isDead(as);
  });
});

describe("one kind's endpoint", () => {
  it("does not revoke the other kind", async () => {
    const [key, token] = [await issueKey(operator(), []), await issueToken(operator())];
    await storingNothing(async () => {
      await refusalOf(await send(`/api/accesstokens/${key._id}`, { as: operator(), method: "DELETE" }), "not_found");
      await refusalOf(await send(`/api/apikeys/${token._id}`, { as: operator(), method: "DELETE" }), "not_found");
    });
  });

  it("never shows a secret or its hash again", async () => {
    const [key, token] = [await issueKey(operator(), []), await issueToken(operator())];
    for (const path of ["/api/apikeys", "/api/accesstokens", "/api/audit"]) {
      const text = await (await send(path, { as: operator() })).text();
      expect(text).not.toContain(key.secret.slice(0, -4));
      expect(text).not.toContain(token.secret.slice(0, -4));
      expect(text).not.toMatch(/[0-9a-f]{64}/);
    }
  });
});
