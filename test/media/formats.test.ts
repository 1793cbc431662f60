/** Contract 19.2 and 19.3: which files are pictures, and what is left out of them. Read by another reader of metadata. */
import ExifReader from "exifreader";
import { describe, expect, it } from "vitest";
import { DomainError } from "../../src/domain/errors.ts";
import { readPicture, getShownSize } from "../../src/background/media/read.ts";
import { bytes, concatenated, newPng, PICTURES, pngChunk } from "../helpers/pictures.ts";
import { gifOf } from "../helpers/hostile-pictures.ts";

/** What the other reader finds in a file beside the picture itself. */
function metadataOf(file: Uint8Array<ArrayBuffer>) {
  try {
    const {
      gps,
      exif = {},
      xmp,
      iptc,
      icc,
    } = ExifReader.load(file.buffer.slice(file.byteOffset, file.byteOffset + file.length), { expanded: true });
    return {
      gps,
      exif: Object.keys(exif).filter((name) => !name.startsWith("_")),
      xmp: xmp !== undefined,
      iptc: iptc !== undefined,
      icc: icc !== undefined,
    };
  } catch (error) {
    if (error instanceof Error && error.name === "MetadataMissingError")
      return { gps: undefined, exif: [], xmp: false, iptc: false, icc: false };
    throw error;
  }
}

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return "none";
  } catch (error) {
    return error instanceof DomainError ? error.code : `crashed: ${String(error)}`;
  }
};

describe("what is left out", () => {
  it.each(["locatedJpeg", "locatedPng", "locatedWebp", "locatedAvif"] as const)("the location in %s", (name) => {
    expect(metadataOf(PICTURES[name]).gps).toMatchObject({ Latitude: expect.any(Number) });
    const { bytes } = readPicture(PICTURES[name]);
    expect(metadataOf(bytes)).toMatchObject({ gps: undefined, exif: [], xmp: false, iptc: false });
  });

  it("XMP and IPTC, but not the colour profile", () => {
    expect(metadataOf(PICTURES.withTexts)).toMatchObject({ xmp: true, iptc: true, icc: true });
    const { bytes } = readPicture(PICTURES.withTexts);
    expect(metadataOf(bytes)).toEqual({ gps: undefined, exif: [], xmp: false, iptc: false, icc: true });
  });

  it("not the colour profile of a PNG", () => {
    expect(String.fromCharCode(...readPicture(PICTURES.locatedPng).bytes)).toContain("iCCP");
  });

  it.each(["locatedWebp", "onItsSide"] as const)("not the colour profile of %s", (name) => {
    expect(metadataOf(PICTURES[name]).icc).toBe(true);
    expect(metadataOf(readPicture(PICTURES[name]).bytes).icc).toBe(true);
  });

  it("not the orientation, which is all that is left of Exif; the size is that of the picture as it is shown", () => {
    const picture = readPicture(PICTURES.onItsSide);
    expect(metadataOf(picture.bytes)).toMatchObject({ gps: undefined, exif: ["Orientation"] });
    expect([picture.orientation, getShownSize(picture)]).toEqual([6, { width: 72, height: 96 }]);
    expect(readPicture(picture.bytes).bytes).toEqual(picture.bytes);
  });

  it("comments, texts, and whatever follows the picture", async () => {
    const secret = bytes("<script>alert('home address')</script>");
    const png = await newPng(4, 4);
    const withText = concatenated(
      png.subarray(0, 33),
      pngChunk("tEXt", secret),
      pngChunk("tIME", new Uint8Array(7)),
      png.subarray(33),
      secret,
    );
    const { locatedJpeg, plainGif, plainWebp } = PICTURES;
    const comment = concatenated(Uint8Array.of(0xff, 0xfe, 0, secret.length + 2), secret);
    const gifComment = concatenated(Uint8Array.of(0x21, 0xfe, secret.length), secret, Uint8Array.of(0));
    const table = 13 + 3 * 2 ** (((plainGif[10] ?? 0) & 7) + 1);
    const hostile = [
      withText,
      concatenated(locatedJpeg.subarray(0, 2), comment, locatedJpeg.subarray(2), secret),
      concatenated(plainGif.subarray(0, table), gifComment, plainGif.subarray(table), secret),
      concatenated(plainWebp, secret),
    ];
    for (const file of hostile) {
      const stored = readPicture(file).bytes;
      expect(String.fromCharCode(...stored)).not.toContain("script");
    }
    expect(readPicture(withText).bytes).toEqual(png);
    expect(readPicture(hostile[3] ?? plainWebp).bytes).toEqual(plainWebp);
  });
});

