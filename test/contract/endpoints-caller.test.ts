/** Contract 10.12, who calls: GET /api/me, for whoever has credentials. */
import { expect, it } from "vitest";
import { SCOPES } from "../../src/domain/principal.ts";
import { connect } from "../helpers/connected.ts";
import { issueKey, send, sendJson } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";
import { newMember } from "../helpers/people.ts";
import { refusalOf } from "../helpers/refusals.ts";

type Caller = Readonly<Record<string, unknown>>;

it("tells a key its name, its organization and what it may do", async () => {
  const { operatorToken, organizationId, blogId } = await newTenant("Acme");
  const expirationTime = "2999-01-01T00:00:00.000Z";
  const settings = { name: "Static site", blogId, expirationTime };
  const { secret, _id } = await issueKey({ operatorToken }, ["blogs:read", "articles:read"], settings);
  expect(await sendJson<Caller>(200, "/api/me", { as: { apiKey: secret } })).toEqual({
    _id,
    kind: "key",
    name: "Static site",
    organization: { _id: organizationId, name: "Acme" },
    scopes: ["articles:read", "blogs:read"],
    operator: false,
    blogId,
    expirationTime,
  });
});

it("answers a key without any scope, too", async () => {
  const { operatorToken } = await newTenant();
  const { secret } = await issueKey({ operatorToken }, []);
  expect(await sendJson<Caller>(200, "/api/me", { as: { apiKey: secret } })).toMatchObject({
    scopes: [],
    blogId: null,
  });
});

it("tells an operator token that it is one", async () => {
  const { operatorToken } = await newTenant();
  expect(await sendJson<Caller>(200, "/api/me", { as: { operatorToken } })).toMatchObject({
    kind: "operator",
    operator: true,
    scopes: SCOPES,
    expirationTime: null,
  });
});

it("tells an application its name and the scopes that it was granted", async () => {
  const { organizationId } = await newTenant("Acme");
  const { userId } = await newMember(organizationId, "reader");
  const scopes = ["articles:read", "articles:write"] as const;
  const granted = { organizationId, userId, scopes, resource: "/api", role: "reader", clientName: "Editor" } as const;
  const { access_token, connectionId } = await connect(granted);
  const headers = { Authorization: `Bearer ${access_token}` };
  expect(await sendJson<Caller>(200, "/api/me", { headers })).toMatchObject({
    _id: connectionId,
    kind: "app",
    name: "Editor",
    organization: { name: "Acme" },
    // Its person is a reader, and it can do no more than they.
    scopes: ["articles:read"],
    operator: false,
  });
});

it("is for nobody without credentials", async () => {
  await refusalOf(await send("/api/me"), "credentials_missing");
});
