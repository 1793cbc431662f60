import { expect, it } from "vitest";
import { DomainError } from "../../src/errors.ts";
import { refuseUnreadable } from "../../src/generation/source.ts";
import { articleOf } from "../helpers/generation.ts";

it.each([
  ["too long", "word ".repeat(12_001), "the limit is 60,000 characters"],
  ["made to be slow", "_a*_a*".repeat(9000), "too complex"],
])("a source that is %s is refused before anything is paid for", async (_, content, reason) => {
  const refuse = () => refuseUnreadable(articleOf(content));
  await expect(refuse).rejects.toThrow(DomainError);
  await expect(refuse).rejects.toThrow(reason);
});

it("ordinary ones are not", async () => {
  await expect(refuseUnreadable(articleOf("# A title\n\nSome *text*.\n".repeat(100)))).resolves.toBeUndefined();
});
