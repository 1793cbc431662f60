/** Enhances the reference: search, requests that are really sent, and what the reader has chosen. */
import { addSearch } from "./reference/search.ts";
import { addTries } from "./reference/try.ts";
import { store, stored } from "../editor/stored.ts";

const LANGUAGE = "edgepress-language";

// The examples are for the service that this page is of.
for (const setup of document.querySelectorAll("[data-setup] code")) {
  setup.textContent = (setup.textContent ?? "").replace("https://press.example.com", location.origin);
}

// The chosen language stays chosen on the next page.
const choices = document.querySelectorAll<HTMLInputElement>(".languages input");
for (const choice of choices) {
  if (choice.value === stored(LANGUAGE)) choice.checked = true;
  choice.addEventListener("change", () => store(LANGUAGE, choice.value));
}

// Links of the former reference named an operation as #/Tag/operation. The start page links to all of them.
const [, former] = /^#\/[^/]+\/([\w.-]+)$/.exec(location.hash) ?? [];
const moved = former === undefined ? null : document.querySelector<HTMLAnchorElement>(`main a[href$="#${former}"]`);
if (moved !== null) location.replace(moved.href);

// A link to a part of this page closes the contents that lie over it on a small screen.
const contents = document.getElementById("contents");
contents?.addEventListener("click", (event) => {
  if (event.target instanceof HTMLAnchorElement && contents.matches(":popover-open")) contents.hidePopover();
});

addSearch();
addTries();
