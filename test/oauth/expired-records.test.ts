import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { removeExpiredRecords } from "../../src/store/access/system-oauth-connections.ts";
import { authorized, connect } from "../helpers/connected.ts";
import { asked, connectionOf, endingsOf } from "./connections.ts";

describe("records that have expired", () => {
  it("are purged, and a connection ends with its grant", async () => {
    const { connectionId } = await connect(await asked());
    const { code } = await authorized(await asked());
    const [unused = ""] = code.split(":");
    await removeExpiredRecords(env.DB, new Date(Date.now() + 11 * 60_000));
    expect((await connectionOf(unused))?.["disconnect_time"]).not.toBeNull();
    expect(await endingsOf(unused)).toEqual([{ actor_kind: "app", actor_id: unused }]);
    expect((await connectionOf(connectionId))?.["disconnect_time"]).toBeNull();
    expect(await endingsOf(connectionId)).toEqual([]);
    await removeExpiredRecords(env.DB, new Date(Date.now() + 31 * 86_400_000));
    expect((await connectionOf(connectionId))?.["disconnect_time"]).not.toBeNull();
    expect(await endingsOf(connectionId)).toEqual([{ actor_kind: "app", actor_id: connectionId }]);
    const left = await env.DB.prepare("select count(*) as n from oauth_records where key like ?")
      .bind(`%${connectionId}%`)
      .first("n");
    expect(left).toBe(0);
  });

  it("end a connection that never got a grant, as where the service stopped in between", async () => {
    const { code } = await authorized(await asked());
    const [connectionId = ""] = code.split(":");
    await env.DB.prepare("delete from oauth_records where key like ?").bind(`grant:${connectionId}:%`).run();
    await removeExpiredRecords(env.DB, new Date(Date.now() + 9 * 60_000));
    expect((await connectionOf(connectionId))?.["disconnect_time"]).toBeNull();
    await removeExpiredRecords(env.DB, new Date(Date.now() + 12 * 60_000));
    expect((await connectionOf(connectionId))?.["disconnect_time"]).not.toBeNull();
    expect(await endingsOf(connectionId)).toHaveLength(1);
  });
});
