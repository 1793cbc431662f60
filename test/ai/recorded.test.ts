/** Answers of each provider in its own format (recorded/README.md), and the requests that ask for them. */
import { afterEach, describe, expect, it, vi } from "vitest";
import type { AiSettings } from "../../src/ai/model.ts";
import { openModels } from "../../src/ai/open.ts";
import { DomainError } from "../../src/domain/errors.ts";
import { API_KEY, articleFrom, articleSchema, endpoint, layReady, seenBy, textModelOf } from "../helpers/models.ts";

const RECORDED = import.meta.glob("./recorded/*/*", { query: "?raw", import: "default", eager: true });

const recorded = (file: string): string => RECORDED[`./recorded/${file}`] ?? "";

const ARTICLE = {
  title: "The first ferry",
  content: "It leaves at six — before the gulls of Ærø wake. 🌊",
  keywords: ["ferry", "Ærø"],
};

const BEARER = { authorization: `Bearer ${API_KEY}` };
const SCHEMA = { type: "object", required: ["title", "content", "keywords", "subtitle"], additionalProperties: false };
const CHAT = {
  path: "/chat/completions",
  headers: BEARER,
  body: {
    stream: true,
    stream_options: { include_usage: true },
    response_format: { type: "json_schema", json_schema: { name: "article", strict: true, schema: SCHEMA } },
  },
};

type Provider = {
  settings: Partial<AiSettings>;
  /** The end of the base URL. */
  base?: string;
  path: string;
  headers: Record<string, string | undefined>;
  body: object;
};

const PROVIDERS: Readonly<Record<string, Provider>> = {
  "openai-chat": { settings: { model: "gpt-5-mini" }, ...CHAT },
  "openai-responses": {
    settings: { api: "responses", model: "gpt-5-mini" },
    path: "/responses",
    headers: BEARER,
    body: {
      stream: true,
      store: false,
      text: { format: { type: "json_schema", name: "article", strict: true, schema: SCHEMA } },
      input: [{ role: "developer" }, { role: "user" }],
    },
  },
  anthropic: {
    settings: { api: "anthropic", model: "claude-sonnet-4-5" },
    path: "/messages",
    headers: { "x-api-key": API_KEY, "anthropic-version": "2023-06-01", authorization: undefined },
    body: {
      stream: true,
      max_tokens: 16_000,
      system: [{ type: "text", text: "You write articles." }],
      output_config: { format: { type: "json_schema", schema: SCHEMA } },
    },
  },
  gemini: { settings: { model: "gemini-2.5-flash" }, ...CHAT, base: "/v1beta/openai" },
  ollama: { settings: { model: "llama3.2", apiKey: "" }, ...CHAT, headers: { authorization: undefined } },
};

/** Asks for an article of which the answer is in a file, as often as it is asked for; the answers in `first` come before. */
async function ask(file: string, more: Partial<AiSettings> = {}, first: readonly string[] = []) {
  const [folder = ""] = file.split("/");
  const provider = PROVIDERS[folder];
  if (provider === undefined) throw new Error(`no such provider: ${folder}`);
  // Too short a time for an attempt after the `Retry-After` of the files.
  const { settings, name } = endpoint("ok", { timeoutMs: 6000, ...provider.settings, ...more });
  const baseUrl = settings.baseUrl.replace(/\/v1$/, provider.base ?? "/v1");
  const answers = [...first, ...Array<string>(4).fill(recorded(file))];
  await layReady(
    name,
    answers.map((text) => ({ answer: "", recorded: text })),
  );
  return { ...(await outcomeOf({ ...settings, baseUrl })), provider, seen: await seenBy(name) };
}

async function outcomeOf(settings: AiSettings) {
  const spent = { inputTokens: 0, outputTokens: 0 };
  const outcome = await (
    await textModelOf(settings)
  )
    .object({
      name: "article",
      schema: articleSchema,
      system: "You write articles.",
      prompt: "Write about 60 words in English.",
      signal: new AbortController().signal,
      spent({ inputTokens, outputTokens }) {
        spent.inputTokens += inputTokens;
        spent.outputTokens += outputTokens;
      },
    })
    .catch((error: unknown) => error);
  return { outcome, spent: [spent.inputTokens, spent.outputTokens] };
}

const written = [vi.spyOn(console, "log"), vi.spyOn(console, "warn"), vi.spyOn(console, "error")];

afterEach(() => {
  expect(JSON.stringify(written.map(({ mock }) => mock.calls))).not.toContain(API_KEY);
});

/** The tokens include those of thoughts. */
const ANSWERS: readonly (readonly [file: string, spent: readonly [number, number]])[] = [
  ["openai-chat/good.http", [112, 347]],
  ["openai-responses/good.http", [118, 339]],
  ["anthropic/good.http", [214, 48]],
  ["gemini/good.http", [96, 342]],
  ["ollama/good.http", [58, 44]],
];

