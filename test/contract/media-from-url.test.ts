/** Contract 19.11: pictures that the service fetches from addresses. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { countHeldBytes } from "../../src/memory.ts";
import { limited } from "../helpers/limiter.ts";
import { givingUp } from "../helpers/giving-up.ts";
import { PICTURES, pathOf, upload, type MediaBody } from "../helpers/pictures.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { seen } from "../helpers/sources.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

const at = (path: string): string => `${env.FEEDS.url}/${path}`;
const fetching = (as: Tenant, url: string, more: Send = {}): Promise<Response> =>
  send("/api/media", { as, body: { url }, ...more });
const storedBy = async ({ organizationId }: Tenant): Promise<unknown[]> => [
  (await env.MEDIA.list({ prefix: `${organizationId}/` })).objects.length,
  await env.DB.prepare("select media_bytes from organizations where id = ?").bind(organizationId).first("media_bytes"),
];

describe("POST /api/media with a url", () => {
  it("stores what is there, under the name in the address, without where it was taken", async () => {
    const tenant = await newTenant();
    const body = { url: at("pictures/with-location.jpg/At%20dawn.jpg?size=large#part"), alt: "Boats" };
    const item = await sendJson<MediaBody>(200, "/api/media", { as: tenant, body });
    expect(item).toMatchObject({ name: "At dawn.jpg", alt: "Boats", mediaType: "image/jpeg" });
    const stored = new Uint8Array(await (await send(pathOf(item.url))).arrayBuffer());
    expect(stored.length).toBe(item.bytes);
    expect(stored.length).toBeLessThan(PICTURES.locatedJpeg.length);
  });

  it("is the item that the library has already, whatever the address, and whoever sent it", async () => {
    const tenant = await newTenant();
    const item = await (await upload(tenant, PICTURES.plainGif)).json<MediaBody>();
    for (const name of ["one.gif", "two.gif"]) {
      const again = await sendJson(200, "/api/media", { as: tenant, body: { url: at(`pictures/plain.gif/${name}`) } });
      expect(again).toEqual(item);
    }
    expect(await storedBy(tenant)).toEqual([1, item.bytes]);
  });

  it("follows redirects, and says what it was called there last", async () => {
    const tenant = await newTenant();
    const url = at(`redirect-to/${encodeURIComponent(at("pictures/plain.webp/a.webp"))}`);
    expect(await sendJson(200, "/api/media", { as: tenant, body: { url } })).toMatchObject({ mediaType: "image/webp" });
  });

  it.each([
    ["unsupported_image", "HTML that is named .png", "pictures/page.png"],
    ["unsupported_image", "an SVG that is named .png", "pictures/drawing.png"],
    ["unsupported_image", "a feed", "feeds/ghost.xml"],
    ["picture_unreachable", "nothing there", "pictures/none.png"],
    ["picture_unreachable", "an error", "status-500/a.png"],
    ["picture_unreachable", "an empty body", "empty/a.png"],
    ["picture_unreachable", "a connection that is closed", "close/a.png"],
    ["picture_unreachable", "a body that breaks off", "breaks-off/a.png"],
    ["picture_unreachable", "redirects without end", "redirect-loop/a.png"],
    ["body_too_large", "a body without end", "endless/a.png"],
    ["body_too_large", "a small body that is large when it is decompressed", "gzip-bomb/a.png"],
  ] as const)("%s: %s", async (code, _, path) => {
    const tenant = await newTenant();
    await refusalOf(await fetching(tenant, at(path)), code);
    expect(await storedBy(tenant)).toEqual([0, 0]);
  });

  it("gives up on who never ends, in time and with a reason", async () => {
    const tenant = await newTenant();
    const slow = ["hang", "drip-headers", "drip-body"];
    let held = 0;
    const answers = await givingUp(
      LIMITS.mediaFetchTimeoutMs,
      () => Promise.all(slow.map((behaviour) => fetching(tenant, at(`${behaviour}/never-ends.png`)))),
      async () => {
        const areWaiting = (await seen("never-ends")).length === slow.length;
        held = countHeldBytes();
        return areWaiting;
      },
    );
    // What has sent next to nothing keeps nobody waiting for room. By then, the requests themselves are read.
    expect(held).toBe(0);
    for (const answer of answers) {
      expect(await answer.json()).toMatchObject({
        code: "picture_unreachable",
        detail: "It did not answer within 10 seconds.",
      });
    }
  });

  it.each([
    "http://10.0.0.1/a.png",
    "http://167772161/a.png",
    "http://[::ffff:7f00:1]/a.png",
    "http://169.254.169.254/latest/meta-data",
    "https://metadata.google.internal/a.png",
    "https://press.localhost/a.png",
    "https://user:secret@images.example.com/a.png",
    "https://images.example.com:22/a.png",
    "ftp://images.example.com/a.png",
    "file:///etc/passwd",
  ])("asks no address that is not public: %s, also behind a redirect", async (address) => {
    const tenant = await newTenant();
    const direct = await fetching(tenant, address);
    expect(["invalid_request", "picture_unreachable"]).toContain((await direct.json<{ code: string }>()).code);
    const behind = await fetching(tenant, at(`redirect-to/${encodeURIComponent(address)}`));
    // The parser of URLs drops a user name of a redirect, as browsers do; such a host may then be asked.
    if (!address.includes("@")) {
      expect(await behind.json()).toMatchObject({
        code: "picture_unreachable",
        detail: expect.stringContaining("not allowed"),
      });
    }
    expect(await storedBy(tenant)).toEqual([0, 0]);
  });

  it("does not ask itself or its neighbours where that is not a local run", async () => {
    const tenant = await newTenant();
    const bindings = { ALLOW_LOOPBACK_WEBHOOKS: "false" } as unknown as Partial<Env>;
    await refusalOf(await fetching(tenant, at("pictures/plain.gif"), { bindings }), "picture_unreachable");
  });

  it("is limited for an organization", async () => {
    const tenant = await newTenant();
    const options = { bindings: limited({ pictureFetches: 0 }) };
    await refusalOf(await fetching(tenant, at("pictures/plain.gif"), options), "rate_limited");
    expect((await upload(tenant, PICTURES.plainGif, options)).status).toBe(200);
  });

  it("400: a file and an address, neither of them, or an address in the query", async () => {
    const tenant = await newTenant();
    const form = new FormData();
    form.set("url", at("pictures/plain.gif"));
    form.append("file", new File([PICTURES.plainGif], "a.gif"));
    const encoded = new Response(form);
    const both = { body: new Uint8Array(await encoded.arrayBuffer()), type: encoded.headers.get("Content-Type") };
    await refusalOf(await send("/api/media", { as: tenant, ...both }), "invalid_request");
    await refusalOf(await send("/api/media", { as: tenant, body: { alt: "x" } }), "invalid_request");
    await refusalOf(await send("/api/media", { as: tenant, body: { url: at("x"), colour: "red" } }), "invalid_request");
    await refusalOf(await send("/api/media", { as: tenant, body: "{", type: "application/json" }), "invalid_json");
    const replaced = await upload(tenant, PICTURES.plainWebp);
    const { _id } = await replaced.json<MediaBody>();
    const put = { as: tenant, method: "PUT", body: { url: at("pictures/plain.gif") } };
    await refusalOf(await send(`/api/media/${_id}/file`, put), "unsupported_media_type");
  });
});
