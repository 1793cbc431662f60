import type { Settings } from "../../env.ts";
import { log } from "../../lib/log.ts";

/** A request whose caller is not known yet. */
export type Arrival = {
  readonly env: Env;
  readonly settings: Settings;
  readonly requestId: string;
  /** The origin of the request's URL. The sender chooses it. */
  readonly origin: string;
  /** Keeps the invocation alive until the work is done, after the response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Names the organization of the request in the log. */
  readonly identify: (organizationId: string) => void;
};

/** Logs the failure of a side task of a request, such as a mail. The request itself continues. */
export function logFailure(arrival: Pick<Arrival, "requestId">, part: string, error: unknown): void {
  log({ level: "warn", requestId: arrival.requestId, message: `${part} failed`, error });
}
