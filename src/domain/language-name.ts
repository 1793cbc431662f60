/** Returns the English name of a locale, such as "Portuguese (Brazil)", or the tag itself if it has none. */
export function getLanguageName(locale: string): string {
  const { language, script, region } = new Intl.Locale(locale);
  // Without variants and private parts: they have no names, and `of` throws for some of them.
  return ENGLISH.of([language, script, region].filter((part) => part !== undefined).join("-")) ?? locale;
}

const ENGLISH = new Intl.DisplayNames(["en"], { type: "language", languageDisplay: "standard" });
