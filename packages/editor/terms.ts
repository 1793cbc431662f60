/** Tags and authors as chips, each with a button that removes it, before the field for the next one. */
import { X } from "lucide-static";
import { splitAtCommas, hasComma } from "../../src/lib/text.ts";
import { makeElement, enterText, makeIcon, keepFromForm } from "./dom.ts";

/** Shows a comma-separated list as chips. The field keeps the list, which is what is saved, and is hidden. */
export const enhanceTerms = (field: HTMLInputElement): Terms => new Terms(field);

type Known = { readonly slug: string; readonly name: string };

class Terms {
  readonly #field: HTMLInputElement;
  readonly #known: readonly Known[];
  readonly #chips: HTMLUListElement;
  readonly #next: HTMLInputElement;
  /** Completes what is typed, with known terms that the article does not have. */
  readonly #left: HTMLDataListElement;
  readonly #told = makeElement("span", { role: "status", class: "unseen" });
  /** Names, or slugs of known terms. */
  #terms: readonly string[] = [];
  /** What this class last wrote into the field, or read from it. */
  #text = "";

  constructor(field: HTMLInputElement) {
    this.#field = field;
    this.#known = [...(field.list?.options ?? [])].map(({ value, label }) => ({ slug: value, name: label }));
    this.#chips = makeElement("ul", {
      "aria-label": `Selected ${field.labels?.[0]?.textContent?.toLowerCase() ?? ""}`,
    });
    this.#left = makeElement("datalist", { id: `${field.id}-left` });
    this.#next = makeElement("input", {
      id: `${field.id}-next`,
      type: "text",
      autocomplete: "off",
      dir: "auto",
      list: this.#left.id,
      "aria-describedby": field.getAttribute("aria-describedby"),
      "aria-invalid": field.getAttribute("aria-invalid"),
    });
    for (const label of field.labels ?? []) label.htmlFor = this.#next.id;
    const isTyping = field === document.activeElement;
    field.after(makeElement("div", { class: "chips" }, this.#chips, this.#next, this.#left, this.#told));
    field.addEventListener("input", () => field.value === this.#text || this.#read());
    this.#follow();
    if (isTyping) this.#goOn();
    this.#read();
    field.hidden = true;
  }

  /** Continues for somebody who typed before the script ran: what follows the last comma moves to the new field. */
  #goOn(): void {
    this.#next.focus();
    this.#next.value = /[^,]*$/.exec(this.#field.value)?.[0].trim() ?? "";
  }

  #follow(): void {
    const next = this.#next;
    keepFromForm(next);
    next.addEventListener("input", (event) => {
      // Choosing from the list sends another event, or another type of it.
      const isTyped = event instanceof InputEvent && event.inputType !== "insertReplacementText";
      const isChosen = !isTyped && this.#known.some(({ slug }) => slug === next.value);
      // The comma may still change while an input method composes a word.
      const isComposing = event instanceof InputEvent && event.isComposing;
      if (isChosen || (hasComma(next.value) && !isComposing)) this.#add();
      else this.#write();
    });
    next.addEventListener("compositionend", () => hasComma(next.value) && this.#add());
    next.addEventListener("keydown", (event) => {
      const last = this.#terms.at(-1);
      if (event.key === "Enter" && !event.isComposing) this.#add();
      // A key that is held down is meant for what was typed.
      const isBack = event.key === "Backspace" && !event.repeat;
      if (isBack && next.value === "" && last !== undefined) this.#remove(last);
    });
    next.addEventListener("blur", () => this.#add());
  }

  /** Shows the list of the field, which other scripts also write: a restored text, or a save in another tab. */
  #read(): void {
    this.#text = this.#field.value;
    const typed = this.#typed();
    this.#show(splitAtCommas(this.#text).filter((term) => !typed.includes(term)));
  }

  #typed(): string[] {
    return splitAtCommas(this.#next.value);
  }

  #show(terms: readonly string[]): void {
    this.#terms = terms;
    this.#chips.replaceChildren(...terms.map((term) => this.#chip(term)));
    this.#chips.hidden = terms.length === 0;
    const left = this.#known.filter(({ slug }) => !terms.some((term) => this.#isSame(term, slug)));
    this.#left.replaceChildren(...left.map(({ slug, name }) => makeElement("option", { value: slug, label: name })));
  }

  #chip(term: string): HTMLElement {
    const name = this.#nameOf(term);
    const remove = makeElement("button", { type: "button", "aria-label": `Remove ${name}` }, makeIcon(X));
    remove.addEventListener("click", () => this.#remove(term));
    return makeElement("li", {}, makeElement("span", { dir: "auto" }, name), remove);
  }

  #add(): void {
    const typed = this.#typed();
    if (typed.length === 0) return;
    this.#show(this.#withTyped());
    this.#next.value = "";
    this.#write();
    this.#told.textContent = `${typed.map((term) => this.#nameOf(term)).join(", ")} added.`;
  }

  /** Removes a chip. The focus moves to the field, because the button is gone. */
  #remove(term: string): void {
    this.#show(this.#terms.filter((each) => each !== term));
    this.#write();
    this.#told.textContent = `${this.#nameOf(term)} removed.`;
    this.#next.focus();
  }

  /** Writes the list into the field, with what is still being typed: a save and a reload would lose it. */
  #write(): void {
    this.#text = this.#withTyped().join(", ");
    enterText(this.#field, this.#text);
  }

  /** Returns the list with what is typed, unless it is there already. */
  #withTyped(): string[] {
    const terms = [...this.#terms];
    for (const term of this.#typed()) if (!terms.some((each) => this.#isSame(each, term))) terms.push(term);
    return terms;
  }

  #nameOf(term: string): string {
    return this.#known.find(({ slug }) => slug === term.toLowerCase())?.name ?? term;
  }

  #isSame(one: string, other: string): boolean {
    return this.#nameOf(one).toLowerCase() === this.#nameOf(other).toLowerCase();
  }
}
