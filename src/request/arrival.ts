/** A request, before its caller is known. */
import type { Settings } from "../env.ts";
import { log } from "../lib/log.ts";

/** A request, as far as operations depend on it. */
export type Arrival = {
  readonly env: Env;
  readonly settings: Settings;
  readonly requestId: string;
  /** Scheme, host and port of the request. */
  readonly origin: string;
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Says whose request it is, for the log. */
  readonly identify: (organizationId: string) => void;
};

/** Logs that something outside the request itself went wrong. */
export function logFailure(arrival: Pick<Arrival, "requestId">, part: string, error: unknown): void {
  log({ level: "warn", requestId: arrival.requestId, message: `${part} failed`, error: String(error) });
}
