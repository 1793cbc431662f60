/** Renders the table of the MCP tools in docs/mcp.md. */

/** The fields of a tool (src/surfaces/mcp/tools.ts) that the table shows. */
export type TableTool = {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly { readonly scope: string | null }[];
  readonly annotations: Readonly<
    Record<"readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint", boolean>
  >;
};

const HEAD = ["tool", "scope", "read-only", "destructive", "idempotent", "open world", "what for"];

/** The two lines of the document between which the table stands. */
const [BEGIN, END] = ["<!-- tools: npm run tools -->", "<!-- /tools -->"];

/** Returns the document with a new table of these tools. Throws if the document lacks the two marker lines. */
export function withToolsTable(document: string, tools: readonly TableTool[]): string {
  const [before, rest] = document.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined)
    throw new Error(`The document has no section between ${BEGIN} and ${END}.`);
  return `${before}${BEGIN}\n\n${tableOf([HEAD, ...tools.map(rowOf)])}\n${END}${after}`;
}

function rowOf({ name, description, operations, annotations }: TableTool): string[] {
  const scopes = new Set(operations.map(({ scope }) => `\`${scope}\``));
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const hints = [readOnlyHint, destructiveHint, idempotentHint, openWorldHint].map((hint) => (hint ? "yes" : "no"));
  return [`\`${name}\``, [...scopes].join(", "), ...hints, firstSentence(description)];
}

const firstSentence = (text: string): string => /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;

function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(" | ")} |\n`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("");
}
