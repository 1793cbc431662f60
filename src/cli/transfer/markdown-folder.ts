/** Reads articles from a folder of Markdown files. Never reads files outside of the folder. */
import { constants } from "node:fs";
import { open, readdir, stat, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { LIMITS } from "../../domain/limits.ts";
import { Unusable } from "./article.ts";
import { splitFrontMatter } from "./front-matter.ts";
import { articleFromMarkdown, dateOf, languageTag, placeOf } from "./markdown-article.ts";
import type { Remarks } from "./remarks.ts";
import { newEntry, uniqueKeys, type Source, type Wishes } from "./source.ts";

/** Maximum bytes of a file: the maximum content, plus 512 KiB for front matter. */
const MOST_BYTES = LIMITS.contentBytes + 512 * 1024;
/** Bytes to read for the date of a file. If its front matter is longer, the file is sorted by the date in its name. */
const HEAD_BYTES = 8 * 1024;
const MOST_FOLDERS_DEEP = 50;

export const isMarkdownName = (name: string): boolean => /\.(?:md|markdown|mdx)$/i.test(name);

/**
 * Opens a folder or a single file. The entries are sorted by their dates, the oldest first, because the service lists
 * articles by the time of their creation there.
 */
export async function openMarkdown(at: string, wishes: Wishes, remarks: Remarks): Promise<Source> {
  const isFile = (await stat(at)).isFile();
  const folder = isFile ? path.dirname(at) : at;
  const files = isFile ? [path.basename(at)] : await filesIn(folder, remarks);
  const localeFolders = files.length > 0 && files.every((file) => languageTag(file.split("/", 2)[0] ?? "") !== null);
  const { keys, keyOf } = uniqueKeys();
  // The keys come from the file names before sorting by date, because dates may change.
  const keyed = files.map((file) => ({ file, key: keyOf(file.normalize("NFC")) }));
  const sorted = await byDate(folder, keyed);
  const entryOf = ({ file, key }: Keyed) =>
    newEntry(key, file, remarks, async (ofFile) => {
      const text = await readText(path.join(folder, file), MOST_BYTES);
      return articleFromMarkdown(text, placeOf(file, localeFolders && file.includes("/")), wishes, ofFile);
    });
  return { format: "markdown", keys, entries: () => sorted.map(entryOf) };
}

type Keyed = { readonly file: string; readonly key: string };

/**
 * Returns the paths of all Markdown files below a folder, in the order of their names. Adds remarks for other files.
 */
async function filesIn(folder: string, remarks: Remarks, below = "", found: string[] = []): Promise<string[]> {
  if (below.split("/").length > MOST_FOLDERS_DEEP) throw new Unusable(`${below}: folders are nested too deeply`);
  const items = await readdir(path.join(folder, below), { withFileTypes: true });
  for (const item of items.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = below === "" ? item.name : `${below}/${item.name}`;
    if (item.name.startsWith(".") || item.name === "node_modules") continue;
    if (item.isDirectory()) await filesIn(folder, remarks, file, found);
    else if (item.isSymbolicLink()) remarks.add("symbolic links not followed");
    else if (!item.isFile()) remarks.add("special files left out");
    else if (!isMarkdownName(item.name)) remarks.add(...otherFile(file));
    else if (item.name.startsWith("_index.")) remarks.add("pages of sections (_index.md) left out");
    else found.push(file);
  }
  return found;
}

/** Returns the remark for a file that is not Markdown, and its count: 0 for blog.yaml, which settings.ts reads. */
const otherFile = (file: string): [string, number] => [
  "other files, such as images, not uploaded",
  file === "blog.yaml" ? 0 : 1,
];

/** Returns the files sorted by date. Files without a date come first, in the order of their names. */
async function byDate(folder: string, files: readonly Keyed[]): Promise<Keyed[]> {
  const dated: (Keyed & { readonly date: string })[] = [];
  for (const each of files) dated.push({ ...each, date: await dateIn(folder, each.file) });
  return dated.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** Returns the date in a file's front matter, or in its name, or "". */
async function dateIn(folder: string, file: string): Promise<string> {
  const place = placeOf(file, false);
  try {
    const { frontMatter } = splitFrontMatter(await readText(path.join(folder, file), HEAD_BYTES, "head"));
    return dateOf(frontMatter, place);
  } catch {
    // The problem is reported when the whole file is read.
    return dateOf(new Map(), place);
  }
}

/**
 * Returns the text of a UTF-8 file, or of its first `most` bytes (`head`). Throws `Unusable` if it is a symbolic link
 * or not a regular file, if it cannot be read, if it is larger than `most` bytes (`whole`), or if it is not UTF-8
 * (`whole`).
 */
export async function readText(file: string, most: number, part: "whole" | "head" = "whole"): Promise<string> {
  const handle = await opened(file);
  try {
    const about = await handle.stat();
    if (!about.isFile()) throw new Unusable("is not a regular file");
    if (part === "whole" && about.size > most) throw new Unusable(`is larger than ${megabytes(most)} MB`);
    const bytes = Buffer.alloc(Math.min(about.size, most));
    return decoded(bytes.subarray(0, await fill(bytes, handle)), part === "whole");
  } finally {
    await handle.close();
  }
}

/** Fills the buffer from a file and returns the number of bytes. Repeats, because one read may return fewer bytes. */
async function fill(bytes: Buffer, handle: FileHandle): Promise<number> {
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

async function opened(file: string) {
  try {
    // Does not follow symbolic links. If a pipe has replaced the file, does not wait for its writer.
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw new Unusable(`cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`, { cause: error });
  }
}

const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

function decoded(bytes: Buffer, fatal: boolean): string {
  try {
    return new TextDecoder("utf-8", { fatal }).decode(bytes);
  } catch (error) {
    throw new Unusable("is not UTF-8", { cause: error });
  }
}
