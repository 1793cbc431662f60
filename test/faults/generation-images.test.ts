/** Images of generated articles: whose they are, and what becomes of a generation without them. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { askedOf, generated, script, SHORT } from "../helpers/generating.ts";

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

describe("images", () => {
  const withImages = { AI_IMAGE_MODEL: "painter" };

  it("belong to their article: served for a year, and gone with it", async () => {
    const { article, metadata } = await generated(tenant, { bindings: withImages });
    const images = metadata["images"] as { role: string; url: string }[];
    expect(images.length).toBeGreaterThan(0);
    expect(article.coverUrl).toBe(images.find(({ role }) => role === "cover")?.url);
    for (const { role, url } of images) {
      if (role === "inline") expect(article.content).toContain(`](${url})`);
    }
    expect(metadata["imageModel"]).toBe("painter");
    const keys = (await env.MEDIA.list({ prefix: tenant.organizationId })).objects.map(({ key }) => key);
    expect(keys.toSorted()).toEqual(
      images.map(({ url }) => `${tenant.organizationId}/${url.split("/media/")[1]}`).toSorted(),
    );
  });

  it("stay with a translation that shows them, and go with the last of them", async () => {
    const { article, metadata } = await generated(tenant, { bindings: withImages });
    const { article: translation } = await generated(tenant, { body: { articleId: article._id, locale: "de" } });
    expect(translation.coverUrl).toBe(article.coverUrl);
    const paths = (metadata["images"] as { url: string }[]).map(({ url }) => new URL(url).pathname);
    const remove = ({ _id }: { _id: string }) =>
      sendJson(200, `/api/articles/${_id}`, { as: { apiKey: tenant.apiKey }, method: "DELETE" });
    const statuses = () => Promise.all(paths.map(async (path) => (await send(path)).status));
    const isShown = (path: string) => `${translation.coverUrl} ${translation.content}`.includes(path);
    expect(paths.some(isShown)).toBe(true);
    await remove(article);
    expect(await statuses()).toEqual(paths.map((path) => (isShown(path) ? 200 : 404)));
    await remove(translation);
    expect(await statuses()).toEqual(paths.map(() => 404));
  });

  it("are not those of a translation's article where none are wanted", async () => {
    const images = {
      coverUrl: "https://images.example.com/a",
      content: "Walks.\n\n![b](https://images.example.com/b)",
    };
    const { _id: articleId } = await newArticle(tenant, images);
    const translated = async (locale: string, more: object) => {
      const name = newId();
      await script(name, [{ match: "Translate this part", answer: { content: images.content } }]);
      return (await generated(tenant, { name, body: { articleId, locale, ...more } })).article;
    };
    expect(await translated("de", {})).toMatchObject({
      coverUrl: images.coverUrl,
      content: expect.stringContaining("https://images.example.com/b"),
    });
    const bare = await translated("fr", { coverImage: false });
    expect([bare.coverUrl, bare.content.includes("![")]).toEqual(["", true]);
    const textual = await translated("it", { inlineImages: false });
    expect([textual.coverUrl, textual.content.includes("![")]).toEqual([images.coverUrl, false]);
  });

  it("that are asked for of a translation are a degradation", async () => {
    const source = await newArticle(tenant, { content: "Some text about walks." });
    const body = { articleId: source._id, locale: "de", coverImage: true };
    const { metadata } = await generated(tenant, { bindings: withImages, body });
    expect((metadata["degradations"] as string[]).join()).toContain("a translation keeps its article's");
  });

  it("that fail are degradations, not failures", async () => {
    const { article, metadata } = await generated(tenant, { bindings: withImages, behaviour: "image-fails" });
    expect(article.coverUrl).toBe("");
    expect(metadata["images"]).toEqual([]);
    expect((metadata["degradations"] as string[]).length).toBeGreaterThan(0);
    expect(article.content).not.toContain("/media/");
  });

  it("that are cut off are degradations, and nothing of them is kept", async () => {
    const { article, metadata } = await generated(tenant, { bindings: withImages, behaviour: "image-cut" });
    expect(article.coverUrl).toBe("");
    expect((metadata["degradations"] as string[])[0]).toContain("The file is damaged");
    expect((await env.MEDIA.list({ prefix: tenant.organizationId })).objects).toEqual([]);
  });

  it("are not made where none are asked for", async () => {
    const name = newId();
    const body = { ...SHORT, coverImage: false, inlineImages: false };
    const { metadata } = await generated(tenant, { name, bindings: withImages, body });
    expect(metadata["images"]).toEqual([]);
    expect((await askedOf(name)).some(({ path }) => path.includes("images"))).toBe(false);
  });

  it("that are asked for without a model are a degradation", async () => {
    const { metadata } = await generated(tenant, { body: { ...SHORT, coverImage: true } });
    expect((metadata["degradations"] as string[]).join()).toMatch(/image/i);
  });
});
