/** `npm start` where the Worker fails: an error that it did not expect, and the end of its process. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { executeLocally } from "../../scripts/lib/local-database.ts";
import { cleanUp, newState, start } from "./local-run.ts";

const state = newState();
const run = await start(state);
const local = await run.ready();

afterAll(cleanUp);

/** How long it may take until something is written, or workerd is there again, in milliseconds. */
const POLL = { timeout: 30_000, interval: 100 };

const topics = (key = local.apiKey) =>
  fetch(`${local.baseUrl}/api/topics?blogId=${local.blogId}`, {
    headers: { Authorization: `Basic ${btoa(`${key}:`)}` },
  });

it("logs an unexpected error with the places in the source, and shows it", async () => {
  executeLocally(state, "ALTER TABLE topics RENAME TO missing_topics;");
  // A key that the Worker has not seen yet: for others, the stack ends in D1's own code.
  expect((await topics(local.readOnlyKey)).status).toBe(503);
  executeLocally(state, "ALTER TABLE missing_topics RENAME TO topics;");
  const place = /no such table: topics.*\(src\/store\/topics\/topics\.ts:\d+:\d+\)/;
  await vi.waitFor(() => expect(readFileSync(path.join(state, "edgepress.log"), "utf8")).toMatch(place), POLL);
  expect(run.output()).toMatch(place);
});

it("answers again when workerd was killed, with all it had", async () => {
  const before = await (await topics()).json();
  const processes = execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" }).split("\n");
  const workerd = processes.find((line) => line.includes(`--socket-addr=entry=127.0.0.1:${run.port}`));
  process.kill(Number.parseInt(workerd ?? "", 10), "SIGKILL");
  await vi.waitFor(async () => expect((await fetch(`${local.baseUrl}/healthz`)).status).toBe(200), POLL);
  expect(await (await topics()).json()).toEqual(before);
});
