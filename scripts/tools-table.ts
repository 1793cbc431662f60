/** Writes the table of the tools into docs/mcp.md, from the tools themselves. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { withToolsTable, type TableTool } from "./lib/tools-table.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const DOCUMENT = path.join(ROOT, "docs/mcp.md");

// By its address: its types are those of the Worker, which scripts do not have.
const source = pathToFileURL(path.join(ROOT, "src/mcp/tools.ts")).href;
const { tools } = (await import(source)) as { tools: readonly TableTool[] };

writeFileSync(DOCUMENT, withToolsTable(readFileSync(DOCUMENT, "utf8"), tools));
