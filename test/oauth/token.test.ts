import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { disconnect } from "../../src/store/access/system-oauth-connections.ts";
import { authorized, connect, exchange, type Tokens } from "../helpers/connected.ts";
import { send } from "../helpers/requests.ts";
import { asked, connectionOf, endingsOf } from "./connections.ts";

const blogs = (token: string) => send("/api/articles?blogId=x", { headers: { Authorization: `Bearer ${token}` } });

const works = async (token: string) => (await blogs(token)).status !== 401;

const refresh = (clientId: string, token: string, more: Record<string, string> = {}) =>
  exchange({ grant_type: "refresh_token", refresh_token: token, client_id: clientId, ...more });

const errorOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: string };
  return `${response.status} ${error}`;
};

/** Moves the times of a connection's refresh tokens back. */
const aMinuteLater = (connectionId: string) =>
  env.DB.prepare(
    "update oauth_records set value = json_set(value, '$.time', value ->> '$.time' - 61000) where key like ?",
  )
    .bind(`used:${connectionId}:%`)
    .run();

/** Moves the end of a connection's grant, and so of its refresh token, back by days. */
const daysLater = (connectionId: string, days: number) =>
  env.DB.prepare(
    `update oauth_records set expiration_time = expiration_time - ?1,
       value = json_set(value, '$.expiresAt', value ->> '$.expiresAt' - ?1) where key like ?2`,
  )
    .bind(days * 86_400, `grant:${connectionId}:%`)
    .run();

/** The database of a request during which, between its look at a record and its write, another one is answered. */
function raced(rival: () => Promise<void>): D1Database {
  let begun = false;
  return {
    prepare(text: string) {
      const statement = env.DB.prepare(text);
      if (begun || !text.startsWith('update "oauth_records"')) return statement;
      begun = true;
      return {
        bind(...values: unknown[]) {
          const after = <T>(answer: (bound: D1PreparedStatement) => T) =>
            rival().then(() => answer(statement.bind(...values)));
          return { all: () => after((bound) => bound.all()), raw: () => after((bound) => bound.raw()) };
        },
      };
    },
  } as unknown as D1Database;
}

describe("an authorization code", () => {
  it("is exchanged once: whoever brings it again ends the connection", async () => {
    const { clientId, code } = await authorized(await asked());
    const form = { grant_type: "authorization_code", code, client_id: clientId };
    const tokens = (await (await exchange(form)).json()) as Tokens;
    expect(await works(tokens.access_token)).toBe(true);
    expect(await errorOf(await exchange(form))).toBe("400 invalid_grant");
    expect(await works(tokens.access_token)).toBe(false);
    expect(await errorOf(await refresh(clientId, tokens.refresh_token))).toBe("400 invalid_grant");
  });

  it("is the first one's where two look at it at the same moment, and ends nothing for them", async () => {
    const { clientId, code } = await authorized(await asked());
    const form = { grant_type: "authorization_code", code, client_id: clientId };
    const rivals: Tokens[] = [];
    const DB = raced(async () => void rivals.push(await (await exchange(form)).json<Tokens>()));
    expect(await errorOf(await exchange(form, {}, { DB }))).toBe("400 invalid_grant");
    expect(await works(rivals[0]?.access_token ?? "")).toBe(true);
  });

  it("is exchanged once also where several try at the same moment", async () => {
    const { clientId, code } = await authorized(await asked());
    const form = { grant_type: "authorization_code", code, client_id: clientId };
    const responses = await Promise.all(Array.from({ length: 5 }, () => exchange(form)));
    const errors = await Promise.all(responses.filter(({ status }) => status !== 200).map(errorOf));
    expect(errors).toHaveLength(4);
    expect(new Set(errors)).toEqual(new Set(["400 invalid_grant"]));
  });

  it.each([
    ["the verifier is wrong", { code_verifier: "another-verifier-of-at-least-forty-three-chars" }, "400 invalid_grant"],
    ["the redirect URI is another", { redirect_uri: "https://client.example/other" }, "400 invalid_grant"],
    ["the client is another", { client_id: "edgepress-cli" }, "400 invalid_grant"],
    ["the client is unknown", { client_id: "nobody" }, "401 invalid_client"],
    ["the resource is the other one", { resource: "https://edgepress.test/mcp" }, "400 invalid_target"],
    ["it is no code", { code: "a" }, "400 invalid_grant"],
    ["the grant is unknown", { grant_type: "password" }, "400 unsupported_grant_type"],
  ])("is refused where %s", async (_, change, expected) => {
    const { clientId, code } = await authorized(await asked());
    const response = await exchange({ grant_type: "authorization_code", code, client_id: clientId, ...change });
    expect(await errorOf(response)).toBe(expected);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  });

  it("is worth nothing once its person is no member any more", async () => {
    const connecting = await asked();
    const { clientId, code } = await authorized(connecting);
    await env.DB.prepare("delete from members where user_id = ?").bind(connecting.userId).run();
    const response = await exchange({ grant_type: "authorization_code", code, client_id: clientId });
    expect(await errorOf(response)).toBe("400 invalid_grant");
  });

  it("carries no scope that the role has lost meanwhile", async () => {
    const connecting = await asked();
    const { clientId, code } = await authorized(connecting);
    await env.DB.prepare("update members set role = 'reader' where user_id = ?").bind(connecting.userId).run();
    const response = await exchange({ grant_type: "authorization_code", code, client_id: clientId });
    expect(((await response.json()) as Tokens).scope).toBe("articles:read");
  });
});

