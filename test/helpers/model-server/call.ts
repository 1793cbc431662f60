/** One request to the test server, and what the server records about it. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Json, Schema } from "./prompt.ts";

/** A request, as `/_seen/<name>` returns it. */
export type Seen = {
  method: string;
  /** The path below the base URL, such as `/chat/completions`. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as it was sent. */
  body: string;
  /** When it arrived, in milliseconds since 1970. */
  at: number;
  /** True if the client closed the connection before it got the whole response. */
  gone: boolean;
  /** True if the whole response was written. */
  answered: boolean;
};

/** A response that a test has set by `POST /_script/<name>`. */
export type Script = {
  /** The script applies only to requests whose body contains this text. */
  readonly match?: string;
  /**
   * The text of the answer; an object is sent as JSON. With a status of 400 or more it is the error message, or, if it
   * is an object, the whole body.
   */
  readonly answer: Json;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly finishReason?: string;
  /** A whole response, in place of everything else: status line, headers, an empty line and the body. */
  readonly recorded?: string;
};

export type Call = {
  readonly seen: Seen;
  readonly body: Schema;
  readonly response: ServerResponse;
  /** The parts of the first segment of the path, such as `["ok", "lang-de"]`. */
  readonly behaviours: readonly string[];
  readonly script: Script | undefined;
};

export const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function json(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Returns the body of an error in the form of OpenAI's API. */
export const apiError = (message: string, code: string | null = null) => ({
  error: { message, type: "invalid_request_error", param: null, code },
});
