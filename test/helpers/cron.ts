/** Runs what the cron trigger starts, one message after the other, until nothing is left. */
import { createExecutionContext, createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker, { type CronMessage } from "../../src/worker.ts";
import { batchOf } from "./relay.ts";

/** `bindings` replace the real ones. Calls `before` before each message. Returns the messages in the order of their runs. */
export async function runCron(bindings: Partial<Env> = {}, before = () => {}): Promise<CronMessage[]> {
  const messages: CronMessage[] = [];
  const sendBatch = async (batch: Iterable<MessageSendRequest<CronMessage>>) => {
    messages.push(...Array.from(batch, ({ body }) => body));
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
