/** Previews of an article as a search result and as a card of a shared link. */
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
  readonly site: string;
};

export type Appearance = {
  readonly title: string;
  readonly description: string;
  /** As search engines show it: the host, then the path. */
  readonly address: string;
  readonly host: string;
  /** The URL of the image; "" for none. */
  readonly image: string;
  readonly isListed: boolean;
};

/** Search engines cut after a width; these are usual numbers of Latin letters. */
const RESULT = { title: 60, description: 155 };
const CARD = { title: 70, description: 200 };

export const toSearchResult = (article: Appearing): Appearance => toAppearance(article, RESULT);
export const toSocialCard = (article: Appearing): Appearance => toAppearance(article, CARD);

function toAppearance(article: Appearing, most: typeof RESULT): Appearance {
  const { title, description, slug, coverUrl, canonicalUrl, site } = article;
  const url = isWebUrl(canonicalUrl) ? new URL(canonicalUrl) : null;
  // The URL of the article is unknown here, so the host is the name of the blog.
  const host = url?.host ?? (site || "your site");
  const path = url === null ? [slug || "…"] : url.pathname.split("/").filter((part) => part !== "");
  const image = article.seoImage || coverUrl;
  return {
    title: cutAtWord(article.seoTitle.trim() || title.trim() || "Untitled", most.title),
    description: cutAtWord(article.seoDescription.trim() || description.trim(), most.description),
    address: [host, ...path.map(decodeSegment)].join(" › "),
    host,
    image: isWebUrl(image) ? image : "",
    isListed: !article.noindex,
  };
}

/** Cuts a long text after a whole word. */
function cutAtWord(text: string, most: number): string {
  const letters = Array.from(text.replaceAll(/\s+/gu, " "));
  if (letters.length <= most) return letters.join("");
  const start = letters.slice(0, most).join("");
  const end = start.lastIndexOf(" ");
  return `${end > most / 2 ? start.slice(0, end) : start} …`;
}

function decodeSegment(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
