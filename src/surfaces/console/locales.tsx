/** Offers locales where one is asked for. Any other can still be typed. */
import type { FC } from "hono/jsx";
import { nameOf } from "../../domain/language-name.ts";

/** What blogs are often written in, for where no blog says what it is written in. */
export const COMMON_LOCALES =
  "ar de en en-GB es es-MX fr hi id it ja ko nl pl pt pt-BR ru sv tr uk vi zh-Hans zh-Hant".split(" ");

/** Returns the name of a locale, or the tag itself if it has none. */
export function localeName(locale: string): string {
  try {
    return nameOf(locale);
  } catch {
    // `Intl` takes fewer tags than BCP 47 has.
    return locale;
  }
}

type KnownProps = { readonly id: string; readonly locales: readonly string[] };

/** The list from which the browser completes a field with `list={id}`: each locale once, with its name. */
export const KnownLocales: FC<KnownProps> = ({ id, locales }) => (
  <datalist id={id}>
    {[...new Set(locales)].map((locale) => (
      <option value={locale}>{localeName(locale)}</option>
    ))}
  </datalist>
);
