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

const head = (line: string, ...headers: readonly string[]) =>
  `${[line, `Host: ${host}`, ...headers].join("\r\n")}\r\n\r\n`;
const refused = (length: number) =>
  head(
    "POST /api/articles HTTP/1.1",
    `Authorization: Basic ${btoa(`${local.readOnlyKey}:`)}`,
    "Content-Type: application/json",
    `Content-Length: ${length}`,
  );
const BODY = JSON.stringify({ title: "Refused" });
const NEXT = head("GET /healthz HTTP/1.1");

it("serves the next request", async () => {
  expect(await onOneConnection(`${refused(BODY.length)}${BODY}`, NEXT)).toEqual(["403", "200"]);
});

it.each([
  ["does not come", 10],
  ["is large", 1_000_000_000],
])("gets the refusal where the body %s", async (_, length) => {
  expect(await onOneConnection(refused(length))).toEqual(["403"]);
});
