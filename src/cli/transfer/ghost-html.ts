/** Reduces cards in the HTML that Ghost has rendered to what an article has of them (TryGhost/Koenig, kg-default-nodes). */
import { EXIT, SKIP, visit } from "unist-util-visit";
import { element, isElement, lineIn } from "./html-nodes.ts";
import type { Element, Inside, Root } from "./html-tree.ts";

/**
 * Replaces cards of audio, video, bookmarks and files by a link with their title, with their picture and caption: they have
 * the controls of a player, icons, or what the other site says of itself. Leaves cards without an address as they are.
 */
export function reduceCards(tree: Root): void {
  visit(tree, "element", (card, index, parent) => {
    if (!CARDS.some((name) => hasClass(card, name)) || index === undefined || parent === undefined) return undefined;
    const reduced = linkOfCard(card);
    if (reduced !== null) parent.children[index] = reduced;
    return SKIP;
  });
}

const CARDS = ["kg-audio-card", "kg-video-card", "kg-bookmark-card", "kg-file-card"];
const LINKS = ["kg-bookmark-container", "kg-file-card-container"];
const TITLES = ["kg-audio-title", "kg-bookmark-title", "kg-file-card-title", "kg-file-card-filename"];

function linkOfCard(card: Element): Element | null {
  const source = first(card, (node) => isElement(node, "audio", "video", "source") || hasAny(node, LINKS));
  const address = said(source, "src") || said(source, "href");
  if (address === "") return null;
  const title = first(card, (node) => hasAny(node, TITLES) && lineIn(node) !== "");
  const link = element("a", { href: address }, [text(title === undefined ? address : lineIn(title))]);
  const picture = pictureOf(card);
  const caption = first(card, (node) => isElement(node, "figcaption") || hasClass(node, "kg-file-card-caption"));
  return element("figure", {}, [
    ...(picture === "" ? [] : [element("p", {}, [element("img", { src: picture, alt: "" }, [])])]),
    element("p", {}, [link]),
    ...(caption === undefined ? [] : [element("figcaption", {}, caption.children)]),
  ]);
}

/** Returns the address of a card's own picture: a bookmark's is the other site's. */
function pictureOf(card: Element): string {
  const thumbnail = first(card, (node) => isElement(node, "img") && hasClass(node, "kg-audio-thumbnail"));
  return said(thumbnail, "src") || said(card, "dataKgCustomThumbnail") || said(card, "dataKgThumbnail");
}

const text = (value: string): Inside => ({ type: "text", value });

/** Returns a property that is a text, without white space around it; "" for anything else. */
function said(node: Element | undefined, name: string): string {
  const value = node?.properties[name];
  return typeof value === "string" ? value.trim() : "";
}

const hasClass = ({ properties }: Element, name: string): boolean =>
  Array.isArray(properties.className) && properties.className.includes(name);

const hasAny = (node: Element, classes: readonly string[]): boolean => classes.some((name) => hasClass(node, name));

/** Returns the first element within another one for which this holds. */
function first(parent: Element, holds: (node: Element) => boolean): Element | undefined {
  let found: Element | undefined;
  visit(parent, "element", (node) => {
    if (node === parent || !holds(node)) return undefined;
    found = node;
    return EXIT;
  });
  return found;
}
