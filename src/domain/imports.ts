/** Imports of uploaded files (contract 22). */

export const IMPORT_STATES = [
  "uploading",
  "checking",
  "checked",
  "running",
  "done",
  "failed",
  "undoing",
  "undone",
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** States in which the background works on an import. */
export const WORKING = ["checking", "running", "undoing"] as const satisfies readonly ImportState[];

export const IMPORTED_STATES = ["ready", "refused", "created", "failed", "deleted", "kept"] as const;
/**
 * `ready` to be imported; `refused` by the check; `created`; `failed` to be created; `deleted` by undoing; `kept` by
 * undoing because it was changed.
 */
export type ImportedState = (typeof IMPORTED_STATES)[number];

export type ImportWishes = {
  readonly publication: "source" | "drafts" | "publish";
  readonly pages: boolean;
  readonly renameDuplicates: boolean;
  /** Whether to copy images into the media library. */
  readonly pictures: boolean;
  readonly siteUrl: string;
  /** The locale of articles that name none; "" for the blog's default. */
  readonly locale: string;
};

/** A phrase such as "comments left out", how often it applies, and some of the articles concerned. */
export type ImportRemark = { readonly what: string; readonly times: number; readonly names?: string[] };

export const IMPORT_LIMITS = {
  bytes: 100 * 1024 * 1024,
  articles: 20_000,
  /** Maximum unfinished imports of an organization. */
  unfinished: 3,
  fileName: 200,
  /** Days until an unstarted file is deleted, and for which an import can be undone. */
  waitingDays: 7,
  keptDays: 30,
} as const;

export class ImportFile {
  readonly stream: ReadableStream<Uint8Array>;
  /** The announced bytes; null if unknown. */
  readonly length: number | null;

  constructor(stream: ReadableStream<Uint8Array>, length: number | null) {
    this.stream = stream;
    this.length = length;
  }

  /** For the fingerprint of the Idempotency-Key, which is taken before the file has arrived. */
  toJSON(): unknown {
    return { length: this.length };
  }
}
