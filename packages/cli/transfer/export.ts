/** Writes the articles of a blog as files. */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { interruptedError } from "../failure.ts";
import { Unusable, hashTexts } from "../../import/article.ts";
import { writeArticle } from "../../import/front-matter.ts";
import { isMarkdownName } from "../../import/markdown-source.ts";
import type { StoredArticle } from "./service.ts";

type Target = Awaited<ReturnType<typeof openTarget>>;

/**
 * Opens or creates the folder of an export. Writes never leave it, not even through symbolic links. Throws the system's
 * error if it cannot be created or read.
 */
export async function openTarget(given: string, force: boolean) {
  await makeFolder(given);
  const folder = await realpath(given);
  const names = new Set<string>();
  return {
    /** An existing file that is different is `kept`, or overwritten with `force`. */
    async write(name: string, text: string): Promise<"written" | "unchanged" | "kept"> {
      names.add(name);
      if (path.basename(name) !== name || name.startsWith(".")) throw new Unusable(`${name} is not a valid file name`);
      const file = path.join(folder, name);
      const bytes = Buffer.from(text);
      const existing = await readSameSize(file, bytes.length);
      if (existing !== null && existing.equals(bytes)) return "unchanged";
      if (existing !== null && !force) return "kept";
      await replace(folder, file, bytes);
      return "written";
    },
    /** Returns the number of Markdown files that this export has not written. */
    async countStrangers(): Promise<number> {
      const there = await readdir(folder);
      return there.filter((name) => isMarkdownName(name) && !names.has(name.normalize("NFC"))).length;
    },
  };
}

/** Node's `mkdir` with `recursive` never ends on a file system that allows no folders, such as /proc. */
async function makeFolder(folder: string): Promise<void> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  const parent = path.dirname(folder);
  if (isThere) return;
  if (parent !== folder) await makeFolder(parent);
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    // Another export may have created it.
    if (error.code !== "EEXIST") throw error;
  });
}

/** Returns the bytes of a file of this size, null if there is none, else `DIFFERENT`. Throws `Unusable` for a folder. */
async function readSameSize(file: string, size: number): Promise<Buffer | null> {
  const about = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (about === null) return null;
  if (about.isDirectory()) throw new Unusable(`${path.basename(file)} is an existing folder`);
  if (!about.isFile() || about.size !== size) return DIFFERENT;
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Stands for any other file: no export writes this text. */
const DIFFERENT = Buffer.from("different");

/**
 * Renames a temporary file, so that readers see the old file or the complete new one. Replaces a symbolic link, which
 * write-file-atomic would follow; on a full disk, that would also store the beginning of the file without an error.
 */
async function replace(folder: string, file: string, bytes: Buffer): Promise<void> {
  const temporary = path.join(folder, `.edgepress-${randomUUID()}.tmp`);
  const handle = await open(temporary, "wx", 0o644);
  try {
    await handle.writeFile(bytes).finally(() => handle.close());
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

export type ExportCounts = { written: number; unchanged: number; readonly kept: string[] };

/** `full` adds the fields that an import cannot set. Throws `CliError` `interrupted` when `signal` is aborted. */
export async function exportArticles(
  articles: AsyncIterable<StoredArticle>,
  target: Target,
  { full, signal, counts, onEach }: { full: boolean; signal: AbortSignal; counts: ExportCounts; onEach: () => void },
): Promise<void> {
  for await (const article of articles) {
    if (signal.aborted) throw interruptedError();
    const { _id, creationTime, lastEditTime } = article;
    const more = full ? { _id, creationTime, lastEditTime } : {};
    await exportFile(target, toFileName(article), writeArticle(article, more), counts);
    onEach();
  }
}

export async function exportFile(target: Target, name: string, text: string, counts: ExportCounts): Promise<void> {
  const outcome = await target.write(name, text);
  if (outcome === "kept") counts.kept.push(name);
  else counts[outcome]++;
}

/** UTF-8 bytes of the slug. File systems allow 255, including the locale and the extension. */
const MOST_BYTES = 180;

/** Windows reserves these names for devices, with any extension. */
const DEVICES = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/**
 * Returns the name of an article's file, `slug.locale.md`. A slug that is no valid and unique name on every system
 * becomes a shortened slug, `~` and a hash. No slug contains `~`.
 */
export function toFileName({ slug, locale }: { readonly slug: string; readonly locale: string }): string {
  const tag = /^[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8}){0,8}$/.test(locale) ? locale : toHashedName(locale);
  return `${isSafe(slug) ? slug : toHashedName(slug)}.${tag}.md`;
}

function isSafe(slug: string): boolean {
  const fits = /^[\p{L}\p{M}\p{N}-]+$/u.test(slug) && Buffer.byteLength(slug) <= MOST_BYTES;
  return fits && !DEVICES.test(slug) && foldName(slug) === slug;
}

/** What file systems compare that ignore case, character width or Unicode composition. */
const foldName = (name: string): string => name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFC");

function toHashedName(name: string): string {
  const short = name
    .replaceAll(/[^\p{L}\p{M}\p{N}-]+/gu, "-")
    .slice(0, 30)
    .toWellFormed()
    .replaceAll("\ufffd", "");
  return `${short}~${hashTexts(name).slice(0, 12)}`;
}
