/** Tables of plain lines: a head, no borders, as wide as the terminal at most. */
import { fitted, printableLine, widthOf, type Paint } from "./terminal.ts";

export type Column<Row> = {
  readonly head: string;
  readonly cell: (row: Row) => string;
  /** A narrow terminal takes from those that may shrink, leaves out those that may drop, and then takes from all. */
  readonly shrinks?: boolean;
  readonly drops?: boolean;
};

/** `width` is undefined where nothing has to fit. */
type Look = { readonly paint: Paint; readonly width: number | undefined };

const GAP = 2;
/** Columns that a shrinking cell keeps while others drop, and however narrow the terminal. */
const LEGIBLE = 10;
const LEAST = 4;

/** The table as text, without a line break at its end. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], { paint, width }: Look): string {
  const sized = columns.map((column) => sizedOf(column, rows));
  const shown = width === undefined ? sized : narrowed(sized, width);
  const lineOf = (cells: readonly string[]): string =>
    shown
      .map(({ width }, at) => padded(cells[at] ?? "", width))
      .join(" ".repeat(GAP))
      .trimEnd();
  const head = lineOf(shown.map((column) => column.head));
  const body = rows.map((_row, at) => lineOf(shown.map(({ cells }) => cells[at] ?? "")));
  return [paint("bold", head), ...body].join("\n");
}

/** A cell of exactly `width` columns. One measure of width cuts and pads: two that differ would break the lines. */
function padded(cell: string, width: number): string {
  const text = fitted(cell, width);
  return text + " ".repeat(width - widthOf(text));
}

function sizedOf<Row>({ head, cell, shrinks = false, drops = false }: Column<Row>, rows: readonly Row[]) {
  const cells = rows.map((row) => printableLine(cell(row)));
  return { head, cells, shrinks, drops, width: Math.max(...[head, ...cells].map(widthOf)) };
}

type Sized = { readonly width: number; readonly shrinks: boolean; readonly drops: boolean };

const totalOf = (columns: readonly Sized[]): number =>
  columns.reduce((sum, { width }) => sum + width, GAP * (columns.length - 1));

/** Makes columns fit, in the order that `Column` tells. */
function narrowed<C extends Sized>(columns: readonly C[], width: number): C[] {
  const shrunk = shrink(columns, width, ({ shrinks }) => (shrinks ? LEGIBLE : Infinity));
  if (totalOf(shrunk) <= width) return shrunk;
  const dropped = shrunk.findLastIndex(({ drops }) => drops);
  if (dropped !== -1) return narrowed(columns.toSpliced(dropped, 1), width);
  const tight = shrink(shrunk, width, ({ shrinks }) => (shrinks ? LEAST : Infinity));
  return shrink(tight, width, () => LEAST);
}

/** Takes from the widest, and again, while any is wider than it has to be. */
function shrink<C extends Sized>(columns: readonly C[], width: number, leastOf: (column: C) => number): C[] {
  const shrunk = [...columns];
  while (totalOf(shrunk) > width) {
    const wide = shrunk.filter((column) => column.width > leastOf(column));
    const widest = Math.max(...wide.map((column) => column.width));
    const at = shrunk.findIndex((column) => column.width === widest && column.width > leastOf(column));
    const found = shrunk[at];
    if (found === undefined) break;
    shrunk[at] = { ...found, width: widest - 1 };
  }
  return shrunk;
}
