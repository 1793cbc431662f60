/** What replaces the Markdown parser's table of characters in the bundle knows the same names. */
import { characterEntities } from "character-entities";
import { expect, it } from "vitest";
import { decodeNamedCharacterReference } from "../../src/bundle/named-characters.ts";

it("knows the characters of all names", () => {
  const names = Object.keys(characterEntities);
  expect(names.length).toBeGreaterThan(2000);
  expect(Object.fromEntries(names.map((name) => [name, decodeNamedCharacterReference(name)]))).toEqual(
    characterEntities,
  );
});

it.each(["", "nothing", "Amp", "amplify", "notit", "amp;lt", "constructor", "#65", "#x41"])("%j is no name", (name) => {
  expect(decodeNamedCharacterReference(name)).toBe(false);
});
