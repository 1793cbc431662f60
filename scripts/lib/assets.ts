/** Makes the static assets: style sheets, bundled scripts, the console's icons and font, and the reference. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { ICONS } from "../../src/surfaces/console/icons.ts";
import { buildDocs } from "../build-docs.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PUBLIC = path.join(ROOT, "public");
const STYLES = path.join(ROOT, "styles");

/** The parts of each style sheet, in the order of the cascade. */
const SHEETS = {
  "console/console.css": [
    "palette",
    "console/font",
    "console/base",
    "console/frame",
    "console/frameless",
    "console/forms",
    "console/filters",
    "console/parts",
    "console/sections",
    "console/lists",
    "console/calendar",
    "console/overview",
    "console/articles",
    "console/article-form",
    "console/differences",
    "console/reading",
    "console/autosave",
    "console/topics",
    "console/palette-search",
    "console/media",
  ],
  "console/editor.css": ["console/editor", "console/editor-text", "console/editor-aids"],
  "console/aids.css": ["console/aids"],
  "docs/reference.css": [
    "palette",
    "console/font",
    "console/base",
    "console/forms",
    "docs",
    "docs-page",
    "docs-operations",
    "docs-errors",
  ],
};

/** The entries of the scripts in packages/browser/, by their names in public/. */
const SCRIPTS = {
  "console/console": "console.ts",
  "console/autosave": "autosave.ts",
  "console/editor": "editor.ts",
  "console/media": "media.ts",
  "console/palette": "palette.ts",
  "console/left": "autosave/left.ts",
  "console/aids": "aids.ts",
  "console/assist": "assist.ts",
  "console/reading": "markdown-tools.ts",
  "console/language": "language.ts",
  "docs/reference": "reference.ts",
};

/** The console's font: letters of Western languages, and further Latin ones. */
const FONTS = { "console/inter-latin.woff2": "latin", "console/inter-latin-ext.woff2": "latin-ext" };

/** Writes the assets that are missing or differ. Equal files stay untouched, because a write reloads `wrangler dev`. */
export async function writeAssets(): Promise<void> {
  for (const [sheet, parts] of Object.entries(SHEETS)) {
    const texts = parts.map((part) => readFileSync(path.join(STYLES, `${part}.css`), "utf8"));
    const { code } = await transform(texts.join("\n"), { loader: "css", minify: true });
    write(sheet, Buffer.from(code));
  }
  const scripts = await bundleScripts();
  for (const { path: file, contents } of scripts) write(path.relative(PUBLIC, file), contents);
  removeOldChunks(new Set(scripts.map(({ path: file }) => path.basename(file))));
  write("console/icons.svg", Buffer.from(makeIconSprite()));
  for (const [file, letters] of Object.entries(FONTS)) write(file, readFileSync(getFontFile(letters)));
  await buildDocs(write);
}

/** Removes chunks that no script imports any more. */
function removeOldChunks(current: ReadonlySet<string>): void {
  const folder = path.join(PUBLIC, "console");
  for (const name of readdirSync(folder)) {
    if (/^chunk-\w+\.js$/.test(name) && !current.has(name)) rmSync(path.join(folder, name), { force: true });
  }
}

/** Returns an SVG document with a symbol for each icon of the console. */
function makeIconSprite(): string {
  const folder = path.dirname(fileURLToPath(import.meta.resolve("lucide-static/package.json")));
  const { version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const symbols = Object.entries(ICONS).map(([id, name]) => {
    const drawing = readFileSync(path.join(folder, "icons", `${name}.svg`), "utf8");
    const [, shapes = ""] = /<svg[^>]*>(.*)<\/svg>/s.exec(drawing) ?? [];
    return `<symbol id="${id}" viewBox="0 0 24 24" ${STROKE}>${shapes.replaceAll(/\s*\n\s*/g, "")}</symbol>`;
  });
  const origin = `<!-- lucide-static ${version}, ${license}: https://lucide.dev/license -->`;
  return [origin, `<svg xmlns="http://www.w3.org/2000/svg">`, ...symbols, "</svg>", ""].join("\n");
}

const STROKE = `fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"`;

const INTER = path.dirname(fileURLToPath(import.meta.resolve("@fontsource-variable/inter/package.json")));

const getFontFile = (letters: string): string => path.join(INTER, "files", `inter-${letters}-wght-normal.woff2`);

/** Returns the bundled scripts: modules, with the licenses of what they bundle. */
export async function bundleScripts() {
  const { outputFiles } = await build({
    entryPoints: Object.entries(SCRIPTS).map(([out, file]) => ({ out, in: path.join(ROOT, "packages/browser", file) })),
    outdir: PUBLIC,
    bundle: true,
    // Code that several scripts use, such as the Markdown parser, is loaded once.
    splitting: true,
    chunkNames: "console/chunk-[hash]",
    write: false,
    minify: true,
    format: "esm",
    target: "es2022",
    // Modules are always UTF-8. Escapes would double the data about languages.
    charset: "utf8",
    legalComments: "eof",
    logLevel: "warning",
  });
  return outputFiles;
}

function write(name: string, wanted: Uint8Array): void {
  const file = path.join(PUBLIC, name);
  if (hasContent(file, wanted)) return;
  mkdirSync(path.dirname(file), { recursive: true });
  // Write a temporary file and rename it: several builds may run at once, and none may read a half-written file.
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, wanted);
  renameSync(draft, file);
}

function hasContent(file: string, wanted: Uint8Array): boolean {
  try {
    return readFileSync(file).equals(wanted);
  } catch {
    return false;
  }
}
