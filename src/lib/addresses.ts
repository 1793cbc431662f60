/**
 * Matches URLs in plain text. A URL ends at white space and at CJK punctuation. The scheme is limited to 20 characters
 * and starts at a word boundary; otherwise a run of letters would take quadratic time.
 */
export const BARE_URLS =
  /(?:(?<![a-z\d+.-])[a-z][a-z\d+.-]{0,19}|https?):\/\/[^\s<>"、。，；：！？「」『』（）【】]+|(?<![a-z\d])www\.[^\s<>"、。，；：！？「」『』（）【】]*/giu;

/** Matches email and XMPP addresses like the Markdown parser (also `a@.b`), with or without a scheme. */
const MAILS = /(?:(?<![\w+.-])(?:mailto|xmpp):)?(?<![\w+.-])[\w+.-]+@[\w-]*(?:\.[\w-]+)+/gi;

/** Marks a removed address, so that its brackets can be removed too. U+FDD0 is not a character. */
export const GAP = "\ufdd0";
const GAPS = new RegExp(`(?<![ \\t])[ \\t]*(?:\\(\\s*${GAP}\\s*\\)|<${GAP}>|\\[${GAP}\\]|${GAP})`, "gu");

/** Returns the email addresses in a text, in lower case and without a scheme. */
export const findEmails = (text: string): string[] => (text.match(MAILS) ?? []).filter(isEmail).map(toBareEmail);

/**
 * Removes URLs, GAP marks, and the email addresses for which `mayStay` returns false. Calls `onRemoved` for each
 * removed address. `mayStay` gets addresses in lower case and without a scheme.
 */
export function removeAddresses(
  text: string,
  rule: { readonly mayStay: (mail: string) => boolean; readonly onRemoved: () => void },
): string {
  const remove = (): string => {
    rule.onRemoved();
    return GAP;
  };
  return text
    .replaceAll(BARE_URLS, remove)
    .replaceAll(MAILS, (mail) => (!isEmail(mail) || rule.mayStay(toBareEmail(mail)) ? mail : remove()))
    .replaceAll(GAPS, "");
}

const toBareEmail = (mail: string): string => mail.toLowerCase().replace(/^(?:mailto|xmpp):/, "");

/** Returns false for a package with its version, such as `name@1.2.3`: the last label of a host has a letter. */
const isEmail = (text: string): boolean => /[a-z]/i.test(text.slice(text.lastIndexOf(".")));

/** A text that needs more rounds was built to evade the cleaning. */
const MOST_ROUNDS = 20;

/**
 * Repeats a step until it changes nothing. One pass is not enough, because removing something may join the pieces of
 * something else. Returns "" if the text still changes after 20 rounds.
 */
export function repeatUntilStable(text: string, step: (text: string) => string): string {
  let current = text;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = step(current);
    if (next === current) return current;
    current = next;
  }
  return "";
}
