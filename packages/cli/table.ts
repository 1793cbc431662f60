/** Formats tables as plain lines: a head, no borders, at most as wide as the terminal. */
import { truncateLine, toPrintableLine, measureWidth, type Paint } from "./terminal.ts";

export type Column<Row> = {
  readonly head: string;
  readonly cell: (row: Row) => string;
  /**
   * If the table is too wide, columns with `shrinks` get narrower. If that is not enough, columns with `drops` are left
   * out, the last one first. At the end all columns get narrower.
   */
  readonly shrinks?: boolean;
  readonly drops?: boolean;
};

type Look = { readonly paint: Paint; readonly width: number | undefined };

const GAP = 2;
/** The width that a shrinking column keeps while other columns can be left out. */
const LEGIBLE = 10;
/** The width that every column keeps, however narrow the terminal is. */
const LEAST = 4;

export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { paint, width }: Look,
): string {
  const sized = columns.map((column) => measureColumn(column, rows));
  const shown = width === undefined ? sized : fitColumns(sized, width);
  const formatLine = (cells: readonly string[]): string =>
    shown
      .map(({ width }, at) => padCell(cells[at] ?? "", width))
      .join(" ".repeat(GAP))
      .trimEnd();
  const head = formatLine(shown.map((column) => column.head));
  const body = rows.map((_row, at) => formatLine(shown.map(({ cells }) => cells[at] ?? "")));
  return [paint("bold", head), ...body].join("\n");
}

function padCell(cell: string, width: number): string {
  const text = truncateLine(cell, width);
  return text + " ".repeat(width - measureWidth(text));
}

function measureColumn<Row>({ head, cell, shrinks = false, drops = false }: Column<Row>, rows: readonly Row[]) {
  const cells = rows.map((row) => toPrintableLine(cell(row)));
  const width = cells.reduce((most, text) => Math.max(most, measureWidth(text)), measureWidth(head));
  return { head, cells, shrinks, drops, width };
}

type Sized = { readonly width: number; readonly shrinks: boolean; readonly drops: boolean };

const sumWidths = (columns: readonly Sized[]): number =>
  columns.reduce((sum, { width }) => sum + width, GAP * (columns.length - 1));

function fitColumns<C extends Sized>(columns: readonly C[], width: number): C[] {
  const shrunk = shrink(columns, width, ({ shrinks }) => (shrinks ? LEGIBLE : Infinity));
  if (sumWidths(shrunk) <= width) return shrunk;
  const dropped = shrunk.findLastIndex(({ drops }) => drops);
  if (dropped !== -1) return fitColumns(columns.toSpliced(dropped, 1), width);
  const tight = shrink(shrunk, width, ({ shrinks }) => (shrinks ? LEAST : Infinity));
  return shrink(tight, width, () => LEAST);
}

/** Narrows the widest column again and again, until all fit into `width` or have their minimum. */
function shrink<C extends Sized>(columns: readonly C[], width: number, getMinimum: (column: C) => number): C[] {
  const shrunk = [...columns];
  while (sumWidths(shrunk) > width) {
    const wide = shrunk.filter((column) => column.width > getMinimum(column));
    const widest = Math.max(...wide.map((column) => column.width));
    const at = shrunk.findIndex((column) => column.width === widest && column.width > getMinimum(column));
    const found = shrunk[at];
    if (found === undefined) break;
    shrunk[at] = { ...found, width: widest - 1 };
  }
  return shrunk;
}
