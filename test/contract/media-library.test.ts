/** Contract 19: the library of an organization. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { headerOf, wrongFields } from "../helpers/outcome.ts";
import { newMedia, newPng, pathOf, PICTURES, upload, type MediaBody } from "../helpers/pictures.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { purgedTags } from "../helpers/relay.ts";
import { send, sendJson, type Credential, type Send } from "../helpers/requests.ts";
import { newKey, newTenant, type Tenant } from "../helpers/tenant.ts";

const get = <T = MediaBody>(as: Credential, path: string) => sendJson<T>(200, path, { as });
const used = async ({ organizationId }: Tenant): Promise<number | null> =>
  env.DB.prepare("select media_bytes from organizations where id = ?").bind(organizationId).first("media_bytes");
const keysOf = async (organizationId: string): Promise<string[]> =>
  (await env.MEDIA.list({ prefix: `${organizationId}/` })).objects.map(({ key }) => key);

describe("an upload (contract 19.1)", () => {
  it("as it is, with name and alternative text in the query", async () => {
    const tenant = await newTenant();
    const body = await newPng(20, 10);
    const item = await sendJson<MediaBody>(200, "/api/media?name=harbour.png&alt=Boats%20at%20dawn", {
      as: tenant,
      body,
      type: "image/png",
    });
    expect(item).toEqual({
      _id: expect.any(String),
      blogId: null,
      url: `https://edgepress.test/media/${item._id}`,
      fileUrl: expect.stringMatching(new RegExp(`^https://edgepress.test/media/${item._id}\\?v=[0-9a-f]{16}$`)),
      name: "harbour.png",
      alt: "Boats at dawn",
      mediaType: "image/png",
      bytes: body.length,
      width: 20,
      height: 10,
      sizes: "pending",
      sizesReason: null,
      blurHash: null,
      articles: 0,
      creationTime: expect.any(String),
      lastEditTime: item.creationTime,
    });
    expect(await get(tenant, `/api/media/${item._id}`)).toMatchObject({ _id: item._id, alt: "Boats at dawn" });
    expect(await used(tenant)).toBe(body.length);
  });

  it("as a form: the name of the file is its name, and folders are left out of it", async () => {
    const form = new FormData();
    form.set("alt", "A fish");
    form.set("file", new File([PICTURES.locatedJpeg], "C:\\Photos\\fish.svg", { type: "image/svg+xml" }));
    const encoded = new Response(form);
    const item = await sendJson<MediaBody>(200, "/api/media", {
      as: await newTenant(),
      body: new Uint8Array(await encoded.arrayBuffer()),
      type: headerOf(encoded, "Content-Type"),
    });
    expect(item).toMatchObject({ name: "fish.svg", alt: "A fish", mediaType: "image/jpeg", width: 180, height: 135 });
  });

  it.each(["constructor", "__proto__", "toString", "nonsense"])(
    "with the field %s is refused by its name",
    async (name) => {
      const form = new FormData();
      form.set("file", new File([await newPng(4, 4)], "a.png"));
      form.set(name, "x");
      const encoded = new Response(form);
      const body = new Uint8Array(await encoded.arrayBuffer());
      const type = headerOf(encoded, "Content-Type");
      const refused = await refusalOf(
        await send("/api/media", { as: await newTenant(), body, type }),
        "invalid_request",
      );
      expect(refused.errors).toEqual([{ path: name, message: "is not a known field" }]);
    },
  );

  it("of the same picture is the same item, also with other metadata, and is stored once", async () => {
    const tenant = await newTenant();
    const png = await newPng(5, 5);
    const first = await newMedia(tenant);
    const [one, two] = [await upload(tenant, png), await upload(tenant, png, { query: "?name=other" })];
    const items = [await one.json<MediaBody>(), await two.json<MediaBody>()];
    expect(items[1]).toEqual(items[0]);
    expect(await keysOf(tenant.organizationId)).toHaveLength(2);
    expect(await used(tenant)).toBe(first.bytes + png.length);
  });

  it("is repeated under its Idempotency-Key, and the key is not for another picture", async () => {
    const tenant = await newTenant();
    const headers = { "Idempotency-Key": newId() };
    const png = await newPng(5, 6);
    const [first, again] = [await upload(tenant, png, { headers }), await upload(tenant, png, { headers })];
    expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([200, "true"]);
    expect(await again.text()).toBe(await first.text());
    await refusalOf(await upload(tenant, await newPng(5, 7), { headers }), "idempotency_key_reused");
  });

  it.each<[string, string, Send]>([
    ["invalid_request", "JSON with a file", { body: { file: "x" } }],
    ["invalid_request", "JSON with an address that is none", { body: { url: "harbour.jpg" } }],
    ["unsupported_media_type", "text", { body: "x", type: "text/plain" }],
    [
      "unsupported_media_type",
      "a compressed body",
      { body: "x", type: "image/png", headers: { "Content-Encoding": "gzip" } },
    ],
    [
      "unsupported_image",
      "an SVG that says it is a PNG",
      { body: "<svg xmlns='http://www.w3.org/2000/svg'/>", type: "image/png" },
    ],
    [
      "image_invalid",
      "HTML that begins as a JPEG",
      { body: Uint8Array.of(0xff, 0xd8, 0xff, 0x3c, 0x68, 0x74), type: "image/jpeg" },
    ],
    ["invalid_request", "no file", { body: new Uint8Array(), type: "image/png" }],
    ["invalid_request", "a form without a boundary", { body: "x", type: "multipart/form-data; charset=utf-8" }],
    [
      "invalid_request",
      "a form that ends early",
      { body: '--x\r\nContent-Disposition: form-data; name="file"', type: "multipart/form-data; boundary=x" },
    ],
    ["body_too_large", "10 MiB and a byte", { body: new Uint8Array(10 * 1024 * 1024 + 1), type: "image/png" }],
  ])("%s: %s", async (code, _, options) => {
    const tenant = await newTenant();
    await refusalOf(await send("/api/media", { as: tenant, method: "POST", ...options }), code as "image_invalid");
    expect([await keysOf(tenant.organizationId), await used(tenant)]).toEqual([[], 0]);
  });

  const part = (name: string, value: string) =>
    `--q\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

  it.each([
    "multipart/form-data; xboundary=zzzzz; boundary=q",
    'Multipart/Form-Data ; x="; boundary=zzzzz"; BOUNDARY="q" ; y',
    "multipart/form-data; boundary=q; boundary=zzzzz",
  ])("as a form of 50 parts at most, by the boundary of its parser: %s", async (type) => {
    const tenant = await newTenant();
    const refused = async (text: string, end = "") => {
      const asked = { as: tenant, body: `${text}--q--\r\n`, type: `${type}${end}` };
      return (await refusalOf(await send("/api/media", asked), "invalid_request")).detail;
    };
    if (type.endsWith("=q")) expect(await refused(part("a", "1"), "q".repeat(70))).toContain("no valid boundary");
    expect(await refused(part("a", "1").repeat(50))).toContain("a: is given more than once");
    expect(await refused(part("a", "1").repeat(51))).toContain("part count");
    expect(await refused(part("a".repeat(4096), "1"))).toContain("header size");
  });

  it("400: a form with two files, or an unknown field", async () => {
    const tenant = await newTenant();
    const png = await newPng(3, 3);
    const forms = [new FormData(), new FormData()] as const;
    for (const form of forms) form.append("file", new File([png], "a.png"));
    forms[0].append("file", new File([png], "b.png"));
    forms[1].set("colour", "red");
    for (const form of forms) {
      const encoded = new Response(form);
      const body = new Uint8Array(await encoded.arrayBuffer());
      const type = headerOf(encoded, "Content-Type");
      await refusalOf(await send("/api/media", { as: tenant, body, type }), "invalid_request");
    }
  });
});

describe("the list (contract 19.4)", () => {
  it("is the newest first, in pages, and found by all words of a query in name or alternative text", async () => {
    const tenant = await newTenant();
    const items = [];
    for (const name of ["harbour at dawn", "harbour at night", "100% cotton_shirt"]) {
      items.unshift(await newMedia(tenant, `?name=${encodeURIComponent(name)}&alt=Porto`));
    }
    expect(await get(tenant, "/api/media")).toEqual(items);
    const page = await send("/api/media?limit=2", { as: tenant });
    expect(await page.json()).toEqual(items.slice(0, 2));
    const next = /<([^>]+)>; rel="next"/.exec(headerOf(page, "Link"))?.[1] ?? "";
    expect(await get(tenant, pathOf(next))).toEqual(items.slice(2));
    const named = async (query: string) =>
      (await get<MediaBody[]>(tenant, `/api/media?query=${encodeURIComponent(query)}`)).map(({ name }) => name);
    expect(await named("HARBOUR porto")).toEqual(["harbour at night", "harbour at dawn"]);
    expect(await named("dawn night")).toEqual([]);
    expect(await named("0% cotton_")).toEqual(["100% cotton_shirt"]);
    expect(await named("h%r")).toEqual([]);
  });

  it("ignores the case of any letters, and takes five different words", async () => {
    const tenant = await newTenant();
    for (const name of ["Éclair", "ÉCLAIR", "éclair", "Straße", "МОСКВА"])
      await newMedia(tenant, `?name=${encodeURIComponent(name)}`);
    const search = (query: string) => `/api/media?query=${encodeURIComponent(query)}`;
    const named = async (query: string) => (await get<MediaBody[]>(tenant, search(query))).map(({ name }) => name);
    for (const query of ["éclair", "Éclair", "ÉCLAIR"]) {
      expect(await named(query)).toEqual(["éclair", "ÉCLAIR", "Éclair"]);
    }
    expect([await named("STRASSE straße"), await named("Москва")]).toEqual([[], ["МОСКВА"]]);
    const words = Array.from({ length: 5 }, (_, n) => `w${n}`);
    expect(await named(`${words.join(" ")} ${words.join(" ").toUpperCase()}`)).toEqual([]);
    expect(await wrongFields(search(`${words.join(" ")} w5`), { as: tenant })).toEqual(["query"]);
  });

  it("shows a pinned key only what was uploaded for its blog", async () => {
    const tenant = await newTenant();
    const pinned = {
      apiKey: await newKey({ operatorToken: tenant.operatorToken }, ["articles:read", "articles:write"], {
        blogId: tenant.blogId,
      }),
    };
    const [own, other] = [await newMedia(pinned), await newMedia(tenant)];
    expect(own.blogId).toBe(tenant.blogId);
    expect((await get<MediaBody[]>(pinned, "/api/media")).map(({ _id }) => _id)).toEqual([own._id]);
    expect((await get<MediaBody[]>(tenant, "/api/media")).map(({ _id }) => _id)).toEqual([other._id, own._id]);
    await refusalOf(await send(`/api/media/${other._id}`, { as: pinned }), "not_found");
    await refusalOf(await send(`/api/media/${other._id}`, { as: pinned, method: "DELETE" }), "not_found");
  });
});

describe("a change (contract 19.5)", () => {
  it("of name and alternative text leaves the rest; under If-Match only the version that was read", async () => {
    const tenant = await newTenant();
    const item = await newMedia(tenant, "?name=a&alt=b");
    const etag = headerOf(await send(`/api/media/${item._id}`, { as: tenant }), "ETag");
    const change = (body: object, headers = {}) =>
      send(`/api/media/${item._id}`, { as: tenant, method: "PUT", body, headers });
    expect(await (await change({ alt: "A cat" }, { "If-Match": etag })).json()).toMatchObject({
      ...item,
      alt: "A cat",
      lastEditTime: expect.any(String),
    });
    await refusalOf(await change({ name: "x" }, { "If-Match": etag }), "precondition_failed");
    await refusalOf(await change({ width: 5 }), "immutable_field");
    await refusalOf(await change({ alt: "x".repeat(1001) }), "invalid_request");
  });

  it("of the file keeps the address, and counts the new bytes instead of the old", async () => {
    const tenant = await newTenant();
    const item = await newMedia(tenant, "?name=a&alt=b");
    await env.DB.prepare("update media set blur_hash = 'of the old file' where id = ?").bind(item._id).run();
    const png = await newPng(30, 40);
    const options = { as: tenant, method: "PUT", body: png, type: "image/png" };
    const replaced = await sendJson<MediaBody>(200, `/api/media/${item._id}/file`, options);
    expect(replaced).toMatchObject({
      _id: item._id,
      url: item.url,
      name: "a",
      alt: "b",
      width: 30,
      height: 40,
      bytes: png.length,
      blurHash: null,
    });
    expect(replaced.fileUrl).not.toBe(item.fileUrl);
    expect(await used(tenant)).toBe(png.length);
    const served = await send(pathOf(item.url));
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(png);
    expect(await purgedTags(tenant)).toContain(`media-${item._id}`);
    expect((await send(`/api/media/${newId()}/file`, options)).status).toBe(404);
  });

  it("409: another item has this file; the same file again changes nothing", async () => {
    const tenant = await newTenant();
    const [one, png] = [await newMedia(tenant), await newPng(31, 40)];
    const two = await (await upload(tenant, png)).json<MediaBody>();
    const put = (id: string) =>
      send(`/api/media/${id}/file`, { as: tenant, method: "PUT", body: png, type: "image/png" });
    await refusalOf(await put(one._id), "media_exists");
    const read = () => send(`/api/media/${two._id}`, { as: tenant });
    const writes = async () =>
      (
        await env.DB.prepare("select count(*) from audit where organization_id = ?").bind(tenant.organizationId).raw()
      )[0];
    const before = [headerOf(await read(), "ETag"), await writes()];
    expect(await (await put(two._id)).json()).toEqual(two);
    expect([headerOf(await read(), "ETag"), await writes()]).toEqual(before);
    expect(await keysOf(tenant.organizationId)).toHaveLength(2);
  });
});

describe("the number of pictures (contract 19.2)", () => {
  it("is bounded: one more is 409, one that is there is still found, and a deletion makes room", async () => {
    const tenant = await newTenant();
    const png = await newPng(5, 7, 3);
    const item = await (await upload(tenant, png)).json<MediaBody>();
    const count = "update organizations set media_items = media_items + ? where id = ?";
    await env.DB.prepare(count).bind(19_999, tenant.organizationId).run();
    await refusalOf(await upload(tenant, await newPng(5, 7, 4)), "media_limit");
    expect(await (await upload(tenant, png)).json()).toEqual(item);
    await sendJson(200, `/api/media/${item._id}`, { as: tenant, method: "DELETE" });
    expect((await upload(tenant, await newPng(5, 7, 4))).status).toBe(200);
    await refusalOf(await upload(tenant, png), "media_limit");
    expect(await used(tenant)).toBeGreaterThan(0);
  });
});
