/**
 * Opens Markdown as a document of the rich editor, and writes it back. Unedited blocks, and the space between them,
 * keep their exact source.
 */
import type { Node } from "prosemirror-model";
import { type Context, makeContext, type Draft, replaceUnfaithful, readsAs } from "./faithful.ts";
import { isSource, getKind, type Part, type Parts, parseParts } from "./blocks.ts";
import { readBlock, type Source, makeSourceBlock, getSourceKind, Unshowable } from "./from-markdown.ts";
import { schema } from "./schema.ts";
import { isEmpty, type Style, detectStyle, writeBlock } from "./to-markdown.ts";
import { diffWordsWithSpace } from "diff";
import { toRuns } from "./runs.ts";

type Original = {
  readonly node: Node;
  /** Its lines, without the last line end. */
  readonly source: string;
  /** The line ends and empty lines before it. */
  readonly gap: string;
  readonly offset: number;
};

export type Opened = {
  readonly doc: Node;
  /** Indexed by the attribute `origin` of the nodes. */
  readonly originals: readonly Original[];
  readonly tail: string;
  readonly style: Style;
  readonly context: Context;
  /** The Markdown of edited blocks: most stay the same from one key to the next. */
  readonly written: WeakMap<Node, string>;
};

export type Refusal = "too long" | "too complex";

/** The most characters and blocks that a browser edits smoothly. */
export const MOST_CHARACTERS = 200_000;
export const MOST_BLOCKS = 5_000;

/** Opens a text. Returns why not if it is too long or nested too deeply. */
export function openMarkdown(text: string): Opened | Refusal {
  if (text.length > MOST_CHARACTERS) return "too long";
  try {
    const parts = parseParts(text);
    if (parts.parts.length > MOST_BLOCKS) return "too complex";
    const opened = open(text, parts);
    // Not known to happen: the source is shown, so that nothing is lost.
    return writeMarkdown(opened.doc, opened) === text ? opened : "too complex";
  } catch (error) {
    // Deep nesting has exhausted the stack.
    if (error instanceof RangeError) return "too complex";
    throw error;
  }
}

function open(text: string, { parts, source, definitions }: Parts): Opened {
  const style = detectStyle(text);
  const drafts = parts.map((part) => toDraft(part, source, text));
  const context = makeContext(drafts, definitions);
  const nodes = replaceUnfaithful(drafts, context, style);
  const originals = nodes.map(({ type, attrs, content }, origin): Original => {
    const { from, to } = parts.at(origin) ?? { from: 0, to: 0 };
    const gap = text.slice(parts[origin - 1]?.to ?? 0, from);
    return { node: type.create({ ...attrs, origin }, content), source: text.slice(from, to), gap, offset: from };
  });
  const shown = originals.length > 0 ? originals.map(({ node }) => node) : [schema.nodes.paragraph.create()];
  const doc = schema.nodes.doc.create(null, shown);
  return { doc, originals, tail: text.slice(parts.at(-1)?.to ?? 0), style, context, written: new WeakMap() };
}

/** Returns the node for a part; a source block if it has no other. */
function toDraft({ block, kind, from, to }: Part, source: Source, text: string): Draft {
  const lines = text.slice(from, to);
  const asSource = (named: string): Draft => ({ node: makeSourceBlock(getSourceKind(lines, named), lines), lines });
  if (block === null) return asSource(getKind({ block, kind }));
  try {
    const node = readBlock(block, source);
    return isSource({ block }) && node.type !== schema.nodes.html_box
      ? asSource(getKind({ block, kind }))
      : { node, lines };
  } catch (error) {
    if (error instanceof Unshowable || (error instanceof RangeError && /content/i.test(error.message)))
      return asSource("Markdown");
    throw error;
  }
}

type Written = { readonly node: Node; readonly at: number; readonly gap: string; readonly text: string };

export function writeBlocks(doc: Node, opened: Opened): Written[] {
  const blocks: { readonly node: Node; readonly at: number }[] = [];
  doc.forEach((node, at) => {
    if (!isEmpty(node)) blocks.push({ node, at });
  });
  let before: Node | undefined;
  return blocks.map(({ node, at }, index) => {
    const block = withMarker(node, before, blocks[index + 1]?.node, opened);
    const gap = before ? gapBetween(before, block, opened) : (opened.originals[0]?.gap ?? "");
    const text = writeText(block, before, opened);
    before = block;
    return { node, at, gap, text };
  });
}

/** Writes a document as Markdown. Empty lines at the start and at the end stay. */
export function writeMarkdown(doc: Node, opened: Opened): string {
  const blocks = writeBlocks(doc, opened);
  if (blocks.length === 0) return opened.originals.length === 0 ? opened.tail : "";
  return blocks.map(({ gap, text }) => gap + text).join("") + opened.tail;
}

const getOrigin = ({ attrs }: Node): number | null => attrs["origin"] as number | null;

const isUnchanged = (block: Node, { originals }: Opened): boolean =>
  originals[getOrigin(block) ?? -1]?.node.eq(block) ?? false;

