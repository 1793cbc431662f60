/** Loads the bundles that only some pages need. A literal path would be bundled. */
import type * as language from "../language.ts";
import type * as reading from "../markdown-tools.ts";

export type Reading = typeof reading;
type Language = typeof language;

const PATHS = { reading: "/console/reading.js", language: "/console/language.js" };

export const loadReading = async (): Promise<Reading> => (await import(PATHS.reading)) as Reading;
export const loadLanguage = async (): Promise<Language> => (await import(PATHS.language)) as Language;
