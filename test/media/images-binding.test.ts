/** Sizes by Cloudflare Images (contract 19.9): what it cannot make, or would spoil, is served as it is. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { headerOf } from "../helpers/outcome.ts";
import { concatenated, newPng, pathOf, pngChunk, upload, type MediaBody } from "../helpers/pictures.ts";
import { send } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";

const SMALLER = new Uint8Array([1, 2, 3]);

/** A binding that makes {@link SMALLER} of each picture, or fails. */
function imagesThat(works: boolean): Partial<Env> {
  const output = async () => {
    if (!works) throw new Error("IMAGES_TRANSFORM_ERROR 9412: the image could not be decoded");
    return { image: () => new Response(SMALLER).body };
  };
  return { IMAGES: { input: () => ({ transform: () => ({ output }) }) } } as unknown as Partial<Env>;
}

async function served(file: Uint8Array, works: boolean) {
  const item = await (await upload(await newTenant(), file)).json<MediaBody>();
  const response = await send(`${pathOf(item.fileUrl)}&w=320`, { bindings: imagesThat(works) });
  const [status, type, caching] = [
    response.status,
    headerOf(response, "Content-Type"),
    headerOf(response, "Cache-Control"),
  ];
  return {
    status,
    type,
    caching,
    tag: headerOf(response, "ETag"),
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}

const YEAR = "public, max-age=31536000, immutable";

describe("with Cloudflare Images, a smaller width", () => {
  it("is what it makes", async () => {
    expect(await served(await newPng(400, 20, 1), true)).toMatchObject({
      status: 200,
      type: "image/webp",
      caching: YEAR,
      tag: expect.stringMatching(/-w320"$/),
      bytes: SMALLER,
    });
  });

  it("has one address, and is the picture itself at a ceiling", async () => {
    const tenant = await newTenant();
    const item = await (await upload(tenant, await newPng(400, 20, 3))).json<MediaBody>();
    const bindings = imagesThat(true);
    const path = pathOf(item.fileUrl);
    for (const query of ["&w=7", "&w=320&x=1", "&w=320&w=320"]) {
      const led = await send(path + query, { bindings });
      expect([led.status, led.headers.get("Location")]).toEqual([302, `${path}&w=320`]);
    }
    await env.DB.prepare(
      "insert into suspensions (organization_id, reason, creation_time, kind) values (?, 'rows written', ?, 'ceiling')",
    )
      .bind(tenant.organizationId, new Date().toISOString())
      .run();
    const shown = await send(`${path}&w=320`, { bindings });
    expect([shown.status, headerOf(shown, "Content-Type")]).toEqual([200, "image/png"]);
    await shown.body?.cancel();
  });

  it("is the picture itself where it fails, for a few seconds", async () => {
    const png = await newPng(400, 20, 2);
    expect(await served(png, false)).toEqual({
      status: 200,
      type: "image/png",
      caching: "public, max-age=10",
      tag: expect.not.stringMatching(/w320/),
      bytes: png,
    });
  });

  it("is the picture itself where it is a PNG that moves, of which one frame would be left", async () => {
    const png = await newPng(400, 20, 3);
    const moving = concatenated(
      png.subarray(0, 33),
      pngChunk("acTL", new Uint8Array([0, 0, 0, 1, 0, 0, 0, 0])),
      png.subarray(33),
    );
    expect(await served(moving, true)).toMatchObject({ status: 200, type: "image/png", caching: YEAR, bytes: moving });
  });
});
