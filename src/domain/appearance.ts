/** How an article appears elsewhere: as a result of a search engine, and as a card where somebody shares its link. */
import { isWebUrl } from "../lib/web-url.ts";

export type Appearing = {
  readonly title: string;
  readonly description: string;
  readonly slug: string;
  readonly coverUrl: string;
  readonly seoTitle: string;
  readonly seoDescription: string;
  readonly seoImage: string;
  readonly canonicalUrl: string;
  readonly noindex: boolean;
  /** The name of the blog. */
  readonly site: string;
};

export type Appearance = {
  readonly title: string;
  readonly description: string;
  /** Where it is, as a search engine writes it: the host, then the path. */
  readonly address: string;
  readonly host: string;
  /** The address of the picture; "" for none. */
  readonly image: string;
  readonly isListed: boolean;
};

/** Characters after which search engines cut. They measure widths; these are the usual numbers for Latin letters. */
const RESULT = { title: 60, description: 155 };
/** The same for cards of shared links. */
const CARD = { title: 70, description: 200 };

export const searchResultOf = (article: Appearing): Appearance => appearance(article, RESULT);
export const cardOf = (article: Appearing): Appearance => appearance(article, CARD);

function appearance(article: Appearing, most: typeof RESULT): Appearance {
  const { title, description, slug, coverUrl, canonicalUrl, site } = article;
  const url = isWebUrl(canonicalUrl) ? new URL(canonicalUrl) : null;
  // The service does not know where a site shows its articles, so it says whose they are.
  const host = url?.host ?? (site || "your site");
  const path = url === null ? [slug || "…"] : url.pathname.split("/").filter((part) => part !== "");
  const image = article.seoImage || coverUrl;
  return {
    title: cut(article.seoTitle.trim() || title.trim() || "Untitled", most.title),
    description: cut(article.seoDescription.trim() || description.trim(), most.description),
    address: [host, ...path.map(decoded)].join(" › "),
    host,
    image: isWebUrl(image) ? image : "",
    isListed: !article.noindex,
  };
}

/** Cuts a text after its last whole word, if it is longer. */
function cut(text: string, most: number): string {
  const letters = Array.from(text.replaceAll(/\s+/gu, " "));
  if (letters.length <= most) return letters.join("");
  const start = letters.slice(0, most).join("");
  const end = start.lastIndexOf(" ");
  return `${end > most / 2 ? start.slice(0, end) : start} …`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
