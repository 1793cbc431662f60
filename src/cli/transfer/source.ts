/** What the readers of folders and exports have in common. */
import type { Article } from "./article.ts";
import type { Remarks } from "./remarks.ts";

export const FORMATS = ["markdown", "ghost", "wordpress"] as const;
export type Format = (typeof FORMATS)[number];

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
  readonly total: number;
  /** The entries one after another, so that few are in memory at once. */
  entries(): AsyncIterable<Entry> | Iterable<Entry>;
};

export type OpenSource = (path: string, wishes: Wishes, remarks: Remarks) => Promise<Source>;

/** Whether an article goes online, given what its source says: undefined where that is nothing. */
export function isPublished(said: boolean | undefined, { publication }: Wishes): boolean {
  if (publication === "drafts") return false;
  return said ?? publication === "publish";
}