describe("a picture", () => {
  it.each([
    ["locatedJpeg", "image/jpeg", 180, 135, "decoded"],
    ["locatedPng", "image/png", 96, 72, "decoded"],
    ["locatedWebp", "image/webp", 96, 72, "decoded"],
    ["plainWebp", "image/webp", 96, 72, "as it is"],
    ["locatedAvif", "image/avif", 96, 72, "as it is"],
    ["plainGif", "image/gif", 24, 18, "as it is"],
    ["movingGif", "image/gif", 32, 32, "as it is"],
    ["movingWebp", "image/webp", 32, 32, "as it is"],
  ] as const)("%s is %s of %i x %i pixels, %s", (name, mediaType, width, height, how) => {
    const picture = readPicture(PICTURES[name]);
    expect(picture).toMatchObject({ mediaType, width, height });
    expect(picture.decoding !== null).toBe(how === "decoded");
  });
});

describe("what is no picture", () => {
  it.each([
    ["SVG", `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`],
    ["SVG with a prologue", `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>`],
    ["HTML", "<!doctype html><script>alert(1)</script>"],
    ["PDF", "%PDF-1.7 GIF89a"],
    ["HEIC", "\0\0\0\x18ftypheic\0\0\0\0mif1heic"],
    ["a bitmap", "BM6\0\0\0"],
    ["nothing", ""],
    ["a RIFF that is sound", "RIFF\x24\0\0\0WAVEfmt "],
  ])("%s", (_, text) => {
    expect(codeOf(() => readPicture(bytes(text)))).toBe("unsupported_image");
  });

  it.each([
    [true, `<svg xmlns="http://www.w3.org/2000/svg"/>`],
    [true, `<?xml version="1.0"?>\n<!-- By hand -->\n<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>`],
    [true, `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "">\n<svg/>`],
    [
      false,
      `<?xml version="1.0" encoding="UTF-8" ?>\n<!-- A WordPress export -->\n<rss version="2.0"><channel/></rss>`,
    ],
    [false, "<!-- A page --><!doctype html><p>svg</p>"],
  ])("is called an SVG only if it is one: %s, %s", (isSvg, text) => {
    const refusal = expect(() => readPicture(bytes(text)));
    if (isSvg) refusal.toThrow("An SVG can run scripts");
    else refusal.toThrow("none of the supported formats");
  });

  it.each([
    ["HTML with the first bytes of a JPEG", "\xff\xd8\xff<html><script>alert(1)</script>"],
    ["HTML with the first bytes of a PNG", "\x89PNG\r\n\x1a\n<html><script>alert(1)</script>"],
    ["a script that begins as a GIF does", "GIF89a/*\0\0\0\0*/=1;alert(1)//"],
    ["HTML with the first bytes of a WebP", "RIFF\x10\0\0\0WEBP<html>alert(1)"],
    ["HTML with the first bytes of an AVIF", "\0\0\0\x18ftypavif<html><script>"],
  ])("%s", (_, text) => {
    expect(codeOf(() => readPicture(bytes(text)))).toBe("image_invalid");
  });

  it("a picture of ten thousand million pixels", async () => {
    const png = await newPng(2, 2);
    const bomb = new Uint8Array(png);
    new DataView(bomb.buffer).setUint32(16, 100_000);
    new DataView(bomb.buffer).setUint32(20, 100_000);
    expect(codeOf(() => readPicture(bomb))).toBe("image_too_large");
  });

  it("more than 10 MiB", () => {
    expect(codeOf(() => readPicture(new Uint8Array(10 * 1024 * 1024 + 1)))).toBe("body_too_large");
  });
});

