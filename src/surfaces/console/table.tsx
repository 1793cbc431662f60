import type { Child } from "hono/jsx";

export type Column<Row> = {
  /** The heading of the column. If the cells need no visible heading, it is a text for screen readers only. */
  readonly head: Child;
  readonly cell: (row: Row) => Child;
  /** The label of the cells on phones, if `head` is not a text. */
  readonly label?: string;
  /** A class of the style sheet for the cells, such as `number`, `clip` or `url`. */
  readonly class?: string;
  /** Makes the cells of this column the headings of their rows. */
  readonly names?: true;
};

type TableProps<Row> = {
  /** The name of the table for screen readers. The alternative is `labelledby`, the id of a heading. */
  readonly label?: string;
  readonly labelledby?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly class?: string;
  /** Keeps it a table on phones, for numbers that are compared down a column. */
  readonly grid?: boolean;
};

/**
 * A table that scrolls horizontally, also by keyboard, if it is wider than the page. On phones, each row is a card, and
 * each cell has its column's heading beside it.
 */
export const Table = <Row,>({ label, labelledby, columns, rows, class: look, grid = false }: TableProps<Row>) => (
  <div class="scroll" tabindex={0} role="region" aria-label={label} aria-labelledby={labelledby}>
    <table class={[look, !grid && "stacked"].filter(Boolean).join(" ") || undefined}>
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
            {columns.map(({ head, cell, label: called, class: kind, names }) =>
              names ? (
                <th scope="row" class={kind}>
                  {cell(row)}
                </th>
              ) : (
                <td class={kind} data-label={called ?? getCellLabel(head, kind)}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** Returns the label of a cell on phones. The title of a row, and columns without a visible heading, have none. */
const getCellLabel = (head: Child, kind: string | undefined): string | undefined =>
  typeof head === "string" && kind !== "title" ? head : undefined;

/** The heading of a column with links and buttons, for screen readers only. */
export const ACTIONS = <span class="unseen">Actions</span>;
