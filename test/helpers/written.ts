/** Documents on the server of feeds, as a test writes them. */
import { env } from "cloudflare:workers";
import { newId } from "../../src/lib/ids.ts";

/** Serves a document at an address of its own, or anew at the one that is given. Returns the address. */
export async function writeDocument(body: string, type = "text/html; charset=utf-8", url?: string): Promise<string> {
  const path = url?.split("/written/")[1] ?? newId();
  await fetch(`${env.FEEDS.url}/_written/${path}`, { method: "POST", body: JSON.stringify({ type, body }) });
  return `${env.FEEDS.url}/written/${path}`;
}

/** Serves bytes, which are given as characters below U+0100. */
export async function writeBytes(body: string, type: string): Promise<string> {
  const path = newId();
  const document = { type, body, encoding: "latin1" };
  await fetch(`${env.FEEDS.url}/_written/${path}`, { method: "POST", body: JSON.stringify(document) });
  return `${env.FEEDS.url}/written/${path}`;
}

export const pageOf = (title: string, body: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;
