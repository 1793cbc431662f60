/** Server-sent events (WHATWG HTML, 9.2): the steps of a lengthy operation, then its result or its error. */
import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";
import type { Step } from "../generation/brief.ts";
import { DomainError } from "../errors.ts";
import { log } from "../lib/log.ts";
import type { AppEnv } from "./app-env.ts";
import { problem } from "./problem.ts";
import type { Reply } from "./reply.ts";

/**
 * How often something is sent while nothing happens: nobody on the way takes the connection for dead, and
 * a caller who has left is noticed, as the platform finds that out by writing to them.
 */
const HEARTBEAT_MS = 2000;

/** Whether the caller would rather follow the steps than wait for the answer (RFC 9110, 12.5.1). */
export function wantsEvents(c: Context): boolean {
  const header = c.req.header("Accept")?.toLowerCase() ?? "";
  if (!header.includes(EVENTS)) return false;
  const preferred = parseAccept(header).find(({ type, q }) => q > 0 && [EVENTS, "application/json"].includes(type));
  return preferred?.type === EVENTS;
}

const EVENTS = "text/event-stream";

/**
 * Runs `work` and streams its steps as `step` events, then its answer as `result`, or what went wrong as
 * `error` with the body of a problem. What fails before the first step is thrown: then there is a status to
 * say it with. `left` is called when the caller goes away.
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
  // Also after the caller has left: what is under way has to end in good order.
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

/** The body of a problem; what would be a header of it is a member here, as an event has none. */
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
    // JSON has no line breaks of its own, so each event is one line of data.
    send: (event: string, data: string) => write(`event: ${event}\ndata: ${data}\n\n`),
    close: () => {
      controller?.close();
      end();
    },
  };
}
