/** Contract 19.3: what is left of an AVIF, which is a list of items, is what its picture is made of. */
import { describe, expect, it } from "vitest";
import { DomainError } from "../../src/domain/errors.ts";
import { readPicture } from "../../src/background/media/read.ts";
import { ALPHA, avifOf, box } from "../helpers/avif.ts";
import { bytes, concatenated, PICTURES } from "../helpers/pictures.ts";

const textOf = (file: Uint8Array): string => file.reduce((text, byte) => text + String.fromCharCode(byte), "");

/** Returns what is stored of a file, as text. It is as long as the file, and read as the same picture again. */
function storedOf(file: Uint8Array): string {
  const { bytes: stored } = readPicture(file);
  expect(stored.length).toBe(file.length);
  expect(readPicture(stored).bytes).toEqual(stored);
  return textOf(stored);
}

/** Which of these data are left in what is stored. All are in the file. */
function leftOf(file: Uint8Array, ...data: readonly string[]): string[] {
  const stored = storedOf(file);
  for (const one of data) expect(textOf(file)).toContain(one);
  return data.filter((one) => stored.includes(one));
}

const codeOf = (file: Uint8Array): string => {
  try {
    readPicture(file);
    return "none";
  } catch (error) {
    return error instanceof DomainError ? error.code : `crashed: ${String(error)}`;
  }
};

const item = (type: string, ...data: string[]) => ({ type, data });
const PICTURE = item("av01", "the picture");

describe("items", () => {
  it("of a real file: the picture and its transparency stay as they are, the thumbnail is gone", () => {
    const file = PICTURES.thumbnailAvif;
    const stored = readPicture(file).bytes;
    // By its `iloc`: the picture and its alpha are up to 0x2f3, then come 33 bytes of thumbnail, and Exif up to the end.
    expect(stored.slice(0x27c, 0x2f3)).toEqual(file.slice(0x27c, 0x2f3));
    expect(stored.slice(0x2f3)).toEqual(new Uint8Array(file.length - 0x2f3));
    // The thumbnail is the third item, which is no longer a picture.
    expect(
      textOf(stored)
        .split("infe")
        .map((entry) => entry.slice(8, 12))
        .slice(1),
    ).toEqual(["av01", "av01", "free", "Exif"]);
  });

  it("texts are gone: names, properties and groups that nobody knows, and a second box where one is read", () => {
    expect(leftOf(avifOf({ items: [PICTURE], says: "at home" }), "the picture", "at home")).toEqual(["the picture"]);
  });

  it("thumbnails, their transparency and further pictures are gone", () => {
    const items = [
      PICTURE,
      item("av01", "in small"),
      { ...item("av01", "mask"), auxiliary: ALPHA },
      item("av01", "other"),
    ];
    const file = avifOf({
      items,
      references: [
        ["thmb", 2, 1],
        ["auxl", 3, 2],
      ],
    });
    expect(leftOf(file, "the picture", "in small", "mask", "other")).toEqual(["the picture"]);
  });

  it("transparency stays, and what does not change the pixels goes", () => {
    const kinds = [ALPHA, "urn:mpeg:mpegB:cicp:systems:auxiliary:depth", "urn:com:apple:photo:2020:aux:hdrgainmap", ""];
    const auxiliaries = kinds.map((auxiliary, index) => ({ type: "av01", data: [`kind ${index}`], auxiliary }));
    const references = [2, 3, 4, 5, 6].map((from) => ["auxl", from, 1] as const);
    // The last one does not say what it is for.
    const file = avifOf({ items: [PICTURE, ...auxiliaries, item("av01", "kind 4")], references });
    expect(leftOf(file, "the picture", "kind 0", "kind 1", "kind 2", "kind 3", "kind 4")).toEqual([
      "the picture",
      "kind 0",
      "kind 2",
    ]);
  });

  it("a grid stays with its tiles, and with their transparency; a thumbnail that is a grid goes with its own", () => {
    const alpha = { ...item("av01", "mask"), auxiliary: ALPHA, inside: true };
    const tiles = [item("av01", "tile 2"), item("av01", "tile 3"), alpha];
    const small = [item("grid", "small grid"), item("av01", "small tile")];
    const file = avifOf({
      items: [{ ...item("grid", "the grid"), inside: true }, ...tiles, ...small],
      references: [
        ["dimg", 1, 2, 3],
        ["auxl", 4, 2],
        ["thmb", 5, 1],
        ["dimg", 5, 6],
      ],
    });
    expect(leftOf(file, "the grid", "tile 2", "tile 3", "mask", "small grid", "small tile")).toEqual([
      "the grid",
      "tile 2",
      "tile 3",
      "mask",
    ]);
  });

  it("a gain map stays, if its base is the picture", () => {
    const items = [PICTURE, item("tmap", "tone"), item("av01", "gain"), item("av01", "other"), item("tmap", "its own")];
    const file = avifOf({
      items,
      references: [
        ["dimg", 2, 1, 3],
        ["dimg", 5, 4, 1],
      ],
    });
    expect(leftOf(file, "the picture", "tone", "gain", "other", "its own")).toEqual(["the picture", "tone", "gain"]);
  });

  it("references in circles, to themselves and to nothing lead no further", () => {
    const items = [item("iden", "whole"), item("iden", "part"), item("av01", "in small"), item("Exif", "place")];
    const references = [
      ["dimg", 1, 2],
      ["dimg", 2, 1, 2, 9, 4],
      ["thmb", 3, 1],
      ["dimg", 3, 3],
    ] as const;
    expect(leftOf(avifOf({ items, references }), "whole", "part", "in small", "place")).toEqual(["whole", "part"]);
  });

  it("a thumbnail that is the same bytes as the picture does not take them away", () => {
    const small = { ...item("av01", "in small"), sharing: 1 };
    const file = avifOf({ items: [PICTURE, small], references: [["thmb", 2, 1]] });
    expect(leftOf(file, "the picture", "in small")).toEqual(["the picture"]);
  });

  it("a picture that is no AV1, or has no data, is refused", () => {
    expect(codeOf(avifOf({ items: [item("hvc1", "the picture")] }))).toBe("image_invalid");
    expect(codeOf(avifOf({ items: [item("av01"), item("av01", "other")] }))).toBe("image_invalid");
  });
});

