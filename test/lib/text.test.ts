import { expect, it } from "vitest";
import { joinLines, isSingleLine, utf8Length } from "../../src/lib/text.ts";

it.each(["\n", "\r\n", "\u2028", "\u2029", " \u2028\t\u2029 "])("%j parts lines, and becomes a space", (parted) => {
  expect(isSingleLine(`One${parted}two`)).toBe(false);
  expect(joinLines(`One${parted}two`)).toBe("One two");
});

it("other white space stays as it is", () => {
  for (const text of ["One  two", "One\u00a0two", " One\u3000two "]) {
    expect([isSingleLine(text), joinLines(text)]).toEqual([true, text]);
  }
});

it("the bytes of a text are counted as they are encoded", () => {
  for (const text of ["", "a\u007f", "\u0080é\u07ff", "\u0800漢\ud7ff\ue000\uffff", "𠀀😀\u{10ffff}"]) {
    expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
  }
});
