/** A local run before clients that leave in the middle of a request, as browsers do. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { sharedRun } from "./shared.ts";

const { local } = await sharedRun();

/** Begins an upload, and cuts the connection after so many milliseconds. */
async function leaveAnUpload(after: number): Promise<void> {
  const { host, hostname, port } = new URL(local.baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const credential = `Authorization: Basic ${btoa(`${local.apiKey}:`)}`;
  const head = ["POST /api/blogs HTTP/1.1", `Host: ${host}`, credential, "Content-Type: application/json"];
  socket.write(`${[...head, "Content-Length: 100000"].join("\r\n")}\r\n\r\n{"name":`);
  await sleep(after);
  socket.resetAndDestroy();
}

it("goes on answering everybody else", async () => {
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 20 }, (_, index) => leaveAnUpload(index * 3)));
    expect((await fetch(`${local.baseUrl}/healthz`)).status).toBe(200);
  }
});
