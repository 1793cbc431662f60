import { expect, it } from "vitest";
import { DomainError } from "../../src/domain/errors.ts";
import { requireReadable } from "../../src/ai/generation/source.ts";
import { articleOf } from "../helpers/generation.ts";

it.each([
  ["too long", "word ".repeat(12_001), "the limit is 60,000 characters"],
  ["one long paragraph", "word ".repeat(2_500), "the limit is 12,000 characters"],
])("a source that is %s is refused before anything is paid for", async (_, content, reason) => {
  const refuse = () => requireReadable(articleOf(content), true);
  await expect(refuse).rejects.toThrow(DomainError);
  await expect(refuse).rejects.toThrow(reason);
});

it("a long paragraph can be rewritten, and a long list and long code be translated", async () => {
  await expect(requireReadable(articleOf("word ".repeat(2_500)), false)).resolves.toBeUndefined();
  const content = `${"- an item of the list\n".repeat(300)}\n~~~\n${"code line\n".repeat(2000)}~~~`;
  await expect(requireReadable(articleOf(content), true)).resolves.toBeUndefined();
});

it("ordinary ones are not", async () => {
  await expect(requireReadable(articleOf("# A title\n\nSome *text*.\n".repeat(100)), true)).resolves.toBeUndefined();
});
