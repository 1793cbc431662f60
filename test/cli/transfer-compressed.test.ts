/** Imports through an edge that compresses, whose tags are weak (contract 13.2), into `npm start`. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sharedRun } from "../e2e/shared.ts";
import { newProgram } from "./transfer-program.ts";

const { local } = await sharedRun();
let program: ReturnType<typeof newProgram>;
let edge: Awaited<ReturnType<typeof startEdge>>;
beforeAll(async () => {
  program = newProgram();
  edge = await startEdge();
});
afterAll(() => {
  edge.stop();
  program.cleanUp();
});

/** Passes requests on, and compresses answers for clients that accept it, if `compressing` is true. */
async function startEdge() {
  const edge = { compressing: true, url: "", stop: () => {}, tags: [] as string[] };
  const server = createServer(async (request, response) => {
    // Only `fetch` may say the length: once somebody has imported undici in this process, a second one is an error.
    const own = new Set(["host", "connection", "content-length", "if-match"]);
    const { "if-match": ifMatch, ...given } = request.headers as Record<string, string>;
    const headers = Object.fromEntries(Object.entries(given).filter(([name]) => !own.has(name)));
    if (ifMatch !== undefined) edge.tags.push(ifMatch);
    const body = await buffer(request);
    const answer = await fetch(new URL(request.url ?? "/", local.baseUrl), {
      method: request.method ?? "GET",
      headers: { ...headers, ...(ifMatch !== undefined && { "If-Match": ifMatch }), "accept-encoding": "identity" },
      ...(body.length > 0 && { body }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const etag = answer.headers.get("ETag");
    const weakens = edge.compressing && /\bgzip\b/.test(headers["accept-encoding"] ?? "");
    response.writeHead(answer.status, {
      "Content-Type": answer.headers.get("Content-Type") ?? "",
      ...(etag !== null && { ETag: weakens ? `W/${etag}` : etag }),
      ...(weakens && { "Content-Encoding": "gzip" }),
    });
    response.end(weakens ? gzipSync(bytes) : bytes);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  edge.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  edge.stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return edge;
}

async function imported(folder: string, blogId: string, ...more: string[]) {
  const settings = { EDGEPRESS_URL: edge.url, EDGEPRESS_API_KEY: local.apiKey };
  const { code, stdout, stderr } = await program.run(["import", folder, "--blog", blogId, "--json", ...more], settings);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as unknown;
}

it("an import goes on from the weak tags of the one before, compressed or not", async () => {
  const created = await fetch(`${local.baseUrl}/api/blogs`, {
    method: "POST",
    headers: { Authorization: `Basic ${btoa(`${local.apiKey}:`)}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Compressed" }),
  });
  const { _id: blogId } = (await created.json()) as { _id: string };
  const folder = program.folder({ "a.md": "# One\n" });
  const rewrite = (title: string) => writeFileSync(path.join(folder, "a.md"), `# ${title}\n`);
  expect(await imported(folder, blogId)).toMatchObject({ created: 1 });

  rewrite("Two");
  expect(await imported(folder, blogId, "--dry-run")).toMatchObject({ updated: 1 });
  expect(await imported(folder, blogId)).toMatchObject({ updated: 1 });
  expect(edge.tags).toEqual([expect.stringMatching(/^W\/"/)]);

  // What was written down was weak, and what is there is shown with a strong tag.
  edge.compressing = false;
  rewrite("Three");
  expect(await imported(folder, blogId, "--dry-run")).toMatchObject({ updated: 1 });
  expect(await imported(folder, blogId)).toMatchObject({ updated: 1 });
  edge.compressing = true;
  rewrite("Four");
  expect(await imported(folder, blogId, "--dry-run")).toMatchObject({ updated: 1 });
  expect(await imported(folder, blogId)).toMatchObject({ updated: 1 });
  expect(edge.tags).toHaveLength(3);
});