describe("data that belong to no item", () => {
  it("behind the last one, in a real file", () => {
    const secret = bytes("SECRET");
    const file = concatenated(PICTURES.locatedAvif, secret);
    const at = textOf(file).indexOf("mdat") - 4;
    const view = new DataView(file.buffer);
    view.setUint32(at, view.getUint32(at) + secret.length);
    expect(leftOf(file, "SECRET")).toEqual([]);
    expect(readPicture(file).bytes.subarray(0, at)).toEqual(readPicture(PICTURES.locatedAvif).bytes.subarray(0, at));
    expect(readPicture(file).bytes.subarray(at + 4, -6)).toEqual(
      readPicture(PICTURES.locatedAvif).bytes.subarray(at + 4),
    );
  });

  it.each([
    ["mdat", false],
    ["idat", true],
  ])("between and behind pieces in %s", (_, inside) => {
    const items = [{ ...item("av01", "begin", "end"), inside }, item("Exif", "place")];
    expect(leftOf(avifOf({ items, gap: "SECRET" }), "begin", "end", "SECRET", "place")).toEqual(["begin", "end"]);
  });

  it("in a box of which no item has any", () => {
    const file = concatenated(avifOf({ items: [PICTURE] }), box("mdat", bytes("SECRET")));
    expect(leftOf(file, "the picture", "SECRET")).toEqual(["the picture"]);
  });

  it("between pieces that overlap", () => {
    const picture = { ...item("av01", "1st", "2nd"), inside: true };
    const alpha = { ...item("av01", "3rd"), auxiliary: ALPHA, inside: true, sharing: 1 };
    const file = avifOf({ items: [picture, alpha], references: [["auxl", 2, 1]], gap: "-SECRET-" });
    // The first piece of the picture now ends in its second one, so that what is between them is data of the picture.
    new DataView(file.buffer).setUint32(textOf(file).indexOf("iloc") + 24, "1st-SECRET-2n".length);
    const zeros = "\0".repeat("-SECRET-".length);
    expect(storedOf(file)).toContain(`1st-SECRET-2nd${zeros}3rd${zeros}`);
  });
});

describe("hostile places", () => {
  /** Returns a file whose first piece is said to be at a place, which is this long. */
  const withPiece = (at: number, length: number, method = 0, inside = false) => {
    const file = avifOf({ items: [{ ...item("av01", "the picture"), inside }] });
    const view = new DataView(file.buffer);
    const iloc = textOf(file).indexOf("iloc");
    view.setUint16(iloc + 14, method);
    view.setUint32(iloc + 20, at);
    view.setUint32(iloc + 24, length);
    return file;
  };

  it.each([
    ["behind the end", 5000, 1, 0],
    ["across the end", 100, 5000, 0],
    ["across the end of idat", 1, 11, 1],
    ["in another item", 0, 1, 2],
    ["in an unknown way", 0, 1, 3],
  ])("%s are refused", (_, at, length, method) => {
    expect(codeOf(withPiece(at, length, method, method === 1))).toBe("image_invalid");
  });

  it("a piece without a length is the rest", () => {
    const inside = withPiece(4, 0, 1, true);
    expect(leftOf(inside, "the picture", "the ", "picture")).toEqual(["picture"]);
    const file = withPiece(0, 0);
    expect(storedOf(file)).toBe(textOf(file));
  });

  it("thousands of pieces that all are the whole file, and thousands of boxes for them, take no time", () => {
    const avif = avifOf({ items: [item("av01", ...Array<string>(9000).fill(""))] });
    const file = new Uint8Array(avif.length + 9000 * 1000).fill(0xff);
    file.set(avif);
    for (let at = avif.length; at < file.length; at += 1000)
      file.set([0, 0, 1000 >> 8, 1000 & 255, ...bytes("mdat")], at);
    // If each piece was copied as a whole, that would be 80 GB.
    expect(codeOf(file)).toBe("none");
  }, 5000);

  it("more references than a picture has are refused", () => {
    const to = Array<number>(10_001).fill(2);
    const file = (...more: number[]) =>
      avifOf({
        items: [item("grid", "the grid"), item("av01", "tile")],
        references: [
          ["dimg", 1, ...to],
          ["dimg", 1, ...more],
        ],
      });
    expect(codeOf(file(2))).toBe("none");
    expect(codeOf(file(...to))).toBe("image_invalid");
  });

  it("a reference that is longer than its box is refused", () => {
    const file = avifOf({ items: [item("grid", "the grid"), item("av01", "tile")], references: [["dimg", 1, 2]] });
    new DataView(file.buffer).setUint16(textOf(file).indexOf("dimg") + 6, 2);
    expect(codeOf(file)).toBe("image_invalid");
  });

  it("properties of more items than a picture has are refused", () => {
    const file = concatenated(avifOf({ items: [PICTURE] }), box("free", new Uint8Array(100_000)));
    const withEntries = (count: number) => {
      new DataView(file.buffer).setUint32(textOf(file).indexOf("ipma") + 8, count);
      return file;
    };
    // Those behind the first are read from what follows, up to the zeros, where three are an item without properties.
    expect(codeOf(withEntries(20_000))).toBe("none");
    expect(codeOf(withEntries(20_001))).toBe("image_invalid");
  });
});
