/** Articles as entries of a collection. */
import type { ArticleField, Client, Picked } from "@edgepress/client";

export type CommonOptions = {
  /** The client to read with. With a key, it also loads drafts, unless `published` is true. */
  readonly client: Client;
  /** The identifier or `vanityId` of the blog. */
  readonly blogId: string;
  /** Only articles in this language; all languages by default. */
  readonly locale?: string | undefined;
  /** True for published articles only, false for drafts only. */
  readonly published?: boolean | undefined;
};

/** What a blog shows, with the rendered HTML in place of the Markdown. */
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

/** The data of an entry. The HTML is not data, but the entry's rendered content. */
export type Entry = Omit<Loaded, "html">;

/** The id of an entry, which is also the path of its page. */
export const toEntryId = ({ locale, slug }: Pick<Loaded, "locale" | "slug">): string => `${locale}/${slug}`;

/** The HTML is null while the service has not rendered it. */
export function splitArticle({ html, ...data }: Loaded): { readonly data: Entry; readonly html: string | null } {
  return { data, html };
}
