const RIGHT_TO_LEFT = new Set(["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Syrc", "Thaa"]);

/** Returns the direction of a locale's script. Throws a `RangeError` for an invalid language tag. */
export function getDirection(locale: string): "ltr" | "rtl" {
  const { script } = new Intl.Locale(locale).maximize();
  return script !== undefined && RIGHT_TO_LEFT.has(script) ? "rtl" : "ltr";
}

/**
 * Returns the `dir` attribute for a text. Texts in a right-to-left language keep that direction even if they begin with
 * a Latin name. Otherwise the first letter decides, because blogs without a set language count as English.
 */
export const getTextDirection = (locale: string): "rtl" | "auto" => (getDirection(locale) === "rtl" ? "rtl" : "auto");
