/** Runs of `npm start` under test, from outside. */
import { execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import * as z from "zod";

export const ROOT = path.resolve(import.meta.dirname, "../..");
export const NODE = path.join(ROOT, "node_modules/.bin/node");
/** The last line of the banner; deliveries follow it. */
export const LAST_LINE = "Webhook deliveries and mails:";
/** For what a slow machine may take its time for. */
export const WAIT = { timeout: 180_000, interval: 50 };

const localFile = z.strictObject({
  baseUrl: z.string(),
  blogId: z.string(),
  apiKey: z.string(),
  readOnlyKey: z.string(),
  operatorToken: z.string(),
  email: z.string(),
  password: z.string(),
  feedUrl: z.string(),
  model: z.string(),
});

export type Local = z.infer<typeof localFile>;

export type Run = Awaited<ReturnType<typeof start>>;

/** A start in a process group of its own, on a free port; `settings` are those of docs/deploy.md. */
export const start = (state: string, port?: number, settings: Readonly<Record<string, string>> = {}) =>
  launch(state, { port, settings });

/** As `start`, by `npm run dev`. */
export const startDev = (state: string) => launch(state, { args: ["--reload"] });

type Launch = {
  readonly port?: number | undefined;
  readonly settings?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
};

async function launch(state: string, { port, settings, args = [] }: Launch) {
  const chosen = port ?? (await freePort());
  const child = spawn(NODE, ["--disable-warning=ExperimentalWarning", "scripts/start.ts", ...args], {
    cwd: ROOT,
    env: { ...environment(state), ...settings, PORT: String(chosen) },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  const run = {
    port: chosen,
    baseUrl: `http://127.0.0.1:${chosen}`,
    exited,
    output: () => output,
    /** Resolves once everything is there, to what local.json says. */
    async ready() {
      const ended = exited.then((code) => Promise.reject(new Error(`ended with ${code}:\n${output}`)));
      await Promise.race([
        ended,
        until(
          () => output.includes(LAST_LINE),
          () => `the start is not complete:\n${output}`,
        ),
      ]);
      await until(
        async () => (await fetch(`${run.baseUrl}/healthz`)).ok,
        () => "it is not healthy",
      );
      return localFile.parse(JSON.parse(readFileSync(path.join(state, "local.json"), "utf8")));
    },
    stop(): Promise<number | null> {
      child.kill("SIGTERM");
      return exited;
    },
    killGroup(): Promise<number | null> {
      const runs = child.exitCode === null && child.signalCode === null;
      if (runs && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      return exited;
    },
  };
  started.push(run);
  return run;
}

const started: { killGroup(): Promise<unknown> }[] = [];
const folders: string[] = [];

/** With a space in its name: paths have to survive that. */
export function newState(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "edgepress first run-"));
  folders.push(folder);
  return folder;
}

/** Nothing of the test's own environment but what is needed; and where Node keeps what it has compiled of wrangler. */
export const environment = (state: string) => ({
  PATH: process.env["PATH"],
  HOME: process.env["HOME"],
  EDGEPRESS_STATE: state,
  NODE_COMPILE_CACHE: path.join(ROOT, "node_modules/.cache/compiled"),
});

/** The command lines of everything that runs on a state folder. */
export async function processesOn(state: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "args"]);
  return stdout.split("\n").filter((line) => line.includes(state));
}

/** A subscriber's server, which keeps what it was sent. */
export async function receive() {
  const received: { kind: string; signature: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString("utf8");
    const { "x-service-event": kind, "x-service-signature": signature } = request.headers;
    received.push({ kind: String(kind), signature: String(signature), body });
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}

const closers: (() => void)[] = [];

/** Ends everything that was started, and removes what it left on the disk. */
export async function cleanUp(): Promise<void> {
  for (const close of closers) close();
  await Promise.all(started.map((run) => run.killGroup()));
  for (const folder of folders) {
    await until(
      async () => (await processesOn(folder)).length === 0,
      () => `processes are left in ${folder}`,
    );
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits for something. Not by `vi`: a global setup may not use it. */
async function until(holds: () => boolean | Promise<boolean>, otherwise: () => string): Promise<void> {
  const limit = Date.now() + WAIT.timeout;
  while (!(await holds())) {
    if (Date.now() > limit) throw new Error(otherwise());
    await sleep(WAIT.interval);
  }
}

/**
 * A free port below those that systems give to whoever asks for any: none of the many connections of a test run takes
 * it before its program does, nor between two starts on it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await once(server.close(), "close");
    return port;
  }
}
