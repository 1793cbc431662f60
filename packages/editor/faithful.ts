/**
 * Finds the blocks that the rich editor could not change without loss: written and read again, they would differ. They
 * are shown as source instead.
 */
import type { Node } from "prosemirror-model";
import { parse } from "../markdown/parse.ts";
import { readBlock, makeSourceBlock, getSourceKind, makeSource } from "./from-markdown.ts";
import { type Style, writeBlock } from "./to-markdown.ts";

export type Draft = { readonly node: Node; readonly lines: string };

/** What must follow a block for it to be read alone: the definitions of its links and footnotes. */
export type Context = { readonly ends: string };

/** Returns the nodes of the blocks. Those that do not survive being written become source blocks. */
export function replaceUnfaithful(drafts: readonly Draft[], context: Context, style: Style): Node[] {
  const written = drafts.map(({ node, lines }) => writeBlock(node, { ...style, eol: "\n" }, lines));
  const rich = [...drafts.keys()].filter((index) => drafts[index]?.node.type.name !== "source_block");
  const places = new Map(rich.map((index, place) => [index, place]));
  // All are read as one text, separated by comments. If blocks run together, each is read alone below.
  const again = readAgain(
    rich.map((index) => written[index] ?? ""),
    context,
  );
  return drafts.map(({ node, lines }, index) => {
    const at = places.get(index) ?? -1;
    if (at === -1) return node;
    const [read] = again === null ? (readAgain([written[index] ?? ""], context) ?? []) : again.slice(at);
    return read?.eq(node) ? node : makeSourceBlock(getSourceKind(lines, "Markdown"), lines);
  });
}

const COMMENT = "<!---->";

/** Reads written blocks. Returns null if their number is not the same any more; null for a block that has no node. */
function readAgain(texts: readonly string[], { ends }: Context): (Node | null)[] | null {
  const text = texts.map((each) => `${each}\n\n${COMMENT}\n\n`).join("") + ends;
  const tree = parse(text);
  const source = makeSource(text, tree);
  const blocks = tree.children.slice(0, texts.length * 2);
  const isApart = blocks.every((each, index) => index % 2 === 0 || (each.type === "html" && each.value === COMMENT));
  if (blocks.length !== texts.length * 2 || !isApart) return null;
  return blocks
    .filter((_, index) => index % 2 === 0)
    .map((block) => {
      try {
        return readBlock(block, source);
      } catch {
        return null;
      }
    });
}

/** Whether a text is read as this block, or as `written` is, which has no spaces at the ends of its lines. */
export function readsAs(text: string, { type, attrs, content }: Node, written: string, context: Context): boolean {
  const read = (markdown: string) => readAgain([markdown], context)?.[0];
  const found = read(text);
  if (!found) return false;
  return found.eq(type.create({ ...attrs, origin: null }, content)) || (read(written)?.eq(found) ?? false);
}

/** Returns what makes references to links and footnotes read as such. */
export function makeContext(drafts: readonly Draft[], definitions: readonly string[]): Context {
  const labels = new Set<string>();
  for (const { node } of drafts) {
    if (node.type.name === "footnote_definition") labels.add(node.attrs["label"] as string);
    node.descendants((inner) => {
      if (inner.type.name === "footnote_definition") labels.add(inner.attrs["label"] as string);
      return !inner.isTextblock;
    });
  }
  return { ends: [...definitions, ...[...labels].map((label) => `\n[^${label}]: x\n`)].join("") };
}
