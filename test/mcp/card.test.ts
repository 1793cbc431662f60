/** What describes the server before a client connects. */
import { expect, it } from "vitest";
import { connected } from "../helpers/mcp-connected.ts";
import { answer, MCP_ORIGIN } from "../helpers/mcp.ts";
import { send } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";

type Card = {
  name: string;
  version: string;
  title: string;
  description: string;
  remotes: { url: string; supportedProtocolVersions: string[] }[];
};

const bindings = { BASE_URL: MCP_ORIGIN } as unknown as Partial<Env>;

it("the host's catalog leads to the card, which says what the server says of itself", async () => {
  const catalog = await send("/.well-known/ai-catalog.json", { bindings });
  expect(catalog.headers.get("Content-Type")).toBe("application/ai-catalog+json");
  const { entries } = await catalog.json<{ entries: { identifier: string; type: string; url: string }[] }>();
  const type = "application/mcp-server-card+json";
  const url = `${MCP_ORIGIN}/mcp/server-card`;
  expect(entries).toEqual([{ identifier: "urn:air:edgepress.test:mcp:edgepress", type, url }]);
  const response = await send("/mcp/server-card", { bindings });
  expect(response.headers.get("Content-Type")).toBe(type);
  expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
  const { name, remotes, ...card } = await response.json<Card>();
  expect(name).toBe("test.edgepress/edgepress");
  expect(card.description.length).toBeLessThanOrEqual(100);

  const token = await connected(await newTenant());
  type Discovered = { supportedVersions: string[]; _meta: Record<string, object> };
  const { supportedVersions, _meta } = await answer<Discovered>("server/discover", {}, { token });
  expect(_meta["io.modelcontextprotocol/serverInfo"]).toMatchObject({
    name: "edgepress",
    title: card.title,
    version: card.version,
    description: card.description,
  });
  expect(remotes).toMatchObject([{ url: `${MCP_ORIGIN}/mcp` }]);
  for (const era of remotes[0]?.supportedProtocolVersions ?? []) {
    if (supportedVersions.includes(era)) continue;
    const params = { protocolVersion: era, capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const begun = await answer<{ protocolVersion: string }>("initialize", params, { token, era: "2025-11-25" });
    expect(begun.protocolVersion).toBe(era);
  }
});

it("only reads", async () => {
  expect((await send("/mcp/server-card", { bindings, method: "HEAD" })).status).toBe(200);
  expect((await send("/mcp/server-card", { bindings, method: "OPTIONS" })).status).toBe(204);
  expect((await send("/mcp/server-card", { bindings, method: "POST" })).status).toBe(405);
  expect((await send("/mcp/other", { bindings })).status).toBe(404);
});
