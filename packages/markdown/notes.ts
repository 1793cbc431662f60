/** The footnotes of a text. */
import { encodedAddress, normalizeReference } from "./parser.ts";
import { nodesOf, type ContentOf, type Root } from "./tree.ts";

/** Numbers the footnotes of a text in the order in which they are referred to. */
export class Notes {
  readonly #notes = new Map<string, ContentOf<"footnoteDefinition">>();
  readonly #referred = new Map<string, { readonly number: number; readonly name: string; readonly ids: string[] }>();
  readonly #names = new Set<string>();

  constructor(tree: Root) {
    for (const note of nodesOf(tree.children, "footnoteDefinition")) {
      const key = normalizeReference(note.label);
      if (!this.#notes.has(key)) this.#notes.set(key, note);
    }
  }

  /** Counts a reference. Returns null if there is no footnote with this label. */
  refer(label: string): { readonly number: number; readonly name: string; readonly id: string } | null {
    const key = normalizeReference(label);
    if (!this.#notes.has(key)) return null;
    let note = this.#referred.get(key);
    if (note === undefined) {
      const name = this.#unused(encodedAddress(label.toLowerCase()));
      note = { number: this.#referred.size + 1, name, ids: [] };
      this.#referred.set(key, note);
    }
    const { number, name, ids } = note;
    const id = ids.length === 0 ? name : this.#unused(`${name}-${ids.length + 1}`);
    ids.push(id);
    return { number, name, id };
  }

  /** Returns a name that no footnote and no reference has: a footnote may be called as the second reference to another is. */
  #unused(name: string): string {
    const free = this.#names.has(name) ? this.#unused(`${name}-`) : name;
    this.#names.add(free);
    return free;
  }

  *inOrder(): Generator<ContentOf<"footnoteDefinition">> {
    // A map also gives what is added meanwhile.
    for (const key of this.#referred.keys()) yield this.#notes.get(key) as ContentOf<"footnoteDefinition">;
  }

  referred(index: number): { readonly name: string; readonly ids: readonly string[] } {
    return [...this.#referred.values()][index] ?? { name: "", ids: [] };
  }
}
