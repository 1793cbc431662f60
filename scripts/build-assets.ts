/**
 * Puts among the static assets what is made: the style sheets, each of its parts (styles/), and Swagger UI, which
 * /docs shows. Runs before every build of the Worker (wrangler.toml, [build]) and says nothing: usually there is
 * nothing to do.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = path.resolve(import.meta.dirname, "..");
const STYLES = path.join(ROOT, "styles");
const SWAGGER_UI = path.dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));

/** The parts of each sheet, in the order in which they override one another. */
const SHEETS = {
  "console/console.css": [
    "palette",
    "console/base",
    "console/forms",
    "console/lists",
    "console/overview",
    "console/articles",
    "console/reading",
    "console/topics",
  ],
  "docs/pages.css": ["palette", "pages"],
};

/** The third is what the bundle's first line refers to; its license asks to pass it on. */
const COPIES = ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-ui-bundle.js.LICENSE.txt"];

/** Writes what is missing or differs. A rewrite of equal files would make `wrangler dev` reload. */
export function buildAssets(): void {
  for (const [sheet, parts] of Object.entries(SHEETS)) {
    const texts = parts.map((part) => readFileSync(path.join(STYLES, `${part}.css`), "utf8"));
    write(sheet, Buffer.from(texts.join("\n")));
  }
  for (const file of COPIES) write(`docs/${file}`, readFileSync(path.join(SWAGGER_UI, file)));
}

function write(name: string, wanted: Uint8Array): void {
  const file = path.join(ROOT, "public", name);
  if (holds(file, wanted)) return;
  mkdirSync(path.dirname(file), { recursive: true });
  // By rename: several builds may run at once, and none may meet half a file.
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, wanted);
  renameSync(draft, file);
}

function holds(file: string, wanted: Uint8Array): boolean {
  try {
    return readFileSync(file).equals(wanted);
  } catch {
    return false;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) buildAssets();
