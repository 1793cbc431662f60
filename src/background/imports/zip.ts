/** Reads the files of a ZIP in R2. Reads and inflates only the parts that are asked for. */
import { Readable } from "node:stream";
import { createInflateRaw } from "node:zlib";
import type { Reader as ZipSource } from "@zip.js/zip.js";
import { BlobReader, ZipReader, type Entry } from "@zip.js/zip.js/lib/zip-core-native.js";
import { Unusable } from "../../../packages/import/article.ts";
import { isMarkdownName, type Listed, type Unread } from "../../../packages/import/markdown-source.ts";
import { concatBytes } from "../../lib/bytes.ts";
import { readImportBytes } from "../media/import-files.ts";
import type { Work } from "./work.ts";

/** Maximum files in an archive, and maximum bytes of a name. */
const MOST_FILES = 10_000;
const MOST_NAME = 1000;

const BLOCK_BYTES = 1024 * 1024;
const BLOCKS = 8;

/** Reads ranges of the file by cached blocks, because the entries of an archive follow each other. */
function makeBlockReader({ bucket, of }: Work) {
  const blocks = new Map<number, Promise<Uint8Array>>();
  const block = (nth: number): Promise<Uint8Array> => {
    const at = nth * BLOCK_BYTES;
    const known = blocks.get(nth) ?? readImportBytes(bucket, of, at, Math.min(BLOCK_BYTES, of.bytes - at));
    blocks.delete(nth);
    blocks.set(nth, known);
    const [oldest] = blocks.keys();
    if (blocks.size > BLOCKS && oldest !== undefined) blocks.delete(oldest);
    return known;
  };
  return async (offset: number, length: number): Promise<Uint8Array> => {
    const end = Math.min(offset + length, of.bytes);
    const bytes = new Uint8Array(Math.max(0, end - offset));
    for (let at = offset; at < end;) {
      const nth = Math.floor(at / BLOCK_BYTES);
      const some = (await block(nth)).subarray(at - nth * BLOCK_BYTES, end - nth * BLOCK_BYTES);
      bytes.set(some, at - offset);
      at += some.length;
    }
    return bytes;
  };
}

/** The library accepts only readers of its own classes. It asks this one for nothing but its size and ranges. */
class RangeReader extends BlobReader {
  readonly #read: (offset: number, length: number) => Promise<Uint8Array>;

  constructor(size: number, read: (offset: number, length: number) => Promise<Uint8Array>) {
    super(new Blob());
    this.size = size;
    this.#read = read;
  }

  override readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    return this.#read(offset, length);
  }

  override createReadable({ offset = 0, size }: { offset?: number; size?: number } = {}): ReadableStream<Uint8Array> {
    const end = offset + (size ?? this.size - offset);
    let at = offset;
    return new ReadableStream({
      pull: async (controller) => {
        const length = Math.min(64 * 1024, end - at);
        if (length > 0) controller.enqueue(await this.#read(at, length));
        at += length;
        if (at >= end) controller.close();
      },
    });
  }
}

const OPTIONS = { useWebWorkers: false, useCompressionStream: true, decodeText: decodeName } as const;

/** Lists an archive. Throws `Unusable` if it cannot be read. */
async function listZip(work: Work): Promise<Listed> {
  const { of } = work;
  const reader = new RangeReader(of.bytes, makeBlockReader(work)) as ZipSource<unknown>;
  const entries = new Map<string, FileEntry>();
  const unusable: Unread[] = [];
  let isVault = false;
  try {
    for await (const entry of new ZipReader(reader, OPTIONS).getEntriesGenerator()) {
      isVault ||= /(?:^|\/)\.obsidian\//.test(entry.filename);
      if (entry.directory || isHidden(entry.filename)) continue;
      if (entry.encrypted) throw new Unusable("is encrypted");
      if (entries.size + unusable.length >= MOST_FILES) throw new Unusable(`has more than ${MOST_FILES} files`);
      const name = entry.filename;
      if (name.length > MOST_NAME) unusable.push({ name, reason: `its name has more than ${MOST_NAME} characters` });
      // The last one wins, as in programs that unpack archives.
      else if (entries.has(name)) unusable.push({ name, reason: "a later file of the archive has the same name" });
      if (name.length <= MOST_NAME) entries.set(name, entry);
    }
  } catch (error) {
    if (error instanceof Unusable) throw error;
    throw new Unusable(`is no ZIP that can be read: ${(error as Error).message.slice(0, 100)}`, { cause: error });
  }
  return { ...toListed(entries, isVault), unusable };
}

