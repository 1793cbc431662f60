/** Renders the list of the MCP tools in docs/mcp.md. */

/** The fields of a tool (src/surfaces/mcp/tools.ts) that the list shows. */
export type ListedTool = {
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly annotations: Readonly<
    Partial<Record<"readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint", boolean>>
  >;
};

/** Returns the document with a new list between its marker lines. Throws if these are missing. */
export function updateToolsList(document: string, tools: readonly ListedTool[]): string {
  const [begin, end] = ["<!-- tools: npm run tools -->", "<!-- /tools -->"];
  const [before, rest] = document.split(begin);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined)
    throw new Error(`The document has no section between ${begin} and ${end}.`);
  return `${before}${begin}\n\n${tools.map(formatTool).join("")}\n${end}${after}`;
}

function formatTool({ name, description, scopes, annotations }: ListedTool): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const facts = [
    ...scopes.map((scope) => `\`${scope}\``),
    readOnlyHint && "read-only",
    destructiveHint && "destructive",
    idempotentHint && "idempotent",
    openWorldHint && "open world",
  ];
  return `- \`${name}\` (${facts.filter((fact) => typeof fact === "string").join(", ")}): ${getFirstSentence(description)}\n`;
}

const getFirstSentence = (text: string): string => /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
