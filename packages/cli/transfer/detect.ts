import { createReadStream } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import { usageError } from "../failure.ts";
import { detectFormat, OPENERS, START_BYTES } from "../../import/formats.ts";
import { isMarkdownName } from "../../import/markdown-source.ts";
import type { Remarks } from "../../import/remarks.ts";
import type { Format, Source, Wishes } from "../../import/source.ts";
import { openMarkdown } from "./markdown-folder.ts";

export type Detected = {
  readonly path: string;
  readonly isFolder: boolean;
  readonly format: Format;
  readonly open: (path: string, wishes: Wishes, remarks: Remarks) => Promise<Source>;
};

export async function detect(given: string, wanted: Format | undefined): Promise<Detected> {
  const path = await realpath(given).catch(() => Promise.reject(usageError(`There is no ${given}.`)));
  const about = await stat(path);
  const isFolder = about.isDirectory();
  if (!isFolder && !about.isFile()) throw usageError(`${given} is neither a folder nor a file.`);
  const format = wanted ?? (isFolder || isMarkdownName(path) ? "markdown" : await detectExport(path, given));
  if ((format === "markdown") !== (isFolder || isMarkdownName(path))) {
    throw usageError(
      format === "markdown" ? `${given} is not a Markdown file.` : `An export of ${format} is a file, not a folder.`,
    );
  }
  if (format === "markdown") return { path, isFolder, format, open: openMarkdown };
  const file = () => createReadStream(path, { highWaterMark: 64 * 1024 });
  return { path, isFolder, format, open: (_, wishes, remarks) => OPENERS[format](file, wishes, remarks) };
}

async function detectExport(file: string, given: string): Promise<Exclude<Format, "markdown">> {
  const format = detectFormat(await readHead(file));
  if (format !== null && format !== "zip") return format;
  const hint =
    format === "zip"
      ? "It is a ZIP archive: unpack it first."
      : "Give a folder of Markdown files, an export of Ghost (JSON) or of WordPress (XML).";
  throw usageError(`${given} cannot be imported.`, hint);
}

async function readHead(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