type FileEntry = Extract<Entry, { directory: false }>;

/** Files that operating systems and tools add to archives. */
const isHidden = (name: string): boolean => /(?:^|\/)(?:\.|__MACOSX\/|node_modules\/)/.test(name);

function toListed(entries: ReadonlyMap<string, FileEntry>, isVault: boolean): Omit<Listed, "unusable"> {
  const root = findRoot([...entries.keys()]);
  const files = [...entries.keys()].map((name) => name.slice(root.length)).sort();
  const read = async (file: string, most: number, part: "whole" | "head") => {
    const entry = entries.get(root + file);
    if (entry === undefined) throw new Unusable("is not in the archive");
    return inflateEntry(entry, most, part);
  };
  return {
    base: `/${root.replace(/\/$/, "")}`,
    files,
    articles: files.filter(isMarkdownName),
    isVault,
    text: async (file, most, part) => decoded(await read(file, most, part), part === "whole"),
    bytes: (file, most) => read(file, most, "whole"),
  };
}

/** Returns the folder that contains all files, with a slash at its end; "" if there is none. */
function findRoot(names: readonly string[]): string {
  const [first = ""] = names;
  const root = first.slice(0, first.indexOf("/") + 1);
  return root !== "" && names.every((name) => name.startsWith(root)) ? root : "";
}

/** Inflates an entry, whatever size it claims. Throws `Unusable` if a whole entry has more than `most` bytes. */
async function inflateEntry(entry: FileEntry, most: number, part: "whole" | "head"): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of streamContent(entry)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > most) break;
    }
  } catch (error) {
    throw new Unusable(`cannot be read: ${(error as Error).message.slice(0, 100)}`, { cause: error });
  }
  if (length > most && part === "whole") throw new Unusable(`is larger than ${(most / 1024 / 1024).toFixed(1)} MB`);
  return concatBytes(chunks).subarray(0, most);
}

/** Inflates an entry as it is read. Streams of the platform would inflate all of it before the first chunk. */
async function* streamContent(entry: FileEntry): AsyncGenerator<Uint8Array> {
  const stop = new AbortController();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const sent = entry.getData(writable, { ...OPTIONS, passThrough: true, signal: stop.signal });
  const packed = Readable.from(readable);
  const inflate = entry.compressionMethod === STORED ? packed : packed.pipe(createInflateRaw());
  const fail = (error: Error) => void inflate.destroy(error);
  packed.on("error", fail);
  sent.catch(fail);
  try {
    yield* inflate as AsyncIterable<Uint8Array>;
  } finally {
    stop.abort();
    packed.destroy();
    inflate.destroy();
  }
}

const STORED = 0;

function decoded(bytes: Uint8Array, fatal: boolean): string {
  try {
    return new TextDecoder("utf-8", { fatal, ignoreBOM: false }).decode(bytes);
  } catch (error) {
    throw new Unusable("is not UTF-8", { cause: error });
  }
}

/**
 * Decodes a name that is not marked as UTF-8: it may be UTF-8 all the same, or Shift JIS of a Japanese Windows. For
 * undefined, the library uses the encoding of DOS.
 */
function decodeName(bytes: Uint8Array): string | undefined {
  for (const encoding of ["utf-8", "shift_jis"]) {
    try {
      const name = new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes);
      const beyond = name.replaceAll(/[\u0020-\u007e]/g, "");
      if (encoding === "utf-8" || /^[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}ー、。・（）「」　]+$/u.test(beyond)) return name;
    } catch {
      continue;
    }
  }
  return undefined;
}

const opened = new WeakMap<Work, Promise<Listed>>();

/** Opens the archive. A portion lists it only once. */
export function openZip(work: Work): Promise<Listed> {
  const listing = opened.get(work) ?? listZip(work);
  opened.set(work, listing);
  return listing;
}
