/** An export: a blog's articles as files, one by one. */
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { interrupted } from "../failure.ts";
import { isRunning } from "../processes.ts";
import { Unusable } from "./article.ts";
import { fileNameOf } from "./file-names.ts";
import { writeArticle } from "./front-matter.ts";
import { isMarkdownName } from "./markdown-folder.ts";
import type { StoredArticle } from "./service.ts";

export type Written = "written" | "unchanged" | "kept";

export type Target = {
  /** Writes a file unless it is there; one that is different only by force, otherwise it is `kept`. */
  write(name: string, text: string): Promise<Written>;
  /** Markdown files there that belong to no article. */
  strangers(): Promise<number>;
};

/** Makes the folder where there is none. Nothing is ever written outside of it, through links neither. */
export async function openTarget(given: string, force: boolean): Promise<Target> {
  await makeFolder(given);
  const folder = await realpath(given);
  await removeLeftovers(folder);
  const names = new Set<string>();
  return {
    async write(name, text) {
      names.add(name);
      if (path.basename(name) !== name || name.startsWith(".")) throw new Unusable(`${name} is not a valid file name`);
      const file = path.join(folder, name);
      const bytes = Buffer.from(text);
      const existing = await contentOf(file, bytes.length);
      if (existing !== null && existing.equals(bytes)) return "unchanged";
      if (existing !== null && !force) return "kept";
      await replace(folder, file, bytes);
      return "written";
    },
    async strangers() {
      const there = await readdir(folder);
      return there.filter((name) => isMarkdownName(name) && !names.has(name.normalize("NFC"))).length;
    },
  };
}

/** With its parents. Node's own way to do that never ends where a file system has no place for them, as /proc. */
async function makeFolder(folder: string): Promise<void> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  const parent = path.dirname(folder);
  if (isThere) return;
  if (parent !== folder) await makeFolder(parent);
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    // Another export has just made it.
    if (error.code !== "EEXIST") throw error;
  });
}

/** A file's bytes, as far as they may be the same; null where nothing has the name. */
async function contentOf(file: string, size: number): Promise<Buffer | null> {
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

/** Equal to no file: every file has at least a line `---`. */
const DIFFERENT = Buffer.from("different");

const TEMPORARY = /^\.edgepress-(\d+)\.tmp$/;

/**
 * Under another name first: readers see either the old file or the new one, whole. A link is replaced, not
 * followed.
 */
async function replace(folder: string, file: string, bytes: Buffer): Promise<void> {
  const temporary = path.join(folder, `.edgepress-${process.pid}.tmp`);
  const handle = await open(temporary, "wx", 0o644);
  try {
    await handle.writeFile(bytes).finally(() => handle.close());
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** What exports that were killed have left; another one may be writing to the folder at this moment. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid] = TEMPORARY.exec(name) ?? [];
    if (pid === undefined || (Number(pid) !== process.pid && isRunning(Number(pid)))) continue;
    await rm(path.join(folder, name), { force: true });
  }
}

export type ExportCounts = { written: number; unchanged: number; readonly kept: string[] };

/** Writes articles as they come; `full` adds what an import cannot set. Throws `interrupted` between two. */
export async function exportArticles(
  articles: AsyncIterable<StoredArticle>,
  target: Target,
  { full, signal, counts, onEach }: { full: boolean; signal: AbortSignal; counts: ExportCounts; onEach: () => void },
): Promise<void> {
  for await (const article of articles) {
    if (signal.aborted) throw interrupted();
    const { _id, creationTime, lastEditTime } = article;
    const more = full ? { _id, creationTime, lastEditTime } : {};
    await exportFile(target, fileNameOf(article), writeArticle(article, more), counts);
    onEach();
  }
}

/** Writes one file, and counts what became of it. */
export async function exportFile(target: Target, name: string, text: string, counts: ExportCounts): Promise<void> {
  const outcome = await target.write(name, text);
  if (outcome === "kept") counts.kept.push(name);
  else counts[outcome]++;
}
