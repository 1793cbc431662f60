/** What an import has to say at its end: what was not carried over or changed, and how often. */

export class Remarks {
  readonly #counts = new Map<string, number>();

  /** `what` is a phrase in the plural: "comments left out". The same phrase is counted on. */
  add(what: string, times = 1): void {
    // Names in it come from files; a file could bring no end of them.
    if (times > 0 && (this.#counts.has(what) || this.#counts.size < MOST)) {
      this.#counts.set(what, (this.#counts.get(what) ?? 0) + times);
    }
  }

  /** The most frequent first. */
  list(): { what: string; times: number }[] {
    return [...this.#counts].map(([what, times]) => ({ what, times })).sort((a, b) => b.times - a.times);
  }
}

const MOST = 200;
