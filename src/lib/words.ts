/** Words by language. Other languages get the English ones. */
export type Languages<Words> = { readonly en: Words } & Readonly<Record<string, Words>>;

/** Returns the words for a locale, and their language tag: the locale itself, or English. */
export function getWords<Words>(
  all: Languages<Words>,
  locale: string,
): { readonly words: Words; readonly lang: string } {
  const words = all[locale.split("-", 1)[0] ?? "en"];
  return words === undefined ? { words: all.en, lang: "en" } : { words, lang: locale };
}

export const fillPlaces = (sentence: string, values: Readonly<Record<string, string>>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
