/** Which language a text is in, as far as trigrams can tell. */
import { francAll } from "franc-min";
import { nameOf } from "../domain/language-name.ts";

export type LanguageVerdict =
  | { readonly kind: "fits" }
  /** `found` is the language's English name, "" where only the script is known to be another. */
  | { readonly kind: "differs"; readonly found: string }
  /** The language is none of those that can be told, or the text is too short. */
  | { readonly kind: "unknown" };

/** Judges a plain text; a few dozen words are needed for a verdict that holds. */
export function judgeLanguage(text: string, locale: string): LanguageVerdict {
  const wanted = new Intl.Locale(locale);
  const family = familyOf(wanted.language);
  const isKnown = family.some((language) => KNOWN.has(language));
  // A language that is known decides by itself, unless the tag asks for one of its scripts.
  if ((!isKnown || wanted.script !== undefined) && isInOtherScript(text, wanted)) {
    return { kind: "differs", found: "" };
  }
  return isKnown ? compare(text, family) : { kind: "unknown" };
}

function compare(text: string, family: readonly string[]): LanguageVerdict {
  const candidates = francAll(family.includes("zh") ? withoutStrayKana(text) : text);
  const best = languageOf(candidates[0]?.[0] ?? "und");
  if (best === "und") return { kind: "unknown" };
  const score = candidates.find(([code]) => family.includes(languageOf(code)))?.[1] ?? 0;
  return score >= CLOSE ? { kind: "fits" } : { kind: "differs", found: nameOf(best) };
}

/** The best candidate's score is 1, that of a near relative up to 0.95: Bulgarian for Russian, Spanish for Portuguese. */
const CLOSE = 0.97;

/** Languages so alike that trigrams do not part them, and macrolanguages with the member that stands for them. */
const FAMILIES: readonly (readonly string[])[] = [
  ["bs", "hr", "sr"],
  ["id", "ms"],
  ["hi", "bho", "mag", "mai"],
  ["ff", "fuv"],
  ["qu", "qug"],
  ["hmn", "hms", "hnj"],
];

const familyOf = (language: string): readonly string[] =>
  FAMILIES.find((family) => family.includes(language)) ?? [language];

/** franc speaks ISO 639-3, locales the shortest code (RFC 5646, 2.2.1): `cmn` is `zh`, `nob` would be `nb`. */
const languageOf = (code: string): string =>
  code === "und" ? code : new Intl.Locale(Intl.getCanonicalLocales(code)[0] ?? code).language;

/** What franc-min tells apart. It knows no Danish, Norwegian, Finnish or Hebrew, among others. */
const KNOWN: ReadonlySet<string> = new Set(
  `amh arb azj bel ben bho bos bul ceb ces ckb cmn deu ell eng fra fuv guj hau hin hms hnj hrv hun ibo ilo ind ita jav
  jpn kan kaz kin koi kor lin mad mag mai mal mar mya nld npi nya pan pbu pes plt pol por qug ron run rus sin skr som
  spa srp sun swe swh tam tel tgl tha tur ukr urd uzn vie yor zlm zul zyb`
    .split(/\s+/)
    .map(languageOf),
);

/** Chinese may quote a Japanese word, which franc would take for the text's language. */
function withoutStrayKana(text: string): string {
  const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
  const stray = (text.match(kana) ?? []).length * 20 < (text.match(/\p{Script=Han}/gu) ?? []).length;
  return stray ? text.replaceAll(kana, "") : text;
}

/** Codes of ISO 15924 that stand for several scripts of Unicode, and those that Unicode knows by another. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  Hans: ["Hani"],
  Hant: ["Hani"],
  Jpan: ["Hani", "Hira", "Kana"],
  Kore: ["Hang", "Hani"],
};

/** Whether less than a third of the letters are of the locale's own script. */
function isInOtherScript(text: string, locale: Intl.Locale): boolean {
  const script = locale.maximize().script;
  if (script === undefined) return false;
  try {
    const names = (SCRIPTS[script] ?? [script]).map((name) => `\\p{Script=${name}}`);
    const own = text.match(new RegExp(`[${names.join("")}]`, "gu")) ?? [];
    return own.length * 3 < (text.match(/\p{L}/gu) ?? []).length;
  } catch {
    // A script that Unicode does not have, such as that for mathematical notation.
    return false;
  }
}
