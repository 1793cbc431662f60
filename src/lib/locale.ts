/** The canonical form of a BCP 47 tag (`EN-us` is `en-US`), or null where it is not one. */
export function canonicalLocale(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}
