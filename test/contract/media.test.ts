/** Contract 8.6: GET /media/{id}. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { send } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { newFile } from "../helpers/media.ts";
import { headerOf } from "../helpers/outcome.ts";
import { refusalOf } from "../helpers/refusals.ts";

/** An article's file; returns its path. */
async function illustrated(tenant: Tenant, published = true): Promise<{ path: string; articleId: string; id: string }> {
  const { _id: articleId } = await newArticle(tenant, { published });
  const id = await newFile(tenant.organizationId, articleId);
  return { path: `/media/${id}`, articleId, id };
}

const bytesOf = async (response: Response): Promise<string> => new TextDecoder().decode(await response.arrayBuffer());

describe("GET /media/{id}", () => {
  it("is the file, of its type, for a year and for everybody", async () => {
    const tenant = await newTenant();
    const { path, articleId, id } = await illustrated(tenant);
    const response = await send(path);
    expect([response.status, await bytesOf(response)]).toEqual([200, "the bytes of an image"]);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      "content-type": "image/png",
      "content-length": "21",
      "cache-control": "public, max-age=31536000, immutable",
      "cache-tag": `media-${articleId},images-${tenant.organizationId}`,
      etag: `"${id}"`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-request-id": expect.any(String),
    });
    expect(headers["vary"]).toBeUndefined();
    expect(headers["set-cookie"]).toBeUndefined();
  });

  it("is of the type that it was stored as, whatever its bytes say", async () => {
    const tenant = await newTenant();
    const { path, id } = await illustrated(tenant);
    await env.MEDIA.put(`${tenant.organizationId}/${id}`, "<script>alert(1)</script>", {
      httpMetadata: { contentType: "text/html" },
    });
    expect(headerOf(await send(path), "Content-Type")).toBe("image/png");
  });

  it("304 where it is known, also under a weak tag and among others", async () => {
    const { path, id } = await illustrated(await newTenant());
    for (const tag of [`"${id}"`, `W/"${id}"`, `"x", "${id}"`, "*"]) {
      const response = await send(path, { headers: { "If-None-Match": tag } });
      expect([tag, response.status, await bytesOf(response)]).toEqual([tag, 304, ""]);
      expect(headerOf(response, "ETag")).toBe(`"${id}"`);
      expect(headerOf(response, "Cache-Control")).toBe("public, max-age=31536000, immutable");
    }
    expect((await send(path, { headers: { "If-None-Match": '"x"' } })).status).toBe(200);
  });

  it("may be read by another organization, with any credentials or wrong ones, and while its article is a draft", async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    const { path } = await illustrated(tenant, false);
    for (const as of [{}, other, tenant, { apiKey: "epk_nonsense" }]) {
      const response = await send(path, { as });
      expect([response.status, headerOf(response, "Cache-Control")]).toEqual([
        200,
        "public, max-age=31536000, immutable",
      ]);
      await response.body?.cancel();
    }
  });

  it("404: a file that no article has, one whose row or bytes are gone, an unknown or malformed id", async () => {
    const tenant = await newTenant();
    const unowned = await newFile(tenant.organizationId, null);
    const { id: gone } = await illustrated(tenant);
    await env.MEDIA.delete(`${tenant.organizationId}/${gone}`);
    const forgotten = newId();
    await env.MEDIA.put(`${tenant.organizationId}/${forgotten}`, "bytes");
    const { id } = await illustrated(tenant);
    const malformed = [
      id.toUpperCase(),
      `${id}.png`,
      `${tenant.organizationId}%2F${id}`,
      "x",
      "..%2f",
      `${id}%00`,
      "'--",
    ];
    for (const name of [unowned, gone, forgotten, newId(), ...malformed]) {
      const response = await send(`/media/${name}`);
      expect([name, response.status, headerOf(response, "Cache-Control")]).toEqual([name, 404, "no-store"]);
      await refusalOf(response, "not_found");
    }
    for (const path of ["/media", "/media/", `/media/${tenant.organizationId}/${id}`]) {
      await refusalOf(await send(path), "route_not_found");
    }
  });

  it("404 without the file for who knows its tag", async () => {
    const tenant = await newTenant();
    const id = await newFile(tenant.organizationId, null);
    await refusalOf(await send(`/media/${id}`, { headers: { "If-None-Match": `"${id}"` } }), "not_found");
  });
});
