/**
 * Creates the load, in its own process so that it shares no event loop with the process that starts the Worker. Writes
 * HTTP/1.1 to kept-alive sockets by hand, because Node's client would be slower than the service.
 */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** The load on one route for a given time. */
export type Load = {
  readonly port: number;
  /** Whole requests, sent in turn. `{n}` becomes a number of eight digits, new with each request. */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly milliseconds: number;
  /** The status that every response must have; null for any, or none before the time is over. */
  readonly status: number | null;
  /** Milliseconds that each connection waits after a response. */
  readonly pause?: number;
};

export type Loaded = {
  readonly perSecond: number;
  /** Milliseconds from the last byte of a request to the last byte of its response. */
  readonly latencies: readonly number[];
};

let count = 0;

process.on("message", (load: Load) => {
  run(load).then(
    (loaded) => process.send?.({ loaded }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});

async function run(load: Load): Promise<Loaded> {
  const latencies: number[] = [];
  const started = performance.now();
  const until = started + load.milliseconds;
  await Promise.all(Array.from({ length: load.connections }, () => lane(load, until, latencies)));
  return { perSecond: latencies.length / ((performance.now() - started) / 1000), latencies };
}

async function lane(load: Load, until: number, latencies: number[]): Promise<void> {
  const socket = connect({ host: "127.0.0.1", port: load.port, noDelay: true });
  const end = load.status === null ? setTimeout(() => socket.destroy(), load.milliseconds) : undefined;
  try {
    for (let sent = performance.now(); sent < until; sent = performance.now()) {
      const request = (load.requests[count % load.requests.length] ?? "").replace("{n}", numbered(count));
      count += 1;
      const { status, head } = await exchange(socket, request);
      if (load.status !== null && status !== load.status)
        throw new Error(`${request.split("\r\n")[0]}: ${status}, not ${load.status}\n${head}`);
      latencies.push(performance.now() - sent);
      if (load.pause !== undefined) await sleep(load.pause);
    }
  } catch (error) {
    if (load.status !== null) throw error;
  } finally {
    clearTimeout(end);
    socket.destroy();
  }
}

const numbered = (number: number): string => String(number).padStart(8, "0");

/** Sends one request and reads its whole response. Returns the status and the header fields as text. */
function exchange(socket: Socket, request: string): Promise<{ status: number; head: string }> {
  return new Promise((resolve, reject) => {
    let seen: Buffer = Buffer.alloc(0);
    const settle = (finish: () => void) => {
      socket.off("data", onData).off("error", onError).off("close", onClose);
      finish();
    };
    const onData = (chunk: Buffer) => {
      seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
      const end = seen.indexOf("\r\n\r\n");
      if (end === -1) return;
      const head = seen.toString("latin1", 0, end);
      if (isWhole(head, seen, end + 4)) settle(() => resolve({ status: Number(head.slice(9, 12)), head }));
    };
    const onError = (error: Error) => settle(() => reject(error));
    const onClose = () => settle(() => reject(new Error("the connection closed before the response ended")));
    socket.on("data", onData).on("error", onError).on("close", onClose);
    socket.write(request);
  });
}

/** Returns true if the whole response has arrived, by its status, Content-Length or last chunk. */
function isWhole(head: string, seen: Buffer, bodyStart: number): boolean {
  if (head.startsWith("HTTP/1.1 304") || head.startsWith("HTTP/1.1 204")) return true;
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  if (length !== undefined) return seen.length >= bodyStart + Number(length);
  return seen.subarray(-5).equals(LAST_CHUNK);
}

const LAST_CHUNK = Buffer.from("0\r\n\r\n");
