/** Suggestions for fields that take a locale. Any other locale can be typed. */
import type { FC } from "hono/jsx";
import { getLanguageName } from "../../domain/language-name.ts";

/** Common locales, for fields where no blog suggests its own. */
export const COMMON_LOCALES =
  "ar de en en-GB es es-MX fr hi id it ja ko nl pl pt pt-BR ru sv tr uk vi zh-Hans zh-Hant".split(" ");

/** Returns the name of a locale, or the tag itself if it has none. */
export function getLocaleName(locale: string): string {
  try {
    return getLanguageName(locale);
  } catch {
    // `Intl` takes fewer tags than BCP 47 has.
    return locale;
  }
}

type KnownProps = { readonly id: string; readonly locales: readonly string[] };

/** A datalist for fields with `list={id}`. */
export const KnownLocales: FC<KnownProps> = ({ id, locales }) => (
  <datalist id={id}>
    {[...new Set(locales)].map((locale) => (
      <option value={locale}>{getLocaleName(locale)}</option>
    ))}
  </datalist>
);
