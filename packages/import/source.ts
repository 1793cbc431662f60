/** What all sources share: Markdown folders and the exports of other systems. */
import { toHex } from "../../src/lib/hash.ts";
import { hashTexts, isCoverUrl, Unusable, type Article } from "./article.ts";
import type { Remarks } from "./remarks.ts";

export const FORMATS = ["markdown", "ghost", "wordpress"] as const;
export type Format = (typeof FORMATS)[number];

export const MOST_NESTED = 200;

/**
 * Which articles are published. `source`: those that the source marks as published. `drafts`: none. `publish`: all
 * that the source does not mark as drafts.
 */
export type Publication = "source" | "drafts" | "publish";

export type Wishes = {
  readonly locale: string;
  readonly publication: Publication;
  readonly pages: boolean;
  /** Whether to rename a post if an earlier one has its slug. */
  readonly renameDuplicates?: boolean;
  /** The address of the old site, without a slash at the end; "" if not given. */
  readonly siteUrl: string;
  readonly media?: boolean;
};

export const PICTURE = /\.(?:avif|bmp|gif|heic|ico|jpe?g|png|svg|tiff?|webp)(?:[?#].*)?$/i;
export const isPicture = (name: string): boolean => PICTURE.test(name);

export const PAGE = "pages that are articles here, with a date";

/** `key` is the same in every import; `name` is for people. */
export type Entry = {
  readonly key: string;
  readonly name: string;
  readonly load: () => Promise<Article>;
};

/** A folder or file to import that has been read through once. */
export type Source = {
  readonly format: Format;
  readonly keys: ReadonlySet<string>;
  /** Yields the entries one after another, so that few are in memory at a time. Each pass has the same keys. */
  entries(): AsyncIterable<Entry> | Iterable<Entry>;
};

/** The bytes of a file. Each call begins at the first one. */
export type Bytes = () => AsyncIterable<Uint8Array>;

/** Opens an export in one file. Throws `Unusable` if nothing in it can be used. */
export type OpenFile = (file: Bytes, wishes: Wishes, remarks: Remarks) => Promise<Source>;

/** Numbers repeated keys in one pass through a source. Passes in the same order give the same keys. */
export function makeKeys(): { readonly keys: ReadonlySet<string>; readonly makeKey: (natural: string) => string } {
  const keys = new Set<string>();
  const times = new Map<string, number>();
  return {
    keys,
    makeKey: (natural) => {
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

/** Returns a key from the id in the old system, or else from the slug or title. */
export const toNaturalKey = (type: string, { id, slug, title }: Identified): string =>
  id === "" ? `${type}~${hashTexts(slug === "" ? title : slug)}` : `${type}-${id}`;

/**
 * Returns an entry. `read` adds to the entry's remarks, and throws `Unusable` if the entry cannot be used. `load`
 * also throws it if the stack overflows, so that a deeply nested entry does not stop the others.
 */
export const makeEntry = (
  key: string,
  name: string,
  remarks: Remarks,
  read: (remarks: Remarks) => Article | Promise<Article>,
): Entry => ({
  key,
  name,
  load: async () => {
    try {
      return await read(remarks.forArticle(name));
    } catch (error) {
      if (error instanceof RangeError) throw new Unusable("is nested too deeply", { cause: error });
      throw error;
    }
  },
});

/** Returns the URL of a cover; "" with a remark that ends with `why` if the service would refuse it. */
export function toCoverUrl(url: string, remarks: Remarks, why: string): string {
  if (url === "" || isCoverUrl(url)) return url;
  remarks.add(`covers left out that are ${why}`);
  return "";
}

/**
 * Yields the text of a file in chunks. Its first bytes tell the encoding. Throws `Unusable` if that is unknown, or the bytes
 * are not valid in it.
 */
export async function* readChunks(file: Bytes, getEncoding: (start: Uint8Array) => string): AsyncGenerator<string> {
  let decode: Decode | undefined;
  for await (const chunk of file()) {
    decode ??= makeDecoder(getEncoding(chunk));
    yield decode(chunk, { stream: true });
  }
  if (decode !== undefined) yield decode();
}

type Decode = TextDecoder["decode"];

function makeDecoder(encoding: string): Decode {
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
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false });
  } catch (error) {
    throw new Unusable(`is in an encoding that is not known: "${encoding}"`, { cause: error });
  }
}

/** Returns `utf-16le` or `utf-16be` if a file begins with its byte order mark, or with `<` in that encoding; else null. */
export const detectUtf16 = (start: Uint8Array): string | null => UTF16[toHex(start.subarray(0, 2))] ?? null;

const UTF16: Readonly<Record<string, string>> = {
  fffe: "utf-16le",
  feff: "utf-16be",
  "3c00": "utf-16le",
  "003c": "utf-16be",
};
