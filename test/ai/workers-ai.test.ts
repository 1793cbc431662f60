/** Workers AI has no local binding: one written here answers as its documentation says. */
import { describe, expect, it } from "vitest";
import type { AiSettings } from "../../src/ai/model.ts";
import { openModels } from "../../src/ai/open.ts";
import { articleFrom, articleSchema, refusalOf } from "../helpers/models.ts";

type Run = { model: string; inputs: Record<string, never>; options: { signal?: AbortSignal } };

const ARTICLE = { title: "A boat", content: "It floats.", keywords: ["boat"] };
const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

const settings: AiSettings = {
  api: "chat",
  baseUrl: "",
  model: "",
  apiKey: "",
  imageModel: "",
  timeoutMs: 2000,
  prices: {},
};

/** Gives the answers in turn; a function makes one, and may throw. */
async function open(answers: readonly unknown[], more: Partial<AiSettings> = {}) {
  const runs: Run[] = [];
  const run = async (model: string, inputs: Run["inputs"], options: Run["options"]): Promise<unknown> => {
    const answer: unknown = answers[Math.min(runs.length, answers.length - 1)];
    runs.push({ model, inputs, options });
    return typeof answer === "function" ? answer() : answer;
  };
  const { text, image } = await openModels({ ...settings, ...more }, { run } as unknown as Ai);
  if (text === null || image === null) throw new Error("no models");
  return { text, image, runs };
}

const failing = (message: string) => () => {
  throw Object.assign(new Error(message), { name: "AiError" });
};

/** A name for each test: what works is remembered by model. */
const unknownModel = () => ({ model: `@cf/test/${crypto.randomUUID()}` });

describe("an article by Workers AI", () => {
  it("is asked for in JSON Mode, with room for a long answer", async () => {
    const { text, runs } = await open([{ response: ARTICLE, usage: USAGE }]);
    const answer = await articleFrom(text);
    expect(answer).toEqual({ value: ARTICLE, usage: { inputTokens: 11, outputTokens: 7 }, repairs: 0 });
    expect([text.provider, text.model]).toEqual(["workers-ai", "@cf/meta/llama-3.3-70b-instruct-fp8-fast"]);
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({
      model: "@cf/meta/llama-3.3-70b-instruct-fp8-fast",
      inputs: { max_tokens: 8192, response_format: { type: "json_schema", json_schema: { type: "object" } } },
    });
    expect(runs[0]?.inputs["stream"]).toBeUndefined();
  });

  it("may come as text, and as the answer of a chat", async () => {
    const chat = { choices: [{ message: { content: JSON.stringify(ARTICLE) }, finish_reason: "stop" }] };
    for (const answer of [{ response: `\`\`\`json\n${JSON.stringify(ARTICLE)}\n\`\`\`` }, chat]) {
      const { text } = await open([answer]);
      expect((await articleFrom(text)).value).toEqual(ARTICLE);
    }
  });

  it("is by the model that the settings name", async () => {
    const { text, image, runs } = await open([{ response: ARTICLE }], {
      model: "@cf/x/text",
      imageModel: "@cf/x/image",
    });
    await articleFrom(text);
    expect([text.model, image.model, runs[0]?.model]).toEqual(["@cf/x/text", "@cf/x/image", "@cf/x/text"]);
  });

  it("is asked for again where JSON Mode was not met", async () => {
    const { text, runs } = await open([
      failing("5024: JSON Mode couldn't be met"),
      { response: ARTICLE, usage: USAGE },
    ]);
    expect(await articleFrom(text)).toMatchObject({ repairs: 1, usage: { inputTokens: 11, outputTokens: 7 } });
    expect(runs).toHaveLength(2);
  });

  it("is asked for in the prompt where the model has no JSON Mode, at once the next time", async () => {
    const model = unknownModel();
    const { text, runs } = await open(
      [failing("5025: This model doesn't support JSON Schema."), { response: JSON.stringify(ARTICLE) }],
      model,
    );
    const answers = [await articleFrom(text), await articleFrom(text)];
    expect(answers.map(({ value }) => articleSchema.parse(value))).toEqual([ARTICLE, ARTICLE]);
    expect(runs.map(({ inputs }) => "response_format" in inputs)).toEqual([true, false, false]);
    expect(JSON.stringify(runs[1]?.inputs["messages"])).toContain("maxLength");
  });
});

describe("a failure of Workers AI", () => {
  it.each([
    ["3040: Capacity temporarily exceeded, please try again.", "ai_rate_limited", "rate of requests"],
    ["3036: You have used up your daily free allocation", "ai_rate_limited", "rate of requests"],
    ["5007: No such model @cf/x/y or task", "ai_unavailable", "does not know the model"],
    ["3042: Invalid model", "ai_unavailable", "does not know the model"],
    ["5018: This account is not allowed to access this model.", "ai_unavailable", "refused the configured credentials"],
    ["3043: Internal server error", "ai_unavailable", "workers-ai answered with"],
    ["something else", "ai_unavailable", "workers-ai answered with"],
  ])("%s is %s", async (message, code, detail) => {
    const { text, runs } = await open([failing(message)], { ...unknownModel(), timeoutMs: 700 });
    const refusal = await refusalOf(articleFrom(text));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(detail);
    expect(refusal.details).toEqual(code === "ai_rate_limited" ? { retryAfterSeconds: 30 } : {});
    expect(runs).toHaveLength(1);
  });

  it("is an answer that is cut off", async () => {
    const chat = { choices: [{ message: { content: '{"title":' }, finish_reason: "length" }] };
    const { text } = await open([chat]);
    expect((await refusalOf(articleFrom(text))).code).toBe("ai_cut_off");
  });

  it("is an answer that never fits", async () => {
    const { text, runs } = await open([{ response: { title: 5 } }]);
    expect((await refusalOf(articleFrom(text))).code).toBe("ai_invalid_answer");
    expect(runs).toHaveLength(3);
  });

  it("is a call that hangs, also where the binding does not listen", async () => {
    const { text, runs } = await open([() => new Promise(() => undefined)], { timeoutMs: 200 });
    expect((await refusalOf(articleFrom(text))).code).toBe("ai_timeout");
    expect(runs[0]?.options.signal?.aborted).toBe(true);
  });
});

describe("an image by Workers AI", () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
  const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
  const { signal } = new AbortController();

  it.each([
    ["base64", () => ({ image: btoa(String.fromCharCode(...jpeg)) }), jpeg, "image/jpeg"],
    ["a stream", () => new Response(png).body, png, "image/png"],
  ])("comes as %s", async (_, answer, bytes, mediaType) => {
    const { image, runs } = await open([answer]);
    expect(await image.image({ prompt: "a boat", signal })).toEqual({ bytes, mediaType });
    expect([image.provider, image.model]).toEqual(["workers-ai", "@cf/black-forest-labs/flux-1-schnell"]);
    expect(runs[0]).toMatchObject({ model: image.model, inputs: { prompt: "a boat" } });
  });

  it.each([
    ["text", () => ({ image: btoa("<svg/>") }), "ai_invalid_answer"],
    ["no base64", () => ({ image: "~~~" }), "ai_invalid_answer"],
    ["too many requests", failing("3040: Capacity temporarily exceeded"), "ai_rate_limited"],
  ])("fails with %s", async (_, answer, code) => {
    const { image, runs } = await open([answer], { timeoutMs: 700 });
    expect((await refusalOf(image.image({ prompt: "a boat", signal }))).code).toBe(code);
    expect(runs).toHaveLength(1);
  });
});
