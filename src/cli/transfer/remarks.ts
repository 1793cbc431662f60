/** Collects the remarks of an import about what was left out or changed, with counts. They are shown at the end. */

export type Note = { readonly name: string; readonly reason: string };

export class Remarks {
  readonly #counts: Map<string, number>;
  readonly #notes: Note[];
  readonly #name: string;

  constructor(counts = new Map<string, number>(), notes: Note[] = [], name = "") {
    this.#counts = counts;
    this.#notes = notes;
    this.#name = name;
  }

  /** Returns the same remarks, to which the article of this name adds. */
  of(name: string): Remarks {
    return new Remarks(this.#counts, this.#notes, name);
  }

  /** Adds `times` to the count of a phrase in the plural, such as "comments left out". */
  add(what: string, times = 1): void {
    // Phrases may contain names from files, so a file could cause any number of them.
    if (times > 0 && (this.#counts.has(what) || this.#counts.size < MOST)) {
      this.#counts.set(what, (this.#counts.get(what) ?? 0) + times);
    }
  }

  /** Adds a remark that is also shown with the name of the article, and says of it `reason`. */
  note(what: string, reason: string): void {
    this.add(what);
    this.#notes.push({ name: this.#name, reason });
  }

  /** Returns what was said of single articles, by their names. */
  notes(): Note[] {
    return this.#notes.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Returns the remarks, the most frequent first. */
  list(): { what: string; times: number }[] {
    return [...this.#counts].map(([what, times]) => ({ what, times })).sort((a, b) => b.times - a.times);
  }
}

/** Maximum number of different phrases. Further ones are ignored. */
const MOST = 200;
