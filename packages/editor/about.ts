/** What is told of the text: its words, the time that reading takes, its headings. */
import type { Node } from "prosemirror-model";
import { minutesFor, wordCount } from "../../src/domain/length.ts";

export type Length = { readonly words: number; readonly minutes: number };

/** The lengths of text blocks, in minutes as fractions. A node never changes, so only the edited ones are counted again. */
const known = new WeakMap<Node, Length>();

/** Returns the length of a text, with whole minutes. Code counts; HTML and definitions do not. */
export function lengthOf(doc: Node): Length {
  let [words, minutes] = [0, 0];
  doc.descendants((node) => {
    if (!node.isTextblock || node.type.name === "source_block") return true;
    const length = known.get(node) ?? measured(node);
    words += length.words;
    minutes += length.minutes;
    return false;
  });
  return { words, minutes: Math.ceil(minutes) };
}

function measured(block: Node): Length {
  const text = block.textBetween(0, block.content.size, " ", " ");
  const length = { words: wordCount(text), minutes: minutesFor(text) };
  known.set(block, length);
  return length;
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
