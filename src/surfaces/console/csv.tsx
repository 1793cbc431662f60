import type { FC } from "hono/jsx";
import { DomainError } from "../../domain/errors.ts";
import { CsvError, decodeCsv } from "../../lib/csv.ts";
import { Table } from "./table.tsx";
import { formatNumber } from "./words.ts";

/** The most rows in one file: the rate limit `bulk` allows few more in a minute. */
export const MOST_ROWS = 5000;

export const CsvField: FC<{ hint: string }> = ({ hint }) => (
  <div class="field">
    <label for="file">CSV file</label>
    <p class="hint" id="file-hint">
      {hint}
    </p>
    <input id="file" name="file" type="file" accept=".csv,.tsv,.txt,text/csv" required aria-describedby="file-hint" />
  </div>
);

/**
 * Returns the rows of an uploaded file. Throws `invalid_request` if it is not CSV, is empty, or has more than
 * {@link MOST_ROWS}.
 */
export function parseCsvFile<Row>(
  bytes: Uint8Array | undefined,
  read: (text: string) => readonly Row[],
): readonly Row[] {
  try {
    const rows = read(decodeCsv(bytes ?? new Uint8Array()));
    if (rows.length === 0) throw new CsvError("It has no lines.");
    if (rows.length > MOST_ROWS) throw new CsvError(`It has more than ${formatNumber(MOST_ROWS)} lines. Split it.`);
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new DomainError("invalid_request", `The file cannot be imported. ${error.message}`);
  }
}

export type CsvRefusal = { readonly line: number; readonly what: string; readonly why: string };

/** A table of refused lines. `what` is the heading of the column that identifies them. */
export const Refused: FC<{ lines: readonly CsvRefusal[]; what: string }> = ({ lines, what }) =>
  lines.length === 0 ? null : (
    <Table
      label="Refused"
      rows={lines}
      columns={[
        { head: "Line", cell: ({ line }: CsvRefusal) => line, class: "number" },
        { head: what, cell: (each: CsvRefusal) => each.what || "–", names: true, class: "clip" },
        { head: "Reason", cell: ({ why }: CsvRefusal) => why },
      ]}
    />
  );
