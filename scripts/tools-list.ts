/** `npm run tools`: writes the list of the MCP tools into docs/mcp.md. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { updateToolsList, type ListedTool } from "./lib/tools-list.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const DOCUMENT = path.join(ROOT, "docs/mcp.md");

// Imported by a URL, so that the compiler does not check the module: it needs the Worker's types, which scripts lack.
const load = async <T>(name: string) =>
  (await import(pathToFileURL(path.join(ROOT, "src/surfaces/mcp", name)).href)) as T;
type Tool = Omit<ListedTool, "scopes">;
const { tools } = await load<{ tools: readonly Tool[] }>("tools.ts");
const { listScopes } = await load<{ listScopes: (tool: Tool) => string[] }>("tool.ts");

const listed = tools.map((tool) => Object.assign(tool, { scopes: listScopes(tool) }));
writeFileSync(DOCUMENT, updateToolsList(readFileSync(DOCUMENT, "utf8"), listed));