/** Returns the space between two blocks: as it was if they were neighbors, otherwise an empty line. */
function gapBetween(before: Node, block: Node, { originals, style }: Opened): string {
  const origin = getOrigin(block) ?? -1;
  const [first, second] = [originals[origin - 1], originals[origin]];
  const isFormer = first && second && getOrigin(before) === origin - 1;
  const isSame = isFormer && first.node.type === before.type && second.node.type === block.type;
  return isSame ? second.gap : style.eol + style.eol;
}

function writeText(block: Node, before: Node | undefined, opened: Opened): string {
  const former = opened.originals[getOrigin(block) ?? -1];
  const isAfterFormer = getOrigin(before ?? block) === (getOrigin(block) ?? 0) - 1;
  const source = former && (block.eq(former.node) ? former.source : editedSource(block, former, opened));
  // After another block, indented lines could become a part of it, such as code in a list.
  if (source && (before === undefined || isAfterFormer || !/^[ \t]/.test(source))) return source;
  return writeAnew(block, opened);
}

function writeAnew(block: Node, opened: Opened): string {
  const text =
    opened.written.get(block) ?? writeBlock(block, opened.style, opened.originals[getOrigin(block) ?? -1]?.source);
  opened.written.set(block, text);
  return text;
}

/** The largest block whose unedited rest keeps its source, in characters: that is found again at each key. */
const MOST_OF_BLOCK = 10_000;

/** Where the source of a block differs from what the editor would write. */
const ways = new WeakMap<Original, readonly Hunk[] | null>();

/** The source of edited blocks. */
const sources = new WeakMap<Node, { readonly former: Original; readonly source: string | null }>();

/** Returns the source of a block with only the edit changed; null if it would be read as something else. */
function editedSource(block: Node, former: Original, opened: Opened): string | null {
  const known = sources.get(block);
  if (known?.former === former) return known.source;
  const [before, after] = [former.node, block].map((node) => writeAnew(node, opened)) as [string, string];
  if (!ways.has(former)) ways.set(former, before.length > MOST_OF_BLOCK ? null : findHunks(before, former.source));
  const own = ways.get(former) ?? [];
  const changed = own.length > 0 && after.length <= MOST_OF_BLOCK ? edited(before, after, own) : null;
  const source = changed !== null && readsAs(changed, block, after, opened.context) ? changed : null;
  sources.set(block, { former, source });
  return source;
}

/** Gives a new list another marker than its neighbors', because they would become one list. */
function withMarker(block: Node, before: Node | undefined, after: Node | undefined, opened: Opened): Node {
  if (!isList(block) || isUnchanged(block, opened)) return block;
  // A new list after it gets its marker in turn.
  const fixed = [before, after && isUnchanged(after, opened) ? after : undefined];
  const taken = new Set(fixed.map((each) => (each?.type === block.type ? getMarker(each, opened) : "")));
  const choices = block.type === schema.nodes.ordered_list ? [".", ")"] : ["-", "*", "+"];
  const marker = [getMarker(block, opened), ...choices].find((each) => !taken.has(each));
  return marker === block.attrs["marker"] ? block : block.type.create({ ...block.attrs, marker }, block.content);
}

const isList = ({ type }: Node): boolean => type === schema.nodes.bullet_list || type === schema.nodes.ordered_list;

const getMarker = ({ type, attrs }: Node, { style }: Opened): string =>
  (attrs["marker"] as string) || (type === schema.nodes.ordered_list ? "." : (style.bullet ?? "-"));

/** Returns the position in a document for an offset of its Markdown. */
export function findPlace(offset: number, doc: Node, opened: Opened): number {
  let [place, end] = [0, 0];
  for (const { at, gap, text } of writeBlocks(doc, opened)) {
    if (end + gap.length <= offset) place = at + 1;
    end += gap.length + text.length;
  }
  return place;
}

type Hunk = { readonly from: number; readonly to: number; readonly text: string };

/** The most differences that are searched for. More would take a browser too long. */
const MOST = 1000;

/**
 * Returns the source of a block with its edits; null if there are too many. `before` and `after` are the block as the
 * editor writes it. `ways` is where the source differs from `before`.
 */
function edited(before: string, after: string, ways: readonly Hunk[]): string | null {
  const edits = findHunks(before, after);
  if (edits === null) return null;
  // Where both overlap, the edit counts.
  const kept = ways.filter((way) => edits.every((edit) => way.to <= edit.from || edit.to <= way.from));
  let [text, at] = ["", 0];
  for (const hunk of [...edits, ...kept].sort((one, other) => one.from - other.from || one.to - other.to)) {
    text += before.slice(at, hunk.from) + hunk.text;
    at = hunk.to;
  }
  return text + before.slice(at);
}

/** Returns where two texts differ; null if they do in too many places. */
function findHunks(one: string, other: string): Hunk[] | null {
  const changes = diffWordsWithSpace(one, other, { maxEditLength: MOST });
  return changes
    ? toRuns(changes).map(({ old: [from, to], next }) => ({ from, to, text: other.slice(...next) }))
    : null;
}
