/** Loads the bundles that only some pages need. A literal path would be bundled. */
import type * as language from "../language.ts";
import type * as reading from "../markdown-tools.ts";

export type Reading = typeof reading;
type Language = typeof language;

const PATHS = { reading: "/console/reading.js", language: "/console/language.js" };

export const loadReading = (): Promise<Reading> => load<Reading>(PATHS.reading);
export const loadLanguage = (): Promise<Language> => load<Language>(PATHS.language);

let failures = 0;

/** Browsers keep that a module did not load (HTML, "module map"), so the next try has another address. */
async function load<T>(path: string): Promise<T> {
  try {
    return (await import(failures === 0 ? path : `${path}?${failures}`)) as T;
  } catch (error) {
    failures++;
    throw error;
  }
}
