/** Contract 19.9: an upload says at once whether smaller files will be made of it, and what takes too long is never decoded. */
import { expect, it } from "vitest";
import type { SizeMessage } from "../../src/background/media/size-queue.ts";
import { gifOf, jpegOf, pngOf, webpOf } from "../helpers/hostile-pictures.ts";
import { newPng, PICTURES, upload, type MediaBody } from "../helpers/pictures.ts";
import { HeldQueue } from "../helpers/relay.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";

/** A photo that says that it has this many columns and rows. */
function photoOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(PICTURES.locatedJpeg);
  // Its thumbnail has another one before.
  const frame = file.findLastIndex((byte, at) => byte === 0xff && file[at + 1] === 0xc0);
  new DataView(file.buffer).setUint16(frame + 5, height);
  new DataView(file.buffer).setUint16(frame + 7, width);
  return file;
}

const deep = { width: 8000, height: 6200, depth: 16, colour: 2, filter: 4, transparent: [0, 1, 0, 2, 0, 3] } as const;
const tall = { width: 800, height: 60_000, depth: 1, colour: 0, transparent: [0, 1] } as const;
const wide = { width: 3344, height: 2508 };

it.each([
  [null, "a JPEG", PICTURES.locatedJpeg],
  [null, "a photo of 12 million pixels in ten scans", jpegOf({ width: 4000, height: 3000, scans: 10 })],
  [null, "a photo of 24 million pixels in one", photoOf(6000, 4000)],
  [null, "a screenshot of 12 million pixels", await pngOf({ width: 4000, height: 3000, depth: 8, colour: 6, rows: 9 })],
  ["cost", "a PNG of 50 million pixels in 16 bits", await pngOf({ ...deep, rows: 9 })],
  ["cost", "a PNG of 48 million pixels in one bit", await pngOf({ ...tall, rows: 9 })],
  ["cost", "a JPEG of 97 scans", jpegOf({ ...wide, scans: 97 })],
  ["cost", "a JPEG of 97 scans and 4,890 tables", jpegOf({ ...wide, scans: 97, tables: 4890 })],
  ["cost", "a JPEG that is held in memory, of 16 million pixels", jpegOf({ width: 4000, height: 4000, scans: 2 })],
  ["cost", "a row of more pixels than any format but PNG has", await newPng(65_536, 1)],
  ["cost", "a column of as many", await newPng(1, 65_536)],
  ["kind", "a WebP without losses", webpOf(wide.width, wide.height)],
  ["kind", "a GIF that moves", gifOf(9)],
  ["kind", "a WebP that moves", PICTURES.movingWebp],
  ["kind", "an AVIF", PICTURES.locatedAvif],
] as const)("%s: %s", async (sizesReason, _, body) => {
  const { apiKey } = await newTenant();
  const queue = new HeldQueue<SizeMessage>();
  const bindings = { SIZES: queue } as unknown as Partial<Env>;
  const item = await (await upload({ apiKey }, body, { bindings })).json<MediaBody>();
  const sizes = sizesReason === null ? "pending" : "none";
  expect(item).toMatchObject({ sizes, sizesReason });
  expect(await sendJson(200, `/api/media/${item._id}`, { as: { apiKey } })).toMatchObject({ sizes, sizesReason });
  // Without a message, nothing is decoded.
  expect(queue.held.length).toBe(sizesReason === null ? 1 : 0);
});
