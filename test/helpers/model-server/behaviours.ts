/** The behaviours of the test server, by name. Some send a response of their own, others change the default one. */
import { answer, type Reply, write } from "./chat.ts";
import { apiError, type Call, isObject, json } from "./call.ts";
import { promptOf, type Schema, schemaOf, wantedOf, worded } from "./prompt.ts";
import { markdownOf } from "./texts.ts";
import { valueOf } from "./values.ts";

/** Sends a response instead of a model. Returns false if it does not apply to this request. */
type Takeover = (call: Call, number: number | undefined) => boolean | Promise<void>;

const refuse =
  (status: number, message: string, code: string | null = null, headers = {}): Takeover =>
  ({ response }) => {
    json(response, status, apiError(message, code), headers);
    return true;
  };

/** The behaviours that replace the response. `-<n>` at the end of a name is passed as `number`. */
export const TAKEOVERS: Readonly<Record<string, Takeover>> = {
  hang: () => true,
  status: ({ response }, number = 500) => {
    json(response, number, apiError(`status ${number}`));
    return true;
  },
  error: ({ response }, number = 500) => {
    json(response, number, { error: { message: "The server had an error", type: "server_error" } });
    return true;
  },
  "rate-limited": ({ response }, number) => {
    const headers = { "Retry-After": String(number ?? 7) };
    json(response, 429, apiError("Rate limit reached", "rate_limit_exceeded"), headers);
    return true;
  },
  "rate-limited-date": ({ response }) => {
    const headers = { "Retry-After": new Date(Date.now() + 60_000).toUTCString() };
    json(response, 429, apiError("Rate limit reached", "rate_limit_exceeded"), headers);
    return true;
  },
  "rate-limited-silent": refuse(429, "Rate limit reached", "rate_limit_exceeded"),
  // Repeats the API key, as OpenAI does.
  unauthorized: ({ response, seen }) => {
    json(response, 401, apiError(`Incorrect API key provided: ${seen.headers.authorization ?? ""}`, "invalid_api_key"));
    return true;
  },
  "unknown-model": ({ response, body }) => {
    json(response, 404, apiError(`The model ${worded(body["model"])} does not exist`, "model_not_found"));
    return true;
  },
  "refused-request": refuse(400, "Your request was rejected by our safety system.", "content_policy_violation"),
  html: ({ response }) => {
    response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>Welcome</title>");
    return true;
  },
  garbage: ({ response }) => {
    response.socket?.end("SMTP 220 hello\r\n\r\n");
    return true;
  },
  redirect: ({ response, seen }, number) => {
    response.writeHead(number ?? 307, { Location: `/ok/redirected${seen.path}` }).end();
    return true;
  },
  "no-json-schema": ({ response, body }) => {
    if (!isObject(body["response_format"]) || body["response_format"]["type"] !== "json_schema") return false;
    json(response, 400, apiError("Invalid value: 'json_schema'. Supported values are: 'json_object' and 'text'."));
    return true;
  },
  "no-response-format": ({ response, body }) => {
    if (body["response_format"] === undefined) return false;
    json(response, 400, apiError("Unrecognized request argument supplied: response_format"));
    return true;
  },
  "no-stream-options": ({ response, body }) => {
    if (body["stream_options"] === undefined) return false;
    json(response, 400, apiError("Unrecognized request argument supplied: stream_options"));
    return true;
  },
  endless,
  "stream-error": streamError,
};

/** Sends an error in the middle of a stream, as OpenAI and OpenRouter do. */
async function streamError({ response }: Call): Promise<void> {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  await write(response, `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "{" } }] })}\n\n`);
  response.end(`data: ${JSON.stringify(apiError("The engine is overloaded", "overloaded"))}\n\n`);
}

