import { describe, expect, it } from "vitest";
import { CsvError, parseCsv, decodeCsv } from "../../src/lib/csv.ts";

describe("CSV", () => {
  it.each([
    [
      "a,b\nc,d",
      [
        [1, "a", "b"],
        [2, "c", "d"],
      ],
    ],
    [
      '\ufeffa;b,b\r\n\r\n"c;""c"; d \r\n',
      [
        [1, "a", "b,b"],
        [3, 'c;"c', "d"],
      ],
    ],
    [
      'a\tb\r"x\ny"\tz\r1\t2',
      [
        [1, "a", "b"],
        [2, "x\ny", "z"],
        [4, "1", "2"],
      ],
    ],
    ["", []],
    [";;\n", []],
  ])("%j is read with the line of each row", (text, rows) => {
    expect(parseCsv(text).map(({ line, cells }) => [line, cells].flat())).toEqual(rows);
  });

  it("whose quotes do not end is refused, and so is what is no UTF-8 or UTF-16", () => {
    expect(() => parseCsv('a,b\n"c,d\ne,f')).toThrow("Line 2");
    expect(() => decodeCsv(new Uint8Array([0x63, 0xe9, 0x0a]))).toThrow(CsvError);
    expect(decodeCsv(new Uint8Array([0xff, 0xfe, 0x61, 0, 0x09, 0]))).toBe("a\t");
    expect(decodeCsv(new TextEncoder().encode("é"))).toBe("é");
  });
});
