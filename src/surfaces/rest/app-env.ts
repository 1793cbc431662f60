import type { Settings } from "../../env.ts";
import type { Grant } from "../../domain/principal.ts";

/** The bindings and variables of Hono's context. */
export type AppEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** The time when the request arrived, in Unix milliseconds. */
    started: number;
    settings: Settings;
    /** The caller's organization. Undefined before authentication and for anonymous callers. */
    organizationId?: string;
    /** The grant that the operation requires. */
    needs?: Grant;
    /** The code of the error response, for the log. */
    code?: string;
    /** Durations for Server-Timing, in milliseconds. */
    timings: Record<string, number>;
  };
};
