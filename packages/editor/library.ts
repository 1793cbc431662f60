/** The media library as a part of a dialog: a search, and the images as buttons. */
import { makeElement, keepFromForm, makeButton } from "./dom.ts";

/** An item of `GET /console/media/items`. */
export type LibraryPicture = {
  /** With its size, for texts (contract 19.10). */
  readonly url: string;
  readonly name: string;
  readonly alt: string;
  readonly thumbnail: string;
};

type Found = { readonly items: readonly LibraryPicture[]; readonly next: string | null };

/** How long after the last key the search begins, in milliseconds. */
const PAUSE_MS = 200;

export type Library = {
  readonly root: HTMLElement;
  readonly open: () => void;
};

/** `name` makes its ids unique in the page. */
export function makeLibrary(name: string, choose: (picture: LibraryPicture) => void): Library {
  const words = makeElement("input", { id: `${name}-search`, type: "search", autocomplete: "off" });
  const list = makeElement("ul", { class: "library" });
  const told = makeElement("p", { role: "status", class: "hint" });
  let next: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const more = makeButton("More images", () => void show(next));
  const root = makeElement(
    "div",
    { class: "field", role: "group", "aria-label": "Media library" },
    makeElement("label", { for: words.id }, "Search the media library"),
    words,
    told,
    list,
    more,
  );

  /** Shows what is found. With a cursor, adds the next page to what is there. */
  async function show(cursor: string | null = null): Promise<void> {
    const asked = words.value.trim();
    const found = await search(asked, cursor);
    // The words have changed since.
    if (words.value.trim() !== asked) return;
    const shown = (found?.items ?? []).map((picture) => makeOption(picture, () => choose(picture)));
    if (cursor === null) list.replaceChildren(...shown);
    else list.append(...shown);
    next = found?.next ?? null;
    more.hidden = next === null;
    if (cursor !== null) shown[0]?.querySelector("button")?.focus();
    told.textContent = found === null ? UNANSWERED : formatCount(list.childElementCount, next !== null, asked);
  }

  keepFromForm(root);
  more.hidden = true;
  words.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void show(), PAUSE_MS);
  });
  return {
    root,
    open: () => {
      words.value = "";
      void show();
    },
  };
}

const UNANSWERED = "The media library is not available. Enter a URL instead.";

function formatCount(shown: number, hasMore: boolean, asked: string): string {
  if (shown === 0) return asked === "" ? "No images yet." : "No images match.";
  return `${hasMore ? "The newest " : ""}${shown} image${shown === 1 ? "" : "s"}.`;
}

function makeOption({ name, alt, thumbnail }: LibraryPicture, choose: () => void): HTMLElement {
  const title = name || alt || "Untitled image";
  const image = makeElement("img", { src: thumbnail, alt: "", loading: "lazy" });
  const label = alt === "" || alt === title ? title : `${title}: ${alt}`;
  const button = makeButton(image, choose);
  Object.assign(button, { ariaLabel: label, title: label });
  button.append(makeElement("span", {}, title));
  return makeElement("li", {}, button);
}

/** Returns the images that match; null if the service does not answer. */
async function search(words: string, cursor: string | null): Promise<Found | null> {
  const query = new URLSearchParams({ ...(words !== "" && { query: words }), ...(cursor !== null && { cursor }) });
  try {
    const response = await fetch(`/console/media/items?${query}`);
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json") === true;
    return response.ok && isJson ? ((await response.json()) as Found) : null;
  } catch {
    return null;
  }
}
