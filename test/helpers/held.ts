/** Requests whose body stops in the middle for some time. */
import { send } from "./requests.ts";

export type Held = {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Runs before the second half of the body is sent, and after the service has read the first half. */
  readonly meanwhile: () => Promise<unknown>;
  readonly bindings?: Record<string, unknown>;
};

/** Sends a body whose second half follows only after `meanwhile` has ended. */
export async function held(path: string, { method = "POST", headers, body, meanwhile, bindings = {} }: Held) {
  const bytes = new TextEncoder().encode(body);
  let asked = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (asked++ === 0) return controller.enqueue(bytes.slice(0, 5));
        await meanwhile();
        controller.enqueue(bytes.slice(5));
        controller.close();
      },
    },
    // Nothing is produced before the service reads.
    { highWaterMark: 0 },
  );
  // Sends a length, as browsers do. Without it, the service would read the whole body first to check its size.
  const length = { "Content-Length": String(bytes.byteLength) };
  return send(path, {
    method,
    body: stream,
    type: null,
    headers: { ...headers, ...length },
    bindings: bindings as Partial<Env>,
  });
}
