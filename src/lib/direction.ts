/** The direction that a language is written in. */

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = new Set(["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Syrc", "Thaa"]);

/** Returns the direction of a locale's script. Throws a `RangeError` for what is no language tag. */
export function directionOf(locale: string): "ltr" | "rtl" {
  const { script } = new Intl.Locale(locale).maximize();
  return script !== undefined && RIGHT_TO_LEFT.has(script) ? "rtl" : "ltr";
}

/**
 * Returns the `dir` of a text in a locale. One in Arabic that begins with a Latin name is written from right to left all the same;
 * elsewhere the first letter decides, as blogs whose language nobody has set are English.
 */
export const textDirection = (locale: string): "rtl" | "auto" => (directionOf(locale) === "rtl" ? "rtl" : "auto");
