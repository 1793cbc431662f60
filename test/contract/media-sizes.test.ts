/** Contract 19.9: an upload says at once whether smaller files will be made of it. */
import { expect, it } from "vitest";
import { PICTURES, type MediaBody } from "../helpers/pictures.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";

/** Returns a JPEG that says that it has this many rows and columns. */
function jpegOf(height: number, width: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(PICTURES.locatedJpeg);
  // Its thumbnail has another one before.
  const frame = file.findLastIndex((byte, at) => byte === 0xff && (file[at + 1] === 0xc0 || file[at + 1] === 0xc2));
  new DataView(file.buffer).setUint16(frame + 5, height);
  new DataView(file.buffer).setUint16(frame + 7, width);
  return file;
}

it.each([
  ["pending", "of a JPEG", PICTURES.locatedJpeg],
  ["none", "of one with too many pixels to be decoded", jpegOf(4000, 6000)],
  ["none", "of an AVIF, which is not decoded", PICTURES.locatedAvif],
] as const)("they are %s %s", async (sizes, _, body) => {
  const { apiKey } = await newTenant();
  const item = await sendJson<MediaBody>(200, "/api/media", { as: { apiKey }, body, type: "image/jpeg" });
  expect(item).toMatchObject({ sizes });
  expect(await sendJson(200, `/api/media/${item._id}`, { as: { apiKey } })).toMatchObject({ sizes });
});
