/** Reads server-sent events (WHATWG HTML, 9.2.6): the part of the format that the service uses. */
import { CliError, EXIT, interruptedError } from "./failure.ts";
import { toError } from "../client/src/errors.ts";
import { explainError, unreachableError } from "./refusal.ts";

export type ServerEvent = { readonly event: string; readonly data: unknown };

/**
 * Yields the events of a response body, up to and including `result`. Throws `CliError`: the problem of an `error`
 * event, `invalid_answer` if the stream ends without either, `interrupted`, or `unreachable` if the connection breaks.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  { server, signal }: { readonly server: string; readonly signal: AbortSignal },
): AsyncGenerator<ServerEvent, void> {
  let ended = false;
  try {
    for await (const { event, data } of parseEvents(body)) {
      if (event === "error") throw explainError(toError(data, { status: 500 }), { server });
      ended = event === "result";
      yield { event, data };
      if (ended) return;
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw signal.aborted ? interruptedError() : unreachableError(server, error);
  }
  throw new CliError("invalid_answer", `${server} closed the connection before it reported the result.`, EXIT.failed);
}

async function* parseEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void> {
  let rest = "";
  let event = "message";
  let data: string[] = [];
  for await (const chunk of decodeText(body)) {
    const lines = (rest + chunk).split(/\r\n|\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) yield { event, data: parseJson(data.join("\n")) };
        event = "message";
        data = [];
      } else if (line.startsWith("event:")) event = line.slice(6).trim();
      else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
    }
  }
}

async function* decodeText(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CliError("invalid_answer", "An event of the server is not JSON.", EXIT.failed, { cause: error });
  }
}
