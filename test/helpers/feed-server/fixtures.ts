/** Serves files of test/fixtures like a web server, with validators and conditional requests (RFC 9110, 13). */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { asOfToday } from "./now.ts";
import type { Call } from "./server.ts";

const FIXTURES = new URL("../../fixtures/", import.meta.url);

const LAST_MODIFIED = "Mon, 02 Nov 2026 08:00:00 GMT";

/** Serves a file with the media type from feeds/types.json, or by its file name. */
export async function serveFixture({ request, response, recent }: Call, path: string): Promise<void> {
  const bytes = await fixture(path, recent);
  if (bytes === undefined)
    return void response.writeHead(404, { "Content-Type": "text/html" }).end("<h1>Not found</h1>");
  const etag = `"${createHash("sha1").update(bytes).digest("hex")}"`;
  const validators = { ETag: etag, "Last-Modified": LAST_MODIFIED };
  const { "if-none-match": known, "if-modified-since": since } = request.headers;
  const isKnown = known === undefined ? since === LAST_MODIFIED : known === etag;
  if (isKnown) return void response.writeHead(304, validators).end();
  response.writeHead(200, { ...validators, "Content-Type": await typeOf(path) }).end(bytes);
}

/** Returns the bytes of a file, or undefined if it does not exist. With `recent`, its dates move with the clock. */
export async function fixture(path: string, recent = false): Promise<Buffer | undefined> {
  if (!/^(?:feeds|forums)\/[\w.-]+$/.test(path)) return undefined;
  const bytes = await readFile(new URL(path, FIXTURES)).catch(() => undefined);
  return recent && bytes !== undefined ? Buffer.from(asOfToday(String(bytes))) : bytes;
}

async function typeOf(path: string): Promise<string> {
  const types = JSON.parse(String(await fixture("feeds/types.json"))) as Record<string, string>;
  return types[path.slice(path.indexOf("/") + 1)] ?? (path.endsWith(".json") ? "application/json" : "application/xml");
}
