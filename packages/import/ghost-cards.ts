/**
 * Converts the cards of Ghost's editors. They are the same in mobiledoc and Lexical (TryGhost/Koenig, packages
 * kg-default-cards and kg-default-nodes).
 */
import { embedAt } from "../markdown/embeds.ts";
import { escapeHtml, figureOf } from "./html-nodes.ts";
import type { Remarks } from "./remarks.ts";

export type Piece = { readonly html: string } | { readonly markdown: string };

export type Members = Readonly<Record<string, unknown>>;

/** Returns the content of a card; null if the card is unknown. Cards without a place in an article become a remark. */
export function pieceOfCard(name: string, card: Members, remarks: Remarks): Piece | null {
  if (MARKDOWN.has(name)) return { markdown: textMember(card, "markdown") };
  if (LEFT_OUT.has(name)) {
    remarks.add(`Ghost cards "${name}" left out`);
    return { html: "" };
  }
  // The name comes from the file, so `toString` must not match.
  const render = Object.hasOwn(CARDS, name) ? CARDS[name] : undefined;
  return render === undefined ? null : { html: render(card) };
}

const MARKDOWN = new Set(["markdown", "card-markdown"]);
const LEFT_OUT = new Set(["email", "email-cta", "paywall", "signup", "transistor"]);

type Render = (card: Members) => string;

const image: Render = (card) => figure(card, linked(textMember(card, "href"), img(card)));
const rule: Render = () => "<hr>";
const code: Render = (card) => {
  const language = textMember(card, "language");
  const mark = language === "" ? "" : ` class="language-${escapeHtml(language)}"`;
  return figure(card, `<pre><code${mark}>${escapeHtml(textMember(card, "code"))}</code></pre>`);
};
const file: Render = (card) =>
  figure(
    card,
    pictureAt(textMember(card, "customThumbnailSrc") || textMember(card, "thumbnailSrc")) + linkOfFile(card),
  );
/** The thumbnail is one of the video's frames, so only a custom one is kept. */
const video: Render = (card) => figure(card, pictureAt(textMember(card, "customThumbnailSrc")) + linkOfFile(card));

const button: Render = (card) =>
  paragraph(linked(textMember(card, "buttonUrl"), escapeHtml(textMember(card, "buttonText"))));

const CARDS: Readonly<Record<string, Render>> = {
  image,
  "card-image": image,
  gallery: (card) =>
    figure(
      card,
      listOf(card, "images")
        .map((each) => figure(each, img(each)))
        .join(""),
    ),
  html: (card) => textMember(card, "html"),
  "card-html": (card) => textMember(card, "html"),
  hr: rule,
  horizontalrule: rule,
  "card-hr": rule,
  code,
  codeblock: code,
  embed: (card) => figure(card, embedded(card)),
  bookmark,
  callout: (card) =>
    `<blockquote><p>${textMember(card, "calloutEmoji")} ${textMember(card, "calloutText")}</p></blockquote>`,
  toggle: (card) =>
    `<details><summary>${textMember(card, "heading")}</summary>${textMember(card, "content")}</details>`,
  button,
  header: (card) =>
    pictureAt(textMember(card, "backgroundImageSrc")) +
    `<h2>${textMember(card, "header")}</h2>${paragraph(textMember(card, "subheader"))}${buttonOf(card)}`,
  "call-to-action": (card) =>
    (card["hasSponsorLabel"] === false ? "" : paragraph(textMember(card, "sponsorLabel"))) +
    pictureAt(textMember(card, "imageUrl")) +
    paragraph(textMember(card, "textValue")) +
    buttonOf(card),
  product: (card) =>
    pictureAt(textMember(card, "productImageSrc")) +
    `<h4>${textMember(card, "productTitle")}</h4>${starsOf(card)}${paragraph(textMember(card, "productDescription"))}` +
    (card["productButtonEnabled"] === false
      ? ""
      : paragraph(linked(textMember(card, "productUrl"), escapeHtml(textMember(card, "productButton"))))),
  video,
  audio: file,
  file,
};

/** The HTML has the text of quoted posts. For others, the URL is enough, with a title and a picture. */
function embedded(card: Members): string {
  const html = textMember(card, "html");
  const metadata = isMembers(card["metadata"]) ? card["metadata"] : {};
  const picture = pictured(card, textMember(metadata, "thumbnail_url"), textMember(metadata, "title"));
  if (picture !== "") return paragraph(picture);
  return html.includes("<blockquote") ? html : `<iframe src="${escapeHtml(textMember(card, "url"))}"></iframe>`;
}

/** Returns the picture as a link if sites embed what the link leads to (contract 20.3); else "". */
function pictured(card: Members, picture: string, title: string): string {
  const url = textMember(card, "url");
  if (picture === "" || embedAt(url) === null) return "";
  return linked(url, `<img src="${escapeHtml(picture)}" alt="${escapeHtml(title)}">`);
}

function bookmark(card: Members): string {
  const metadata = isMembers(card["metadata"]) ? card["metadata"] : {};
  const said = (name: string) => escapeHtml(textMember(metadata, name) || textMember(card, name));
  const by = [said("author"), said("publisher")].filter((name) => name !== "").join(" · ");
  const shown = pictured(card, textMember(metadata, "thumbnail"), textMember(metadata, "title"));
  const link = paragraph(shown || linked(textMember(card, "url"), said("title")));
  return figure(card, `${link}${paragraph(said("description"))}${paragraph(by)}`);
}

const buttonOf = (card: Members): string =>
  ["showButton", "buttonEnabled"].some((name) => card[name] === false) ? "" : button(card);

function starsOf(card: Members): string {
  const stars = Number(card["productStarRating"]);
  const isShown = card["productRatingEnabled"] === true && stars >= 1 && stars <= 5;
  return isShown ? paragraph("★".repeat(stars) + "☆".repeat(5 - stars)) : "";
}

const pictureAt = (src: string): string => (src === "" ? "" : paragraph(`<img src="${escapeHtml(src)}" alt="">`));

const paragraph = (html: string): string => (html.trim() === "" ? "" : `<p>${html}</p>`);

const linked = (url: string, html: string): string =>
  url === "" ? html : `<a href="${escapeHtml(url)}">${html || escapeHtml(url)}</a>`;

const img = (card: Members): string =>
  `<img src="${escapeHtml(textMember(card, "src"))}" alt="${escapeHtml(textMember(card, "alt") || textMember(card, "altText"))}">`;

const figure = (card: Members, html: string): string => figureOf(html, textMember(card, "caption"));

function linkOfFile(card: Members): string {
  const title = textMember(card, "fileTitle") || textMember(card, "title");
  const name = textMember(card, "fileName");
  const link = linked(textMember(card, "src"), escapeHtml(title || name));
  const text = textMember(card, "fileCaption");
  return (
    paragraph(`${link}${title === "" || name === "" ? "" : ` (${escapeHtml(name)})`}`) + paragraph(escapeHtml(text))
  );
}

/** Returns a field that is a text; else "". */
export const textMember = (members: Members, name: string): string => {
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  return typeof value === "string" ? value : "";
};

/** Returns the objects in an array; none if the field is no array. */
export const listOf = (members: Members, name: string): Members[] => {
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  return Array.isArray(value) ? value.filter(isMembers) : [];
};

export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
