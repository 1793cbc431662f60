/** The schemas of tools, as clients of other languages read them. */
import { describe, expect, it } from "vitest";
import { toListedTool, tools } from "../../src/surfaces/mcp/tools.ts";
import { source } from "../../src/operations/topic-sources.ts";

/** Returns the values that a keyword has in a schema, with their places. */
function valuesOf(keyword: string, node: unknown, place: string): (readonly [place: string, value: unknown])[] {
  if (typeof node !== "object" || node === null) return [];
  const found: (readonly [place: string, value: unknown])[] = [];
  for (const [name, value] of Object.entries(node)) {
    if (name === keyword && typeof value !== "object") found.push([place, value]);
    found.push(...valuesOf(keyword, value, `${place}/${name}`));
  }
  return found;
}

describe.each(tools.map((tool) => [tool.name, toListedTool(tool)] as const))("%s", (_, { inputSchema }) => {
  it("has patterns that every language can compile (JSON Schema 2020-12, 6.4)", () => {
    const patterns = valuesOf("pattern", inputSchema, "input");
    // Groups that are not simple, and escapes such as \p{L}, which Python's re does not know.
    expect(patterns.filter(([, pattern]) => /\(\?|\\[A-Za-z\d]/.test(String(pattern)))).toEqual([]);
  });

  it("offers nothing that is read-only", () => {
    expect(valuesOf("readOnly", inputSchema, "input")).toEqual([]);
  });
});

it("a source is told with each kind and its members", () => {
  const research = tools.find(({ name }) => name === "research_topics");
  const text = JSON.stringify(research && toListedTool(research).inputSchema);
  for (const { shape } of source.options) {
    const { kind, name: _, ...members } = shape;
    const [, told = ""] = new RegExp(`\\b${kind.value} \\(([^)]+)\\)`).exec(text ?? "") ?? [];
    for (const member of Object.keys(members)) expect(told, kind.value).toContain(member);
  }
});
