/** Detects the format of what is to be imported. */
import { open, realpath, stat } from "node:fs/promises";
import { usage } from "../failure.ts";
import { openGhost } from "../../import/ghost.ts";
import { openMarkdown } from "./markdown-folder.ts";
import { isMarkdownName } from "../../import/markdown-source.ts";
import { utf16Of, type Format, type OpenSource } from "../../import/source.ts";
import { openWordPress } from "../../import/wordpress.ts";

const OPENERS: Readonly<Record<Format, OpenSource>> = {
  markdown: openMarkdown,
  ghost: openGhost,
  wordpress: openWordPress,
};

/** What is to be imported: its real path (symbolic links resolved), and the function that opens it. */
export type Detected = {
  readonly path: string;
  readonly isFolder: boolean;
  readonly format: Format;
  readonly open: OpenSource;
};

/**
 * Returns what a path contains. The format is `wanted` if given, else detected from the content. Throws a usage error
 * if the path does not exist or cannot be imported in that format.
 */
export async function detect(given: string, wanted: Format | undefined): Promise<Detected> {
  const path = await realpath(given).catch(() => Promise.reject(usage(`There is no ${given}.`)));
  const about = await stat(path);
  const isFolder = about.isDirectory();
  if (!isFolder && !about.isFile()) throw usage(`${given} is neither a folder nor a file.`);
  const format = wanted ?? (isFolder || isMarkdownName(path) ? "markdown" : await formatOf(path, given));
  if ((format === "markdown") !== (isFolder || isMarkdownName(path))) {
    throw usage(
      format === "markdown" ? `${given} is not a Markdown file.` : `An export of ${format} is a file, not a folder.`,
    );
  }
  return { path, isFolder, format, open: OPENERS[format] };
}

/** Returns the format of an export by its first characters. `given` is the path as the person has typed it. */
async function formatOf(file: string, given: string): Promise<Format> {
  const start = (await head(file)).replace(/^\ufeff/, "").trimStart();
  if (/^[{[]/.test(start)) return "ghost";
  if (/^<(?:\?xml|rss|!--)/.test(start)) return "wordpress";
  const hint = start.startsWith("PK\u0003\u0004")
    ? "It is a ZIP archive: unpack it first."
    : "Give a folder of Markdown files, an export of Ghost (JSON) or of WordPress (XML).";
  throw usage(`${given} cannot be imported.`, hint);
}

/** Returns the first 4,096 bytes of a file as text, without a UTF-8 byte order mark. */
async function head(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
    const start = buffer.subarray(0, bytesRead);
    const text = new TextDecoder(utf16Of(start) ?? "latin1").decode(start);
    return text.replace(/^\u00ef\u00bb\u00bf/, "");
  } finally {
    await handle.close();
  }
}
