/** Detects the generator of a folder by its settings, and which of its Markdown files are articles. */
import { parseToml, parseYaml, foldNames, type FrontMatter } from "./front-matter.ts";
import { makeConfig, listTexts, type Generator, type SiteConfig } from "./old-paths.ts";

type ReadText = (file: string) => Promise<string>;

const HUGO = ["hugo", "config", "config/_default/hugo", "config/_default/config"].flatMap((name) =>
  ["toml", "yaml", "yml"].map((ending) => `${name}.${ending}`),
);

/** Reads the settings. `base` is the full path of the folder. Settings that cannot be read may hide files. */
export async function readSiteConfig(
  files: readonly string[],
  base: string,
  isVault: boolean,
  read: ReadText,
): Promise<SiteConfig> {
  const has = (name: string) => files.includes(name);
  const isBelow = (folder: string) => files.some((file) => file.startsWith(folder));
  const name = [...HUGO, "_config.yml", "_config.yaml"].find(has);
  const settings = new Map<string, never>() as FrontMatter;
  if (isVault) return makeConfig("obsidian", settings);
  if (name === undefined || (HUGO.includes(name) && !isBelow("content/"))) {
    const path = `${base}/`;
    const isPosts = /\/_(?:posts|drafts)\//.test(path) || files.some((file) => POST.test(file));
    const isHexo = /\/source\/_posts\//.test(path) || isBelow("source/_posts/");
    return makeConfig(isHexo ? "hexo" : isPosts ? "jekyll" : "other", settings);
  }
  const known = await readSettings(name, read);
  const found = known ?? settings;
  const generator: Generator = name.startsWith("_config")
    ? found.has("newpostname") || found.has("postassetfolder") || isBelow("source/_posts/")
      ? "hexo"
      : "jekyll"
    : isBelow("templates/") && !isBelow("layouts/") && !isBelow("archetypes/")
      ? "zola"
      : "hugo";
  const permalinks = ["toml", "yaml"].map((ending) => `config/_default/permalinks.${ending}`).find(has);
  const forms = permalinks === undefined ? null : await readSettings(permalinks, read);
  const config = makeConfig(
    generator,
    new Map([...found, ...(forms === null ? [] : [["permalinks", forms] as const])]),
  );
  const excluded = listTexts(found.get("exclude")).map((each) => each.replaceAll(/^[./]+|\/+$/g, ""));
  const isHidden = (file: string) => excluded.some((each) => `${file}/`.startsWith(`${each}/`));
  const apart = generator === "hugo" ? files.filter((file) => SETTINGS_APART.test(file)) : [];
  const texts = await Promise.all(apart.map((file) => read(file).catch(() => "disabled")));
  const isUnsure = known === null || apart.some((file, index) => MAY_HIDE.test(`${file}\n${texts[index]}`));
  return { ...config, mayHide: config.mayHide || isUnsure || files.some((file) => POST.test(file) && isHidden(file)) };
}

const POST = /(?:^|\/)_posts\//;
/** Hugo's separate files of settings, and settings that may hide articles. */
const SETTINGS_APART = /^config\/.*\.(?:toml|ya?ml|json)$/;
const MAY_HIDE = /cascade|contentdir|disabled|ignorefiles|mounts/i;

async function readSettings(name: string, read: ReadText): Promise<FrontMatter | null> {
  try {
    const text = await read(name);
    return foldNames(name.endsWith(".toml") ? parseToml(text, name) : parseYaml(text, name));
  } catch {
    return null;
  }
}

/** Returns the folder in which a generator looks for contents; "" for the whole. */
export function findContentFolder(files: readonly string[], { generator }: SiteConfig): string {
  const wanted = { hugo: ["content/"], zola: ["content/"], hexo: ["source/"] }[generator as string] ?? [
    "src/content/",
    "src/pages/",
  ];
  return wanted.find((folder) => files.some((file) => file.startsWith(folder))) ?? "";
}

/**
 * Returns a function that tells whether the old site showed a file that does not say so itself. `unsure` are the
 * folders whose own settings may hide files.
 */
export function makeIsShown({ generator, mayHide }: SiteConfig, files: readonly string[], unsure: ReadonlySet<string>) {
  const isAstro = files.some((file) => /^astro\.config\.[cm]?[jt]s$/.test(file));
  const bundles = new Set(files.filter((file) => INDEX.test(file)).map(getFolder));
  return (path: string, date: string): boolean => {
    const above = listFolders(path);
    if (mayHide || above.some((folder) => unsure.has(folder))) return false;
    const isPost = above.some((folder) => POST.test(folder));
    if (/(?:^|\/)_(?!posts\/)/.test(path)) return false;
    if (generator === "jekyll") return isPost && /\/\d{4}-\d\d?-\d\d?-[^/]+$/.test(path);
    if (generator === "hexo") return isPost;
    // Files beside or below an `index.md` belong to it.
    const isPart = above.some((folder) => bundles.has(folder) && !(folder === getFolder(path) && INDEX.test(path)));
    if (generator === "hugo" || generator === "zola") return !isPart;
    return isAstro && path.startsWith("src/") && date !== "";
  };
}

const INDEX = /(?:^|\/)index(?:\.[\w-]+)?\.(?:md|markdown|mdx|html|org|adoc|rst)$/;

/** Returns the folder of a file, with a slash at the end; "" for the root. */
export const getFolder = (file: string): string => file.slice(0, file.lastIndexOf("/") + 1);

function listFolders(file: string): string[] {
  const folders = [getFolder(file)];
  while (folders.at(-1) !== "") folders.push(getFolder((folders.at(-1) ?? "").slice(0, -1)));
  return folders;
}

const OF_PROGRAMS =
  /^(?:readme|changelog|contributing|code_of_conduct|license|security|agents|claude)(?:\.[\w-]+)?\.(?:md|markdown|mdx)$/i;

/** Returns why a Markdown file is no article; null if it may be one. */
export function explainNotArticle(
  file: string,
  contents: string,
  files: readonly string[],
  { generator }: SiteConfig,
): string | null {
  if (["hugo", "zola", "hexo"].includes(generator) && contents !== "" && !file.startsWith(contents)) {
    return `is outside of ${contents}, where the articles are`;
  }
  if (generator === "jekyll" && /^(?:_site|_includes|_layouts|_data|_sass|vendor)\//.test(file))
    return "is a part of the old site's program";
  const isProgram = ["package.json", "Gemfile", "_config.yml", "Cargo.toml"].some((name) => files.includes(name));
  return isProgram && OF_PROGRAMS.test(file) ? "is about the old site's program" : null;
}
