/** Enhances the reference: search, "Try it", and the choice of a language. */
import { addSearch } from "./reference/search.ts";
import { addTries } from "./reference/try.ts";
import { storeChoice, readChoice } from "../editor/stored.ts";

const LANGUAGE = "edgepress-language";

// Address the examples to the service that serves this page.
for (const setup of document.querySelectorAll("[data-setup] code")) {
  setup.textContent = (setup.textContent ?? "").replace("https://press.example.com", location.origin);
}

// Remember the chosen language for the next page.
const choices = document.querySelectorAll<HTMLInputElement>(".languages input");
for (const choice of choices) {
  if (choice.value === readChoice(LANGUAGE)) choice.checked = true;
  choice.addEventListener("change", () => storeChoice(LANGUAGE, choice.value));
}

// Redirect old links such as #/Tag/operation. The start page links to every operation.
const [, former] = /^#\/[^/]+\/([\w.-]+)$/.exec(location.hash) ?? [];
const moved = former === undefined ? null : document.querySelector<HTMLAnchorElement>(`main a[href$="#${former}"]`);
if (moved !== null) location.replace(moved.href);

// On a small screen, close the contents when a link in them is followed.
const contents = document.getElementById("contents");
contents?.addEventListener("click", (event) => {
  if (event.target instanceof HTMLAnchorElement && contents.matches(":popover-open")) contents.hidePopover();
});

addSearch();
addTries();
