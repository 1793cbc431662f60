/** Sentences in several languages, and filling their places. */

/** Words by language. English is what every other language gets. */
export type Languages<Words> = { readonly en: Words } & Readonly<Record<string, Words>>;

/** Returns the words of a locale, and the language tag that they are in: the locale itself, or English. */
export function wordsIn<Words>(
  all: Languages<Words>,
  locale: string,
): { readonly words: Words; readonly lang: string } {
  const words = all[languageOf(locale)];
  return words === undefined ? { words: all.en, lang: "en" } : { words, lang: locale };
}

const languageOf = (locale: string): string => locale.split("-", 1)[0] ?? "en";

/** Returns a sentence with its places filled. */
export const filled = (sentence: string, values: Readonly<Record<string, string>>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
