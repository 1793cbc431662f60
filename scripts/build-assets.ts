/**
 * Writes the generated static assets to public/: the style sheets, each joined from its parts in styles/, and the files
 * of Swagger UI, which /docs shows. Runs before every build of the Worker (wrangler.toml, [build]). It prints nothing,
 * because usually nothing has changed.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = path.resolve(import.meta.dirname, "..");
const STYLES = path.join(ROOT, "styles");
const SWAGGER_UI = path.dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));

/** The parts of each style sheet, in the order of the cascade: later parts override earlier ones. */
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

/** The first line of the bundle refers to the license file, and the license requires us to distribute it. */
const COPIES = ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-ui-bundle.js.LICENSE.txt"];

/**
 * Writes the assets that are missing or differ. It leaves equal files untouched: a write makes `wrangler dev` reload.
 */
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
  // Write a temporary file and rename it: several builds may run at once, and none may read a half-written file.
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, wanted);
  renameSync(draft, file);
}

/** Whether the file exists with exactly these bytes. */
function holds(file: string, wanted: Uint8Array): boolean {
  try {
    return readFileSync(file).equals(wanted);
  } catch {
    return false;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) buildAssets();
