/** What the readers of folders and exports have in common. */
import { createReadStream } from "node:fs";
import { digest, isCoverUrl, Unusable, type Article } from "./article.ts";
import type { Remarks } from "./remarks.ts";

export const FORMATS = ["markdown", "ghost", "wordpress"] as const;
export type Format = (typeof FORMATS)[number];

/** Elements of XML, or brackets of JSON, that a file may have within each other. */
export const MOST_NESTED = 200;

/** How articles come to be drafts: as the source says, all of them, or only what the source calls one. */
export type Publication = "source" | "drafts" | "publish";

/** What an import decides where its source is silent. */
export type Wishes = {
  readonly locale: string;
  readonly publication: Publication;
  /** Pages besides posts. */
  readonly pages: boolean;
  /** Where the old site was, without a slash at its end; "" if not given. */
  readonly siteUrl: string;
};

/** One article to be: named for people, and by a key that stays the same from import to import. */
export type Entry = {
  readonly key: string;
  readonly name: string;
  /** Reads it; throws `Unusable` where it cannot be used. */
  readonly load: () => Promise<Article>;
};

/** A folder or file to import, looked through once. */
export type Source = {
  readonly format: Format;
  /** The keys of all its entries: no two have the same. */
  readonly keys: ReadonlySet<string>;
  /** The entries one after another, so that few are in memory at once. Every pass gives them the same keys. */
  entries(): AsyncIterable<Entry> | Iterable<Entry>;
};

export type OpenSource = (path: string, wishes: Wishes, remarks: Remarks) => Promise<Source>;

/** Whether an article goes online, given what its source says: undefined where that is nothing. */
export function isPublished(said: boolean | undefined, { publication }: Wishes): boolean {
  if (publication === "drafts") return false;
  return said ?? publication === "publish";
}

/**
 * Makes the keys of one pass through a source. What has the same natural key gets it with a number, by its place
 * in the source: passes in the same order give the same keys.
 */
export function uniqueKeys(): { readonly keys: ReadonlySet<string>; readonly keyOf: (natural: string) => string } {
  const keys = new Set<string>();
  const times = new Map<string, number>();
  return {
    keys,
    keyOf: (natural) => {
      let time = times.get(natural) ?? 1;
      let key = natural;
      while (keys.has(key)) key = `${natural}~${++time}`;
      if (time > 1) times.set(natural, time);
      keys.add(key);
      return key;
    },
  };
}

type Identified = { readonly id: string; readonly slug: string; readonly title: string };

/** By what the old system calls it. Where the file does not say, by its slug, or else its title. */
export const naturalKey = (type: string, { id, slug, title }: Identified): string =>
  id === "" ? `${type}~${digest(slug === "" ? title : slug)}` : `${type}-${id}`;

/** An entry; `read` may throw what concerns this one only. */
export const newEntry = (key: string, name: string, read: () => Article | Promise<Article>): Entry => ({
  key,
  name,
  load: () => withinStack(read),
});

/** Parsers and converters recurse: nesting that no person writes exhausts the stack, in one entry of many. */
async function withinStack(read: () => Article | Promise<Article>): Promise<Article> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RangeError) throw new Unusable("is nested too deeply", { cause: error });
    throw error;
  }
}

/** The address of a cover. One that the service would not take is left out, with a remark: `why` ends it. */
export function coverFrom(url: string, remarks: Remarks, why: string): string {
  if (url === "" || isCoverUrl(url)) return url;
  remarks.add(`covers left out that are ${why}`);
  return "";
}

/**
 * The text of a file, a chunk at a time. `encodingOf` names its encoding, given its first bytes. Throws `Unusable`
 * for what is not text in it.
 */
export async function* textOf(file: string, encodingOf: (start: Buffer) => string): AsyncGenerator<string> {
  const chunks: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: 64 * 1024 });
  let decode: Decode | undefined;
  for await (const chunk of chunks) {
    decode ??= decoderOf(encodingOf(chunk));
    yield decode(chunk, { stream: true });
  }
  if (decode !== undefined) yield decode();
}

type Decode = TextDecoder["decode"];

function decoderOf(encoding: string): Decode {
  const decoder = newDecoder(encoding);
  return (...args) => {
    try {
      return decoder.decode(...args);
    } catch (error) {
      throw new Unusable(`is not valid ${decoder.encoding.toUpperCase()}`, { cause: error });
    }
  };
}

function newDecoder(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch (error) {
    throw new Unusable(`is in an encoding that is not known: "${encoding}"`, { cause: error });
  }
}

/** The UTF-16 that a file of markup begins in, with a byte order mark or without; null for any other encoding. */
export const utf16Of = (start: Buffer): string | null => UTF16[start.toString("hex", 0, 2)] ?? null;

const UTF16: Readonly<Record<string, string>> = {
  fffe: "utf-16le",
  feff: "utf-16be",
  "3c00": "utf-16le",
  "003c": "utf-16be",
};
