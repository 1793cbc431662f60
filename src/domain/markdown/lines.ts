/** Finds where the parts of a Markdown text are: the parser tells lines of blocks, and places within the content of one. */

/** A block's content and the line that it begins in. A cell of a table has a column besides. */
export type Content = { readonly content: string; readonly line: number };

/** The lines of a text, by their numbers from 0. */
export class Lines {
  readonly #text: string;
  readonly #starts: number[];
  readonly #ends: number[] = [];

  /** `start` is where the first line begins. */
  constructor(text: string, start: number) {
    this.#text = text;
    this.#starts = [start];
    for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) {
      this.#ends.push(index);
      this.#starts.push(index + end.length);
    }
    this.#ends.push(text.length);
  }

  #line(number: number): string {
    return this.#text.slice(this.#starts[number], this.#ends[number]);
  }

  /** Whether the line before the one that begins at this offset has nothing but marks of quotes. */
  isBehindEmpty(start: number): boolean {
    const before = this.#text.slice(0, start).replace(/\r?\n$|\r$/, "");
    return /(?:^|[\r\n])[\s>]*$/.test(before.slice(-200));
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

  /** Returns the offset of a place in the content of a block, which has the ends of whole lines. */
  offset({ content, line }: Content, at: number): number {
    const before = content.slice(0, at);
    const number = before.split("\n").length - 1;
    const start = before.lastIndexOf("\n") + 1;
    const end = content.indexOf("\n", start);
    const own = content.slice(start, end === -1 ? undefined : end);
    const whole = this.#line(line + number);
    // Indentation and the marks of quotes and lists stand before it. Tabs in the indentation may have become spaces.
    const inLine = own.trim();
    const from = whole.lastIndexOf(inLine);
    return (this.#starts[line + number] ?? 0) + from + at - start - (own.length - own.trimStart().length);
  }

  /** Returns the offsets of the cells of a table's row, by their contents. */
  cells(number: number, contents: readonly string[]): number[] {
    const row = this.#line(number);
    let from = 0;
    return contents.map((content) => {
      const found = row.indexOf(content.replaceAll("|", "\\|"), from);
      from = found + content.length;
      return (this.#starts[number] ?? 0) + found;
    });
  }
}
