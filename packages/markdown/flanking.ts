/** Whether the signs of emphasis would be read as such (CommonMark, 6.2), also beside Chinese, Japanese and Korean. */
/** The scripts and signs of East Asia, which are as wide as two letters (Unicode, UAX #11), and halfwidth forms. */
const EAST_ASIAN =
  /^[\u1100-\u11ff\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe6f\uff01-\uffee\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]$/u;

const isSpace = (character: string): boolean => /^\s?$/u.test(character);
const isPunctuation = (character: string): boolean => /^[\p{P}\p{S}]$/u.test(character);
const isWord = (character: string): boolean => !isSpace(character) && !isPunctuation(character);

/** Whether a sign between these two could open a mark before `inside`. */
export function canOpen(sign: string, before: string, inside: string): boolean {
  const next = Array.from(inside.slice(0, 2))[0] ?? "";
  return isFlanking(before, next) && (sign !== "_" || !isWord(before));
}

/** Whether a sign could close a mark behind `inside`. */
export function canClose(sign: string, inside: string, after: string): boolean {
  const last = Array.from(inside.slice(-2)).at(-1) ?? "";
  return isFlanking(after, last) && (sign !== "_" || !isWord(after));
}

/** Whether a sign belongs to the character inside: between this one and the one outside. */
function isFlanking(outside: string, inside: string): boolean {
  if (isSpace(inside)) return false;
  if (!isPunctuation(inside) || isSpace(outside) || isPunctuation(outside)) return true;
  return EAST_ASIAN.test(outside) || EAST_ASIAN.test(inside);
}
