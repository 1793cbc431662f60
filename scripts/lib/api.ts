/** The client of the service, for the scripts. */
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, type Client, type EdgepressError } from "../../packages/client/src/index.ts";

/** Tries of a request, and milliseconds between them. `wrangler dev` refuses requests while it reloads. */
const TRIES = 20;
const PAUSE_MS = 300;
/** Milliseconds for one try. Long, as for the cron (cron.ts). */
const PATIENCE_MS = 60_000;

/** Returns a client that tries again whatever may succeed later. */
export const connect = (
  url: string,
  credential: { readonly apiKey: string } | { readonly operatorToken: string },
): Client => createClient({ url, ...credential, cache: null, timeoutMs: PATIENCE_MS, retry });

function retry(): (error: EdgepressError) => Promise<void> {
  let left = TRIES;
  return async (error) => {
    left--;
    if (left === 0 || (!PASSING.has(error.code) && error.status !== 503)) throw error;
    await sleep(PAUSE_MS);
  };
}

const PASSING = new Set<EdgepressError["code"]>(["unreachable", "timeout", "idempotency_in_progress"]);
