/** Does what the queue of generations does, with the settings of a test. */
import { env } from "cloudflare:workers";
import { consumeGenerations, type Generator } from "../../src/background/generations/consumer.ts";
import { parseSettings } from "../../src/env.ts";
import type { Tenant } from "./tenant.ts";
import { UNMETERED } from "./unmetered.ts";

/** A queue that delivers nothing: the real one would run the generation with other settings. */
export const UNDELIVERED = { send: async () => undefined, sendBatch: async () => undefined };

/** Messages that the generator sends are added to `sent`. */
export function generatorOf(settings: Readonly<Record<string, unknown>>, sent: unknown[] = []): Generator {
  const bound = { ...env, ...settings } as unknown as Env;
  return {
    env: bound,
    settings: parseSettings(bound),
    db: env.DB,
    meter: UNMETERED,
    queue: { sendBatch: async (batch: unknown[]) => void sent.push(...batch) } as unknown as Generator["queue"],
    waitUntil: () => undefined,
    now: () => new Date(),
    log: () => undefined,
  };
}

/** Does what the queue does with the message of a generation. */
export const consumeGeneration = (
  { organizationId }: Tenant,
  generationId: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> =>
  consumeGenerations(generatorOf(settings), {
    messages: [{ body: { generationId, organizationId } }],
  } as unknown as Parameters<typeof consumeGenerations>[1]);
