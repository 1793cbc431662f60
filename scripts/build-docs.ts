/**
 * Puts Swagger UI, which /docs shows, among the static assets. Runs before every build of the Worker
 * (wrangler.toml, [build]) and says nothing: usually there is nothing to do.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = path.resolve(import.meta.dirname, "..");
const SOURCE = path.dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));
const TARGET = path.join(ROOT, "public/docs");
/** The third is what the bundle's first line refers to; its license asks to pass it on. */
const FILES = ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-ui-bundle.js.LICENSE.txt"];

/** Copies what is missing or differs. A rewrite of equal files would make `wrangler dev` reload. */
export function buildDocs(): void {
  mkdirSync(TARGET, { recursive: true });
  for (const file of FILES) {
    const wanted = readFileSync(path.join(SOURCE, file));
    const target = path.join(TARGET, file);
    if (holds(target, wanted)) continue;
    // By rename: several builds may run at once, and none may meet half a file.
    const draft = `${target}.${process.pid}.tmp`;
    writeFileSync(draft, wanted);
    renameSync(draft, target);
  }
}

function holds(file: string, wanted: Uint8Array): boolean {
  try {
    return readFileSync(file).equals(wanted);
  } catch {
    return false;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) buildDocs();
