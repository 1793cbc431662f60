/** The wire format of chat completions: a JSON body, or server-sent events that end with `[DONE]`. */
import type { ServerResponse } from "node:http";
import type { Call } from "./call.ts";
import { json } from "./call.ts";

/** How a response ends: completely, without its last part, or with a connection reset in the middle. */
type Ending = "whole" | "unfinished" | "reset";

export type Reply = {
  readonly content: string;
  /** The reasoning before the answer, sent as `reasoning_content` like vLLM and DeepSeek do; "" for none. */
  readonly reasoning: string;
  /** The text of a refusal, sent as `message.refusal`; null for none. */
  readonly refusal: string | null;
  readonly finishReason: string;
  readonly usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number } | null;
  /** Milliseconds before the response begins. `pause` is the milliseconds between its parts. */
  readonly delay: number;
  readonly pause: number;
  readonly ending: Ending;
  /** Whether a request for a stream is answered with plain JSON. */
  readonly unstreamed: boolean;
  /** Whether each part of a stream tells the usage so far. */
  readonly counted: boolean;
  /** Sent in place of a text. */
  readonly toolCalls: readonly object[] | undefined;
};

/** Characters of each part of a stream. */
const PIECE = 64;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends the reply as the request asks for it (`stream`, `stream_options.include_usage`). */
export async function answer(call: Call, reply: Reply): Promise<void> {
  if (reply.delay > 0) await wait(reply.delay);
  if (call.response.destroyed) return;
  if (call.body["stream"] === true && !reply.unstreamed) return stream(call, reply);
  if (reply.ending !== "whole") {
    // Announces a length that the body never reaches.
    call.response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "100000" }).write('{"id":');
    return breakOff(call.response, reply.ending);
  }
  const { content, refusal, reasoning, toolCalls: tool_calls } = reply;
  const message = {
    role: "assistant",
    content: content || null,
    refusal,
    reasoning_content: reasoning || undefined,
    tool_calls,
  };
  json(call.response, 200, {
    ...head(call, "chat.completion"),
    choices: [{ index: 0, message, logprobs: null, finish_reason: reply.finishReason }],
    ...(reply.usage && { usage: reply.usage }),
  });
}

const head = ({ body }: Call, object: string) => ({
  id: "chatcmpl-1",
  object,
  created: Math.floor(Date.now() / 1000),
  model: body["model"],
});

async function stream(call: Call, reply: Reply): Promise<void> {
  const { response } = call;
  const send = (event: unknown) => write(response, `data: ${JSON.stringify(event)}\n\n`);
  const choice = (delta: object, finish: string | null = null) => ({
    ...head(call, "chat.completion.chunk"),
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(reply.counted && { usage: reply.usage }),
  });
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
  await send(choice({ role: "assistant", content: "" }));
  if (reply.reasoning !== "") await send(choice({ reasoning_content: reply.reasoning }));
  if (reply.refusal !== null) await send(choice({ refusal: reply.refusal }));
  if (reply.toolCalls !== undefined) await send(choice({ tool_calls: reply.toolCalls }));
  const pieces = reply.content.match(new RegExp(`[\\s\\S]{1,${PIECE}}`, "gu")) ?? [];
  const sent = reply.ending === "whole" ? pieces : pieces.slice(0, Math.ceil(pieces.length / 2));
  for (const content of sent) {
    if (response.destroyed) return;
    await send(choice({ content }));
    if (reply.pause > 0) await wait(reply.pause);
  }
  if (reply.ending !== "whole") return breakOff(response, reply.ending);
  await send(choice({}, reply.finishReason));
  const { stream_options: options } = call.body;
  const wanted = typeof options === "object" && options !== null && "include_usage" in options;
  if (reply.usage && wanted) await send({ ...head(call, "chat.completion.chunk"), choices: [], usage: reply.usage });
  response.end("data: [DONE]\n\n");
}

/** Writes text or bytes. Waits if the client reads more slowly than the server writes. */
export function write(response: ServerResponse, text: string | Uint8Array): Promise<void> {
  if (response.destroyed || response.write(text)) return Promise.resolve();
  return new Promise((resolve) => {
    response.once("drain", resolve).once("close", resolve);
  });
}

function breakOff(response: ServerResponse, ending: Ending): void {
  if (ending === "unfinished") response.end();
  // Waits a little, so that the client gets the parts before the reset.
  else setTimeout(() => response.socket?.resetAndDestroy(), 20);
}
