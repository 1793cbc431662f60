import { expect, it } from "vitest";
import { parse } from "yaml";
import { escapeQuoted } from "../../src/lib/yaml.ts";

it("what is not printable, breaks lines or turns text around is escaped, and nothing else", () => {
  const escaped: string[] = [];
  for (let code = 0x20; code <= 0xffff; code++) {
    // Of a pair; alone, JSON escapes them.
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCharCode(code);
    const json = JSON.stringify(character);
    const yaml = escapeQuoted(json);
    if (yaml === json) continue;
    expect(parse(yaml)).toBe(character);
    escaped.push(character);
  }
  const expected = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Bidi_Control}/u;
  const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
  expect(escaped).toEqual(all.filter((character) => expected.test(character)));
});
