/** Tags and authors as chips: each with a button that removes it, before the field in which the next one is typed. */
import { X } from "lucide-static";
import { commaSeparated, hasComma } from "../../src/lib/text.ts";
import { element, enterText, icon, keepFromForm } from "./dom.ts";

/** Shows the list of a field as chips. The field keeps the list with commas, which is what is saved; it is hidden. */
export const enhanceTerms = (field: HTMLInputElement): Terms => new Terms(field);

type Known = { readonly slug: string; readonly name: string };

class Terms {
  readonly #field: HTMLInputElement;
  /** The tags or authors of the blog. */
  readonly #known: readonly Known[];
  readonly #chips: HTMLUListElement;
  readonly #next: HTMLInputElement;
  /** Completes what is typed, by those that the article has not got. */
  readonly #left: HTMLDataListElement;
  readonly #told = element("span", { role: "status", class: "unseen" });
  /** The list of the chips: names, or slugs of known ones. */
  #terms: readonly string[] = [];
  /** What this class has written into the field, or has read in it. */
  #text = "";

  constructor(field: HTMLInputElement) {
    this.#field = field;
    this.#known = [...(field.list?.options ?? [])].map(({ value, label }) => ({ slug: value, name: label }));
    this.#chips = element("ul", { "aria-label": `Selected ${field.labels?.[0]?.textContent?.toLowerCase() ?? ""}` });
    this.#left = element("datalist", { id: `${field.id}-left` });
    this.#next = element("input", {
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
    field.after(element("div", { class: "chips" }, this.#chips, this.#next, this.#left, this.#told));
    field.addEventListener("input", () => field.value === this.#text || this.#read());
    this.#follow();
    if (isTyping) this.#goOn();
    this.#read();
    field.hidden = true;
  }

  /**
   * For somebody who typed before the script ran: what stands behind the last comma goes on in the field for the next
   * term.
   */
  #goOn(): void {
    this.#next.focus();
    this.#next.value = /[^,]*$/.exec(this.#field.value)?.[0].trim() ?? "";
  }

  #follow(): void {
    const next = this.#next;
    keepFromForm(next);
    next.addEventListener("input", (event) => {
      // Who chooses from the list has typed nothing: browsers then send another event, or another type of it.
      const isTyped = event instanceof InputEvent && event.inputType !== "insertReplacementText";
      const isChosen = !isTyped && this.#known.some(({ slug }) => slug === next.value);
      // A comma of a word that an input method still composes may become something else.
      const isComposing = event instanceof InputEvent && event.isComposing;
      if (isChosen || (hasComma(next.value) && !isComposing)) this.#add();
      else this.#write();
    });
    next.addEventListener("compositionend", () => hasComma(next.value) && this.#add());
    next.addEventListener("keydown", (event) => {
      const last = this.#terms.at(-1);
      if (event.key === "Enter" && !event.isComposing) this.#add();
      // Whoever holds the key down means what is typed.
      const isBack = event.key === "Backspace" && !event.repeat;
      if (isBack && next.value === "" && last !== undefined) this.#remove(last);
    });
    next.addEventListener("blur", () => this.#add());
  }

  /** Shows the list of the field, which others write into, too: a text that is restored, or what another tab has saved. */
  #read(): void {
    this.#text = this.#field.value;
    const typed = this.#typed();
    this.#show(commaSeparated(this.#text).filter((term) => !typed.includes(term)));
  }

  #typed(): string[] {
    return commaSeparated(this.#next.value);
  }

  #show(terms: readonly string[]): void {
    this.#terms = terms;
    this.#chips.replaceChildren(...terms.map((term) => this.#chip(term)));
    this.#chips.hidden = terms.length === 0;
    const left = this.#known.filter(({ slug }) => !terms.some((term) => this.#isSame(term, slug)));
    this.#left.replaceChildren(...left.map(({ slug, name }) => element("option", { value: slug, label: name })));
  }

  #chip(term: string): HTMLElement {
    const name = this.#nameOf(term);
    const remove = element("button", { type: "button", "aria-label": `Remove ${name}` }, icon(X));
    remove.addEventListener("click", () => this.#remove(term));
    return element("li", {}, element("span", { dir: "auto" }, name), remove);
  }

  /** Makes chips of what is typed. */
  #add(): void {
    const typed = this.#typed();
    if (typed.length === 0) return;
    this.#show(this.#withTyped());
    this.#next.value = "";
    this.#write();
    this.#told.textContent = `${typed.map((term) => this.#nameOf(term)).join(", ")} added.`;
  }

  /** The focus goes on to the field, because the button of the chip is gone. */
  #remove(term: string): void {
    this.#show(this.#terms.filter((each) => each !== term));
    this.#write();
    this.#told.textContent = `${this.#nameOf(term)} removed.`;
    this.#next.focus();
  }

  /** Writes the list into the field. What is still being typed belongs to it, or a save and a reload would lose it. */
  #write(): void {
    this.#text = this.#withTyped().join(", ");
    enterText(this.#field, this.#text);
  }

  /** Returns the list with what is typed, unless that is there already. */
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
