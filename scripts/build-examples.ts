/**
 * `npm run examples`: builds the front ends in examples/ with this repository's packages, and tries each on the demo blog:
 * its pages, a preview, and an edit after its webhook. `npm run examples -- astro-blog` builds only one. It needs the
 * registry, and takes some minutes.
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cleanUp, freePort, newState, start, type Local } from "../test/e2e/local-run.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const FOLDER = path.join(ROOT, "examples");
/** Milliseconds for a server to start, or a webhook to arrive. */
const PATIENCE_MS = 60_000;

const run = (program: string, words: string[], cwd: string, env: Record<string, string> = {}): void => {
  execFileSync(program, words, { cwd, stdio: "inherit", env: { ...process.env, ...env } });
};

/** Repeats `work` until it succeeds. Throws its last error after PATIENCE_MS. */
async function eventually<T>(work: () => Promise<T>): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(200);
    }
  }
}

async function call<T>({ baseUrl }: Local, authorization: string, address: string, body: object): Promise<T> {
  const headers = { Authorization: authorization, "Content-Type": "application/json" };
  const response = await fetch(`${baseUrl}${address}`, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${address}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

async function page(address: string, status = 200): Promise<string> {
  const response = await fetch(address);
  const text = await response.text();
  assert.equal(response.status, status, `${address}: ${text.slice(0, 500)}`);
  return text;
}

async function tryExample(name: string, local: Local): Promise<void> {
  const folder = path.join(FOLDER, name);
  const port = await freePort();
  const site = `http://127.0.0.1:${port}`;
  const asOperator = `Token ${local.operatorToken}`;
  const asWriter = `Basic ${btoa(local.apiKey)}`;
  const { secret } = await call<{ secret: string }>(local, asOperator, "/api/webhooksubscriptions", {
    url: `${site}/api/revalidate`,
    events: ["article.created", "article.updated", "article.deleted"],
  });
  const env = {
    EDGEPRESS_URL: local.baseUrl,
    EDGEPRESS_BLOG: "field-notes",
    EDGEPRESS_WEBHOOK_SECRET: secret,
    ASTRO_TELEMETRY_DISABLED: "1",
    NEXT_TELEMETRY_DISABLED: "1",
    HOST: "127.0.0.1",
    PORT: String(port),
  };
  run("npm", ["ci", "--ignore-scripts"], folder);
  run("npm", ["run", "build"], folder, env);
  const server = spawn("npm", ["start"], {
    cwd: folder,
    detached: true,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  try {
    await visit(site, local, asWriter);
  } finally {
    end(server);
  }
  console.log(`${name}: built, and shows the demo blog`);
}

async function visit(site: string, local: Local, asWriter: string): Promise<void> {
  const front = await eventually(() => page(`${site}/`));
  assert.match(front, /Arriving by ferry/);
  const article = await page(`${site}/en/arriving-by-ferry`);
  assert.match(article, /<h1>Arriving by ferry<\/h1>/);
  assert.match(article, /<h2 id="h-/);
  await page(`${site}/en/no-such-article`, 404);

  const { blogId } = local;
  const title = `Shown at ${Date.now()}`;
  const draft = { blogId, title, content: "<script>alert(1)</script>" };
  const { _id } = await call<{ _id: string }>(local, asWriter, "/api/articles", draft);
  const { token } = await call<{ token: string }>(local, asWriter, `/api/articles/${_id}/previews`, {});
  const preview = await page(`${site}/preview/${token}`);
  assert.ok(preview.includes(title) && !preview.includes("<script>alert"));
  await page(`${site}/preview/${token.slice(0, -1)}`, 404);

  assert.ok(!(await page(`${site}/`)).includes(title));
  await call(local, asWriter, "/api/articles", { _id, published: true });
  await eventually(async () => assert.ok((await page(`${site}/`)).includes(title), "the edit is not shown"));
  const forged = await fetch(`${site}/api/revalidate`, { method: "POST", body: `{"event":"article.updated"}` });
  assert.equal(forged.status, 400);
}

/** Ends a server and the processes that it has started. */
function end({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, "SIGTERM");
}

const named = process.argv.slice(2);
const names = readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
const chosen = named.length === 0 ? names : named;
try {
  run("npm", ["run", "packages"], ROOT);
  const local = await (await start(newState())).ready();
  for (const name of chosen) await tryExample(name, local);
} finally {
  await cleanUp();
}
