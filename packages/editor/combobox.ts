/** A field with a list of options (ARIA Authoring Practices, "Combobox"): the focus stays in the field. */

type Behavior = {
  /** Takes the option at an index, after a click on it or Enter. */
  readonly take: (index: number) => void;
  /** Whether the list is always open, and Escape is for the dialog around it. */
  readonly isLasting?: boolean;
};

export class Combobox {
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #behavior: Behavior;
  #options: readonly HTMLElement[] = [];
  #chosen = -1;

  constructor(input: HTMLInputElement, list: HTMLElement, behavior: Behavior) {
    [this.#input, this.#list, this.#behavior] = [input, list, behavior];
    list.role = "listbox";
    const attributes = { role: "combobox", "aria-controls": list.id, "aria-autocomplete": "list" };
    for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);
    input.addEventListener("keydown", (event) => this.#onKey(event));
    // The focus stays in the field.
    list.addEventListener("mousedown", (event) => event.preventDefault());
    list.addEventListener("click", ({ target }) => {
      const index = this.#options.findIndex((option) => option.contains(target as Node));
      if (index !== -1) behavior.take(index);
    });
    this.show([]);
  }

  /** Shows other options, and closes the list if there are none. */
  show(options: readonly HTMLElement[], chosen = -1): void {
    for (const [index, option] of options.entries()) {
      option.role = "option";
      option.id = `${this.#list.id}-${index}`;
    }
    this.#options = options;
    this.#list.replaceChildren(...options);
    this.toggle(options.length > 0);
    this.choose(chosen);
  }

  /** Opens or closes the list. A closed one has no chosen option. */
  toggle(isOpen: boolean): void {
    const isShown = isOpen || this.#behavior.isLasting === true;
    this.#list.hidden = !isShown;
    this.#input.ariaExpanded = String(isShown);
    if (!isOpen) this.choose(-1);
  }

  /** Chooses the option at an index; none for -1. */
  choose(index: number): void {
    this.#chosen = index;
    for (const [at, option] of this.#options.entries()) option.ariaSelected = String(at === index);
    const option = this.#options[index];
    if (option === undefined) return this.#input.removeAttribute("aria-activedescendant");
    this.#input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  #onKey(event: KeyboardEvent): void {
    const { length } = this.#options;
    // A key of an input method, such as Enter to accept a word, is not for the list.
    if (length === 0 || event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      this.toggle(true);
      // The first ArrowUp chooses the last option.
      this.choose((Math.max(this.#chosen, step === 1 ? -1 : 0) + step + length) % length);
    } else if (event.key === "Enter" && this.#chosen !== -1) this.#behavior.take(this.#chosen);
    else if (event.key === "Escape" && !this.#list.hidden && !this.#behavior.isLasting) this.toggle(false);
    else return;
    event.preventDefault();
  }
}