describe("hostile headers", () => {
  const files = Object.entries(PICTURES);

  it("every file that ends early is refused, wherever it is cut", () => {
    for (const [name, file] of files) {
      const whole = readPicture(file).bytes;
      const cuts = Array.from({ length: 120 }, (_, n) => Math.floor((n * whole.length) / 120));
      for (const cut of cuts) {
        const code = codeOf(() => readPicture(whole.slice(0, cut)));
        expect([name, cut, code]).toEqual([name, cut, expect.stringMatching(/^(unsupported_image|image_invalid)$/)]);
      }
    }
  });

  it("a changed byte leaves a picture or is refused, and never takes long", () => {
    let random = 1;
    const next = (below: number) => (random = (random * 48_271) % 2_147_483_647) % below;
    for (const [name, file] of files) {
      for (let round = 0; round < 150; round++) {
        const damaged = new Uint8Array(file);
        for (let times = 1 + next(6); times > 0; times--) {
          damaged[next(Math.min(damaged.length, 400))] = [0, 0xff, 0x7f, next(256)][next(4)] ?? 0;
        }
        const code = codeOf(() => readPicture(damaged));
        expect([name, code]).toEqual([
          name,
          expect.stringMatching(/^(none|unsupported_image|image_(invalid|too_large))$/),
        ]);
      }
    }
  });

  it("items of an AVIF that are in thousands of millions of pieces of no bytes are refused at once", () => {
    const avif = new Uint8Array(PICTURES.locatedAvif);
    const at = String.fromCharCode(...avif).indexOf("iloc") + 4;
    // Offsets, lengths and bases of no bytes, 65,535 items of 65,535 pieces each.
    avif.set([0, 0, 0xff, 0xff], at + 4);
    avif.fill(0xff, at + 8, at + 30);
    expect(codeOf(() => readPicture(avif))).toBe("image_invalid");
  });

  const webp = (chunks: string) => {
    const file = bytes(`RIFF....WEBP${chunks}`);
    new DataView(file.buffer).setUint32(4, file.length - 8, true);
    return file;
  };
  const size = (length: number): string => String.fromCharCode(length & 255, (length >> 8) & 255, length >> 16, 0);
  const CANVAS = `VP8X\x0a\0\0\0${"\0".repeat(10)}`;

  it("a WebP of more chunks than a picture has is refused, and one of very many keeps one profile", () => {
    const [frame, profile] = ["ANMF\0\0\0\0", "ICCP\0\0\0\0"];
    const many = webp(CANVAS + frame.repeat(10_000) + profile.repeat(9999));
    expect(readPicture(many).bytes.length).toBe(many.length - 9998 * 8);
    expect(codeOf(() => readPicture(webp(CANVAS + frame.repeat(10_000) + profile.repeat(10_000))))).toBe(
      "image_invalid",
    );
    // Those in a frame count, too: with the canvas and the frame itself, they are as many.
    const inFrame = (count: number) => `ANMF${size(16 + count * 8)}${"\0".repeat(16)}${"VP8 \0\0\0\0".repeat(count)}`;
    expect(codeOf(() => readPicture(webp(CANVAS + inFrame(19_998))))).toBe("none");
    expect(codeOf(() => readPicture(webp(CANVAS + inFrame(19_999))))).toBe("image_invalid");
  });

  it("a PNG of more chunks than a picture has is refused", async () => {
    const png = await newPng(2, 2);
    const [head, rest] = [png.subarray(0, 33), png.subarray(33)];
    const withMore = (count: number) =>
      concatenated(head, ...Array<Uint8Array>(count).fill(pngChunk("IDAT", new Uint8Array())), rest);
    expect(codeOf(() => readPicture(withMore(1000)))).toBe("none");
    expect(codeOf(() => readPicture(withMore(20_000)))).toBe("image_invalid");
    // Also of those that are left out.
    const texts = Array<Uint8Array>(20_000).fill(pngChunk("tEXt", new Uint8Array()));
    expect(codeOf(() => readPicture(concatenated(head, ...texts, rest)))).toBe("image_invalid");
  });

  it("a GIF of more frames than a picture has is refused", () => {
    expect(codeOf(() => readPicture(gifOf(20_000)))).toBe("none");
    expect(codeOf(() => readPicture(gifOf(800_000)))).toBe("image_invalid");
  });

  it("a WebP that has a canvas and no picture is refused", () => {
    expect(codeOf(() => readPicture(webp(CANVAS)))).toBe("image_invalid");
  });

  it("a JPEG of more scans than a picture has is refused: a decoder goes through all of it for each", () => {
    const { bytes: jpeg } = readPicture(PICTURES.withTexts);
    const at = String.fromCharCode(...jpeg.subarray(0, 20_000)).indexOf("\xff\xda");
    const [head, scan] = [jpeg.subarray(0, at), jpeg.subarray(at, at + 30)];
    const withScans = (count: number) =>
      concatenated(head, ...Array<Uint8Array>(count).fill(scan), Uint8Array.of(0xff, 0xd9));
    expect(codeOf(() => readPicture(withScans(100)))).toBe("none");
    expect(codeOf(() => readPicture(withScans(101)))).toBe("image_invalid");
  });
});
