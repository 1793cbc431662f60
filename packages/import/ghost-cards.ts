/**
 * Converts the cards of Ghost's editors. They are the same in mobiledoc and Lexical (TryGhost/Koenig, packages
 * kg-default-cards and kg-default-nodes).
 */
import { findEmbed } from "../markdown/embeds.ts";
import { escapeHtml, wrapFigure } from "./html-nodes.ts";
import type { Remarks } from "./remarks.ts";

export type Piece = { readonly html: string } | { readonly markdown: string };

export type Members = Readonly<Record<string, unknown>>;

/** Returns the content of a card; null if the card is unknown. Cards without a place in an article become a remark. */
export function convertCard(name: string, card: Members, remarks: Remarks): Piece | null {
  if (MARKDOWN.has(name)) return { markdown: getText(card, "markdown") };
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

const image: Render = (card) => renderFigure(card, renderLink(getText(card, "href"), renderImage(card)));
const rule: Render = () => "<hr>";
const code: Render = (card) => {
  const language = getText(card, "language");
  const mark = language === "" ? "" : ` class="language-${escapeHtml(language)}"`;
  return renderFigure(card, `<pre><code${mark}>${escapeHtml(getText(card, "code"))}</code></pre>`);
};
const file: Render = (card) =>
  renderFigure(
    card,
    renderPicture(getText(card, "customThumbnailSrc") || getText(card, "thumbnailSrc")) + renderFileLink(card),
  );
/** The thumbnail is one of the video's frames, so only a custom one is kept. */
const video: Render = (card) =>
  renderFigure(card, renderPicture(getText(card, "customThumbnailSrc")) + renderFileLink(card));

const button: Render = (card) =>
  renderParagraph(renderLink(getText(card, "buttonUrl"), escapeHtml(getText(card, "buttonText"))));

const CARDS: Readonly<Record<string, Render>> = {
  image,
  "card-image": image,
  gallery: (card) =>
    renderFigure(
      card,
      listMembers(card, "images")
        .map((each) => renderFigure(each, renderImage(each)))
        .join(""),
    ),
  html: (card) => getText(card, "html"),
  "card-html": (card) => getText(card, "html"),
  hr: rule,
  horizontalrule: rule,
  "card-hr": rule,
  code,
  codeblock: code,
  embed: (card) => renderFigure(card, renderEmbed(card)),
  bookmark,
  callout: (card) => `<blockquote><p>${getText(card, "calloutEmoji")} ${getText(card, "calloutText")}</p></blockquote>`,
  toggle: (card) => `<details><summary>${getText(card, "heading")}</summary>${getText(card, "content")}</details>`,
  button,
  header: (card) =>
    renderPicture(getText(card, "backgroundImageSrc")) +
    `<h2>${getText(card, "header")}</h2>${renderParagraph(getText(card, "subheader"))}${renderOptionalButton(card)}`,
  "call-to-action": (card) =>
    (card["hasSponsorLabel"] === false ? "" : renderParagraph(getText(card, "sponsorLabel"))) +
    renderPicture(getText(card, "imageUrl")) +
    renderParagraph(getText(card, "textValue")) +
    renderOptionalButton(card),
  product: (card) =>
    renderPicture(getText(card, "productImageSrc")) +
    `<h4>${getText(card, "productTitle")}</h4>${renderStars(card)}${renderParagraph(getText(card, "productDescription"))}` +
    (card["productButtonEnabled"] === false
      ? ""
      : renderParagraph(renderLink(getText(card, "productUrl"), escapeHtml(getText(card, "productButton"))))),
  video,
  audio: file,
  file,
};

/** The HTML has the text of quoted posts. For others, the URL is enough, with a title and a picture. */
function renderEmbed(card: Members): string {
  const html = getText(card, "html");
  const metadata = isObject(card["metadata"]) ? card["metadata"] : {};
  const picture = renderPreview(card, getText(metadata, "thumbnail_url"), getText(metadata, "title"));
  if (picture !== "") return renderParagraph(picture);
  return html.includes("<blockquote") ? html : `<iframe src="${escapeHtml(getText(card, "url"))}"></iframe>`;
}

/** Returns the picture as a link if sites embed what the link leads to (contract 20.3); else "". */
function renderPreview(card: Members, picture: string, title: string): string {
  const url = getText(card, "url");
  if (picture === "" || findEmbed(url) === null) return "";
  return renderLink(url, `<img src="${escapeHtml(picture)}" alt="${escapeHtml(title)}">`);
}

function bookmark(card: Members): string {
  const metadata = isObject(card["metadata"]) ? card["metadata"] : {};
  const said = (name: string) => escapeHtml(getText(metadata, name) || getText(card, name));
  const by = [said("author"), said("publisher")].filter((name) => name !== "").join(" · ");
  const shown = renderPreview(card, getText(metadata, "thumbnail"), getText(metadata, "title"));
  const link = renderParagraph(shown || renderLink(getText(card, "url"), said("title")));
  return renderFigure(card, `${link}${renderParagraph(said("description"))}${renderParagraph(by)}`);
}

const renderOptionalButton = (card: Members): string =>
  ["showButton", "buttonEnabled"].some((name) => card[name] === false) ? "" : button(card);

function renderStars(card: Members): string {
  const stars = Number(card["productStarRating"]);
  const isShown = card["productRatingEnabled"] === true && stars >= 1 && stars <= 5;
  return isShown ? renderParagraph("★".repeat(stars) + "☆".repeat(5 - stars)) : "";
}

const renderPicture = (src: string): string =>
  src === "" ? "" : renderParagraph(`<img src="${escapeHtml(src)}" alt="">`);

const renderParagraph = (html: string): string => (html.trim() === "" ? "" : `<p>${html}</p>`);

const renderLink = (url: string, html: string): string =>
  url === "" ? html : `<a href="${escapeHtml(url)}">${html || escapeHtml(url)}</a>`;

const renderImage = (card: Members): string =>
  `<img src="${escapeHtml(getText(card, "src"))}" alt="${escapeHtml(getText(card, "alt") || getText(card, "altText"))}">`;

const renderFigure = (card: Members, html: string): string => wrapFigure(html, getText(card, "caption"));

function renderFileLink(card: Members): string {
  const title = getText(card, "fileTitle") || getText(card, "title");
  const name = getText(card, "fileName");
  const link = renderLink(getText(card, "src"), escapeHtml(title || name));
  const text = getText(card, "fileCaption");
  return (
    renderParagraph(`${link}${title === "" || name === "" ? "" : ` (${escapeHtml(name)})`}`) +
    renderParagraph(escapeHtml(text))
  );
}

/** Returns a field that is a text; else "". */
export const getText = (members: Members, name: string): string => {
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  return typeof value === "string" ? value : "";
};

/** Returns the objects in an array; none if the field is no array. */
export const listMembers = (members: Members, name: string): Members[] => {
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  return Array.isArray(value) ? value.filter(isObject) : [];
};

export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
