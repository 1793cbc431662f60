/** Contract 19.9: smaller files and blur hashes, made by the real codecs. */
import { isBlurhashValid } from "blurhash";
import ExifReader from "exifreader";
import { env } from "cloudflare:workers";
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { readPicture, getShownSize } from "../../src/background/media/read.ts";
import { decodeJpeg } from "../../src/background/media/codecs.ts";
import { makeSizes, computeMaxWidth } from "../../src/background/media/sizes.ts";
import { shrink, turnUpright } from "../../src/background/media/shrink.ts";
import { readPngRows } from "../../src/background/media/png-rows.ts";
import worker from "../../src/worker.ts";
import { jpegOf } from "../helpers/hostile-pictures.ts";
import { headerOf } from "../helpers/outcome.ts";
import { bytes, concatenated, newPng, pathOf, PICTURES, pngChunk, upload } from "../helpers/pictures.ts";
import type { MediaBody } from "../helpers/pictures.ts";
import { runCron } from "../helpers/cron.ts";
import { batchOf } from "../helpers/relay.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { sample } from "../helpers/sample.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { UNMETERED } from "../helpers/unmetered.ts";

describe("smaller files", () => {
  it("are made of a JPEG in each width below its own that saves bytes, with its blur hash", async () => {
    const { files, blurHash } = await makeSizes(PICTURES.withTexts);
    expect(files.map(({ width }) => width)).toEqual([320]);
    const [small] = files;
    if (small === undefined) throw new Error("none");
    expect(readPicture(small.bytes)).toMatchObject({ mediaType: "image/webp", width: 320, height: 240 });
    expect(small.bytes.length).toBeLessThan(PICTURES.withTexts.length);
    expect(isBlurhashValid(blurHash ?? "").result).toBe(true);
    // Colours are those of the original: it has a profile.
    expect(ExifReader.load(small.bytes.buffer, { expanded: true }).icc).toBeDefined();
  });

  it("leave nothing behind by which another library would take a Worker for a browser", async () => {
    await makeSizes(PICTURES.withTexts);
    await makeSizes(readPicture(PICTURES.locatedWebp).bytes);
    expect((globalThis as { location?: unknown }).location).toBeUndefined();
  });

  it("are made of a PNG by rows, however many pixels it has", async () => {
    const png = await newPng(700, 350, 0, (row) => crypto.getRandomValues(row));
    const { files, blurHash } = await makeSizes(png);
    expect(files.map(({ width }) => width).length).toBeGreaterThan(0);
    for (const { width, bytes } of files) {
      expect(getShownSize(readPicture(bytes))).toEqual({ width, height: Math.round(width / 2) });
    }
    expect(blurHash).not.toBeNull();
  });

  it.each([
    ["locatedPng", true],
    ["locatedWebp", true],
    ["onItsSide", true],
    ["movingWebp", false],
    ["movingGif", false],
    ["plainGif", false],
    ["locatedAvif", false],
  ] as const)("%s gets a blur hash: %s", async (name, has) => {
    expect((await makeSizes(readPicture(PICTURES[name]).bytes)).blurHash !== null).toBe(has);
  });

  it("have a width in which a tall picture still fits into memory, and into a WebP", () => {
    expect(computeMaxWidth({ width: 4000, height: 3000 })).toBeGreaterThan(1920);
    expect(
      computeMaxWidth({ width: 1921, height: 26_000 }) *
        26_000 *
        (computeMaxWidth({ width: 1921, height: 26_000 }) / 1921),
    ).toBeLessThan(5_000_000);
    expect(computeMaxWidth({ width: 700, height: 70_000 })).toBe(163);
    expect(computeMaxWidth({ width: 1, height: 65_535 })).toBe(1);
  });

  const shapes = [
    ["very tall", 400, 30_000],
    ["a column", 1, 65_535],
    ["a row", 65_535, 1],
  ] as const;

  it.each(sample(shapes, 0, 1))("of a picture that is %s stay within memory", async (_, width, height) => {
    const { files, blurHash } = await makeSizes(await newPng(width, height));
    for (const { bytes } of files) {
      const made = getShownSize(readPicture(bytes));
      expect(made.width * made.height).toBeLessThanOrEqual(5_000_000);
    }
    expect(files.length).toBeLessThanOrEqual(height === 1 ? 5 : 0);
    expect(isBlurhashValid(blurHash ?? "").result).toBe(true);
  });

  it("are made of as many eighths of a JPEG as are wanted: the others are not decoded", () => {
    const pixels = decodeJpeg(readPicture(jpegOf({ width: 1400, height: 900, scans: 4 })), 320);
    expect([pixels?.width, pixels?.height]).toEqual([350, 225]);
    expect(new Set(pixels?.data)).toEqual(new Set([128, 255]));
  });

  it("are none of a picture that unpacks to more than it says, or to less", async () => {
    const header = new DataView(new ArrayBuffer(13));
    header.setUint32(0, 400);
    header.setUint32(4, 400);
    header.setUint8(8, 8);
    const packed = async (size: number) =>
      new Uint8Array(
        await new Response(
          new Blob([new Uint8Array(size)]).stream().pipeThrough(new CompressionStream("deflate")),
        ).arrayBuffer(),
      );
    const png = async (size: number) =>
      concatenated(
        bytes("\x89PNG\r\n\x1a\n"),
        pngChunk("IHDR", new Uint8Array(header.buffer)),
        pngChunk("IDAT", await packed(size)),
        pngChunk("IEND", new Uint8Array()),
      );
    let rows = 0;
    expect(
      await readPngRows(
        await png(40_000_000),
        () => rows++,
        async () => undefined,
      ),
    ).toBe(true);
    expect(rows).toBe(400);
    expect((await makeSizes(await png(1000))).blurHash).toBeNull();
  });
});

