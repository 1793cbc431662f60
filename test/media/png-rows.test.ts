/** PNG (Third Edition), 11.3.1.1: the one colour that is transparent in a picture without opacities. */
import { expect, it } from "vitest";
import { readPngRows } from "../../src/background/media/png-rows.ts";
import { bytes, concatenated, newPng, pngChunk } from "../helpers/pictures.ts";

const [GREY, RGB, INDEXED] = [0, 2, 3];
const noPause = async (): Promise<void> => undefined;

/** A PNG of one row: its samples as they are stored, and the transparent colour. */
async function pngOf(width: number, depth: number, colour: number, row: number[], transparent: number[]) {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, 1);
  header.setUint8(8, depth);
  header.setUint8(9, colour);
  const packed = new Blob([new Uint8Array([0, ...row])]).stream().pipeThrough(new CompressionStream("deflate"));
  return concatenated(
    bytes("\x89PNG\r\n\x1a\n"),
    pngChunk("IHDR", new Uint8Array(header.buffer)),
    ...(transparent.length === 0 ? [] : [pngChunk("tRNS", new Uint8Array(transparent))]),
    pngChunk("IDAT", new Uint8Array(await new Response(packed).arrayBuffer())),
    pngChunk("IEND", new Uint8Array()),
  );
}

it.each([
  ["grey", 2, 8, GREY, [10, 20], [0, 10], [10, 10, 10, 0, 20, 20, 20, 255]],
  [
    "grey, of two bits",
    4,
    2,
    GREY,
    [0b00_01_10_11],
    [0, 2],
    [0, 0, 0, 255, 85, 85, 85, 255, 170, 170, 170, 0, 255, 255, 255, 255],
  ],
  ["grey, with bits that a sample does not have", 1, 2, GREY, [0b11_00_00_00], [0, 0xff], [255, 255, 255, 0]],
  ["grey, of sixteen bits, all of which count", 2, 16, GREY, [10, 1, 10, 2], [10, 2], [10, 10, 10, 255, 10, 10, 10, 0]],
  ["a colour", 2, 8, RGB, [1, 2, 3, 1, 2, 4], [0, 1, 0, 2, 0, 3], [1, 2, 3, 0, 1, 2, 4, 255]],
  ["a colour of sixteen bits", 1, 16, RGB, [1, 9, 2, 9, 3, 9], [1, 9, 2, 9, 3, 9], [1, 2, 3, 0]],
  ["none", 2, 8, GREY, [0, 20], [], [0, 0, 0, 255, 20, 20, 20, 255]],
] as const)("is %s", async (_, width, depth, colour, row, transparent, pixels) => {
  const rows: number[][] = [];
  const png = await pngOf(width, depth, colour, [...row], [...transparent]);
  expect(await readPngRows(png, (found) => rows.push([...found]), noPause)).toBe(true);
  expect(rows).toEqual([pixels]);
});

it("is not looked for in a palette, where each colour has an opacity of its own", async () => {
  const rows: number[][] = [];
  const [png, palette] = [
    await pngOf(3, 4, INDEXED, [0x01, 0x20], [255, 7]),
    pngChunk("PLTE", new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8, 9])),
  ];
  const colourful = concatenated(png.subarray(0, 33), palette, png.subarray(33));
  expect(await readPngRows(colourful, (found) => rows.push([...found]), noPause)).toBe(true);
  expect(rows).toEqual([[1, 2, 3, 255, 4, 5, 6, 7, 7, 8, 9, 255]]);
});

it("lets others in after each two million bytes of rows and pixels", async () => {
  let pauses = 0;
  const png = await newPng(1000, 1000);
  expect(
    await readPngRows(
      png,
      () => undefined,
      async () => void pauses++,
    ),
  ).toBe(true);
  expect(pauses).toBe(2);
});
