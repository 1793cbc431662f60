/** Searches the published articles of one blog, for its site. The index is that of the organization's search. */
import type { Phrase } from "../../domain/search-query.ts";
import type { Database } from "../core/sql.ts";
import { searchArticles, type FoundArticle } from "./search.ts";

/** How many articles a search of the site finds at most. */
const RESULTS = 20;

/**
 * Returns the published articles of a blog in which all phrases occur, the newest first: as for a credential that is pinned to
 * the blog, their order tells nothing of what other blogs and drafts contain.
 */
export async function searchSite(
  db: Database,
  { _id: blogId, organizationId }: { readonly _id: string; readonly organizationId: string },
  query: { readonly phrases: readonly Phrase[]; readonly locale: string },
): Promise<FoundArticle[]> {
  const reader = { db, organizationId, pinnedBlogId: blogId };
  const { items } = await searchArticles(reader, { ...query, published: true, limit: RESULTS, asRead: true });
  return items.map(({ value }) => value);
}
