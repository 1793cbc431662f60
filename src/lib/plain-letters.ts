/** Replacements for letters that Unicode normalization does not decompose: people without đ on the keyboard type d. */
const PLAIN: Readonly<Record<string, string>> = Object.fromEntries(
  "æ:ae ð:d ø:o þ:th đ:d ħ:h ı:i ĸ:k ł:l ŋ:n œ:oe ŧ:t ƒ:f ɓ:b ɖ:d ɗ:d ƙ:k ɲ:n ɨ:i ɔ:o ə:a ɛ:e ƴ:y"
    .split(" ")
    .map((pair) => pair.split(":")),
);

const LETTERS = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "giu");

/** Replaces these letters, also capitals. Accents stay, because normalization removes them. */
export const toPlainLetters = (text: string): string =>
  text.replaceAll(LETTERS, (letter) => PLAIN[letter.toLowerCase()] ?? letter);
