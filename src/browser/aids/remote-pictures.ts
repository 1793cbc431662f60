/** Offers to bring the pictures of a text that are on other sites into the library. */
import { quietButton } from "../editor/dialog.ts";
import { element, enterText } from "../editor/dom.ts";
import { uploadFrom } from "../uploads.ts";
import { loadReading, type Reading } from "./load.ts";
import { area, onPause } from "./page.ts";

/** How long somebody pauses before the text is looked at, in milliseconds. */
const PAUSE_MS = 800;

/** Whether a text may have a picture of another site: the parser is only loaded then. */
const MAY = /!\[|<img/i;

/** Adds a line below the text that counts them, with a button. */
export function offerPictures(): void {
  const field = area?.closest<HTMLElement>(".field");
  if (!area || !field) return;
  const content = area;
  const told = element("span");
  const press = quietButton("Bring them into the library", () => void bring());
  const root = element("p", { class: "hint", role: "status", hidden: true }, told, " ", press);
  const failures = element("ul", { class: "hint", hidden: true });
  field.append(root, failures);
  let isBusy = false;

  async function look(): Promise<void> {
    if (isBusy || (root.hidden && !MAY.test(content.value))) return;
    const found = remoteIn(content.value, await loadReading());
    press.hidden = found.length === 0;
    if (found.length > 0)
      told.textContent = `${images(found.length)} ${found.length === 1 ? "is" : "are"} on other sites.`;
    if (found.length > 0 || failures.hidden) root.hidden = found.length === 0;
  }

  /** Replaces what came in the text as it is by then. The rest stays, and it is said why. */
  async function bring(): Promise<void> {
    isBusy = true;
    press.hidden = true;
    const reading = await loadReading();
    const found = remoteIn(content.value, reading);
    const brought = new Map<string, string>();
    const why: string[] = [];
    for (const [at, { address, alt }] of found.entries()) {
      told.textContent = `Bringing image ${at + 1} of ${found.length}…`;
      await uploadFrom(address, alt).then(
        ({ url }) => brought.set(address, url),
        (error: unknown) => why.push(`${address}: ${error instanceof Error ? error.message : "It failed."}`),
      );
    }
    const text = content.value;
    const places = reading.placesIn(text).filter(({ address }) => brought.has(address));
    if (places.length > 0)
      enterText(
        content,
        reading.replaced(text, places, ({ address }) => brought.get(address) ?? address),
      );
    told.textContent = `${images(brought.size)} came into the library.${why.length === 0 ? "" : ` ${images(why.length)} could not:`}`;
    failures.replaceChildren(...why.map((reason) => element("li", {}, reason)));
    failures.hidden = why.length === 0;
    isBusy = false;
  }

  onPause(
    () => void look(),
    () => PAUSE_MS,
  );
  void look();
}

const images = (count: number): string => `${count} ${count === 1 ? "image" : "images"}`;

/** Returns the pictures of a text that are at another address than the service's own, each once. */
function remoteIn(text: string, { placesIn, isWebUrl }: Reading): { readonly address: string; readonly alt: string }[] {
  const found = new Map(placesIn(text).map((place) => [place.address, place]));
  return [...found.values()].filter(
    ({ address }) => isWebUrl(address) && URL.parse(address)?.origin !== location.origin,
  );
}
