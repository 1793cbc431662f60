/** Renders the list of the MCP tools in docs/mcp.md. */
import { replaceSection } from "./section.ts";

/** The fields of a tool (src/surfaces/mcp/tools.ts) that the list shows. */
export type ListedTool = {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly { readonly scope: string | null }[];
  readonly annotations: Readonly<
    Record<"readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint", boolean>
  >;
};

/** Returns the document with a new list. Throws if it lacks the marker lines. */
export const updateToolsList = (document: string, tools: readonly ListedTool[]): string =>
  replaceSection(document, "tools", tools.map(formatTool).join(""));

function formatTool({ name, description, operations, annotations }: ListedTool): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const facts = [
    ...new Set(operations.map(({ scope }) => `\`${scope}\``)),
    readOnlyHint && "read-only",
    destructiveHint && "destructive",
    idempotentHint && "idempotent",
    openWorldHint && "open world",
  ];
  return `- \`${name}\` (${facts.filter((fact) => fact !== false).join(", ")}): ${getFirstSentence(description)}\n`;
}

const getFirstSentence = (text: string): string => /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
