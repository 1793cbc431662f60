/** Streams a long operation as server-sent events (WHATWG HTML, 9.2): its steps, then its result or error. */
import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";
import type { Step } from "../generation/brief.ts";
import { DomainError } from "../errors.ts";
import { log } from "../lib/log.ts";
import type { AppEnv } from "./app-env.ts";
import { problem } from "./problem.ts";
import type { Reply } from "./reply.ts";

/**
 * Interval in milliseconds in which a comment is sent. It keeps proxies from closing an idle connection. It also makes
 * the platform notice that the caller has left, which it only does when it writes.
 */
const HEARTBEAT_MS = 2000;

/** Returns whether `Accept` prefers `text/event-stream` to `application/json` (RFC 9110, 12.5.1). */
export function wantsEvents(c: Context): boolean {
  const header = c.req.header("Accept")?.toLowerCase() ?? "";
  if (!header.includes(EVENTS)) return false;
  const preferred = parseAccept(header).find(({ type, q }) => q > 0 && [EVENTS, "application/json"].includes(type));
  return preferred?.type === EVENTS;
}

const EVENTS = "text/event-stream";

/**
 * Runs `work` and streams each step as a `step` event, then the response body as `result`, or the body of the error
 * response as `error`. If `work` fails before its first step, this throws the error instead, so that the response gets
 * the error's status. Calls `left` when the caller closes the connection.
 */
export async function eventStream(
  c: Context<AppEnv>,
  work: (tell: (step: Step) => void) => Promise<Reply>,
  left: () => void,
): Promise<Response> {
  const { readable, send, close } = openEvents(left);
  const begun = Promise.withResolvers<void>();
  const finished = work((step) => {
    send("step", JSON.stringify(step));
    begun.resolve();
  }).then(({ body, headers }) => {
    send("result", body ?? "");
    return headers;
  });
  const first = await Promise.race([finished, begun.promise]).catch((error: unknown) => {
    close();
    throw error;
  });
  // The work continues after the caller has left, because it has to record how it ended.
  const started = Date.now();
  const ended = () => {
    close();
    const durationMs = Date.now() - started;
    log({ level: "info", requestId: c.get("requestId"), message: "stream ended", code: c.get("code"), durationMs });
  };
  c.executionCtx.waitUntil(finished.catch((error: unknown) => send("error", failed(c, error))).finally(ended));
  const replayed = first?.["Idempotent-Replayed"];
  return new Response(readable, {
    headers: {
      "Content-Type": EVENTS,
      "Cache-Control": "private, no-store",
      ...(replayed !== undefined && { "Idempotent-Replayed": replayed }),
    },
  });
}

/** Returns the body of an error response. An event has no headers, so `Retry-After` becomes the field `retryAfter`. */
function failed(c: Context<AppEnv>, error: unknown): string {
  const { body } = problem(c, error);
  const retryAfter = error instanceof DomainError ? error.details.retryAfterSeconds : undefined;
  return retryAfter === undefined ? (body ?? "") : JSON.stringify({ ...JSON.parse(body ?? "{}"), retryAfter });
}

function openEvents(left: () => void) {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const write = (text: string) => controller?.enqueue(encoder.encode(text));
  const heartbeat = setInterval(() => write(": still at work\n\n"), HEARTBEAT_MS);
  const end = () => {
    clearInterval(heartbeat);
    controller = null;
  };
  const readable = new ReadableStream<Uint8Array>({
    start(opened) {
      controller = opened;
    },
    cancel() {
      end();
      left();
    },
  });
  return {
    readable,
    // JSON.stringify writes no line breaks, so the data of an event is one line.
    send: (event: string, data: string) => write(`event: ${event}\ndata: ${data}\n\n`),
    close: () => {
      controller?.close();
      end();
    },
  };
}
