/** Offers to copy images of other sites into the media library. */
import { makeElement, enterText, makeButton } from "../../editor/dom.ts";
import { uploadFromUrl } from "../uploads.ts";
import { loadReading, type Reading } from "./load.ts";
import { area, onPause } from "./page.ts";

/** How long after the last change the text is searched, in milliseconds. */
const PAUSE_MS = 800;

/** Whether a text may contain an image: the parser is loaded only then. */
const MAY = /!\[|<img/i;

/** Adds elements above the text. Below a long text, the form's buttons would cover them. */
function addElements(content: HTMLTextAreaElement, onPress: () => void) {
  const told = makeElement("span");
  const press = makeButton("Bring them into the library", onPress);
  const root = makeElement("p", { class: "hint", role: "status", hidden: true }, told, " ", press);
  const failures = makeElement("ul", { class: "hint", hidden: true });
  content.before(root, failures);
  return { told, press, root, failures };
}

/** Adds a line that counts the images of other sites, with a button that copies them. */
export function offerPictures(): void {
  if (!area) return;
  const content = area;
  const { told, press, root, failures } = addElements(content, () => void bring());
  let isBusy = false;
  /** Addresses that could not be copied. Their errors stay until there is something else to copy. */
  let refused: ReadonlySet<string> | null = null;

  async function look(): Promise<void> {
    if (isBusy || (root.hidden && !MAY.test(content.value))) return;
    const found = remoteIn(content.value, await loadReading());
    if (refused?.size === found.length && found.every(({ address }) => refused?.has(address))) return;
    refused = null;
    failures.hidden = true;
    press.hidden = found.length === 0;
    if (found.length > 0)
      told.textContent = `${images(found.length)} ${found.length === 1 ? "is" : "are"} on other sites.`;
    root.hidden = found.length === 0;
  }

  /** Copies the images and replaces their addresses in the text as it is by then. Lists those that failed. */
  async function bring(): Promise<void> {
    isBusy = true;
    press.hidden = true;
    const reading = await loadReading();
    const found = remoteIn(content.value, reading);
    const brought = new Map<string, string>();
    const why: string[] = [];
    for (const [at, { address, alt }] of found.entries()) {
      told.textContent = `Bringing image ${at + 1} of ${found.length}…`;
      await uploadFromUrl(address, alt).then(
        ({ url }) => brought.set(address, url),
        (error: unknown) => why.push(`${address}: ${error instanceof Error ? error.message : "It failed."}`),
      );
    }
    const text = content.value;
    const places = reading.findPictures(text).filter(({ address }) => brought.has(address));
    if (places.length > 0)
      enterText(
        content,
        reading.replaceAddresses(text, places, ({ address }) => brought.get(address) ?? address),
      );
    told.textContent = `${images(brought.size)} came into the library.${why.length === 0 ? "" : ` ${images(why.length)} could not:`}`;
    failures.replaceChildren(...why.map((reason) => makeElement("li", {}, reason)));
    failures.hidden = why.length === 0;
    refused = new Set(found.flatMap(({ address }) => (brought.has(address) ? [] : [address])));
    isBusy = false;
  }

  onPause(look, () => PAUSE_MS);
  void look();
}

const images = (count: number): string => `${count} ${count === 1 ? "image" : "images"}`;

/** Returns the images of a text that are on another site, each address once. */
function remoteIn(
  text: string,
  { findPictures, isWebUrl }: Reading,
): { readonly address: string; readonly alt: string }[] {
  const found = new Map(findPictures(text).map((place) => [place.address, place]));
  return [...found.values()].filter(
    ({ address }) => isWebUrl(address) && URL.parse(address)?.origin !== location.origin,
  );
}
