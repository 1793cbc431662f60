import type { Settings } from "../../env.ts";
import type { Grant } from "../../domain/principal.ts";

export type AppEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    settings: Settings;
    /** Undefined before authentication and for anonymous callers. */
    organizationId?: string;
    /** The grant that the operation requires. */
    needs?: Grant;
    /** The code of the error response, for the log. */
    code?: string;
    /** Durations for Server-Timing, in milliseconds. */
    timings: Record<string, number>;
  };
};