type Failure = readonly [
  file: string,
  code: string,
  detail: string,
  spent: readonly [number, number],
  requests: number,
];

const FAILURES: readonly Failure[] = [
  ["openai-chat/refusal.http", "ai_refused", "I'm sorry, but I can't help with that request", [112, 24], 1],
  ["openai-chat/cut-off.http", "ai_cut_off", "stopped before its answer was complete", [112, 128], 1],
  ["openai-chat/rate-limited.http", "ai_rate_limited", "limits the rate", [0, 0], 1],
  ["openai-chat/quota.http", "ai_unavailable", "quota is used up", [0, 0], 1],
  ["openai-chat/error-in-stream.http", "ai_unavailable", "The server had an error", [0, 0], 1],
  ["openai-responses/refusal.http", "ai_refused", "I'm sorry, but I can't help with that request", [118, 24], 1],
  ["openai-responses/filtered.http", "ai_refused", "declined", [118, 40], 1],
  ["openai-responses/cut-off.http", "ai_cut_off", "stopped before its answer was complete", [118, 128], 1],
  ["openai-responses/rate-limited.http", "ai_rate_limited", "limits the rate", [0, 0], 1],
  ["openai-responses/quota.http", "ai_unavailable", "quota is used up", [0, 0], 1],
  ["openai-responses/error-in-stream.http", "ai_unavailable", "answered with the status 500.", [118, 37], 1],
  ["anthropic/refusal.http", "ai_refused", "blocked under Anthropic's Usage Policy", [214, 5], 1],
  ["anthropic/cut-off.http", "ai_cut_off", "stopped before its answer was complete", [214, 16_000], 1],
  ["anthropic/rate-limited.http", "ai_rate_limited", "limits the rate", [0, 0], 1],
  ["anthropic/spent.http", "ai_unavailable", "quota is used up", [0, 0], 1],
  ["gemini/refusal.http", "ai_refused", "declined", [96, 0], 1],
  ["gemini/cut-off.http", "ai_cut_off", "stopped before its answer was complete", [96, 1024], 1],
  ["gemini/rate-limited.http", "ai_rate_limited", "limits the rate", [0, 0], 1],
  // A status of 400 may be about the format: the others are tried, too.
  ["gemini/invalid-key.http", "ai_unavailable", "the status 400: API key not valid", [0, 0], 3],
  ["ollama/cut-off.http", "ai_cut_off", "stopped before its answer was complete", [58, 44], 1],
  ["ollama/unknown-model.http", "ai_unavailable", 'does not know the model "llama3.2"', [0, 0], 1],
  ["ollama/error-as-text.http", "ai_unavailable", "answered with the status 500.", [0, 0], 1],
];

const PASSING: readonly (readonly [file: string, spent: readonly [number, number]])[] = [
  ["openai-responses/broken-off.http", [118, 339]],
  ["anthropic/overloaded.http", [214, 48]],
  ["anthropic/error-at-once.http", [214, 48]],
  ["anthropic/error-in-stream.http", [428, 49]],
  ["anthropic/broken-off.http", [428, 49]],
  ["ollama/busy.http", [58, 44]],
  ["ollama/error-in-stream.http", [58, 44]],
];

