/** Finds where parts of a Markdown text are. The parser only knows lines of blocks, and places within a block's content. */

/** Returns where a place in a block's content is in the text. */
export type Offsets = (at: number) => number;

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

  /** Returns whether the line before this one is empty, apart from marks of quotes. */
  isBehindEmpty(start: number): boolean {
    const before = this.#text.slice(Math.max(0, start - 200), start).replace(/\r?\n$|\r$/, "");
    return /(?:^|[\r\n])[\s>]*$/.test(before);
  }

  /** Returns the place of the lines from `first` up to and without `end`. Skips empty lines at the end. */
  findPlace(first: number, end: number): { from: number; to: number } {
    let last = Math.max(first, Math.min(end, this.#ends.length) - 1);
    while (last > first && this.#line(last).trim() === "") last--;
    return { from: this.#starts[first] ?? 0, to: this.#ends[last] ?? 0 };
  }

  getText({ from, to }: { readonly from?: number; readonly to?: number }): string {
    return this.#text.slice(from ?? 0, to ?? 0);
  }

  /** Returns the offsets of a block's content, which begins with the line `first`. */
  findOffsets(content: string, first: number): Offsets {
    const starts: number[] = [];
    const shifts: number[] = [];
    let [start, number] = [0, first];
    for (const line of content.split("\n")) {
      // Indentation and marks of quotes and lists precede it. Tabs in the indentation may have become spaces.
      const inLine = line.trim();
      const from = (this.#starts[number] ?? 0) + this.#line(number).lastIndexOf(inLine);
      starts.push(start);
      shifts.push(from - start - line.indexOf(inLine));
      start += line.length + 1;
      number++;
    }
    return (at) => at + (shifts[below(starts, at + 1) - 1] ?? 0);
  }

  findCellOffsets(number: number, contents: readonly string[]): Offsets[] {
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

/** Returns how many of the ascending numbers are below a limit. */
function below(numbers: readonly number[], limit: number): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((numbers[middle] ?? 0) < limit) from = middle + 1;
    else to = middle;
  }
  return from;
}
