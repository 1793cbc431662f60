/** Returns the canonical form of a BCP 47 tag (`en-US` for `EN-us`), or null if it is invalid or ICU misreads it. */
export function canonicalizeLocale(tag: string): string | null {
  const canonical = canonicalize(tag);
  // Otherwise the tag would change again when a caller sends it back.
  if (canonical === null || canonicalize(canonical) !== canonical) return null;
  return listMisreadable(canonical) === listMisreadable(tag) ? canonical : null;
}

/**
 * First segments of a site's paths, now or possibly later, that would be valid language tags. Real languages have at
 * most three letters. An article in the language "authors" would be hidden by the page of an author.
 */
export const WORDS_OF_SITES = "archive assets author authors feeds media robots search sitemap static".split(" ");

export const mayHaveArticles = (tag: string): boolean => !WORDS_OF_SITES.includes(tag);

function canonicalize(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

/**
 * Returns the variants, sorted, that ICU may mistake for a script: after a language, it drops their digits
 * (`az-baku1926` becomes `az-Baku`).
 */
const listMisreadable = (tag: string): string =>
  tag
    .toLowerCase()
    .split("-")
    .filter((part) => /^[a-z]{4}\d[a-z\d]{0,3}$/.test(part))
    .toSorted()
    .join();
