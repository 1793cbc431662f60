/** What an article is as an entry of a collection. */
import type { ArticleField, Client, Picked } from "@edgepress/client";

export type CommonOptions = {
  /** The client that reads. With a key, drafts are loaded, too: then say `published: true` to leave them out. */
  readonly client: Client;
  /** The identifier or the `vanityId` of the blog. */
  readonly blogId: string;
  /** Only articles in this language. All languages by default. */
  readonly locale?: string | undefined;
  /** Only what is published, or only drafts. */
  readonly published?: boolean | undefined;
};

/** The fields that are loaded: what a blog shows, with the rendered HTML in place of the Markdown. */
export const FIELDS = [
  "_id",
  "title",
  "description",
  "slug",
  "locale",
  "coverUrl",
  "published",
  "creationTime",
  "lastEditTime",
  "publishTime",
  "tags",
  "authors",
  "seo",
  "url",
  "excerpt",
  "readingMinutes",
  "headings",
  "html",
] as const satisfies readonly ArticleField[];

export type Loaded = Picked<(typeof FIELDS)[number]>;

/** The data of an entry. The HTML is its rendered content instead. */
export type Entry = Omit<Loaded, "html">;

/** The identifier of an entry: one for each language and slug, and the path of its page. */
export const entryId = ({ locale, slug }: Pick<Loaded, "locale" | "slug">): string => `${locale}/${slug}`;

/** Splits an article into its data and its HTML, which is null while the service has not rendered it. */
export function split({ html, ...data }: Loaded): { readonly data: Entry; readonly html: string | null } {
  return { data, html };
}
