/** A connection that a client keeps, when the service refuses a request without reading its body. */
import { connect } from "node:net";
import { expect, it, vi } from "vitest";
import { sharedRun } from "./shared.ts";

/** In milliseconds. */
const POLL = { timeout: 30_000, interval: 20 };

const { local } = await sharedRun();
const { host, hostname, port } = new URL(local.baseUrl);

/** Sends the requests on one connection, each once the one before it was answered. Returns the statuses of the answers. */
async function onOneConnection(...requests: readonly string[]): Promise<string[]> {
  const socket = connect(Number(port), hostname).setEncoding("utf8");
  let arrived = "";
  socket.on("data", (text: string) => (arrived += text));
  const statuses = () => [...arrived.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status ?? "");
  for (const [sent, request] of requests.entries()) {
    socket.write(request);
    await vi.waitFor(() => expect(statuses()).toHaveLength(sent + 1), POLL);
  }
  socket.destroy();
  return statuses();
}

type Asked = { readonly line: string; readonly key?: string; readonly type?: string };

/** Returns the head of a request with such a body, or with one in pieces. */
const head = ({ line, key, type = "application/json" }: Asked, length: number | "chunked") =>
  [
    `${line} HTTP/1.1`,
    `Host: ${host}`,
    ...(key === undefined ? [] : [`Authorization: Basic ${btoa(`${key}:`)}`]),
    `Content-Type: ${type}`,
    length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`,
    "\r\n",
  ].join("\r\n");

const NEXT = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
const FORM = "application/x-www-form-urlencoded";
const UNSCOPED = { line: "POST /api/articles", key: local.readOnlyKey };
const KIB = 1024;

it.each<Asked & { readonly status: string; readonly bytes?: number }>([
  { status: "401", line: "POST /api/articles" },
  { status: "403", ...UNSCOPED },
  { status: "404", line: "POST /api/nothing" },
  { status: "405", line: "PATCH /api/blogs" },
  { status: "413", line: "POST /api/articles", key: local.apiKey, bytes: 2200 * KIB },
  { status: "415", line: "POST /api/media", key: local.apiKey, type: "text/plain" },
  { status: "401", line: "POST /mcp" },
  { status: "403", line: "POST /console/sign-in", type: FORM },
  { status: "413", line: "POST /oauth/token", type: FORM },
  { status: "405", line: "PUT /field-notes" },
])(
  "serves the next request after a large body that was refused (contract 2.2): $status $line",
  async ({ status, bytes = 300 * KIB, ...asked }) => {
    const text = "a".repeat(bytes);
    const chunks = `${bytes.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
    const requests = [`${head(asked, bytes)}${text}`, NEXT, `${head(asked, "chunked")}${chunks}`, NEXT];
    expect(await onOneConnection(...requests)).toEqual([status, "200", status, "200"]);
  },
);

it.each([
  ["does not come", 10],
  ["is large", 1_000_000_000],
])("gets the refusal where the body %s", async (_, length) => {
  expect(await onOneConnection(head(UNSCOPED, length))).toEqual(["403"]);
});
