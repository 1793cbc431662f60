/** A queue as the platform has it (shared by the rig's tests): at least once, without order, consumers that grow slowly. */
import { createMessageBatch } from "cloudflare:test";
import { newId } from "../../src/lib/ids.ts";

export type QueueRules = {
  /** Consumers at most. One is added only after a batch has ended. */
  readonly consumers: number;
  /** Every so many messages come twice; every so many come late; 0 for none. */
  readonly twice?: number;
  readonly late?: number;
};

/** Hands each message in a batch of its own to `handle`, on the timers of the test. */
export class PlatformQueue<T> {
  readonly #waiting: T[] = [];
  #allowed = 1;
  #busy = 0;
  #count = 0;
  /** The most messages that have waited. */
  longest = 0;

  readonly #name: string;
  readonly #rules: QueueRules;
  readonly #handle: (batch: MessageBatch<T>) => Promise<void>;

  constructor(name: string, rules: QueueRules, handle: (batch: MessageBatch<T>) => Promise<void>) {
    this.#name = name;
    this.#rules = rules;
    this.#handle = handle;
  }

  async send(body: T): Promise<void> {
    this.#count++;
    const { twice = 0, late = 0 } = this.#rules;
    if (twice > 0 && this.#count % twice === 0) this.#arrive(body);
    if (late > 0 && this.#count % late === 0) setTimeout(() => this.#arrive(body), 2000);
    else this.#arrive(body);
  }

  async sendBatch(messages: Iterable<{ body: T }>): Promise<void> {
    for (const { body } of messages) await this.send(body);
  }

  #arrive(body: T): void {
    this.#waiting.push(body);
    this.longest = Math.max(this.longest, this.#waiting.length);
    this.#run();
  }

  #run(): void {
    while (this.#busy < this.#allowed && this.#waiting.length > 0) {
      const body = this.#waiting.shift() as T;
      this.#busy++;
      void this.#consume(body);
    }
  }

  async #consume(body: T): Promise<void> {
    const message = { id: newId(), timestamp: new Date(), attempts: 1, body };
    await this.#handle(createMessageBatch<T>(this.#name, [message]));
    this.#busy--;
    this.#allowed = Math.min(this.#rules.consumers, this.#allowed + 1);
    this.#run();
  }
}
