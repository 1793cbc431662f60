/** Sends requests to /mcp as clients do: JSON-RPC over HTTP, in both eras of the protocol. */
import { newAddress } from "./connected.ts";
import { send, type Send } from "./requests.ts";

/** Revisions of the protocol: the one with independent requests, and one that begins with a handshake. */
export const ERAS = ["2026-07-28", "2025-11-25"] as const;
export type Era = (typeof ERAS)[number];

/** The origin at which tests reach /mcp. It is the BASE_URL, whose host a request must have. */
export const MCP_ORIGIN = "https://edgepress.test";

export type Message = {
  readonly jsonrpc: "2.0";
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

export type McpSend = Omit<Send, "as"> & { readonly token?: string; readonly era?: Era };

let serial = 0;

/** Returns one message, and its headers. */
export function messageOf(method: string, params: object, { token, era = "2026-07-28" }: McpSend = {}) {
  const modern = era === "2026-07-28";
  const { name, uri, _meta } = params as { name?: string; uri?: string; _meta?: object };
  const named = name ?? uri;
  const meta = {
    "io.modelcontextprotocol/protocolVersion": era,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
    ..._meta,
  };
  return {
    body: { jsonrpc: "2.0", id: ++serial, method, params: modern ? { ...params, _meta: meta } : params },
    headers: {
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": era,
      ...(modern && { "Mcp-Method": method, ...(named !== undefined && { "Mcp-Name": named }) }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
  };
}

/** Brings the requests of an official client to the Worker. */
export const fetchDirectly: typeof fetch = async (input, init) => {
  const asked = new Request(input as string, init as RequestInit);
  const { pathname, search } = new URL(asked.url);
  return send(pathname + search, {
    method: asked.method,
    headers: Object.fromEntries(asked.headers),
    bindings: { BASE_URL: MCP_ORIGIN } as unknown as Partial<Env>,
    type: null,
    ...(asked.method === "POST" && { body: await asked.text() }),
  });
};

/** Sends one message, from an address of its own: an address may fail to authenticate 20 times a minute. Returns the response. */
export function post(method: string, params: object = {}, options: McpSend = {}): Promise<Response> {
  const { token: _, era: __, headers = {}, bindings, ...rest } = options;
  const message = messageOf(method, params, options);
  return send("/mcp", {
    method: "POST",
    body: message.body,
    headers: { "CF-Connecting-IP": newAddress(), ...message.headers, ...headers },
    bindings: { BASE_URL: MCP_ORIGIN, ...bindings } as Partial<Env>,
    ...rest,
  });
}

/** Returns the messages of a response: one, or those of an event stream. */
export async function messagesOf(response: Response): Promise<Message[]> {
  const text = await response.text();
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) return [JSON.parse(text) as Message];
  return [...text.matchAll(/^data: (.*)$/gm)].flatMap(([, data = ""]) =>
    data === "" ? [] : [JSON.parse(data) as Message],
  );
}

/** Sends a request and returns the last message of its response. */
export async function request(method: string, params: object = {}, options: McpSend = {}): Promise<Message> {
  const response = await post(method, params, options);
  const last = (await messagesOf(response)).at(-1);
  if (last === undefined) throw new Error(`no answer: ${response.status}`);
  return last;
}

/** Sends a request and returns its result. Throws if it failed. */
export async function answer<T = Record<string, unknown>>(
  method: string,
  params: object = {},
  options: McpSend = {},
): Promise<T> {
  const { result, error } = await request(method, params, options);
  if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result as T;
}
