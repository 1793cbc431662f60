/** What an import of a file by upload is (contract 22). */
import type { Grant, OrganizationPrincipal, Role } from "./principal.ts";

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

/** In these states an import works by itself. */
export const WORKING = ["checking", "running", "undoing"] as const satisfies readonly ImportState[];

export const IMPORTED_STATES = ["ready", "refused", "created", "failed", "deleted", "kept"] as const;
/**
 * What became of an article: `ready` to be imported, `refused` by the check, `created`, `failed` when it was to be created,
 * `deleted` by undoing, or `kept` because it was changed since.
 */
export type ImportedState = (typeof IMPORTED_STATES)[number];

/** What the person has chosen. */
export type ImportWishes = {
  readonly publication: "source" | "drafts" | "publish";
  readonly pages: boolean;
  readonly renameDuplicates: boolean;
  /** Whether pictures are brought into the library. */
  readonly pictures: boolean;
  readonly siteUrl: string;
  /** The locale of articles that name none; "" for the blog's default. */
  readonly locale: string;
};

/** A phrase in the plural, such as "comments left out", how often it holds, and the names of some that it holds of. */
export type ImportRemark = { readonly what: string; readonly times: number; readonly names?: string[] };

export type ImportActor = Pick<OrganizationPrincipal, "kind" | "id" | "pinnedBlogId"> & {
  readonly role: Role | null;
  readonly grants: readonly Grant[];
  /** The service's address, as the person has it: pictures in texts begin with it. */
  readonly origin: string;
};

/** The numbers of imports. */
export const IMPORT_LIMITS = {
  bytes: 100 * 1024 * 1024,
  articles: 20_000,
  /** How many an organization may have that have not ended. */
  unfinished: 3,
  fileName: 200,
  /** Days that a file waits to be imported, and that an import can be undone. */
  waitingDays: 7,
  keptDays: 30,
} as const;

/** The file of an import while it arrives. */
export class ImportFile {
  readonly stream: ReadableStream<Uint8Array>;
  /** What the sender says it has; null if it does not say. */
  readonly length: number | null;

  constructor(stream: ReadableStream<Uint8Array>, length: number | null) {
    this.stream = stream;
    this.length = length;
  }

  /** What an Idempotency-Key compares: the file itself has not arrived by then. */
  toJSON(): unknown {
    return { length: this.length };
  }
}
