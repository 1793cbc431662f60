/** The line below the text (words, reading time), and the outline. */
import type { Node } from "prosemirror-model";
import { makeElement, makeButton } from "./dom.ts";
import { estimateMinutes, countWordsInText } from "../../src/domain/length.ts";

export type Status = {
  readonly root: HTMLElement;
  readonly outline: HTMLElement;
  readonly update: (doc: Node) => void;
};

/** How long after the last change it counts again, in milliseconds. */
const PAUSE_MS = 300;

export function addStatus(goTo: (at: number) => void): Status {
  const length = makeElement("span", { class: "length" });
  const root = makeElement("p", { class: "hint rich-status" }, length);
  const list = makeElement("ol", { class: "headings" });
  const outline = makeElement("nav", { class: "rich-outline", "aria-label": "Outline", hidden: true }, list);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const count = (doc: Node) => {
    const { words, minutes } = measureLength(doc);
    length.textContent = `${words.toLocaleString()} ${words === 1 ? "word" : "words"}${words === 0 ? "" : `, ${minutes} min to read`}`;
    const headings = listHeadings(doc).map(({ level, text, at }) => {
      const button = makeButton(text.trim() || "Untitled", () => goTo(at));
      button.dataset["level"] = String(level);
      return makeElement("li", {}, button);
    });
    list.replaceChildren(
      ...(headings.length > 0 ? headings : [makeElement("li", { class: "hint" }, "No headings yet.")]),
    );
  };
  return {
    root,
    outline,
    update(doc) {
      clearTimeout(timer);
      timer = setTimeout(() => count(doc), PAUSE_MS);
    },
  };
}

type Length = { readonly words: number; readonly minutes: number };

/** The lengths of text blocks, with fractions of minutes. Nodes never change, so only edited ones are counted again. */
const known = new WeakMap<Node, Length>();

/** Returns the words and the whole minutes of a text. Code counts; HTML and definitions do not. */
export function measureLength(doc: Node): Length {
  let [words, minutes] = [0, 0];
  doc.descendants((node) => {
    if (!node.isTextblock || node.type.name === "source_block") return true;
    const length = known.get(node) ?? measureBlock(node);
    words += length.words;
    minutes += length.minutes;
    return false;
  });
  return { words, minutes: Math.ceil(minutes) };
}

function measureBlock(block: Node): Length {
  const text = block.textBetween(0, block.content.size, " ", " ");
  const length = { words: countWordsInText(text), minutes: estimateMinutes(text) };
  known.set(block, length);
  return length;
}

type Heading = { readonly level: number; readonly text: string; readonly at: number };

/** Returns the headings outside of quotes and lists, in order. */
function listHeadings(doc: Node): Heading[] {
  const found: Heading[] = [];
  doc.forEach((node, at) => {
    if (node.type.name === "heading") found.push({ level: node.attrs["level"] as number, text: node.textContent, at });
  });
  return found;
}
