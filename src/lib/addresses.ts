/** Addresses in plain text, as those know them who make links of them. */

/**
 * URLs as they occur in text. CJK punctuation ends one, as a space does. Schemes are short: without that and
 * without the boundary, a run of letters would cost the square of its length.
 */
export const BARE_URLS =
  /(?:(?<![a-z\d+.-])[a-z][a-z\d+.-]{0,19}|https?):\/\/[^\s<>"、。，；：！？「」『』（）【】]+|(?<![a-z\d])www\.[^\s<>"、。，；：！？「」『』（）【】]*/giu;

/** Addresses of mail and XMPP as its parser finds them in Markdown (`a@.b` too), with their scheme or without one. */
const MAILS = /(?:(?<![\w+.-])(?:mailto|xmpp):)?(?<![\w+.-])[\w+.-]+@[\w-]*(?:\.[\w-]+)+/gi;

/** Marks where something stood, so that its brackets go with it. Unicode has no such character. */
export const GAP = "\ufdd0";
const GAPS = new RegExp(`(?<![ \\t])[ \\t]*(?:\\(\\s*${GAP}\\s*\\)|<${GAP}>|\\[${GAP}\\]|${GAP})`, "gu");

/** The addresses of mail in a text, as `bareMail` has them. */
export const mailsIn = (text: string): string[] => (text.match(MAILS) ?? []).filter(isMail).map(bareMail);

/** A text without its gaps, and without its addresses but those of mail that may stay. */
export function withoutAddresses(
  text: string,
  rule: { readonly mayStay: (mail: string) => boolean; readonly onRemoved: () => void },
): string {
  const remove = (): string => {
    rule.onRemoved();
    return GAP;
  };
  return text
    .replaceAll(BARE_URLS, remove)
    .replaceAll(MAILS, (mail) => (!isMail(mail) || rule.mayStay(bareMail(mail)) ? mail : remove()))
    .replaceAll(GAPS, "");
}

/** In lower case and without a scheme. */
const bareMail = (mail: string): string => mail.toLowerCase().replace(/^(?:mailto|xmpp):/, "");

/** The version of a package, as in `name@1.2.3`, is not a host: the last label of a host contains a letter. */
const isMail = (text: string): boolean => /[a-z]/i.test(text.slice(text.lastIndexOf(".")));

/** Rounds after which a text was made to need many. */
const MOST_ROUNDS = 20;

/**
 * Repeats a step until it changes nothing: taking something out may put the pieces of something else together.
 * A text that is built to go on like that becomes "".
 */
export function settled(text: string, step: (text: string) => string): string {
  let current = text;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = step(current);
    if (next === current) return current;
    current = next;
  }
  return "";
}
