/** Redirects from the addresses of the old site (contract 21.8). */
import { parseNumberedKey, parseSource } from "../../src/domain/redirects.ts";
import type { Article } from "./article.ts";

/** Returns the old addresses of an article that differ from its own here. */
export function listRedirects({
  redirects = [],
  slug,
  locale,
}: Pick<Article, "redirects" | "slug" | "locale">): string[] {
  const isOwn = (from: string | null) => from === `/${slug}` || from === `/${locale}/${slug}`;
  return redirects.filter((address) => !isOwn(toRedirectSource(address)));
}

/** Returns the source of a redirect from an old address; null if none can begin there. */
export function toRedirectSource(address: string): string | null {
  const [, at = "", query] = /^([^?#]*)(?:\?([^#]*))?/.exec(address) ?? [];
  if (at === "/" && query) return parseNumberedKey(new URLSearchParams(query));
  // Generators write file names as they are, so a percent sign may stand for itself.
  return !query ? parseSource(at.replaceAll(/%(?![\da-f]{2})/gi, "%25")) : null;
}