describe("shrinking", () => {
  const grey = (width: number, height: number, level: (x: number, y: number) => number) => {
    const data = new Uint8ClampedArray(width * height * 4);
    for (let at = 0; at < width * height; at++)
      data.set([level(at % width, Math.floor(at / width)), 0, 0, 255], at * 4);
    return { width, height, data };
  };

  it("averages areas, also those that are no whole pixels", () => {
    expect([
      ...shrink(
        grey(4, 2, (x) => [0, 100, 200, 100][x] ?? 0),
        2,
      ).data,
    ]).toEqual([50, 0, 0, 255, 150, 0, 0, 255]);
    const third = shrink(
      grey(3, 3, (x, y) => (x === 1 || y === 1 ? 90 : 0)),
      2,
    ).data;
    expect([third[0], third[4], third[8], third[12]]).toEqual([50, 50, 50, 50]);
  });

  it("leaves one colour as it is, in any size", () => {
    for (const [width, height, to] of [
      [1000, 7, 3],
      [17, 1000, 16],
      [641, 359, 320],
    ] as const) {
      const made = shrink(
        grey(width, height, () => 77),
        to,
      );
      expect(new Set(made.data)).toEqual(new Set([77, 0, 255]));
      expect(made.data.length).toBe(to * Math.max(1, Math.round((height * to) / width)) * 4);
    }
  });

  it("gives what is transparent no weight in the colour", () => {
    const data = new Uint8ClampedArray([200, 0, 0, 255, 0, 200, 0, 0]);
    expect([...shrink({ width: 2, height: 1, data }, 1).data]).toEqual([200, 0, 0, 128]);
  });

  it.each([
    [1, "ab/cd"],
    [2, "ba/dc"],
    [3, "dc/ba"],
    [4, "cd/ab"],
    [5, "ac/bd"],
    [6, "ca/db"],
    [7, "db/ca"],
    [8, "bd/ac"],
  ])("orientation %i shows ab/cd as %s", (orientation, shown) => {
    const data = new Uint8ClampedArray(16);
    new Uint32Array(data.buffer).set(Array.from("abcd", (letter) => letter.charCodeAt(0)));
    const turned = turnUpright({ width: 2, height: 2, data }, orientation);
    const letters = [...new Uint32Array(turned.data.buffer)].map((code) => String.fromCharCode(code));
    expect([...letters.slice(0, 2), "/", ...letters.slice(2)].join("")).toBe(shown);
  });
});

/** Hands the message about an upload to the Worker, as its queue does. */
async function size(mediaId: string, bindings: Partial<Env> = {}): Promise<void> {
  const batch = batchOf("edgepress-sizes", [{ mediaId, organizationId: mediaId }]);
  const context = createExecutionContext();
  await worker.queue(batch, { ...env, ...bindings }, context);
  await waitOnExecutionContext(context);
}

const uploaded = async (tenant: Tenant) => (await upload(tenant, PICTURES.withTexts)).json<MediaBody>();
const keysOf = async (organizationId: string): Promise<string[]> =>
  (await env.MEDIA.list({ prefix: `${organizationId}/` })).objects.map(({ key }) => key);

