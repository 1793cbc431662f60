/** Texts that consist of repeated sections, in the form that bench/markdown.ts prints for the slowest ones. */

/** `{n}` becomes the number of the repetition, and `{run}` a run of backticks whose length depends on it. */
export type Section = { readonly text: string; readonly times: number };

/** More characters than any text that is parsed. */
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
