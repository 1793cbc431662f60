/** Texts that are made of repeated sections, as the search for the slowest ones writes them (bench/markdown.ts). */

/** `{n}` counts the repetitions, `{run}` is as many backticks. */
export type Section = { readonly text: string; readonly times: number };

/** More than any text that is parsed. */
const MOST = 1_000_000;

export function textOf(sections: readonly Section[]): string {
  let all = "";
  for (const { text, times } of sections) {
    const counted = text.includes("{");
    for (let n = 0; n < times && all.length < MOST; n++) all += counted ? filled(text, n) : text;
  }
  return all;
}

const filled = (text: string, n: number): string =>
  text.replaceAll("{n}", String(n)).replaceAll("{run}", "`".repeat(1 + (n % 600)));
