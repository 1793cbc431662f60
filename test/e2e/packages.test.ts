/** The packages as others get them: packed, installed in an empty project, compiled, and used as their README says. */
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { readDocument, saveFiles } from "../docs/guides.ts";
import { sample } from "../helpers/sample.ts";
import { cleanUp, freePort, type Local, NODE, receive, ROOT, WAIT } from "./local-run.ts";
import { sharedRun } from "./shared.ts";

const TSC = path.join(ROOT, "node_modules/typescript/bin/tsc");
const CLIENT_LIMIT_BYTES = 6 * 1024;

const project = mkdtempSync(path.join(tmpdir(), "edgepress-package-"));
const packed: Record<string, string[]> = {};
let local: Local;

/** Runs a program in the project; returns what it prints. */
async function run(program: string, words: readonly string[], variables: Record<string, string> = {}): Promise<string> {
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], ...variables };
  const { stdout } = await promisify(execFile)(program, words, { cwd: project, env }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${program} ${words.join(" ")}:\n${error.stdout}${error.stderr}`, { cause: error });
    },
  );
  return stdout;
}

/** Packs a package; returns the name of the file. */
async function pack(name: string, ...options: string[]): Promise<string> {
  const printed = await run("npm", ["pack", path.join(ROOT, "packages", name), "--json", ...options]);
  const [{ filename, files }] = JSON.parse(printed) as [{ filename: string; files: { path: string }[] }];
  packed[name] = files.map((file) => file.path);
  return filename;
}

const surroundings = () => ({
  EDGEPRESS_URL: local.baseUrl,
  EDGEPRESS_BLOG: local.blogId,
  EDGEPRESS_API_KEY: local.apiKey,
});

beforeAll(async () => {
  writeFileSync(path.join(project, "package.json"), `{ "private": true, "type": "module" }`);
  await pack("astro");
  // What has built that one has built the client, too.
  await run("npm", ["install", "--offline", `./${await pack("client", "--ignore-scripts")}`]);
  saveFiles(readDocument("packages/client/README.md"), project);
  ({ local } = await sharedRun());
});

afterAll(async () => {
  rmSync(project, { recursive: true, force: true });
  await cleanUp();
});

it("contain only what was built, and what says what it is", () => {
  for (const files of Object.values(packed)) {
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json", "dist/index.js"]));
    const others = files.filter((file) => !/^dist\/[a-z]+\.(js|d\.ts)$/.test(file));
    expect(others.toSorted()).toEqual(["LICENSE", "README.md", "package.json"]);
  }
});

it("the client is small", async () => {
  const { outputFiles } = await build({
    stdin: { contents: `export { createClient } from "@edgepress/client";`, resolveDir: project },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  const bytes = gzipSync(outputFiles[0]?.contents ?? "").length;
  expect(bytes).toBeGreaterThan(1000);
  expect(bytes).toBeLessThan(CLIENT_LIMIT_BYTES);
});

const RESOLUTIONS = [
  ["node16", "node16"],
  ["preserve", "bundler"],
] as const;

it.each(sample(RESOLUTIONS, 0, 1))(
  "the client's types are found, and say what `fields` leaves (%s, %s)",
  async (module, moduleResolution) => {
    const folder = path.join(project, `types-${moduleResolution}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      path.join(folder, "consumer.ts"),
      `import { createClient, verifyWebhook, type Article } from "@edgepress/client";
const client = createClient({ url: "https://press.example.com" });
const few = await client.articles.get("a", { fields: ["title", "html"] });
export const title: string = few.title;
export const html: string | null = few.html;
// @ts-expect-error It was not asked for.
export const slug = few.slug;
export const whole: Article = await client.articles.get("a");
// @ts-expect-error There is no such field.
client.articles.list({ blogId: "b", fields: ["nothing"] });
const event = await verifyWebhook(new Request("https://a"), "secret");
export const name: string = event.event === "blog.created" ? event.data.name : event.event;
`,
    );
    const words = `--noEmit --strict --target es2022 --lib es2022,dom --types`.split(" ");
    const options = [...words, "", "--module", module, "--moduleResolution", moduleResolution];
    expect(await run(NODE, [TSC, ...options, path.join(folder, "consumer.ts")])).toBe("");
  },
);

it("the client's README reads a blog", async () => {
  const printed = await run(NODE, ["read.mjs"], surroundings());
  expect(printed.split("\n").length).toBeGreaterThan(3);
  expect(printed).toContain("<p>");
});

it("the client's README shows a reader's language, searches and subscribes", async () => {
  const printed = await run(NODE, ["readers.mjs"], surroundings());
  expect(printed).toMatch(/^en .* http/);
  expect(printed).toContain("<mark>");
  expect(printed).toMatch(/^pending$/m);
});

it("the client's README writes an article, and notices that somebody else has", async () => {
  expect(await run(NODE, ["write.mjs"], surroundings())).toContain("Somebody else has changed it:");
});

it("the client's README receives a webhook, and refuses one that is not genuine", async () => {
  const { url, received } = await receive();
  const call = async (method: string, address: string, body: object) => {
    const headers = { Authorization: `Token ${local.operatorToken}`, "Content-Type": "application/json" };
    const response = await fetch(`${local.baseUrl}${address}`, { method, headers, body: JSON.stringify(body) });
    return (await response.json()) as { _id: string; secret: string };
  };
  const { _id, secret } = await call("POST", "/api/webhooksubscriptions", { url, events: ["blog.created"] });
  await call("POST", `/api/webhooksubscriptions/${_id}/ping`, {});
  // Other files create blogs meanwhile.
  const ping = await vi.waitFor(() => received.find(({ kind }) => kind === "ping") ?? expect.fail("no ping"), WAIT);
  await call("DELETE", `/api/webhooksubscriptions/${_id}`, {});
  const port = await freePort();
  const env = { EDGEPRESS_WEBHOOK_SECRET: secret, PORT: String(port) };
  const receiver = spawn(NODE, ["receive.mjs"], { cwd: project, env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    let said = "";
    receiver.stdout.on("data", (chunk) => (said += String(chunk)));
    const { signature, body } = ping;
    const post = (text: string) =>
      fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers: { "X-Service-Signature": signature }, body: text });
    const { status } = await vi.waitFor(() => post(body), WAIT);
    expect(status).toBe(204);
    expect((await post(`${body} `)).status).toBe(400);
    await vi.waitFor(() => expect(said).toMatch(/^ping \{ subscriptionId: /), WAIT);
  } finally {
    receiver.kill();
  }
});
