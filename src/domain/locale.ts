/** The canonical form of a BCP 47 tag (`EN-us` is `en-US`), or null where it is not one, or one that ICU misreads. */
export function canonicalLocale(tag: string): string | null {
  const canonical = canonicalOf(tag);
  // A form that is not its own would be another tag when it comes back.
  if (canonical === null || canonicalOf(canonical) !== canonical) return null;
  return misreadable(canonical) === misreadable(tag) ? canonical : null;
}

function canonicalOf(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

/** The variants of which ICU makes a script behind a language, without their digits: `az-Baku` of `az-baku1926`. */
const misreadable = (tag: string): string =>
  tag
    .toLowerCase()
    .split("-")
    .filter((part) => /^[a-z]{4}\d[a-z\d]{0,3}$/.test(part))
    .toSorted()
    .join();
