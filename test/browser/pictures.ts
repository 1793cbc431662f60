/** Pictures for tests in a browser. */
import { randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import { buf as crc32 } from "crc-32";

export type Picture = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer };

/** A PNG that nobody has yet: random levels of grey. */
export function newPicture(name: string, width = 40, height = 30): Picture {
  const rows = Buffer.concat(Array.from({ length: height }, () => Buffer.concat([Buffer.of(0), randomBytes(width)])));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const chunks = [chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
  const buffer = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), ...chunks]);
  return { name, mimeType: "image/png", buffer };
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
