/**
 * Writes the generated static assets to public/: the style sheets, each joined from its parts in styles/, the scripts of
 * the console, each bundled from its entry in src/browser/, and the files of Swagger UI, which /docs shows. Runs before
 * every build of the Worker (wrangler.toml, [build]). It prints nothing, because usually nothing has changed.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const ROOT = path.resolve(import.meta.dirname, "..");
const PUBLIC = path.join(ROOT, "public");
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
    "console/autosave",
    "console/topics",
  ],
  "docs/pages.css": ["palette", "pages"],
};

/** The scripts of the console, by their names in public/. Each page loads the ones that it uses. */
const SCRIPTS = { "console/console": "console.ts", "console/autosave": "autosave.ts" };

/** The first line of the bundle refers to the license file, and the license requires us to distribute it. */
const COPIES = ["swagger-ui-bundle.js", "swagger-ui.css", "swagger-ui-bundle.js.LICENSE.txt"];

/**
 * Writes the assets that are missing or differ. It leaves equal files untouched: a write makes `wrangler dev` reload.
 */
export async function buildAssets(): Promise<void> {
  for (const [sheet, parts] of Object.entries(SHEETS)) {
    const texts = parts.map((part) => readFileSync(path.join(STYLES, `${part}.css`), "utf8"));
    write(sheet, Buffer.from(texts.join("\n")));
  }
  for (const { path: file, contents } of await bundleScripts()) write(path.relative(PUBLIC, file), contents);
  for (const file of COPIES) write(`docs/${file}`, readFileSync(path.join(SWAGGER_UI, file)));
}

/** Returns the bundled scripts. They are modules, and have a comment with the licenses of what they bundle. */
async function bundleScripts() {
  const { outputFiles } = await build({
    entryPoints: Object.entries(SCRIPTS).map(([out, file]) => ({ out, in: path.join(ROOT, "src/browser", file) })),
    outdir: PUBLIC,
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    target: "es2022",
    legalComments: "eof",
    logLevel: "warning",
  });
  return outputFiles;
}

function write(name: string, wanted: Uint8Array): void {
  const file = path.join(PUBLIC, name);
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await buildAssets();
