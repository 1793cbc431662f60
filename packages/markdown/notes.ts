import { encodeAddress, normalizeReference } from "./parser.ts";
import { listNodes, type ContentByType, type Root } from "./tree.ts";

/** The footnotes of a text, numbered in the order of the references to them. */
export class Notes {
  readonly #notes = new Map<string, ContentByType<"footnoteDefinition">>();
  readonly #referred = new Map<string, { readonly number: number; readonly name: string; readonly ids: string[] }>();
  readonly #names = new Set<string>();

  constructor(tree: Root) {
    for (const note of listNodes(tree.children, "footnoteDefinition")) {
      const key = normalizeReference(note.label);
      if (!this.#notes.has(key)) this.#notes.set(key, note);
    }
  }

  /** Counts a reference. Returns null if there is no such footnote. */
  refer(label: string): { readonly number: number; readonly name: string; readonly id: string } | null {
    const key = normalizeReference(label);
    if (!this.#notes.has(key)) return null;
    let note = this.#referred.get(key);
    if (note === undefined) {
      const name = this.#unused(encodeAddress(label.toLowerCase()));
      note = { number: this.#referred.size + 1, name, ids: [] };
      this.#referred.set(key, note);
    }
    const { number, name, ids } = note;
    const id = ids.length === 0 ? name : this.#unused(`${name}-${ids.length + 1}`);
    ids.push(id);
    return { number, name, id };
  }

  /** Returns an unused name. A footnote may be called like the second reference to another one. */
  #unused(name: string): string {
    const free = this.#names.has(name) ? this.#unused(`${name}-`) : name;
    this.#names.add(free);
    return free;
  }

  *inOrder(): Generator<ContentByType<"footnoteDefinition">> {
    // A map also yields what is added during iteration.
    for (const key of this.#referred.keys()) yield this.#notes.get(key) as ContentByType<"footnoteDefinition">;
  }

  referred(index: number): { readonly name: string; readonly ids: readonly string[] } {
    return [...this.#referred.values()][index] ?? { name: "", ids: [] };
  }
}
