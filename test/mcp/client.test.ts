/** The official client, in both eras; and what the protocol asks of any server. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { newWorld, type World } from "../helpers/operations.ts";
import { answer, fetchDirectly, messagesOf, MCP_ORIGIN, post, request } from "../helpers/mcp.ts";
import { connected } from "../helpers/mcp-connected.ts";
import { TOOL_NAMES, validCalls } from "../helpers/mcp-tools.ts";
import { sample } from "../helpers/sample.ts";

let world: World;
let token: string;
beforeAll(async () => {
  world = await newWorld();
  token = await connected(world.tenant);
});

const transport = (): StreamableHTTPClientTransport =>
  new StreamableHTTPClientTransport(new URL("/mcp", MCP_ORIGIN), {
    fetch: fetchDirectly,
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });

const MODES = [
  ["auto", { mode: "auto" }],
  ["2026-07-28", { mode: { pin: "2026-07-28" } }],
  ["2025-11-25", { mode: "legacy" }],
] as const;

describe.each(sample(MODES, 0, 1))("the official client (%s)", (_, versionNegotiation) => {
  it("calls every tool; every result fits its schema", async () => {
    // Some calls use up what they are about, such as a working copy.
    world = await newWorld();
    token = await connected(world.tenant);
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation });
    await client.connect(transport());
    expect(client.getServerVersion()).toMatchObject({ name: "edgepress" });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(TOOL_NAMES.toSorted());
    for (const name of TOOL_NAMES.filter((each) => each !== "delete_article")) {
      const result = await client.callTool({ name, arguments: validCalls[name](world) });
      expect(result.isError, JSON.stringify(result)).toBeFalsy();
    }
    expect((await client.listResources()).resources.length).toBeGreaterThan(0);
    expect((await client.listPrompts()).prompts).toHaveLength(2);
    await client.close();
  });
});

describe("the protocol", () => {
  it("the hints, a title and the schema of its input stand on every tool, and all tools fit into 30 KB", async () => {
    const { tools } = await answer<{ tools: Record<string, unknown>[] }>("tools/list", {}, { token });
    for (const tool of tools) {
      const { idempotentHint: _, ...hints } = tool["annotations"] as Record<string, boolean>;
      expect(Object.keys(hints).toSorted()).toEqual(["destructiveHint", "openWorldHint", "readOnlyHint"]);
      expect(tool).toMatchObject({
        title: expect.any(String),
        description: expect.any(String),
        inputSchema: { type: "object", additionalProperties: false },
      });
      expect(JSON.stringify(tool)).not.toContain("$ref");
    }
    // A model reads them before its first call, some 7,500 tokens.
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(30_000);
  });

  it("a listener is let go at once: nothing is told that it could wait for", async () => {
    const notifications = { toolsListChanged: true, resourcesListChanged: true };
    const response = await post("subscriptions/listen", { notifications }, { token });
    const messages = await messagesOf(response);
    expect(messages[0]).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: {} },
    });
    expect(messages.at(-1)?.result).toBeDefined();
  });

  it.each(["ping", "initialize"])("%s is of the 2025 revisions only", async (method) => {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    expect((await request(method, params, { token, era: "2025-11-25" })).result).toBeDefined();
    expect((await request(method, params, { token })).error?.code).toBe(-32601);
  });

  it("an unknown method, tool or revision is the protocol's error", async () => {
    expect((await request("tools/nope", {}, { token })).error?.code).toBe(-32601);
    for (const name of ["nope", "toString", "__proto__", "constructor"]) {
      expect((await request("tools/call", { name, arguments: {} }, { token })).error?.code, name).toBe(-32602);
    }
    expect((await request("tools/call", { arguments: {} }, { token })).error?.code).toBe(-32602);
    expect((await request("tools/call", { name: "list_blogs", arguments: [] }, { token })).error?.code).toBe(-32602);
  });

  it("arguments that are no use are refused with what is wrong, and cannot reach a prototype", async () => {
    for (const given of [{ __proto__: { published: true }, x: 1 }, { title: null }, { title: ["x"] }, { title: {} }]) {
      const { result } = await request("tools/call", { name: "create_article", arguments: given }, { token });
      expect(result).toMatchObject({ isError: true, structuredContent: { code: "invalid_request" } });
    }
  });
});
