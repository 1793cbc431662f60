/** Collects remarks about what an import left out or changed: in total, and for each article. */

export type Note = { readonly name: string; readonly reason: string };

export class Remarks {
  #counts = new Map<string, number>();
  /** By the names of articles. */
  #notes = new Map<string, Map<string, number>>();
  /** By phrases. */
  #names = new Map<string, Set<string>>();
  #name = "";

  /** Returns the same remarks for the article of this name. */
  forArticle(name: string): Remarks {
    const same = new Remarks();
    same.#counts = this.#counts;
    same.#notes = this.#notes;
    same.#names = this.#names;
    same.#name = name;
    return same;
  }

  /** Adds `times` to the count of a phrase in the plural, such as "comments left out", also for the article. */
  add(what: string, times = 1): void {
    this.count(what, times);
    if (this.#name !== "") this.#noteOf(what, times);
  }

  /** Adds to the total only, because nothing of the article is lost. */
  count(said: string, times = 1): void {
    const what = said.toWellFormed();
    const names = this.#names.get(what) ?? new Set();
    if (times > 0 && this.#name !== "" && names.size < SOME) this.#names.set(what, names.add(this.#name));
    // Phrases may contain names from files, so their number is limited.
    if (times > 0 && (this.#counts.has(what) || this.#counts.size < MOST)) {
      this.#counts.set(what, (this.#counts.get(what) ?? 0) + times);
    }
  }

  /** Adds a remark with another text for the article, `reason`. `what` is null if something else was counted for it. */
  note(what: string | null, reason: string): void {
    if (what !== null) this.count(what);
    this.#noteOf(reason, 1);
  }

  listNotes(): Note[] {
    return this.listByArticle().flatMap(({ name, reasons }) => reasons.map((reason) => ({ name, reason })));
  }

  listByArticle(): { name: string; reasons: string[] }[] {
    return [...this.#notes.keys()].toSorted().map((name) => ({ name, reasons: this.listReasons(name) }));
  }

  listReasons(name: string): string[] {
    const reasons = [...(this.#notes.get(name) ?? [])];
    return reasons.map(([reason, times]) => (times === 1 ? reason : `${reason}: ${times}`));
  }

  /** Returns the totals, the most frequent first. */
  list(): { what: string; times: number }[] {
    return [...this.#counts].map(([what, times]) => ({ what, times })).sort((a, b) => b.times - a.times);
  }

  /** Returns the names of some articles for which a phrase was counted. */
  listExamples(what: string): string[] {
    return [...(this.#names.get(what) ?? [])].map((name) => name.slice(0, 80).toWellFormed());
  }

  #noteOf(said: string, times: number): void {
    if (times <= 0) return;
    const reason = said.toWellFormed();
    const reasons = this.#notes.get(this.#name) ?? new Map<string, number>();
    this.#notes.set(this.#name, reasons);
    if (reasons.has(reason) || reasons.size < MOST) reasons.set(reason, (reasons.get(reason) ?? 0) + times);
  }
}

const NAMED = 8;

export const joinNames = (names: readonly string[]): string =>
  names.length > NAMED ? `${names.slice(0, NAMED).join(", ")} and ${names.length - NAMED} more` : names.join(", ");

const SOME = 5;

/** Maximum different phrases, in total and for an article. Further ones are ignored. */
const MOST = 200;
