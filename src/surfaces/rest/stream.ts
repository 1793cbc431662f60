import type { Context } from "hono";
import type { Step } from "../../ai/generation/brief.ts";
import { DomainError } from "../../domain/errors.ts";
import { log } from "../../lib/log.ts";
import { EVENTS, streamSteps } from "../request/events.ts";
import type { AppEnv } from "./app-env.ts";
import { toProblemReply } from "./problem.ts";
import type { Reply } from "./reply.ts";

/**
 * Runs a long operation and streams each step as a `step` event, then the response body as `result`, or the body of the
 * error response as `error`. Throws what `work` throws before its first step. Calls `onLeave` when the caller disconnects.
 */
export async function streamEvents(
  c: Context<AppEnv>,
  work: (tell: (step: Step) => void) => Promise<Reply>,
  onLeave: () => void,
): Promise<Response> {
  const started = Date.now();
  const onEnd = () => {
    const durationMs = Date.now() - started;
    log({ level: "info", requestId: c.get("requestId"), message: "stream ended", code: c.get("code"), durationMs });
  };
  const { readable, first } = await streamSteps({
    work,
    formatResult: ({ body }) => body ?? "",
    formatFailure: (error) => toErrorData(c, error),
    onLeave,
    onEnd,
    waitUntil: (promise) => c.executionCtx.waitUntil(promise),
  });
  const replayed = first?.headers["Idempotent-Replayed"];
  return new Response(readable, {
    headers: {
      "Content-Type": EVENTS,
      "Cache-Control": "private, no-store",
      ...(replayed !== undefined && { "Idempotent-Replayed": replayed }),
    },
  });
}

/** Returns the body of an error response. Events have no headers, so `Retry-After` becomes the field `retryAfter`. */
function toErrorData(c: Context<AppEnv>, error: unknown): string {
  const { body } = toProblemReply(c, error);
  const retryAfter = error instanceof DomainError ? error.details.retryAfterSeconds : undefined;
  return retryAfter === undefined ? (body ?? "") : JSON.stringify({ ...JSON.parse(body ?? "{}"), retryAfter });
}
