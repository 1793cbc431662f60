/**
 * Preloaded into `wrangler dev` (`node --import`), which would otherwise end whenever a client of its proxy leaves in the
 * middle of a request, such as a browser that leaves a page (cloudflare/workers-sdk, issues 15203, 15317 and 15451).
 * wrangler reports that as an "error" event, on which it ends. Here the event is only logged.
 *
 * Delete this file when those issues are closed.
 */
import { EventEmitter } from "node:events";

const { emit } = EventEmitter.prototype as {
  emit: (this: EventEmitter, name: string | symbol, ...values: unknown[]) => boolean;
};

EventEmitter.prototype.emit = function (this: EventEmitter, name: string | symbol, ...values: unknown[]): boolean {
  const [event] = values;
  if (name !== "error" || !isLostConnection(event)) return emit.call(this, name, ...values);
  console.warn(`A connection to the local Worker was lost: ${event.cause.message}`);
  return true;
};

type LostConnection = { readonly cause: { readonly message: string } };

/** Returns true for wrangler's error event about a request that its proxy could not complete. */
function isLostConnection(event: unknown): event is LostConnection {
  if (typeof event !== "object" || event === null || !("reason" in event) || !("cause" in event)) return false;
  const { reason, cause } = event;
  return reason === "Error inside ProxyWorker" && typeof cause === "object" && cause !== null && "message" in cause;
}
