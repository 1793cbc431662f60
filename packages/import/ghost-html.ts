/** Reduces the cards in HTML that Ghost rendered (TryGhost/Koenig, kg-default-nodes). */
import { SKIP, visit } from "unist-util-visit";
import { makeElement, findElements, hasClass, isElement, getLine, getProperty, makeText } from "./html-nodes.ts";
import type { Element, Root } from "./html-tree.ts";

/**
 * Replaces cards of audio, video, bookmarks and files by a link with their title, picture and texts. They also
 * contain controls of a player, and icons. Leaves cards without an address.
 */
export function reduceCards(tree: Root): void {
  visit(tree, "element", (card, index, parent) => {
    reduceParts(card);
    if (!CARDS.some((name) => hasClass(card, name)) || index === undefined || parent === undefined) return undefined;
    const reduced = makeCardLink(card);
    if (reduced !== null) parent.children[index] = reduced;
    return SKIP;
  });
}

function reduceParts(part: Element): void {
  if (hasClass(part, "kg-product-card-rating")) {
    part.children = [makeElement("p", {}, [makeText(toStars(part))])];
  }
  if (hasClass(part, "kg-toggle-card-icon")) part.children = [];
}

function toStars(rating: Element): string {
  const count = (name: string) => findElements(rating, (node) => hasClass(node, name)).length;
  const [active, all] = [count("kg-product-card-rating-active"), count("kg-product-card-rating-star")];
  return "★".repeat(active) + "☆".repeat(Math.max(all - active, 0));
}

const CARDS = ["kg-audio-card", "kg-video-card", "kg-bookmark-card", "kg-file-card"];
const LINKS = ["kg-bookmark-container", "kg-file-card-container"];
const TEXTS = ["kg-bookmark-description", "kg-file-card-caption"];
const DETAILS = ["kg-bookmark-author", "kg-bookmark-publisher", "kg-file-card-filename", "kg-file-card-filesize"];
const TITLES = ["kg-audio-title", "kg-bookmark-title", "kg-file-card-title", "kg-file-card-filename"];

function makeCardLink(card: Element): Element | null {
  const [source] = findElements(card, (node) => isElement(node, "audio", "video", "source") || hasAny(node, LINKS));
  const address = getProperty(source, "src") || getProperty(source, "href");
  if (address === "") return null;
  const [title = ""] = listLines(card, TITLES);
  const link = makeElement("a", { href: address }, [makeText(title || address)]);
  const picture = findPicture(card);
  const lines = [
    ...listLines(card, TEXTS),
    listLines(card, DETAILS)
      .filter((line) => line !== title)
      .join(" · "),
  ].filter((line) => line !== "");
  const [caption] = findElements(card, (node) => isElement(node, "figcaption"));
  return makeElement("figure", {}, [
    ...(picture === "" ? [] : [makeElement("p", {}, [makeElement("img", { src: picture, alt: "" }, [])])]),
    makeElement("p", {}, [link]),
    ...lines.filter((line) => line !== title).map((line) => makeElement("p", {}, [makeText(line)])),
    ...(caption === undefined ? [] : [makeElement("figcaption", {}, caption.children)]),
  ]);
}

const listLines = (card: Element, classes: readonly string[]): string[] =>
  findElements(card, (node) => hasAny(node, classes))
    .map(getLine)
    .filter((line) => line !== "");

/** Returns the address of a card's own picture. That of a bookmark belongs to another site. */
function findPicture(card: Element): string {
  const [thumbnail] = findElements(card, (node) => isElement(node, "img") && hasClass(node, "kg-audio-thumbnail"));
  return (
    getProperty(thumbnail, "src") || getProperty(card, "dataKgCustomThumbnail") || getProperty(card, "dataKgThumbnail")
  );
}

const hasAny = (node: Element, classes: readonly string[]): boolean => classes.some((name) => hasClass(node, name));
