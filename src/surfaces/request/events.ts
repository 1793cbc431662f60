/** Server-sent events (WHATWG HTML, 9.2) of a long operation: its steps, then its result or error. */
import { parseAccept } from "hono/utils/accept";
import type { Step } from "../../ai/generation/brief.ts";

/**
 * Milliseconds between comments. They keep proxies from closing an idle connection, and let the platform notice that the
 * caller has left, which it only does when it writes.
 */
export const HEARTBEAT_MS = 2000;

export const EVENTS = "text/event-stream";

/** Returns whether `Accept` prefers `text/event-stream` to `application/json` (RFC 9110, 12.5.1). */
export function wantsEvents(accept: string | undefined): boolean {
  const header = accept?.toLowerCase() ?? "";
  if (!header.includes(EVENTS)) return false;
  const preferred = parseAccept(header).find(({ type, q }) => q > 0 && [EVENTS, "application/json"].includes(type));
  return preferred?.type === EVENTS;
}

export type Streamed<T> = {
  readonly work: (tell: (step: Step) => void) => Promise<T>;
  /** Returns the data of the last event, a result or an error, as one line. */
  readonly formatResult: (value: T) => string;
  readonly formatFailure: (error: unknown) => string;
  /** Called when the caller closes the connection. */
  readonly onLeave: () => void;
  readonly onEnd: () => void;
  readonly waitUntil: (work: Promise<unknown>) => void;
};

/**
 * Runs `work`. Returns a stream of its steps and its outcome at the first step. Throws what `work` throws before its first
 * step, so that the response gets the error's status. `first` is the result if there was no step.
 */
export async function streamSteps<T>(
  streamed: Streamed<T>,
): Promise<{ readonly readable: ReadableStream<Uint8Array>; readonly first: T | undefined }> {
  const { work, formatResult, formatFailure, onLeave, onEnd, waitUntil } = streamed;
  const { readable, send, close } = openEvents(onLeave);
  const begun = Promise.withResolvers<undefined>();
  const finished = work((step) => {
    send("step", JSON.stringify(step));
    begun.resolve(undefined);
  }).then((value) => {
    send("result", formatResult(value));
    return value;
  });
  const first = await Promise.race([finished, begun.promise]).catch((error: unknown) => {
    close();
    throw error;
  });
  const end = () => {
    close();
    onEnd();
  };
  // The work continues after the caller has left, because it must record how it ended.
  waitUntil(finished.catch((error: unknown) => send("error", formatFailure(error))).finally(end));
  return { readable, first };
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
