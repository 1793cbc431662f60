/** `npm run dev` before clients that leave in the middle of a request, as browsers do. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { cleanUp, newState, startDev } from "./local-run.ts";

const local = await (await startDev(newState())).ready();
afterAll(cleanUp);

/** In milliseconds. */
const POLL = { timeout: 30_000, interval: 100 };

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
    // Its proxy may answer once with 500 in place of a connection that is gone.
    await expect.poll(async () => (await fetch(`${local.baseUrl}/healthz`)).status, POLL).toBe(200);
  }
});
