import { francAll } from "franc-min";
import { getLanguageName } from "../../domain/language-name.ts";

export type LanguageVerdict =
  | { readonly kind: "fits" }
  /** `found` is the English name of the detected language; "" if only the script is wrong. */
  | { readonly kind: "differs"; readonly found: string }
  /** The language cannot be detected, or the text is too short. */
  | { readonly kind: "unknown" };

/** Compares the language of a plain text with the locale. Reliable from a few dozen words on. */
export function judgeLanguage(text: string, locale: string): LanguageVerdict {
  const wanted = new Intl.Locale(locale);
  const family = findFamily(wanted.language);
  const isKnown = family.some((language) => KNOWN.has(language));
  // If franc knows the language, its result is enough, unless the locale names a script.
  if ((!isKnown || wanted.script !== undefined) && isInOtherScript(text, wanted)) {
    return { kind: "differs", found: "" };
  }
  return isKnown ? compareLanguages(text, family) : { kind: "unknown" };
}

function compareLanguages(text: string, family: readonly string[]): LanguageVerdict {
  const candidates = francAll(family.includes("zh") ? withoutStrayKana(text) : text);
  const best = toLanguage(candidates[0]?.[0] ?? "und");
  if (best === "und") return { kind: "unknown" };
  const score = candidates.find(([code]) => family.includes(toLanguage(code)))?.[1] ?? 0;
  return score >= CLOSE ? { kind: "fits" } : { kind: "differs", found: getLanguageName(best) };
}

/**
 * The lowest score of a language that fits. The best candidate has 1. A closely related language has up to 0.95, such as
 * Bulgarian for a Russian text.
 */
const CLOSE = 0.97;

/** Languages that trigrams cannot distinguish, and macrolanguages with the language that franc reports for them. */
const FAMILIES: readonly (readonly string[])[] = [
  ["bs", "hr", "sr"],
  ["id", "ms"],
  ["hi", "bho", "mag", "mai"],
  ["ff", "fuv"],
  ["qu", "qug"],
  ["hmn", "hms", "hnj"],
];

const findFamily = (language: string): readonly string[] =>
  FAMILIES.find((family) => family.includes(language)) ?? [language];

/** Converts a code of franc (ISO 639-3) to that of a locale, the shortest (RFC 5646, 2.2.1): `cmn` becomes `zh`. */
const toLanguage = (code: string): string =>
  code === "und" ? code : new Intl.Locale(Intl.getCanonicalLocales(code)[0] ?? code).language;

/** The languages that franc-min can detect. It does not know Danish, Norwegian, Finnish or Hebrew. */
const KNOWN: ReadonlySet<string> = new Set(
  `amh arb azj bel ben bho bos bul ceb ces ckb cmn deu ell eng fra fuv guj hau hin hms hnj hrv hun ibo ilo ind ita jav
  jpn kan kaz kin koi kor lin mad mag mai mal mar mya nld npi nya pan pbu pes plt pol por qug ron run rus sin skr som
  spa srp sun swe swh tam tel tgl tha tur ukr urd uzn vie yor zlm zul zyb`
    .split(/\s+/)
    .map(toLanguage),
);

/** Removes kana from a Chinese text. A few quoted Japanese words would make franc report Japanese. */
function withoutStrayKana(text: string): string {
  const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
  const stray = (text.match(kana) ?? []).length * 20 < (text.match(/\p{Script=Han}/gu) ?? []).length;
  return stray ? text.replaceAll(kana, "") : text;
}

/** Codes of ISO 15924 that combine scripts of Unicode. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  Hans: ["Hani"],
  Hant: ["Hani"],
  Jpan: ["Hani", "Hira", "Kana"],
  Kore: ["Hang", "Hani"],
};

/** Returns true if less than a third of the letters are of the locale's script. */
function isInOtherScript(text: string, locale: Intl.Locale): boolean {
  const script = locale.maximize().script;
  if (script === undefined) return false;
  try {
    const names = (SCRIPTS[script] ?? [script]).map((name) => `\\p{Script=${name}}`);
    const own = text.match(new RegExp(`[${names.join("")}]`, "gu")) ?? [];
    return own.length * 3 < (text.match(/\p{L}/gu) ?? []).length;
  } catch {
    // Unicode does not know this script. An example is the code for mathematical notation.
    return false;
  }
}
