/**
 * Returns about how many tokens a text has: one for four characters of the Latin script, one for each of a script without
 * spaces, and one for two of any other. Models differ by some 20 %.
 */
export function countTokens(text: string): number {
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  const others = text.match(OTHER)?.length ?? 0;
  return Math.ceil(unspaced + others / 2 + (text.length - unspaced - others) / 4);
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
const OTHER =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}]/gu;
