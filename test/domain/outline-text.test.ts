import { expect, it } from "vitest";
import { formatOutline, parseOutline } from "../../src/domain/outline-text.ts";

it("is read as it was written, whatever its lines begin with", () => {
  const outline = {
    title: "Six walks (2026)",
    keyword: "porto walks",
    sections: [
      { heading: "The river (300 words)", points: ["- dashes", "## no heading", "Write (20 words)"], words: 120 },
      { heading: "An essay (1,500 words)", points: ["**Bold** at first", "-1 degree"], words: 0 },
      { heading: "Keyword: none", points: [], words: 0 },
    ],
  };
  expect(parseOutline(formatOutline(outline))).toEqual(outline);
});

it("is read as people type it, in any script", () => {
  expect(parseOutline("# 港の朝\r\nkeyword: 散歩\r\n\r\n##市場\r\n・魚\r\n* 花")).toEqual({
    title: "港の朝",
    keyword: "散歩",
    sections: [{ heading: "市場", points: ["魚", "花"], words: 0 }],
  });
});

it("is read in no time, whatever its lines are", () => {
  const spaces = " ".repeat(100_000);
  expect(parseOutline(`## a${spaces}b`)).toMatchObject({ sections: [{ heading: "a b" }] });
  expect(parseOutline(`Keyword：散歩\n## 1\n1. One\n2) Two`)).toMatchObject({
    keyword: "散歩",
    sections: [{ points: ["One", "Two"] }],
  });
});

it("names the first line that it cannot read", () => {
  expect(parseOutline("# Title\n\nIt begins at the river.")).toContain("Line 3 is neither");
  expect(parseOutline("- a point of no section")).toContain("Line 1 is neither");
  expect(parseOutline("# One\n# Two")).toContain("Line 2 is neither");
  expect(parseOutline("## One\n### Two")).toContain("Line 2 is neither");
});
