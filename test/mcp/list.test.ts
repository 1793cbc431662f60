/** docs/mcp.md says what the tools are, and what they are limited to. */
import { expect, it } from "vitest";
import document from "../../docs/mcp.md?raw";
import { updateToolsList } from "../../scripts/lib/tools-list.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { listScopes } from "../../src/surfaces/mcp/tool.ts";
import { tools } from "../../src/surfaces/mcp/tools.ts";

it("the list is that of the tools: npm run tools", () => {
  expect(document).toContain("- `list_blogs` (");
  const listed = tools.map((tool) => ({ ...tool, scopes: listScopes(tool) }));
  expect(updateToolsList(document, listed)).toBe(document);
});

it("names every tool once", () => {
  for (const { name } of tools) {
    const [, ...more] = document.split("\n").filter((each) => each.startsWith(`- \`${name}\` (`));
    expect(more, name).toEqual([]);
  }
});

it("the limits of the search are those that it has", () => {
  const { searchedBytes, searchPassage, searchPrefixed, searchResults, searchWords } = LIMITS;
  const prose = document.replaceAll(/\s+/g, " ");
  for (const limit of [
    `All words have to occur, ${searchWords} different ones at most`,
    `more than ${searchPrefixed.toLocaleString("en")} occurrences of words begin`,
    `The first ${searchedBytes / 1_000_000} MB of each text's words are searched`,
    `from the first ${searchPassage.toLocaleString("en")} characters of the content`,
    `The best ${searchResults} can be reached`,
  ]) {
    expect(prose).toContain(limit);
  }
});
