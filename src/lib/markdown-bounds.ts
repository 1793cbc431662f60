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
/** A run of them looks for the next of its length, and what is between is passed over: each length goes that far once. */
const BACKTICKS = /`+/g;
/** A character of that takes as long as four of the other marks'. */
const BACKTICKS_SCAN = 4;

/** Milliseconds that these take on a slow machine, as measured: each character, line, block and square of marks. */
const TAKES = { character: 0.0015, line: 0.03, block: 0.15, markSquared: 0.000_08, scanned: 0.000_1 };

const CONTAINERS = /^[ \t]*(?:(?:>|[-+*]|\d{1,9}[.)])[ \t]*)*/;
const BLOCK = /^[ \t]*[>=\-+*#|:~`[<\d]/;
const LINE_END = /\r\n|\r|\n/g;

/** Whether the whole of a text can be parsed some ten times, as those are that are generated, in a bounded time. */
export const isReparsable = (text: string): boolean => renderable(text, MOST_BLOCKS_OFTEN) === text.length;

/** Milliseconds that parsing a text takes at most, about, on a slow machine; null if that exceeds the bound. */
export function parsingTime(text: string): number | null {
  const work = newWork(MOST_BLOCKS_OFTEN);
  return renderable(text, MOST_BLOCKS_OFTEN, work) === text.length ? work.time() : null;
}

/** The length of the part of a Markdown text that can be parsed in a bounded time; it ends with a line where it can. */
export function renderable(text: string, mostBlocks: number = MOST_BLOCKS, work: Work = newWork(mostBlocks)): number {
  let start = 0;
  for (const { index, 0: end } of text.matchAll(LINE_END)) {
    if (index > MOST_CHARACTERS) break;
    if (!work.add(text.slice(start, index))) return start;
    start = index + end.length;
  }
  if (!work.add(text.slice(start, MOST_CHARACTERS))) return start;
  if (text.length <= MOST_CHARACTERS) return text.length;
  return start > 0 ? start : MOST_CHARACTERS;
}

type Work = {
  /** Adds a line; returns whether all of them stay within the bound. */
  readonly add: (line: string) => boolean;
  /** Milliseconds that the lines take. */
  readonly time: () => number;
};

/** Adds up the work of lines, for as long as it stays within the bound. */
function newWork(mostBlocks: number): Work {
  let lines = 0;
  let length = 0;
  let blocks = 0;
  /** Of the paragraphs before the one that the last line is in. */
  let earlier = { marksSquared: 0, scanned: 0 };
  let paragraph = newParagraph();
  const marksSquared = (): number => earlier.marksSquared + paragraph.marks ** 2;
  const scanned = (): number => earlier.scanned + scannedIn(paragraph);
  return {
    add(line) {
      const containers = line.match(CONTAINERS)?.[0].match(/[>\-+*.)]/g)?.length ?? 0;
      blocks += Math.max(containers, BLOCK.test(line) ? 1 : 0);
      if (line.trim() === "" || /^ {0,3}[-+*] +\S/.test(line)) {
        // Another paragraph: the marks of one do not meet those of another.
        earlier = { marksSquared: marksSquared(), scanned: scanned() };
        paragraph = newParagraph();
      }
      lines++;
      length += line.length;
      paragraph.marks += marksOf(line);
      paragraph.scanners += line.match(SCANNERS)?.length ?? 0;
      for (const run of line.match(BACKTICKS) ?? []) paragraph.runs.add(run.length);
      paragraph.characters += line.length;
      if (scanned() > MOST_SCANNED) return false;
      return containers <= MOST_CONTAINERS && blocks <= mostBlocks && marksSquared() <= MOST_MARKS_SQUARED;
    },
    time: () =>
      length * TAKES.character +
      lines * TAKES.line +
      blocks * TAKES.block +
      marksSquared() * TAKES.markSquared +
      scanned() * TAKES.scanned,
  };
}

type Paragraph = {
  marks: number;
  scanners: number;
  characters: number;
  /** The lengths of its runs of backticks. */
  readonly runs: Set<number>;
};

const newParagraph = (): Paragraph => ({ marks: 0, scanners: 0, characters: 0, runs: new Set() });

/** Characters that looking ahead passes over, at most. */
const scannedIn = ({ scanners, runs, characters }: Paragraph): number =>
  (scanners + runs.size * BACKTICKS_SCAN) * characters;

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
  "`": 0.25,
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
 * Whether a parsed text stays within a bounded size as elements: each reference repeats its definition, and
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
