/** One request to the test server, and what is known of it afterwards. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Json, Schema } from "./prompt.ts";

/** What `/_seen/<name>` tells of a request. */
export type Seen = {
  method: string;
  /** Below the base URL: `/chat/completions`. */
  path: string;
  headers: IncomingHttpHeaders;
  /** As it was sent. */
  body: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Whether the client closed the connection before it had the whole answer. */
  gone: boolean;
  /** Whether the answer was written to its end. */
  answered: boolean;
};

/** An answer that a test has laid ready, by `POST /_script/<name>`. */
export type Script = {
  /** Only for requests whose body contains this. */
  readonly match?: string;
  /** The answer's text; an object is its JSON. With a status of 400 or more the error's message, or the body itself. */
  readonly answer: Json;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly finishReason?: string;
};

export type Call = {
  readonly seen: Seen;
  readonly body: Schema;
  readonly response: ServerResponse;
  /** The parts of the path's first segment: `["ok", "lang-de"]`. */
  readonly behaviours: readonly string[];
  readonly script: Script | undefined;
};

export const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function json(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** An error as OpenAI's API has it. */
export const apiError = (message: string, code: string | null = null) => ({
  error: { message, type: "invalid_request_error", param: null, code },
});
