/** Opens a folder of Markdown files. Reads nothing outside of it. */
import { constants } from "node:fs";
import { open, readdir, stat, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { Unusable } from "../../import/article.ts";
import { isMarkdownName, openListed } from "../../import/markdown-source.ts";
import { Remarks } from "../../import/remarks.ts";
import type { Source, Wishes } from "../../import/source.ts";

export async function openMarkdown(at: string, wishes: Wishes, remarks: Remarks): Promise<Source> {
  const isFile = (await stat(at)).isFile();
  const folder = isFile ? path.dirname(at) : at;
  const files = await listFiles(folder, isFile ? new Remarks() : remarks, isFile);
  const isVault = await stat(path.join(folder, ".obsidian")).then(
    (about) => about.isDirectory(),
    () => false,
  );
  const listed = {
    base: path.resolve(folder).split(path.sep).join("/"),
    files,
    articles: isFile ? [path.basename(at)] : files.filter(isMarkdownName),
    unusable: [],
    isVault,
    text: (file: string, most: number, part: "whole" | "head") => readText(path.join(folder, file), most, part),
    bytes: (file: string, most: number) => readBytes(path.join(folder, file), most),
  };
  return openListed(listed, wishes, remarks);
}

/** Returns the paths of all files in a folder, and unless `isShallow`, below it. Adds remarks for what is no file. */
async function listFiles(folder: string, remarks: Remarks, isShallow: boolean): Promise<string[]> {
  const found: string[] = [];
  const walk = async (below: string): Promise<void> => {
    const items = await readdir(path.join(folder, below), { withFileTypes: true });
    for (const item of items.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = below === "" ? item.name : `${below}/${item.name}`;
      if (item.name.startsWith(".") || item.name === "node_modules") continue;
      if (item.isDirectory() && !isShallow) await walk(file);
      else if (item.isSymbolicLink()) remarks.add("symbolic links not followed");
      else if (item.isFile()) found.push(file);
      else if (!item.isDirectory()) remarks.add("special files left out");
    }
  };
  await walk("");
  return found;
}

/**
 * Returns the text of a file, or of its first `most` bytes (`head`). Throws `Unusable` if it is no regular file or
 * cannot be read, and a `whole` one if it is larger than `most` bytes or not UTF-8.
 */
export async function readText(file: string, most: number, part: "whole" | "head" = "whole"): Promise<string> {
  return decodeText(await readBytes(file, most, part), part === "whole");
}

async function readBytes(
  file: string,
  most: number,
  part: "whole" | "head" = "whole",
): Promise<Uint8Array<ArrayBuffer>> {
  const handle = await openFile(file);
  try {
    const about = await handle.stat();
    if (!about.isFile()) throw new Unusable("is not a regular file");
    if (part === "whole" && about.size > most) throw new Unusable(`is larger than ${formatMegabytes(most)} MB`);
    const bytes = Buffer.alloc(Math.min(about.size, most));
    return bytes.subarray(0, await fill(bytes, handle));
  } finally {
    await handle.close();
  }
}

/** Fills a buffer from a file and returns the number of bytes. One read may return fewer. */
async function fill(bytes: Buffer, handle: FileHandle): Promise<number> {
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

async function openFile(file: string) {
  try {
    // Follows no symbolic link, and does not wait for the writer of a pipe.
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw new Unusable(`cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`, { cause: error });
  }
}

const formatMegabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

function decodeText(bytes: Uint8Array, fatal: boolean): string {
  try {
    return new TextDecoder("utf-8", { fatal }).decode(bytes);
  } catch (error) {
    throw new Unusable("is not UTF-8", { cause: error });
  }
}
