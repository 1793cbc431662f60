/** Collects the remarks of an import about what was left out or changed, with counts. They are shown at the end. */

export class Remarks {
  readonly #counts = new Map<string, number>();

  /** Adds `times` to the count of a phrase in the plural, such as "comments left out". */
  add(what: string, times = 1): void {
    // Phrases may contain names from files, so a file could cause any number of them.
    if (times > 0 && (this.#counts.has(what) || this.#counts.size < MOST)) {
      this.#counts.set(what, (this.#counts.get(what) ?? 0) + times);
    }
  }

  /** Returns the remarks, the most frequent first. */
  list(): { what: string; times: number }[] {
    return [...this.#counts].map(([what, times]) => ({ what, times })).sort((a, b) => b.times - a.times);
  }
}

/** Maximum number of different phrases. Further ones are ignored. */
const MOST = 200;
