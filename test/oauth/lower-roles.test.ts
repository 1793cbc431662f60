/** Refresh tokens after the role of their person was reduced. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { connect, exchange, type Connecting, type Tokens } from "../helpers/connected.ts";
import { asked, connectionOf, endingsOf } from "./connections.ts";

const refresh = (clientId: string, token: string, more: Record<string, string> = {}) =>
  exchange({ grant_type: "refresh_token", refresh_token: token, client_id: clientId, ...more });

const errorOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: string };
  return `${response.status} ${error}`;
};

describe("a refresh token of a person with a lower role than before (contract 10.9)", () => {
  const demoted = async (scopes: Connecting["scopes"]) => {
    const connecting = await asked({ scopes });
    const connection = await connect(connecting);
    await env.DB.prepare("update members set role = 'reader' where user_id = ?").bind(connecting.userId).run();
    return connection;
  };

  it("gives the scopes that are left, whether all are requested or none is named", async () => {
    const scopes = ["articles:read", "articles:write"] as const;
    const { clientId, refresh_token: first } = await demoted([...scopes]);
    const second = (await (await refresh(clientId, first)).json()) as Tokens;
    expect(second.scope).toBe("articles:read");
    const third = await refresh(clientId, second.refresh_token, { scope: scopes.join(" ") });
    expect(await third.json()).toMatchObject({ scope: "articles:read" });
  });

  it("gives no scope that was not requested; the others can still be had", async () => {
    const { clientId, refresh_token } = await demoted(["articles:read", "articles:write"]);
    const refused = await refresh(clientId, refresh_token, { scope: "articles:write" });
    expect(await errorOf(refused)).toBe("400 invalid_scope");
    expect((await refresh(clientId, refresh_token)).status).toBe(200);
  });

  it("ends the connection if no scope of it is left", async () => {
    const { clientId, refresh_token, connectionId } = await demoted(["articles:write"]);
    expect(await errorOf(await refresh(clientId, refresh_token))).toBe("400 invalid_grant");
    expect((await connectionOf(connectionId))?.["disconnect_time"]).not.toBeNull();
    expect(await endingsOf(connectionId)).toEqual([{ actor_kind: "app", actor_id: connectionId }]);
  });
});
