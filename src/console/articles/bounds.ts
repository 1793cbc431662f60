/** How much of a Markdown text is rendered: what the parser takes grows with the square of some constructs. */

/** UTF-16 units. */
const MOST_CHARACTERS = 200_000;
/** Lines that open or close a block (quotes, lists, underlined headings), and the containers of one line. */
const MOST_BLOCKS = 4000;
const MOST_CONTAINERS = 24;
/** The squares of the marks in each run of lines, added up: some two seconds of work at worst. */
const MOST_MARKS_SQUARED = 25_000_000;

const CONTAINERS = /^[ \t]*(?:(?:>|[-+*]|\d{1,9}[.)])[ \t]*)*/;
const BLOCK = /^[ \t]*[>=\-+*#|:~`[<\d]/;
const LINE_END = /\r\n|\r|\n/g;

/** The length of the part of a Markdown text that is rendered; it ends with a line where it can. */
export function renderable(text: string): number {
  const work = newWork();
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
function newWork() {
  let [blocks, earlier, marks] = [0, 0, 0];
  return {
    allows(line: string): boolean {
      const containers = line.match(CONTAINERS)?.[0].match(/[>\-+*.)]/g)?.length ?? 0;
      blocks += Math.max(containers, BLOCK.test(line) ? 1 : 0);
      if (line.trim() === "" || /^ {0,3}[-+*] +\S/.test(line)) {
        // Another paragraph: the marks of one do not meet those of another.
        earlier += marks ** 2;
        marks = 0;
      }
      marks += marksOf(line);
      return containers <= MOST_CONTAINERS && blocks <= MOST_BLOCKS && earlier + marks ** 2 <= MOST_MARKS_SQUARED;
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
