/** `npm run tools`: writes the list of the MCP tools into docs/mcp.md. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { updateToolsList, type ListedTool } from "./lib/tools-list.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const DOCUMENT = path.join(ROOT, "docs/mcp.md");

// Imported by a URL, so that the compiler does not check the module: it needs the Worker's types, which scripts lack.
const source = pathToFileURL(path.join(ROOT, "src/surfaces/mcp/tools.ts")).href;
const { tools } = (await import(source)) as { tools: readonly ListedTool[] };

writeFileSync(DOCUMENT, updateToolsList(readFileSync(DOCUMENT, "utf8"), tools));
