import papaparse from "papaparse";

/** `line` is the number of its first line. The cells are trimmed. */
export type CsvRow = { readonly line: number; readonly cells: readonly string[] };

/** The message says why a text cannot be read as CSV. */
export class CsvError extends Error {
  override readonly name = "CsvError";
}

/** Decodes a CSV file: UTF-8, or UTF-16 with a byte order mark (Excel). Throws `CsvError` for anything else. */
export function decodeCsv(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new CsvError("It is not UTF-8 text. Save it as CSV in UTF-8.");
  }
}

/**
 * Returns the rows that are not empty. Finds out whether commas, semicolons or tabs separate the cells. Throws
 * `CsvError` for an unclosed quote, which would swallow the rest of the file.
 */
export function parseCsv(text: string): CsvRow[] {
  const plain = text.replace(/^\ufeff/, "");
  const { data, errors } = papaparse.parse<string[]>(plain, { delimiter: guessDelimiter(plain) });
  const rows: CsvRow[] = [];
  let line = 1;
  const broken = new Set(errors.flatMap(({ type, row }) => (type === "Quotes" ? [row] : [])));
  for (const [nth, cells] of data.entries()) {
    if (broken.has(nth))
      throw new CsvError(`Line ${line}: a quotation mark has no end, or is in the middle of a cell.`);
    if (cells.some((cell) => cell.trim() !== "")) rows.push({ line, cells: cells.map((cell) => cell.trim()) });
    line += 1 + cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
  }
  return rows;
}

/** Returns the delimiter that is most frequent in the first line, outside of quotes. */
function guessDelimiter(text: string): string {
  const [line = ""] = text.trimStart().split(/[\r\n]/, 1);
  const bare = line.replaceAll(/"[^"]*"?/g, "");
  const times = (delimiter: string) => bare.split(delimiter).length;
  return ["\t", ";", ","].toSorted((one, other) => times(other) - times(one))[0] ?? ",";
}

/**
 * Returns the index of each column. `names` has the possible headers of each, in lower case. Returns null if a column
 * in `needed` is missing, because then the first row is no header.
 */
export function findColumns<Name extends string>(
  { cells }: CsvRow,
  names: Readonly<Record<Name, readonly string[]>>,
  needed: readonly Name[],
): Readonly<Partial<Record<Name, number>>> | null {
  const heads = cells.map((cell) => cell.toLowerCase());
  const places = Object.entries<readonly string[]>(names).flatMap(([name, known]) => {
    const at = known.map((each) => heads.indexOf(each)).find((each) => each !== -1);
    return at === undefined ? [] : [[name, at]];
  });
  const found = Object.fromEntries(places) as Partial<Record<Name, number>>;
  return needed.every((name) => found[name] !== undefined) ? found : null;
}

/** Returns rows as CSV (RFC 4180). The byte order mark tells spreadsheets that it is UTF-8. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  `\ufeff${rows.map((row) => row.map(toCell).join(",")).join("\r\n")}\r\n`;

/** The apostrophe keeps spreadsheets from running the text as a formula. */
const toCell = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
