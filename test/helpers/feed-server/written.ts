/** Documents that a test writes: it posts `{type, body}` to `/_written/<path>`, and `/written/<path>` serves it. */
import type { Call } from "./server.ts";

const documents = new Map<string, { readonly type: string; readonly body: string; readonly encoding?: "latin1" }>();

/** Serves such a document, or takes it. Returns false for other paths. */
export async function serveWritten({ url, request, response }: Call): Promise<boolean> {
  const [, sign, path = ""] = /^\/(_?)written\/(.*)$/.exec(url.pathname) ?? [];
  if (sign === undefined) return false;
  if (sign === "_") {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    documents.set(path, JSON.parse(Buffer.concat(chunks).toString("utf8")));
    response.writeHead(204).end();
    return true;
  }
  const found = documents.get(path);
  response
    .writeHead(found ? 200 : 404, { "Content-Type": found?.type ?? "text/plain" })
    .end(found ? Buffer.from(found.body, found.encoding) : "not found");
  return true;
}
