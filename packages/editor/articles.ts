/** Completes a field with articles of a blog. */
import { Combobox } from "./combobox.ts";
import { makeElement } from "./dom.ts";

/** An item of `GET /console/articles/links`. */
type FoundArticle = { readonly title: string; readonly address: string; readonly published: boolean };

/** How long after the last key the search begins, in milliseconds. */
const PAUSE_MS = 200;

/** Returns the list of results and a status line, which belong below the field. A reset of its form empties both. */
export function completeArticles(input: HTMLInputElement, getBlogId: () => string): HTMLElement[] {
  const list = makeElement("ul", { id: `${input.id}-found`, "aria-label": "Articles", class: "found" });
  const told = makeElement("p", { role: "status", class: "hint" });
  let found: readonly FoundArticle[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const combobox = new Combobox(input, list, {
    take(index) {
      input.value = found[index]?.address ?? input.value;
      combobox.show([]);
    },
  });
  const ask = async () => {
    const asked = input.value.trim();
    const isSearch = asked.length > 1 && !/^(\/|#|\w+:)/.test(asked);
    const answer = isSearch ? await search(asked, getBlogId()) : [];
    // The words have changed since.
    if (input.value.trim() !== asked) return;
    found = answer ?? [];
    const count =
      answer === null ? UNANSWERED : `${found.length || "No"} article${found.length === 1 ? "" : "s"} found.`;
    told.textContent = isSearch ? count : "";
    combobox.show(found.map(makeOption));
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), PAUSE_MS);
  });
  input.form?.addEventListener("reset", () => {
    told.textContent = "";
    combobox.show([]);
  });
  return [list, told];
}

const makeOption = ({ title, address, published }: FoundArticle): HTMLLIElement =>
  makeElement("li", {}, title, " ", makeElement("small", {}, published ? address : `${address} · draft`));

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