/** Sends parts of a text until the client closes the connection. */
async function endless({ response }: Call): Promise<void> {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  const event = JSON.stringify({ choices: [{ index: 0, delta: { content: "word ".repeat(3000) } }] });
  while (!response.destroyed) {
    await write(response, `data: ${event}\n\n`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Returns a changed response. */
type Change = (reply: Reply, number: number | undefined, call: Call) => Reply;

/** Behaviours that only set the content of the response (prompt.ts). */
const SETTINGS = new Set(["ok", "lang", "words", "keyword"]);

/** The behaviours that change the response. */
export const CHANGES: Readonly<Record<string, Change>> = {
  slow: (reply, number) => ({ ...reply, delay: number ?? 1000 }),
  trickle: (reply, number) => ({ ...reply, pause: number ?? 20 }),
  refusal: (reply) => ({ ...reply, content: "", refusal: "I'm sorry, I can't help with that." }),
  content_filter: (reply) => ({ ...reply, content: reply.content.slice(0, 20), finishReason: "content_filter" }),
  "cut-off": (reply) => ({
    ...reply,
    content: reply.content.slice(0, Math.ceil(reply.content.length / 2)),
    finishReason: "length",
  }),
  broken: (reply) => ({ ...reply, ending: "reset" }),
  unfinished: (reply) => ({ ...reply, ending: "unfinished" }),
  "invalid-json": (reply) => ({ ...reply, content: "Certainly! Let me think about that for a moment." }),
  "wrong-schema": (reply) => ({ ...reply, content: JSON.stringify({ nothing: "of what was asked for" }) }),
  empty: (reply) => ({ ...reply, content: "" }),
  fenced: (reply) => ({ ...reply, content: `\`\`\`json\n${reply.content}\n\`\`\`\n` }),
  prose: (reply) => ({ ...reply, content: `Here is the {object} that you asked for:\n\n${reply.content}\n\nEnjoy!` }),
  thinking: (reply) => ({
    ...reply,
    content: `<think>\nThey want {"an": "object"}. Let me write it.\n</think>\n\n${reply.content}`,
  }),
  reasoning: (reply) => ({ ...reply, reasoning: 'They want {"an": "object"}. Let me write it.' }),
  nulls: (reply, _, { body }) => ({ ...reply, content: withNulls(reply.content, schemaOf(body)) }),
  unstreamed: (reply) => ({ ...reply, unstreamed: true }),
  counted: (reply) => ({ ...reply, counted: true }),
  "tool-calls": (reply) => ({ ...reply, content: "", finishReason: "tool_calls", toolCalls: [TOOL_CALL] }),
  "no-usage": (reply) => ({ ...reply, usage: null }),
  "negative-usage": (reply) => ({ ...reply, usage: usageOf(-100, -50) }),
  "fractional-usage": (reply) => ({ ...reply, usage: usageOf(100.4, 49.5) }),
  usage: (reply, number = 0) => ({ ...reply, usage: usageOf(number, number) }),
  "boundless-usage": (reply) => ({ ...reply, usage: usageOf(1e300, 1e300) }),
};

const TOOL_CALL = {
  index: 0,
  id: "call_1",
  type: "function",
  function: { name: "write_article", arguments: '{"title":"x"}' },
};

const usageOf = (input: number, output: number): Reply["usage"] => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

/** Sets all fields that the schema does not require to null. */
function withNulls(content: string, schema: Schema | null): string {
  const value: unknown = JSON.parse(content);
  if (!isObject(value) || schema === null) return content;
  const { properties, required } = schema;
  const optional = Object.keys(isObject(properties) ? properties : {}).filter(
    (name) => !Array.isArray(required) || !required.includes(name),
  );
  return JSON.stringify({ ...value, ...Object.fromEntries(optional.map((name) => [name, null])) });
}

/** Returns the behaviour of a part of the path, and its number: `slow-200` is `slow` and 200. Undefined if unknown. */
export function named<T>(
  table: Readonly<Record<string, T>>,
  part: string,
): { found: T; number: number | undefined } | undefined {
  const whole = table[part];
  if (whole !== undefined) return { found: whole, number: undefined };
  const [, name = "", number] = /^(.*)-(\d+)$/.exec(part) ?? [];
  const found = table[name];
  return found === undefined ? undefined : { found, number: Number(number) };
}

/** Returns true if a part of the path is a known behaviour for chat completions. */
export const isKnown = (part: string): boolean =>
  SETTINGS.has(part.split("-")[0] ?? "") || named(TAKEOVERS, part) !== undefined || named(CHANGES, part) !== undefined;

/** Answers a chat completion: with a script of the test, or a value for the schema, or Markdown. */
export async function complete(call: Call): Promise<void> {
  const { script, behaviours } = call;
  const text = script === undefined ? inventedFor(call) : worded(script.answer);
  const usage = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 };
  const first: Reply = {
    content: text,
    reasoning: "",
    refusal: null,
    finishReason: script?.finishReason ?? "stop",
    usage,
    delay: 0,
    pause: 0,
    ending: "whole",
    unstreamed: false,
    counted: false,
    toolCalls: undefined,
  };
  if (script !== undefined) return answer(call, first);
  for (const part of behaviours) {
    const takeover = named(TAKEOVERS, part);
    const taken = takeover?.found(call, takeover.number) ?? false;
    if (taken !== false) return taken === true ? undefined : taken;
  }
  const reply = behaviours.reduce((reply, part) => {
    const change = named(CHANGES, part);
    return change?.found(reply, change.number, call) ?? reply;
  }, first);
  return answer(call, reply);
}

function inventedFor({ body, behaviours }: Call): string {
  const wanted = wantedOf(promptOf(body), behaviours);
  const schema = schemaOf(body);
  return schema === null
    ? markdownOf(wanted, { headings: true, most: Infinity })
    : JSON.stringify(valueOf(schema, wanted));
}
