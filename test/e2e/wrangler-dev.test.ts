/** `npx wrangler dev` from outside, in a fresh clone: it has neither a state nor settings. */
import { spawn } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, inject, it, vi } from "vitest";
import * as z from "zod";
import { basic, blogs, get } from "./demo.ts";
import { cleanUp, freePort, newState, processesOn, ROOT, WAIT } from "./local-run.ts";

/**
 * What a clone has, and what programs look for beside themselves. It may build its own scripts, whose parts have other
 * names than those that other runs serve.
 */
const COPIED = ["package.json", "public", "scripts", "wrangler.toml"];
const LINKED = ["docs", "migrations", "node_modules", "packages", "src", "styles", "tsconfig.json"];

function newClone(): string {
  const clone = newState();
  for (const name of COPIED) {
    cpSync(path.join(ROOT, name), path.join(clone, name), { recursive: true, preserveTimestamps: true });
  }
  for (const name of LINKED) symlinkSync(path.join(ROOT, name), path.join(clone, name));
  return clone;
}

/** As a person runs it: Ctrl-C, and so `stop`, is for the whole group. */
async function wranglerDev(clone: string) {
  const port = await freePort();
  const child = spawn("npx", ["wrangler", "dev", "--port", String(port), "--inspector-port", "0"], {
    cwd: clone,
    detached: true,
    env: { PATH: process.env["PATH"], HOME: clone, CI: "1", WRANGLER_SEND_METRICS: "false" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  const stop = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGINT");
    await exited;
    await vi.waitFor(async () => expect(await processesOn(clone)).toEqual([]), WAIT);
  };
  return { baseUrl: `http://127.0.0.1:${port}`, output: () => output, exited, stop };
}

const health = z.object({ lastSweep: z.string() });

afterAll(cleanUp);

// Its state, its settings and its banner are those of `npm start`.
it.runIf(inject("exhaustive"))("serves the demo from a state of its own, says where, and keeps it", async () => {
  const clone = newClone();
  writeFileSync(path.join(clone, ".dev.vars"), "SIGN_UP=closed");
  const first = await wranglerDev(clone);
  await vi.waitFor(() => expect(first.output()).toContain(`Ready on ${first.baseUrl}`), WAIT);
  const [, key = ""] = /curl -u "(epk_\w+):" (\S+)\/api\/blogs/.exec(first.output()) ?? [];
  expect(first.output()).toMatch(/Sign-in +demo@example\.com, password \S+/);
  await vi.waitFor(
    async () => expect(await get(`${first.baseUrl}/api/blogs`, blogs, basic(key))).toHaveLength(2),
    WAIT,
  );
  const resource = await get(
    `${first.baseUrl}/.well-known/oauth-protected-resource`,
    z.object({ resource: z.string() }),
  );
  expect(resource.resource).toBe(`${first.baseUrl}/mcp`);
  // What is set there already stays.
  expect(readFileSync(path.join(clone, ".dev.vars"), "utf8").match(/^SIGN_UP=.*$/gm)).toEqual(["SIGN_UP=closed"]);

  const second = await wranglerDev(clone);
  expect(await second.exited).not.toBe(0);
  expect(second.output()).toContain("Another local run uses the state in");
  const before = await get(`${first.baseUrl}/api/blogs`, blogs, basic(key));
  await first.stop();

  const restarted = new Date().toISOString();
  const third = await wranglerDev(clone);
  await vi.waitFor(() => expect(third.output()).toContain(`Ready on ${third.baseUrl}`), WAIT);
  expect(await get(`${third.baseUrl}/api/blogs`, blogs, basic(key))).toEqual(before);
  // The cron runs, although wrangler has none.
  const swept = async () => (await get(`${third.baseUrl}/healthz`, health)).lastSweep;
  await vi.waitFor(async () => expect((await swept()) > restarted).toBe(true), WAIT);
  await third.stop();
});
