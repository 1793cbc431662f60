import type { Settings } from "../../env.ts";
import type { Grant } from "../../domain/principal.ts";

export type AppEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    settings: Settings;
    /** Undefined before authentication and for anonymous callers. */
    organizationId?: string;
    needs?: Grant;
    code?: string;
    /** Durations for Server-Timing, in milliseconds. */
    timings: Record<string, number>;
  };
};