describe("contract 10.10: a refresh token", () => {
  it("is rotated; the one before works until the new one was used, as answers get lost", async () => {
    const { clientId, refresh_token: first } = await connect(await asked());
    const second = (await (await refresh(clientId, first)).json()) as Tokens;
    expect(second.refresh_token).not.toBe(first);
    const third = (await (await refresh(clientId, first)).json()) as Tokens;
    expect(await works(third.access_token)).toBe(true);
  });

  it("ends the connection where it is used after its time", async () => {
    const { clientId, refresh_token: first, connectionId } = await connect(await asked());
    const second = (await (await refresh(clientId, first)).json()) as Tokens;
    const third = (await (await refresh(clientId, second.refresh_token)).json()) as Tokens;
    // Within a minute of its replacement, a process or a retry may be late.
    expect(await errorOf(await refresh(clientId, first))).toBe("400 invalid_grant");
    expect(await works(third.access_token)).toBe(true);
    await aMinuteLater(connectionId);
    expect(await errorOf(await refresh(clientId, first))).toBe("400 invalid_grant");
    expect(await works(third.access_token)).toBe(false);
    expect(await errorOf(await refresh(clientId, third.refresh_token))).toBe("400 invalid_grant");
    expect((await connectionOf(connectionId))?.["disconnect_time"]).not.toBeNull();
  });

  it("ends nothing where it was never one", async () => {
    const { clientId, access_token, refresh_token } = await connect(await asked());
    const [connectionId, grantId] = refresh_token.split(":");
    expect(await errorOf(await refresh(clientId, `${connectionId}:${grantId}:guess`))).toBe("400 invalid_grant");
    expect(await works(access_token)).toBe(true);
  });

  it("is exchanged by all of several at the same moment, and nobody is thrown out", async () => {
    const { clientId, refresh_token, connectionId } = await connect(await asked());
    const responses = await Promise.all(Array.from({ length: 5 }, () => refresh(clientId, refresh_token)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const all = await Promise.all(responses.map((response) => response.json() as Promise<Tokens>));
    for (const { access_token } of all) expect(await works(access_token)).toBe(true);
    // The connection goes on with the token that was issued last; trying the others ends nothing.
    const again = [];
    for (const tokens of all) again.push((await refresh(clientId, tokens.refresh_token)).status);
    expect(again.filter((status) => status === 200)).toHaveLength(1);
    for (const { access_token } of all) expect(await works(access_token)).toBe(true);
    expect((await connectionOf(connectionId))?.["disconnect_time"]).toBeNull();
  });

  it("ends the connection where two go on with it, long after each other", async () => {
    const { clientId, refresh_token: stolen, connectionId } = await connect(await asked());
    const own = (await (await refresh(clientId, stolen)).json()) as Tokens;
    await aMinuteLater(connectionId);
    const thief = (await (await refresh(clientId, stolen)).json()) as Tokens;
    expect(await works(thief.access_token)).toBe(true);
    expect(await errorOf(await refresh(clientId, own.refresh_token))).toBe("400 invalid_grant");
    expect(await works(thief.access_token)).toBe(false);
  });

  it("ends nothing, however late, where a repetition replaced it within a minute: two processes may do so", async () => {
    const { clientId, refresh_token: first, connectionId } = await connect(await asked());
    const replaced = (await (await refresh(clientId, first)).json()) as Tokens;
    const kept = (await (await refresh(clientId, first)).json()) as Tokens;
    await aMinuteLater(connectionId);
    expect(await errorOf(await refresh(clientId, replaced.refresh_token))).toBe("400 invalid_grant");
    expect(await works(kept.access_token)).toBe(true);
    expect((await refresh(clientId, kept.refresh_token)).status).toBe(200);
    expect(await errorOf(await refresh(clientId, replaced.refresh_token))).toBe("400 invalid_grant");
    expect((await connectionOf(connectionId))?.["disconnect_time"]).toBeNull();
  });

  it("is not used again and again by repeating it within each minute", async () => {
    const { clientId, refresh_token: first, connectionId } = await connect(await asked());
    await refresh(clientId, first);
    const lost = (await (await refresh(clientId, first)).json()) as Tokens;
    await aMinuteLater(connectionId);
    await refresh(clientId, first);
    expect(await errorOf(await refresh(clientId, lost.refresh_token))).toBe("400 invalid_grant");
    expect((await connectionOf(connectionId))?.["disconnect_time"]).not.toBeNull();
  });

  it("gives fewer scopes on request, and never more", async () => {
    const { clientId, refresh_token } = await connect(await asked());
    const fewer = (await (await refresh(clientId, refresh_token, { scope: "articles:read" })).json()) as Tokens;
    expect(fewer.scope).toBe("articles:read");
    const more = await refresh(clientId, fewer.refresh_token, { scope: "contacts:read" });
    expect(await errorOf(more)).toBe("400 invalid_scope");
  });

  it("works until it was not used for 30 days", async () => {
    const { clientId, refresh_token: first, connectionId } = await connect(await asked());
    await daysLater(connectionId, 29);
    const second = (await (await refresh(clientId, first)).json()) as Tokens;
    await daysLater(connectionId, 29);
    const third = (await (await refresh(clientId, second.refresh_token)).json()) as Tokens;
    expect(await works(third.access_token)).toBe(true);
    await daysLater(connectionId, 30);
    expect(await errorOf(await refresh(clientId, third.refresh_token))).toBe("400 invalid_grant");
  });

  it("is refused once its person was removed", async () => {
    const connecting = await asked();
    const { clientId, refresh_token, connectionId } = await connect(connecting);
    await env.DB.prepare("delete from members where user_id = ?").bind(connecting.userId).run();
    expect(await errorOf(await refresh(clientId, refresh_token))).toBe("400 invalid_grant");
    expect((await connectionOf(connectionId))?.["disconnect_time"]).not.toBeNull();
  });

  it("is refused once its person disconnected the application", async () => {
    const { userId, ...connecting } = await asked();
    const { clientId, refresh_token, connectionId: id } = await connect({ userId, ...connecting });
    const actor = { kind: "user", id: userId } as const;
    expect(await disconnect({ db: env.DB, records: env.DB, id, actor, requestId: "test", now: new Date() })).toBe(true);
    expect(await errorOf(await refresh(clientId, refresh_token))).toBe("400 invalid_grant");
    expect(await endingsOf(id)).toEqual([{ actor_kind: "user", actor_id: userId }]);
  });
});

describe("revocation (RFC 7009)", () => {
  const revoke = (clientId: string, token: string, more: Record<string, string> = {}) =>
    exchange({ token, client_id: clientId, ...more });

  it("of the refresh token ends the connection, which its person sees", async () => {
    const { clientId, refresh_token, access_token, connectionId } = await connect(await asked());
    expect((await revoke(clientId, refresh_token, { token_type_hint: "refresh_token" })).status).toBe(200);
    expect(await works(access_token)).toBe(false);
    expect((await connectionOf(connectionId))?.["disconnect_time"]).not.toBeNull();
    expect(await endingsOf(connectionId)).toEqual([{ actor_kind: "app", actor_id: connectionId }]);
  });

  it("of an access token ends that token", async () => {
    const { clientId, refresh_token, access_token } = await connect(await asked());
    expect((await revoke(clientId, access_token)).status).toBe(200);
    expect(await works(access_token)).toBe(false);
    expect((await refresh(clientId, refresh_token)).status).toBe(200);
  });

  it("by another client revokes nothing, and says nothing", async () => {
    const { access_token, refresh_token } = await connect(await asked());
    expect((await revoke("edgepress-cli", refresh_token)).status).toBe(200);
    expect((await revoke("edgepress-cli", "unknown:token:here")).status).toBe(200);
    expect(await works(access_token)).toBe(true);
  });
});
