/** Applications that are connected to /mcp, and calls of tools. */
import { MCP_SCOPES, type Role, type Scope } from "../../src/domain/principal.ts";
import { connectApp } from "./connected.ts";
import { request, type McpSend, type Message } from "./mcp.ts";
import { newMember } from "./people.ts";
import type { Tenant } from "./tenant.ts";

/** Connects an application of a new member of an organization. Returns its access token. */
export async function connected(
  { organizationId }: Pick<Tenant, "organizationId">,
  { scopes = MCP_SCOPES, role = "owner", ...more }: { scopes?: readonly Scope[]; role?: Role; blogId?: string } = {},
): Promise<string> {
  const { userId } = await newMember(organizationId, role);
  return connectApp({ userId, organizationId, scopes, resource: "/mcp", role, ...more });
}

export type ToolResult<T = Record<string, unknown>> = {
  readonly isError?: boolean;
  readonly content: readonly { type: string; text: string }[];
  readonly structuredContent: T;
};

/** Returns what a result of a tool says as JSON, in its last text. */
export const textOf = (message: Pick<Message, "result"> | undefined): unknown =>
  JSON.parse((message?.result as Partial<ToolResult> | undefined)?.content?.at(-1)?.text ?? "null");

/** Calls a tool and returns its result, also if the tool failed. What it says as JSON is `structuredContent`. */
export async function call<T = Record<string, unknown>>(
  token: string,
  name: string,
  input: object = {},
  options: McpSend = {},
): Promise<ToolResult<T>> {
  const { result, error } = await request("tools/call", { name, arguments: input }, { token, ...options });
  if (result === undefined) throw new Error(`${name}: ${JSON.stringify(error)}`);
  return { ...(result as unknown as ToolResult<T>), structuredContent: textOf({ result }) as T };
}

/** Calls a tool and returns its structured content. Throws if the tool failed. */
export async function succeed<T = Record<string, unknown>>(
  token: string,
  name: string,
  input: object = {},
  options: McpSend = {},
): Promise<T> {
  const { isError, structuredContent } = await call<T>(token, name, input, options);
  if (isError) throw new Error(`${name}: ${JSON.stringify(structuredContent)}`);
  return structuredContent;
}

export type Failure = {
  readonly code: string;
  readonly detail: string;
  readonly next: string;
  readonly errors?: readonly { path: string; message: string }[];
  readonly retryAfter?: number;
  readonly requestId: string;
};

/** Calls a tool that must fail, and returns its error. Throws if the tool succeeded. */
export async function fail(token: string, name: string, input: object = {}, options: McpSend = {}): Promise<Failure> {
  const { isError, structuredContent } = await call<Failure>(token, name, input, options);
  if (isError !== true) throw new Error(`${name}: ${JSON.stringify(structuredContent)}`);
  return structuredContent;
}
