import type { Child } from "hono/jsx";

export type Column<Row> = {
  /** What stands above it; a text that is for screen readers only where the cells speak for themselves. */
  readonly head: Child;
  readonly cell: (row: Row) => Child;
  /** Of the style sheet: `number`, `clip`, `url` … */
  readonly class?: string;
  /** Its cells name their rows. */
  readonly names?: true;
};

type TableProps<Row> = {
  /** What screen readers call it; or `labelledby`, the id of a heading. */
  readonly label?: string;
  readonly labelledby?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly class?: string;
};

/** A table that scrolls by itself where it is wider than the page, also by keyboard. */
export const Table = <Row,>({ label, labelledby, columns, rows, class: look }: TableProps<Row>) => (
  <div class="scroll" tabindex={0} role="region" aria-label={label} aria-labelledby={labelledby}>
    <table class={look}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col" class={column.class === "number" ? "number" : undefined}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map(({ cell, class: kind, names }) =>
              names ? (
                <th scope="row" class={kind}>
                  {cell(row)}
                </th>
              ) : (
                <td class={kind}>{cell(row)}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** The head of a column of links and buttons. */
export const ACTIONS = <span class="unseen">Actions</span>;