describe("a recorded answer", () => {
  it.each(ANSWERS)("%s is read, with its tokens, and asked for as the API wants it", async (file, tokens) => {
    const { outcome, spent, seen, provider } = await ask(file);
    expect(outcome).toEqual({ value: ARTICLE, repairs: 0 });
    expect(spent).toEqual(tokens);
    expect(seen).toHaveLength(1);
    const [{ path, headers, body } = { path: "", headers: {}, body: "" }] = seen;
    expect(path).toBe(provider.path);
    expect({ authorization: undefined, ...headers }).toMatchObject(provider.headers);
    const sent = JSON.parse(body) as object;
    expect(sent).toMatchObject({ ...provider.body, model: provider.settings.model });
    // Models that reason refuse `max_tokens` in chat completions.
    if (path === "/chat/completions") expect(sent).not.toHaveProperty("max_tokens");
  });

  it("comes from a tool where a model of Anthropic is too old for structured output", async () => {
    const { outcome, spent, seen } = await ask("anthropic/tool.http", { model: "claude-sonnet-4-20250514" });
    expect([outcome, spent]).toEqual([{ value: ARTICLE, repairs: 0 }, [602, 87]]);
    const body = JSON.parse(seen[0]?.body ?? "") as object;
    expect(body).toMatchObject({ tools: [{ name: "json", input_schema: SCHEMA }], tool_choice: { type: "any" } });
    expect(body).not.toHaveProperty("output_config");
  });

  it.each([
    ["openai-responses/good.http", { text: { format: { type: "json_object" } } }],
    ["anthropic/good.http", { messages: [{ content: [{ text: expect.stringContaining("this JSON schema") }] }] }],
  ])("%s is asked for in another format where the first is refused", async (file, other) => {
    const error = { type: "invalid_request_error", message: "The schema is not supported." };
    const { outcome, seen } = await ask(file, { model: "no-schema" }, [
      `HTTP/1.1 400 Bad Request\nContent-Type: application/json\n\n${JSON.stringify({ type: "error", error })}`,
    ]);
    expect(outcome).toEqual({ value: ARTICLE, repairs: 0 });
    const [, second] = seen.map(({ body }) => JSON.parse(body) as object);
    expect(second).toMatchObject(other);
    expect(second).not.toHaveProperty("tools");
  });

  it("is asked for again only once after an error in the middle: what was sent may have to be paid", async () => {
    const overloaded = recorded("anthropic/error-in-stream.http");
    const { outcome, spent, seen } = await ask("anthropic/good.http", {}, [overloaded, overloaded]);
    expect(outcome).toMatchObject({ code: "ai_unavailable", message: expect.stringContaining("the status 529.") });
    expect(spent).toEqual([428, 2]);
    expect(seen).toHaveLength(2);
  });

  it("is asked for again after an error that has the status as its code", async () => {
    const error = { code: 503, message: "The model is overloaded. Please try again later.", status: "UNAVAILABLE" };
    const event = `HTTP/1.1 200 OK\nContent-Type: text/event-stream\n\ndata: ${JSON.stringify({ error })}\n\n`;
    const { outcome, seen } = await ask("gemini/good.http", {}, [event]);
    expect(outcome).toEqual({ value: ARTICLE, repairs: 0 });
    expect(seen).toHaveLength(2);
  });

  it.each(["openai-responses", "anthropic"])("%s is a failure where something else answers", async (folder) => {
    const page = "HTTP/1.1 200 OK\nContent-Type: text/html\n\n<!doctype html><title>Welcome</title>";
    const { outcome } = await ask(`${folder}/good.http`, {}, [page]);
    expect(outcome).toMatchObject({
      code: "ai_unavailable",
      message: expect.stringContaining("answered with something"),
    });
  });

  it.each(FAILURES)("%s is %s: %s", async (file, code, detail, tokens, requests) => {
    const { outcome, spent, seen } = await ask(file);
    if (!(outcome instanceof DomainError)) throw new Error(`expected a refusal, got ${JSON.stringify(outcome)}`);
    expect(outcome.code).toBe(code);
    expect(outcome.message).toContain(detail);
    const retryAfterSeconds = file.startsWith("gemini/") ? 33 : 7;
    expect(outcome.details).toEqual(code === "ai_rate_limited" ? { retryAfterSeconds } : {});
    expect(spent).toEqual(tokens);
    expect(seen).toHaveLength(requests);
  });

  it.each(PASSING)("%s passes: the answer is asked for again, and what was lost is counted", async (file, tokens) => {
    const { outcome, spent, seen } = await ask(file.replace(/[^/]*$/, "good.http"), {}, [recorded(file)]);
    expect(outcome).toEqual({ value: ARTICLE, repairs: 0 });
    expect(spent).toEqual(tokens);
    expect(seen).toHaveLength(2);
  });
});

describe("a recorded answer of Workers AI", () => {
  const open = async (run: () => unknown) => {
    const { settings } = endpoint("", { baseUrl: "", model: "@cf/test/recorded", timeoutMs: 700 });
    const { text } = await openModels(settings, { run: async () => run() } as unknown as Ai);
    if (text === null) throw new Error("no text model");
    return text;
  };

  it.each([
    ["good", 43],
    ["good-chat", 96],
  ])("%s is read, with its tokens", async (file, outputTokens) => {
    const answer = await articleFrom(await open(() => JSON.parse(recorded(`workers-ai/${file}.json`))));
    expect(answer).toEqual({ value: ARTICLE, repairs: 0, usage: { inputTokens: 71, outputTokens } });
  });

  it.each([
    ["cut-off", "ai_cut_off"],
    ["out-of-capacity", "ai_rate_limited"],
  ])("%s is %s", async (file, code) => {
    const answer = JSON.parse(recorded(`workers-ai/${file}.json`)) as object;
    const text = await open(() => {
      if ("message" in answer) throw Object.assign(new Error(), answer);
      return answer;
    });
    await expect(articleFrom(text)).rejects.toMatchObject({ code });
  });
});

it("plays every file", () => {
  const played = new Set([...ANSWERS, ...FAILURES, ...PASSING].map(([file]) => `./recorded/${file}`));
  const others = Object.keys(RECORDED).filter((file) => !played.has(file));
  expect(others.filter((file) => !file.startsWith("./recorded/workers-ai/"))).toEqual([
    "./recorded/anthropic/tool.http",
  ]);
});
