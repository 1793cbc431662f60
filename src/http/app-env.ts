import type { Settings } from "../env.ts";
import type { Grant } from "../domain/principal.ts";

/** What Hono carries through a request. */
export type AppEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** When the request came, in Unix milliseconds. */
    started: number;
    settings: Settings;
    /** Set once the caller is known. */
    organizationId?: string;
    /** What the operation asks of its caller. */
    needs?: Grant;
    /** Why the request was refused, for the log. */
    code?: string;
    /** Durations for Server-Timing, in milliseconds. */
    timings: Record<string, number>;
  };
};
