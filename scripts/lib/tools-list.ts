/** Renders the list of the MCP tools in docs/mcp.md. */

/** The fields of a tool (src/surfaces/mcp/tools.ts) that the list shows. */
export type ListedTool = {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly { readonly scope: string | null }[];
  readonly annotations: Readonly<
    Record<"readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint", boolean>
  >;
};

/** The lines of the document around the list. */
const [BEGIN, END] = ["<!-- tools: npm run tools -->", "<!-- /tools -->"];

/** Returns the document with a new list. Throws if it lacks the marker lines. */
export function withTools(document: string, tools: readonly ListedTool[]): string {
  const [before, rest] = document.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined)
    throw new Error(`The document has no section between ${BEGIN} and ${END}.`);
  return `${before}${BEGIN}\n\n${tools.map(lineOf).join("")}\n${END}${after}`;
}

function lineOf({ name, description, operations, annotations }: ListedTool): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const facts = [
    ...new Set(operations.map(({ scope }) => `\`${scope}\``)),
    readOnlyHint && "read-only",
    destructiveHint && "destructive",
    idempotentHint && "idempotent",
    openWorldHint && "open world",
  ];
  return `- \`${name}\` (${facts.filter((fact) => fact !== false).join(", ")}): ${firstSentence(description)}\n`;
}

const firstSentence = (text: string): string => /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
