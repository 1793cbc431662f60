/** What is told of the text: its words, the time that reading takes, its headings. */
import type { Node } from "prosemirror-model";

/** Words a minute that people read of prose, on average, silently (Brysbaert 2019: 238). */
const READ_PER_MINUTE = 238;
/** The signs a minute that people read of Chinese and Japanese. */
const SIGNS_PER_MINUTE = 500;

/** Scripts without spaces between words: each sign counts as one. */
const SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

export type Length = { readonly words: number; readonly minutes: number };

/** Returns the length of a text. Code counts; HTML and definitions do not. */
export function lengthOf(doc: Node): Length {
  let [words, signs] = [0, 0];
  doc.descendants((node) => {
    if (!node.isTextblock || node.type.name === "source_block") return true;
    const text = node.textBetween(0, node.content.size, " ", " ");
    const here = text.match(SIGNS)?.length ?? 0;
    signs += here;
    words += text.replaceAll(SIGNS, " ").match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’.-]*/gu)?.length ?? 0;
    return false;
  });
  return { words: words + signs, minutes: Math.ceil(words / READ_PER_MINUTE + signs / SIGNS_PER_MINUTE) };
}

export type Heading = { readonly level: number; readonly text: string; readonly at: number };

/** Returns the headings outside of quotes and lists, in their order. */
export function headingsOf(doc: Node): Heading[] {
  const found: Heading[] = [];
  doc.forEach((node, at) => {
    if (node.type.name === "heading") found.push({ level: node.attrs["level"] as number, text: node.textContent, at });
  });
  return found;
}
