import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../../packages/client/src/index.ts";
import { withTimeout } from "../../src/lib/within.ts";
import { Failure } from "./failure.ts";
import type { Local, State } from "./state.ts";

const DEFAULT_PORT = 8787;
/** Milliseconds to wait for the port: a run that was just stopped may still hold it. */
const PATIENCE_MS = 2000;

/** Parses the variable PORT. Throws a `Failure` if it is invalid. */
export function parsePort(text: string | undefined): number {
  if (text === undefined || text === "") return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new Failure(`PORT is "${text}"; it has to be a number from 1 to 65535.`);
  return port;
}

/** Throws a `Failure` if the port cannot be used for PATIENCE_MS, or if a service keeps using the state folder. */
export async function requireFree(port: number, state: State): Promise<void> {
  const limit = Date.now() + PATIENCE_MS;
  for (;;) {
    const problem = await findProblem(port, state);
    if (problem === null) return;
    if (Date.now() > limit) throw new Failure(problem);
    await sleep(100);
  }
}

/** Returns the message for the user, or null if the port and the state folder are free. */
async function findProblem(port: number, state: State): Promise<string | null> {
  const local = state.local();
  if (local !== null && (await isServed(local))) {
    return `Edgepress already runs at ${local.baseUrl} with the state in ${state.folder}. Stop it first, or name another folder: EDGEPRESS_STATE=…`;
  }
  switch (await tryListen(port)) {
    case null:
      return null;
    case "EADDRINUSE":
      return `Port ${port} is in use. Stop the program that uses it, or choose another port, such as: PORT=${port === 8790 ? 8800 : 8790} npm start`;
    case "EACCES":
      return `Port ${port} is not allowed for this user. Choose one above 1023, such as: PORT=8790 npm start`;
    default:
      return `Port ${port} cannot be used on 127.0.0.1.`;
  }
}

/** Returns true if a service uses this database. No other service accepts the database's API key. */
async function isServed({ baseUrl, apiKey }: Local): Promise<boolean> {
  const answer = createClient({ url: baseUrl, apiKey, retries: 0 })
    .request("GET /api/blogs")
    .then(
      () => true,
      () => false,
    );
  // A timeout of the client alone is not enough (ask.ts).
  return (await withTimeout(1000, answer)) ?? false;
}

/** Returns the error code of an attempt to listen on the port, or null if it succeeds. */
function tryListen(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "unknown"));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(null)));
  });
}
