/** Returns the canonical form of a BCP 47 tag (`en-US` for `EN-us`), or null if it is invalid or ICU misreads it. */
export function canonicalLocale(tag: string): string | null {
  const canonical = canonicalOf(tag);
  // A canonical form that is not its own canonical form would become another tag when a caller sends it back.
  if (canonical === null || canonicalOf(canonical) !== canonical) return null;
  return misreadable(canonical) === misreadable(tag) ? canonical : null;
}

/**
 * Words that begin paths of a site, or may come to, and have the form of a language, of which none has more than three letters:
 * at `/authors/one` is an author, and an article there could not be read.
 */
export const WORDS_OF_SITES = "archive assets author authors feeds media robots search sitemap static".split(" ");

/** Returns whether a canonical tag is none of {@link WORDS_OF_SITES}, so that there may be articles in it. */
export const mayHaveArticles = (tag: string): boolean => !WORDS_OF_SITES.includes(tag);

function canonicalOf(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

/**
 * Returns the variants that ICU may mistake for a script, in lower case, sorted. After a language, ICU drops their
 * digits: `az-baku1926` becomes `az-Baku`.
 */
const misreadable = (tag: string): string =>
  tag
    .toLowerCase()
    .split("-")
    .filter((part) => /^[a-z]{4}\d[a-z\d]{0,3}$/.test(part))
    .toSorted()
    .join();
