/** What an import and an export say at their end. */
import { expect, it } from "vitest";
import { useImports } from "./transfer-imports.ts";

const { uses, run } = useImports();

it.each([1, 3])("an import counts what it left out, be it %i or another number", async (times) => {
  const text = "---\ntitle: A\ndate: 2026-01-02\nmood: calm\n---\n\nText\n";
  const files = Object.fromEntries(
    Array.from({ length: times }, (_, at) => [`a${at}.md`, text.replace("A", `A${at}`)]),
  );
  const { stdout } = await run(uses.program.folder(files));
  expect(stdout).toContain(`\n  articles whose field "mood" was left out: ${times}\n`);
});
