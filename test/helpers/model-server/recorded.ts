/** Plays recorded responses. */
import type { ServerResponse } from "node:http";
import { write } from "./chat.ts";

/** Bytes of each part: few, so that events, and letters of several bytes, come in two of them. */
const PIECE = 61;

/** Sends a status line, headers, an empty line and the body. */
export async function play(response: ServerResponse, recorded: string): Promise<void> {
  const end = recorded.indexOf("\n\n");
  const [first = "", ...headers] = recorded.slice(0, end).split("\n");
  const bytes = Buffer.from(recorded.slice(end + 2));
  response.writeHead(Number(first.split(" ")[1]), Object.fromEntries(headers.map((line) => line.split(": ", 2))));
  for (let at = 0; at < bytes.length; at += PIECE) {
    await write(response, bytes.subarray(at, at + PIECE));
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}
