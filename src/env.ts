/** Settings, parsed once from the variables of wrangler.toml (bindings: worker-configuration.d.ts). */
import type { TargetRules } from "./outbound/target.ts";

export type Settings = {
  /** Production hides `Server-Timing`. */
  readonly production: boolean;
  readonly targetRules: TargetRules;
};

type Variables = { readonly ENVIRONMENT: string; readonly ALLOW_LOOPBACK_WEBHOOKS: string };

/** The settings of an environment. Everything that is not said is as strict as in production. */
export function settingsOf(variables: Variables): Settings {
  return {
    production: variables.ENVIRONMENT !== "local",
    targetRules: { allowLoopback: variables.ALLOW_LOOPBACK_WEBHOOKS === "true" },
  };
}
