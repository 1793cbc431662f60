/** Rows of tables as lines of JSON. */
import { encodeBase64 } from "./bytes.ts";

/** A value of a row. */
export type Cell = string | number | null | Uint8Array;

export type Row = Readonly<Record<string, Cell>>;

/** Returns a row as JSON has it: bytes are base64. D1 gives bytes as a list of numbers. */
export const toPlainRow = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [
      name,
      cell instanceof Uint8Array || Array.isArray(cell)
        ? { base64: encodeBase64(Uint8Array.from(cell as Uint8Array)) }
        : cell,
    ]),
  );

/** Returns a plain row as a line. Node takes U+2028 and U+2029 for ends of lines. */
export const formatLine = (row: Readonly<Record<string, unknown>>): string =>
  `${JSON.stringify(row)
    .replaceAll("\u2028", String.raw`\u2028`)
    .replaceAll("\u2029", String.raw`\u2029`)}\n`;
