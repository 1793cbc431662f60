/** Runs what the cron trigger starts, one message after the other, until nothing is left. */
import { createExecutionContext, createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { CronMessage } from "../../src/background/queues.ts";
import worker from "../../src/worker.ts";
import { batchOf } from "./relay.ts";

/** `bindings` replace the real ones. Calls `before` before each message. Returns the messages in the order of their runs. */
export async function runCron(bindings: Partial<Env> = {}, before = () => {}): Promise<CronMessage[]> {
  const messages: CronMessage[] = [];
  const sendBatch = async (batch: Iterable<MessageSendRequest<CronMessage>>) => {
    const sent = Array.from(batch, ({ body }) => body);
    requireRoom(sent);
    messages.push(...sent);
  };
  const run = { ...env, CRON: { sendBatch } as unknown as Queue, ...bindings };
  await worker.scheduled(createScheduledController(), run);
  // Parts send messages of their own, so that the list grows meanwhile.
  for (const message of messages) {
    before();
    await worker.queue(batchOf("edgepress-cron", [message]), run, createExecutionContext());
  }
  return messages;
}

/** Throws if a queue would refuse a batch: it takes 100 messages and 256 KB (Queues, Limits). */
export function requireRoom(batch: readonly unknown[]): void {
  const bytes = JSON.stringify(batch).length;
  if (batch.length > 100 || bytes > 256_000) throw new Error(`a batch of ${batch.length} messages, ${bytes} bytes`);
}