describe("GET /media/{id}?w=", () => {
  it("is the original for some seconds, then the next width that there is", async () => {
    const tenant = await newTenant();
    const item = await uploaded(tenant);
    const get = async (query: string) => {
      const response = await send(`${pathOf(item.fileUrl)}${query}`);
      const { width } = readPicture(new Uint8Array(await response.arrayBuffer()));
      return [
        headerOf(response, "Content-Type"),
        width,
        headerOf(response, "Cache-Control"),
        headerOf(response, "ETag"),
      ];
    };
    const year = "public, max-age=31536000, immutable";
    await env.DB.prepare("update media set sizes = null, size_tries = 0, blur_hash = null where id = ?")
      .bind(item._id)
      .run();
    expect((await get("&w=200")).slice(0, 3)).toEqual(["image/jpeg", 400, "public, max-age=10"]);
    await size(item._id);
    const [type, width, caching, tag] = await get("&w=200");
    expect([type, width, caching]).toEqual(["image/webp", 320, year]);
    expect(tag).toContain("w320");
    for (const query of ["", "&w=321", "&w=4000", "&w=0", "&w=x", "&w=-5", "&w=1e3"]) {
      expect([query, ...(await get(query)).slice(0, 3)]).toEqual([query, "image/jpeg", 400, year]);
    }
    expect(await sendJson(200, `/api/media/${item._id}`, { as: tenant })).toMatchObject({
      blurHash: expect.any(String),
    });
  });

  it("goes away with the picture, and is made anew for another file", async () => {
    const tenant = await newTenant();
    const item = await uploaded(tenant);
    await size(item._id);
    expect(await keysOf(tenant.organizationId)).toHaveLength(2);
    const options = { as: tenant, method: "PUT", body: await newPng(900, 20), type: "image/png" };
    await sendJson(200, `/api/media/${item._id}/file`, options);
    await size(item._id);
    await runCron();
    const kept = await keysOf(tenant.organizationId);
    expect(kept.some((key) => key.includes(item._id))).toBe(false);
    await sendJson(200, `/api/media/${item._id}`, { as: tenant, method: "DELETE" });
    await runCron();
    expect(await keysOf(tenant.organizationId)).toEqual([]);
  });

  it("is not made more than three times of a picture that ends its isolate", async () => {
    const tenant = await newTenant();
    const item = await uploaded(tenant);
    await env.DB.prepare("update media set sizes = null, size_tries = 3 where id = ?").bind(item._id).run();
    await size(item._id);
    expect(await env.DB.prepare("select sizes from media where id = ?").bind(item._id).first("sizes")).toBe(
      '["undecodable"]',
    );
  });

  it("is asked for again by the sweep if the message was lost", async () => {
    const tenant = await newTenant();
    const item = await uploaded(tenant);
    const long = new Date(Date.now() - 10 * 60_000).toISOString();
    await env.DB.prepare("update media set sizes = null, size_tries = 0, last_edit_time = ? where id = ?")
      .bind(long, item._id)
      .run();
    const sent: unknown[] = [];
    const { sweepSizes } = await import("../../src/background/media/size-queue.ts");
    const sizes = { sendBatch: async (messages: Iterable<unknown>) => void sent.push(...messages) } as unknown as Queue;
    const [share, now, log] = [async () => true, () => new Date(), () => undefined];
    await sweepSizes({ db: env.DB, meter: UNMETERED, bucket: env.MEDIA, sizes, share, now, log });
    expect(sent).toContainEqual({ body: { mediaId: item._id, organizationId: tenant.organizationId } });
  });

  it("comes from Cloudflare Images where there is a binding, without files of its own", async () => {
    const tenant = await newTenant();
    const item = await uploaded(tenant);
    const asked: unknown[] = [];
    const IMAGES = {
      input: (stream: ReadableStream) => ({
        transform: (how: object) => ({
          output: async (what: object) => {
            asked.push(how, what);
            return { image: () => stream };
          },
        }),
      }),
    };
    const bindings = { IMAGES } as unknown as Partial<Env>;
    const response = await send(`${pathOf(item.fileUrl)}&w=320`, { bindings });
    expect([response.status, headerOf(response, "Content-Type")]).toEqual([200, "image/webp"]);
    await response.body?.cancel();
    expect(asked).toEqual([
      { width: 320, fit: "scale-down" },
      { format: "image/webp", quality: 78 },
    ]);
  });
});
