/** Redirects from the addresses of the old site (contract 21.8). */
import { numberedKeyOf, sourceOf } from "../../src/domain/redirects.ts";
import type { Article } from "./article.ts";

/** Returns the old addresses of an article that differ from its own here. */
export function redirectsOf({
  redirects = [],
  slug,
  locale,
}: Pick<Article, "redirects" | "slug" | "locale">): string[] {
  const isOwn = (from: string | null) => from === `/${slug}` || from === `/${locale}/${slug}`;
  return redirects.filter((address) => !isOwn(sourceFrom(address)));
}

/** Returns the source of a redirect from an old address; null if none can begin there. */
export function sourceFrom(address: string): string | null {
  const [, at = "", query] = /^([^?#]*)(?:\?([^#]*))?/.exec(address) ?? [];
  if (at === "/" && query) return numberedKeyOf(new URLSearchParams(query));
  // Generators write file names as they are, so a percent sign may stand for itself.
  return !query ? sourceOf(at.replaceAll(/%(?![\da-f]{2})/gi, "%25")) : null;
}
