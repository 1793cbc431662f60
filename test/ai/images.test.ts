/** Images of an endpoint. */
import { describe, expect, it } from "vitest";
import { openModels } from "../../src/ai/open.ts";
import { endpoint, imageModelOf, refusalOf, seenBy } from "../helpers/models.ts";

const draw = async (behaviour: string, more = {}) => {
  const { settings, name } = endpoint(behaviour, more);
  const model = await imageModelOf(settings);
  return { name, model, image: model.image({ prompt: "a boat", signal: new AbortController().signal }) };
};

describe("an image", () => {
  it("is a PNG that the model has drawn", async () => {
    const { image, model, name } = await draw("ok");
    const { bytes, mediaType } = await image;
    expect(mediaType).toBe("image/png");
    expect(Array.from(bytes.slice(0, 4))).toEqual([0x89, 0x50, 0x4e, 0x47]);
    expect([model.provider, model.model]).toEqual(["127.0.0.1", "test-image-model"]);
    const [seen] = await seenBy(name);
    expect(JSON.parse(seen?.body ?? "")).toMatchObject({ model: "test-image-model", prompt: "a boat", n: 1 });
  });

  it.each([
    ["image-jpeg", "image/jpeg"],
    ["image-webp", "image/webp"],
  ])("%s has the type of its bytes", async (behaviour, mediaType) => {
    expect((await (await draw(behaviour)).image).mediaType).toBe(mediaType);
  });

  it("comes from models that do not know `response_format`", async () => {
    const { image, name } = await draw("image-no-response-format");
    expect((await image).mediaType).toBe("image/png");
    const formats = (await seenBy(name)).map(({ body }) => JSON.parse(body).response_format);
    expect(formats).toEqual(["b64_json", undefined]);
  });

  it.each([
    ["image-text", "ai_invalid_answer", "not a PNG, JPEG or WebP"],
    ["image-not-base64", "ai_invalid_answer", ""],
    ["image-none", "ai_invalid_answer", ""],
    ["image-huge", "ai_invalid_answer", "larger than 10 MiB"],
    ["image-endless", "ai_invalid_answer", "is too long"],
    ["image-url", "ai_invalid_answer", "answered with the URL of an image"],
    ["image-refused", "ai_refused", "safety system"],
    ["image-fails", "ai_unavailable", "status 500"],
    ["image-garbage", "ai_unavailable", "could not be reached"],
    ["image-html", "ai_unavailable", "could not be read"],
    ["image-rate-limited", "ai_rate_limited", ""],
    ["image-unauthorized", "ai_unavailable", "credentials"],
    ["image-unknown-model", "ai_unavailable", '"test-image-model"'],
  ])("%s is %s", async (behaviour, code, detail) => {
    const { image, name } = await draw(behaviour, { timeoutMs: 700 });
    const refusal = await refusalOf(image);
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(detail);
    expect(await seenBy(name)).toHaveLength(1);
  });
});

describe("what is configured", () => {
  it("is nothing without an endpoint and a binding", async () => {
    expect(await openModels(endpoint("ok", { baseUrl: "" }).settings, undefined)).toEqual({ text: null, image: null });
  });

  it.each([
    { model: "" },
    { baseUrl: "not a URL" },
    { baseUrl: "localhost:9720/v1" },
    { baseUrl: "ftp://127.0.0.1/v1" },
  ])("is nothing with %o", async (settings) => {
    expect(await openModels(endpoint("ok", settings).settings, undefined)).toEqual({ text: null, image: null });
  });

  it("is no image model unless an endpoint's is named", async () => {
    const { text, image } = await openModels(endpoint("ok", { imageModel: "" }).settings, undefined);
    expect(text).not.toBeNull();
    expect(image).toBeNull();
  });
});
