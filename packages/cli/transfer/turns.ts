/** Takes turns: works of the same name run one after another, in the order in which they came. */
export class Turns {
  /** The last work of each name that has not ended. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` when all earlier works of that name have ended, also those that failed. Settles as `work` does. */
  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const mine = before.catch(() => undefined).then(work);
    this.#last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    }
  }
}
