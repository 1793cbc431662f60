/** Finds where the parts of a Markdown text are: the parser tells lines of blocks, and places within the content of one. */

/** Tells where a place in the content of a block is in the text. */
export type Offsets = (at: number) => number;

/** The lines of a text, by their numbers from 0. */
export class Lines {
  readonly #text: string;
  readonly #starts: number[];
  readonly #ends: number[] = [];

  /** `start` is where the first line begins. */
  constructor(text: string, start: number) {
    this.#text = text;
    this.#starts = [start];
    const ends = /\r\n?|\n/g;
    for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
      this.#ends.push(end.index);
      this.#starts.push(ends.lastIndex);
    }
    this.#ends.push(text.length);
  }

  #line(number: number): string {
    return this.#text.slice(this.#starts[number], this.#ends[number]);
  }

  /** Whether the line before the one that begins at this offset has nothing but marks of quotes. */
  isBehindEmpty(start: number): boolean {
    const before = this.#text.slice(Math.max(0, start - 200), start).replace(/\r?\n$|\r$/, "");
    return /(?:^|[\r\n])[\s>]*$/.test(before);
  }

  /** Returns where the lines from `first` up to `end`, without it, are: without empty lines at their end. */
  place(first: number, end: number): { from: number; to: number } {
    let last = Math.max(first, Math.min(end, this.#ends.length) - 1);
    while (last > first && this.#line(last).trim() === "") last--;
    return { from: this.#starts[first] ?? 0, to: this.#ends[last] ?? 0 };
  }

  text({ from, to }: { readonly from?: number; readonly to?: number }): string {
    return this.#text.slice(from ?? 0, to ?? 0);
  }

  /** Returns where the content of a block is, which has whole lines from this one. */
  offsets(content: string, first: number): Offsets {
    const starts: number[] = [];
    const shifts: number[] = [];
    let [start, number] = [0, first];
    for (const line of content.split("\n")) {
      // Indentation and the marks of quotes and lists stand before it. Tabs in the indentation may have become spaces.
      const inLine = line.trim();
      const from = (this.#starts[number] ?? 0) + this.#line(number).lastIndexOf(inLine);
      starts.push(start);
      shifts.push(from - start - line.indexOf(inLine));
      start += line.length + 1;
      number++;
    }
    return (at) => at + (shifts[below(starts, at + 1) - 1] ?? 0);
  }

  /** Returns where the contents of the cells of a table's row are. */
  cells(number: number, contents: readonly string[]): Offsets[] {
    const row = this.#line(number);
    let from = 0;
    return contents.map((content) => {
      const found = row.indexOf(content.replaceAll("|", "\\|"), from);
      from = found + content.length;
      const start = (this.#starts[number] ?? 0) + found;
      // A vertical bar within a cell is written with a backslash.
      const bars = Array.from(content.matchAll(/\|/g), ({ index }) => index);
      return (at) => start + at + below(bars, at);
    });
  }
}

/** Returns how many of some numbers in ascending order are below a limit. */
function below(numbers: readonly number[], limit: number): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((numbers[middle] ?? 0) < limit) from = middle + 1;
    else to = middle;
  }
  return from;
}
