/** How much of a Markdown text can be parsed: what the parser takes grows with the square of some constructs. */

/** UTF-16 units. */
const MOST_CHARACTERS = 200_000;
/** Lines that open or close a block (quotes, lists, underlined headings), and the containers of one line. */
const MOST_BLOCKS = 4000;
const MOST_BLOCKS_OFTEN = 1500;
const MOST_CONTAINERS = 24;
/** The squares of the marks in each run of lines, added up: some two seconds of work at worst. */
const MOST_MARKS_SQUARED = 25_000_000;

/** Marks from which the parser looks ahead to the end of the paragraph, and how far it may do so in all. */
const SCANNERS = /<[?!]|(?<!_)_+www\./gi;
const MOST_SCANNED = 20_000_000;

const CONTAINERS = /^[ \t]*(?:(?:>|[-+*]|\d{1,9}[.)])[ \t]*)*/;
const BLOCK = /^[ \t]*[>=\-+*#|:~`[<\d]/;
const LINE_END = /\r\n|\r|\n/g;

/** Whether the whole of a text can be parsed some ten times, as those are that are generated, in bearable time. */
export const isReparsable = (text: string): boolean => renderable(text, MOST_BLOCKS_OFTEN) === text.length;

/** The length of the part of a Markdown text that can be parsed in bearable time; it ends with a line where it can. */
export function renderable(text: string, mostBlocks: number = MOST_BLOCKS): number {
  const work = newWork(mostBlocks);
  let start = 0;
  for (const { index, 0: end } of text.matchAll(LINE_END)) {
    if (index > MOST_CHARACTERS) break;
    if (!work.allows(text.slice(start, index))) return start;
    start = index + end.length;
  }
  if (!work.allows(text.slice(start, MOST_CHARACTERS))) return start;
  if (text.length <= MOST_CHARACTERS) return text.length;
  return start > 0 ? start : MOST_CHARACTERS;
}

/** Adds up the work of lines, for as long as it is bearable. */
function newWork(mostBlocks: number) {
  let [blocks, earlier, marks] = [0, 0, 0];
  let [scanners, characters] = [0, 0];
  return {
    allows(line: string): boolean {
      const containers = line.match(CONTAINERS)?.[0].match(/[>\-+*.)]/g)?.length ?? 0;
      blocks += Math.max(containers, BLOCK.test(line) ? 1 : 0);
      if (line.trim() === "" || /^ {0,3}[-+*] +\S/.test(line)) {
        // Another paragraph: the marks of one do not meet those of another.
        earlier += marks ** 2;
        marks = 0;
        [scanners, characters] = [0, 0];
      }
      marks += marksOf(line);
      scanners += line.match(SCANNERS)?.length ?? 0;
      characters += line.length;
      if (scanners * characters > MOST_SCANNED) return false;
      return containers <= MOST_CONTAINERS && blocks <= mostBlocks && earlier + marks ** 2 <= MOST_MARKS_SQUARED;
    },
  };
}

/** What each character adds to the work of its paragraph or table, as measured. */
const MARKS: Readonly<Record<string, number>> = {
  "*": 1,
  _: 1,
  "~": 1,
  "[": 0.5,
  "]": 0.5,
  "|": 0.5,
  "<": 0.3,
  ":": 0.3,
  "@": 0.3,
};
const LINE = 0.4;

function marksOf(line: string): number {
  let marks = LINE;
  for (const character of line) marks += MARKS[character] ?? 0;
  return marks;
}

/** What a short text can make much of: characters of repeated definitions, and cells of tables. */
const MOST_REPEATED = 1_000_000;
const MOST_CELLS = 50_000;

type Node = {
  readonly type: string;
  readonly children?: readonly Node[] | undefined;
  readonly identifier?: string | undefined;
  readonly url?: string | undefined;
  readonly title?: string | null | undefined;
  readonly align?: readonly unknown[] | null | undefined;
};

/**
 * Whether a parsed text stays of a bearable size as elements: each reference repeats its definition, and
 * each row of a table has as many cells as the longest.
 */
export function isBearable(tree: Node): boolean {
  const definitions = new Map<string, number>();
  const nodes = allOf(tree);
  for (const { type, identifier = "", url = "", title } of nodes) {
    if (type === "definition") definitions.set(identifier, url.length + (title?.length ?? 0));
  }
  let [repeated, cells] = [0, 0];
  for (const { type, identifier = "", align, children } of nodes) {
    if (type === "linkReference" || type === "imageReference") repeated += definitions.get(identifier) ?? 0;
    if (type === "table") cells += (align?.length ?? 0) * (children?.length ?? 0);
  }
  return repeated <= MOST_REPEATED && cells <= MOST_CELLS;
}

/** All nodes of a tree, without recursion: it may be deep. */
function allOf(tree: Node): Node[] {
  const nodes = [tree];
  for (let next = 0; next < nodes.length; next++) for (const child of nodes[next]?.children ?? []) nodes.push(child);
  return nodes;
}
