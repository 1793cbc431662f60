/** Merges other versions of the article into the form, one after the other. Asks where both changed the same text. */
import type { Draft } from "./draft.ts";
import { fillFields, readValues, type Values } from "./fields.ts";
import { merge, listOverlaps, resolveOverlaps } from "./merge.ts";
import type { Question, Sides } from "./panels.ts";
import type { Show } from "./status.ts";

/** Another version of the article, to merge into the form. */
export type Other = {
  readonly values: Values;
  /** What both began with. */
  readonly from: Values;
  /** What a question about overlaps calls both versions. */
  readonly sides: Sides;
  /** The status until the user has chosen. */
  readonly asked: string;
  /** Called once all overlaps are decided, before the form is filled. */
  readonly onDecided: () => void;
  /** Called once the form has the merged values. */
  readonly onMerged: (wasAsked: boolean) => void;
};

export type MergingOptions = {
  readonly draft: Draft;
  readonly show: Show;
  /** Asks which side of each overlap to keep. */
  readonly ask: (question: Question) => void;
};

/** How long after its last event a composition counts as abandoned, and how often to look, in milliseconds. */
const COMPOSED_MS = 30_000;
const LOOK_MS = 200;

/**
 * Until when an input method, such as for Japanese, may still be composing a word (Unix milliseconds). Changing the
 * text would leave half a word. The rich editor takes the word over shortly after its end.
 */
let composedUntil = 0;
for (const kind of ["compositionstart", "compositionupdate"]) {
  document.addEventListener(kind, () => (composedUntil = Date.now() + COMPOSED_MS), true);
}
document.addEventListener("compositionend", () => (composedUntil = Date.now() + LOOK_MS), true);

export class Merging {
  /** Whether a choice or a dialog is open, or a word is being composed. Meanwhile, nothing is saved or merged. */
  isAsking = false;
  /** Whether a merge waits for the end of a word. */
  #isHeldBack = false;
  /** Versions to merge later: one question is asked at a time. */
  readonly #waiting: Other[] = [];
  readonly #options: MergingOptions;

  constructor(options: MergingOptions) {
    this.#options = options;
  }

  /** Merges a version into the form, after those that came before it. */
  takeIn(other: Other): void {
    if (this.isAsking) this.#waiting.push(other);
    else this.#merge(other);
  }

  /** Resolves once no word is being composed and no merge waits for that. */
  async composed(): Promise<void> {
    while (this.#isHeldBack || Date.now() < composedUntil) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }

  /**
   * Merges a version, once no word is being composed and no dialog of the editor is open: a dialog is about a place in
   * the text, which the merge could move.
   */
  #merge(other: Other): void {
    this.#isHeldBack = false;
    const dialog = document.querySelector("dialog.of-editor[open]");
    this.isAsking = dialog !== null;
    if (dialog !== null) {
      dialog.addEventListener("close", () => this.#merge(other), { once: true });
      return;
    }
    if (Date.now() < composedUntil) {
      this.isAsking = true;
      this.#isHeldBack = true;
      setTimeout(() => this.#merge(other), LOOK_MS);
      return;
    }
    const { draft, show, ask } = this.#options;
    const mergedNow = () => merge(other.from, readValues(draft.form), other.values);
    const merged = mergedNow();
    const overlaps = listOverlaps(merged);
    if (overlaps.length === 0) return this.#adopt(other, resolveOverlaps(merged), false);
    this.isAsking = true;
    draft.keep();
    show({ text: other.asked, isTrouble: true, link: { text: "Choose what to keep", href: "#changed-twice" } });
    const choose: Question["choose"] = (choices) => {
      this.isAsking = false;
      // The form may have changed meanwhile.
      const latest = mergedNow();
      if (JSON.stringify(listOverlaps(latest)) !== JSON.stringify(overlaps)) return this.#merge(other);
      this.#adopt(other, resolveOverlaps(latest, choices), true);
    };
    ask({ sides: other.sides, overlaps, choose });
  }

  #adopt({ onDecided, onMerged }: Other, values: Values, wasAsked: boolean): void {
    onDecided();
    fillFields(this.#options.draft.form, values);
    onMerged(wasAsked);
    const next = this.#waiting.shift();
    if (next !== undefined) this.#merge(next);
  }
}
