import type { Settings } from "../../env.ts";

export type AppEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    settings: Settings;
    /** Undefined before authentication and for anonymous callers. */
    organizationId?: string;
    code?: string;
    /** Durations for Server-Timing, in milliseconds. */
    timings: Record<string, number>;
  };
};
