/** docs/mcp.md says what the tools are. */
import { expect, it } from "vitest";
import document from "../../docs/mcp.md?raw";
import { withToolsTable } from "../../scripts/lib/tools-table.ts";
import { tools } from "../../src/mcp/tools.ts";

it("the table is that of the tools: npm run tools", () => {
  expect(document).toContain("| `list_blogs` ");
  expect(withToolsTable(document, tools)).toBe(document);
});

it("names every tool once, with its scopes", () => {
  for (const { name, operations } of tools) {
    const [line, ...more] = document.split("\n").filter((each) => each.startsWith(`| \`${name}\` `));
    expect(more, name).toEqual([]);
    for (const { scope } of operations) expect(line, name).toContain(`\`${scope}\``);
  }
});
