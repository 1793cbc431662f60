/**
 * Writes the reference to public/docs/, rendered from the OpenAPI document and docs/guides/, if their sources have
 * changed.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Document } from "./docs/document.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const PUBLIC = path.join(ROOT, "public");
const CACHE = path.join(ROOT, "node_modules/.cache");

/** The sources of the pages. The document comes from most of src/, so all of it counts. */
const SOURCES = [
  "{src,packages/markdown}/**/*.ts",
  "scripts/docs/*.ts",
  "scripts/*-{docs,document}.ts",
  "docs/guides/*.md",
  "package*.json",
];

type Built = { readonly sources: string; readonly files: readonly string[] };

/** Writes the pages by calling `write` with a name in public/ and the content. */
export async function buildDocs(write: (name: string, content: Uint8Array) => void): Promise<void> {
  const sources = hashSources();
  const stamp = path.join(CACHE, "reference.json");
  const earlier = readStamp(stamp);
  if (earlier?.sources === sources && earlier.files.every((file) => existsSync(path.join(PUBLIC, file)))) return;
  const { renderReference } = await import("./docs/reference.ts");
  const files = await renderReference(generateDocument());
  for (const [name, text] of Object.entries(files)) write(name, Buffer.from(text));
  for (const name of globSync("docs/**/*.html", { cwd: PUBLIC })) {
    if (!(name in files)) rmSync(path.join(PUBLIC, name), { force: true });
  }
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(stamp, JSON.stringify({ sources, files: Object.keys(files) } satisfies Built));
}

/** Generates the OpenAPI document. In its own process, because that loads nearly all of the service's modules. */
function generateDocument(): Document {
  const file = path.join(CACHE, `openapi.${process.pid}.json`);
  execFileSync(process.execPath, [path.join(ROOT, "scripts/openapi-document.ts"), file], { cwd: ROOT });
  const document = JSON.parse(readFileSync(file, "utf8")) as Document;
  rmSync(file);
  return document;
}

function hashSources(): string {
  const hash = createHash("sha256");
  for (const file of globSync(SOURCES, { cwd: ROOT }).toSorted()) {
    hash.update(`${file}\0`).update(readFileSync(path.join(ROOT, file)));
  }
  return hash.digest("hex");
}

function readStamp(file: string): Built | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Built;
  } catch {
    return null;
  }
}
