/** Completes a field with articles of a blog (ARIA Authoring Practices, "Combobox"). */
import { makeElement } from "./dom.ts";

/** An item of `GET /console/articles/links`. */
type FoundArticle = { readonly title: string; readonly address: string; readonly published: boolean };

/** How long after the last key the search begins, in milliseconds. */
const PAUSE_MS = 200;

/** Returns the list of results and a status line, which belong below the field. */
export function completeArticles(input: HTMLInputElement, getBlogId: () => string): HTMLElement[] {
  const { list, told } = new Completion(input, getBlogId);
  return [list, told];
}

class Completion {
  readonly list: HTMLElement;
  readonly told = makeElement("p", { role: "status", class: "hint" });
  readonly #input: HTMLInputElement;
  readonly #blogOf: () => string;
  #found: readonly FoundArticle[] = [];
  #chosen = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(input: HTMLInputElement, readBlogId: () => string) {
    this.#input = input;
    this.#blogOf = readBlogId;
    this.list = makeElement("ul", {
      id: `${input.id}-found`,
      role: "listbox",
      "aria-label": "Articles",
      class: "found",
    });
    const attributes = { role: "combobox", "aria-controls": this.list.id, "aria-autocomplete": "list" };
    for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);
    input.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#ask(), PAUSE_MS);
    });
    input.addEventListener("keydown", (event) => this.#onKey(event));
    input.form?.addEventListener("reset", () => this.#show([]));
    this.#show([]);
  }

  #show(found: readonly FoundArticle[], chosen = -1): void {
    [this.#found, this.#chosen] = [found, chosen];
    this.list.hidden = found.length === 0;
    this.#input.setAttribute("aria-expanded", String(found.length > 0));
    const options = found.map(({ title, address, published }, index) => {
      const id = `${this.list.id}-${index}`;
      const place = makeElement("small", {}, published ? address : `${address} · draft`);
      const option = makeElement(
        "li",
        { role: "option", id, "aria-selected": String(index === chosen) },
        title,
        " ",
        place,
      );
      option.addEventListener("mousedown", (event) => {
        event.preventDefault();
        this.#take(index);
      });
      return option;
    });
    this.list.replaceChildren(...options);
    options[chosen]?.scrollIntoView({ block: "nearest" });
    if (chosen === -1) this.#input.removeAttribute("aria-activedescendant");
    else this.#input.setAttribute("aria-activedescendant", `${this.list.id}-${chosen}`);
  }

  #take(index: number): void {
    this.#input.value = this.#found[index]?.address ?? this.#input.value;
    this.#show([]);
  }

  async #ask(): Promise<void> {
    const asked = this.#input.value.trim();
    const isSearch = asked.length > 1 && !/^(\/|#|\w+:)/.test(asked);
    const found = isSearch ? await search(asked, this.#blogOf()) : [];
    // The words have changed since.
    if (this.#input.value.trim() !== asked) return;
    const count =
      found === null ? UNANSWERED : `${found.length || "No"} article${found.length === 1 ? "" : "s"} found.`;
    this.told.textContent = isSearch ? count : "";
    this.#show(found ?? []);
  }

  #onKey(event: KeyboardEvent): void {
    const { length } = this.#found;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (length === 0 || event.isComposing) return;
    // The first ArrowUp chooses the last article.
    if (step !== undefined)
      this.#show(this.#found, (Math.max(this.#chosen, step === 1 ? -1 : 0) + step + length) % length);
    else if (event.key === "Enter" && this.#chosen !== -1) this.#take(this.#chosen);
    else if (event.key === "Escape") this.#show([]);
    else return;
    event.preventDefault();
  }
}

const UNANSWERED = "Search is not available at the moment. Enter a URL instead.";

/** Returns the articles that match; null if the search fails or is rate limited. */
async function search(words: string, blog: string): Promise<FoundArticle[] | null> {
  try {
    const response = await fetch(`/console/articles/links?${new URLSearchParams({ blog, q: words })}`);
    return response.ok ? ((await response.json()) as FoundArticle[]) : null;
  } catch {
    return null;
  }
}
