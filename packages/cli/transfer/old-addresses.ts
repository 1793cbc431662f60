/** The addresses that lead to the articles of a blog beside their own, for the files of an export. */
import { writtenSource } from "../../../src/domain/redirects.ts";
import { DEFAULT_ARTICLE_PATH } from "../../../src/domain/site.ts";
import type { ListedRedirect, MovedSlug } from "../api.ts";
import { path, type Client } from "../client.ts";

export type OldAddresses = {
  /** Sorted, by the ids of the articles. */
  readonly byArticle: ReadonlyMap<string, readonly string[]>;
  /** How many redirects lead to no article. */
  readonly others: number;
};

/** Returns the redirects of a blog, and its former slugs as the redirects that they are. */
export async function oldAddressesOf(client: Client, blogId: string): Promise<OldAddresses> {
  const leads = new Map<string, string | null>();
  for await (const { slug, locale, to } of client.items<MovedSlug>(path`/api/blogs/${blogId}/movedslugs`)) {
    leads.set(DEFAULT_ARTICLE_PATH.replace("{locale}", locale).replace("{slug}", slug), to.articleId);
  }
  // A redirect comes before a former slug.
  for await (const { from, articleId } of client.items<ListedRedirect>(path`/api/blogs/${blogId}/redirects`)) {
    leads.set(from, articleId);
  }
  const byArticle = new Map<string, string[]>();
  for (const [from, articleId] of leads) {
    if (articleId === null) continue;
    byArticle.set(articleId, [...(byArticle.get(articleId) ?? []), writtenSource(from)].sort());
  }
  return { byArticle, others: [...leads.values()].filter((articleId) => articleId === null).length };
}
