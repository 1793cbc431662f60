/** Runs the Worker's cron, which a local run does not do by itself (wrangler.toml, [triggers]). */
import { setTimeout as sleep } from "node:timers/promises";
import { fetchAnswer } from "./ask.ts";

const MINUTE_MS = 60_000;

/** Long, because `wrangler dev` ends if a client leaves in the middle of a request (survive-lost-connections.ts). */
const PATIENCE_MS = 10 * MINUTE_MS;

/** Runs the cron as soon as the Worker answers, because webhooks and the search may wait for it; then every minute. */
export async function startCron(baseUrl: string): Promise<void> {
  while (!(await runCron(baseUrl))) await sleep(500);
  setInterval(() => void runCron(baseUrl), MINUTE_MS);
}

/** Returns false if the Worker does not answer: it may be starting, ending or reloading. */
export const runCron = (baseUrl: string): Promise<boolean> =>
  fetchAnswer(`${baseUrl}/cdn-cgi/local/scheduled`, PATIENCE_MS).then(
    ({ ok }) => ok,
    () => false,
  );
