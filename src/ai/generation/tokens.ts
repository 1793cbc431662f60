/**
 * Returns about how many tokens a text has: one for four characters of the Latin script, one for each letter of a script
 * without spaces, and one for two letters of any other. Models differ by some 20 %.
 */
export function countTokens(text: string): number {
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  const others = (text.match(UNLATIN)?.length ?? 0) - unspaced;
  return Math.ceil(unspaced + others / 2 + Math.max(0, text.length - unspaced - others) / 4);
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
/** Letters, their marks and pictures that are not of the Latin script. */
const UNLATIN =
  /(?!\p{Script=Latin})[\p{L}\p{M}\p{Extended_Pictographic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
