/** The English name of a locale, such as "Portuguese (Brazil)"; of others the tag. */
export function nameOf(locale: string): string {
  const { language, script, region } = new Intl.Locale(locale);
  // Variants and private parts have no names, and some of them are errors.
  return ENGLISH.of([language, script, region].filter((part) => part !== undefined).join("-")) ?? locale;
}

const ENGLISH = new Intl.DisplayNames(["en"], { type: "language", languageDisplay: "standard" });
