import { toChunks } from "./chunks.ts";

/** Maximum messages of one `sendBatch` (platform limit). */
const PER_BATCH = 100;

export async function sendEach<Body>(queue: Pick<Queue<Body>, "sendBatch">, bodies: readonly Body[]): Promise<void> {
  for (const some of toChunks(bodies, PER_BATCH)) await queue.sendBatch(some.map((body) => ({ body })));
}
