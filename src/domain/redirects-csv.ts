/** Parses redirects from CSV: two columns, the old path and the new one, with or without a header. */
import { findColumns, parseCsv } from "../lib/csv.ts";

export type RedirectRow = { readonly line: number; readonly from: string; readonly to: string };

const COLUMNS = { from: ["from", "source", "old"], to: ["to", "target", "destination", "new"] } as const;

/** Throws `CsvError`. */
export function parseRedirectRows(text: string): RedirectRow[] {
  const rows = parseCsv(text);
  const [first] = rows;
  const header = first && findColumns(first, COLUMNS, ["from", "to"]);
  const { from = 0, to = 1 } = header ?? {};
  return rows.slice(header ? 1 : 0).map(({ line, cells }) => ({ line, from: cells[from] ?? "", to: cells[to] ?? "" }));
}
