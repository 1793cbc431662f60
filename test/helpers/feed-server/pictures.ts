/** Serves pictures at `/pictures/<file>/<anything>`, and what only looks like one. */
import { readFile } from "node:fs/promises";
import type { Call } from "./server.ts";

const FOLDER = new URL("../../fixtures/pictures/", import.meta.url);

const FALSE: Readonly<Record<string, readonly [type: string, body: string]>> = {
  "page.png": ["image/png", "<!doctype html><script>alert(1)</script>"],
  "drawing.png": ["image/png", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
};

/** Returns false if the path is not one of these. */
export async function servePicture({ url, response }: Call): Promise<boolean> {
  const [, kind, name = ""] = url.pathname.split("/");
  if (kind !== "pictures" || !/^[\w-]+\.\w+$/.test(name)) return false;
  const [type, body] = FALSE[name] ?? ["text/plain", await readFile(new URL(name, FOLDER)).catch(() => null)];
  if (body === null) response.writeHead(404).end();
  // Whatever type a server names does not matter.
  else response.writeHead(200, { "Content-Type": type }).end(body);
  return true;
}
