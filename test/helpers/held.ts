/** Requests that are held open half way. */
import { send } from "./requests.ts";

export type Held = {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What happens before the second half comes. It begins when the first half was read. */
  readonly meanwhile: () => Promise<unknown>;
  readonly bindings?: Record<string, unknown>;
};

/** Sends a body whose second half comes only after something has happened. */
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
    // Nothing is given before it is asked for.
    { highWaterMark: 0 },
  );
  // With a length, as browsers send it: without, the size check would have read all of it first.
  const length = { "Content-Length": String(bytes.byteLength) };
  return send(path, {
    method,
    body: stream,
    type: null,
    headers: { ...headers, ...length },
    bindings: bindings as Partial<Env>,
  });
}
