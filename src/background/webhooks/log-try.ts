import type { Tries } from "../../store/webhooks/system-dead-letters.ts";
import type { Relay } from "./ports.ts";

/** Logs an event or delivery that could not be handled. Operators should alarm on the message `event dead`. */
export function logFailure(
  { log }: Pick<Relay, "log">,
  tries: Tries | null,
  what: { readonly event: string; readonly subscription?: string },
  error: unknown,
): void {
  const dead = tries?.isDead === true;
  const message = dead ? "event dead" : "event set aside";
  log({ level: dead ? "error" : "warn", message, ...what, tries: tries?.tries, error });
}
