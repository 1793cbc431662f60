import * as z from "zod";
import { RATES } from "../domain/rates.ts";
import { LIMITS } from "../domain/limits.ts";
import { article } from "./article-members.ts";
import { toListResult } from "./lists.ts";
import { defineOperation } from "./define.ts";
import { blogId, line, locale, toPageSize, paging } from "./fields.ts";
import { parseSearchPhrases } from "./reader-search.ts";

const { content: _, coverUrl: __, ...shown } = article.shape;

const foundArticle = z
  .object({
    ...shown,
    snippet: z.string().meta({
      description: "The passage that was found, on one line, matches between `**`.",
      example: "… the first **ferry** to **Porto** leaves before six …",
    }),
  })
  .meta({ id: "FoundArticle" });

export const searchArticles = defineOperation({
  name: "articles.search",
  summary: "Search articles",
  description: `Articles, including drafts, whose title, description or content contains all words: those with all in the title first, then in title and description, and the newest among equals. Accents and case do not matter. "Words in quotes" must follow each other directly. The last word can be the beginning of a word, unless more than ${LIMITS.searchPrefixed} occurrences of words begin with it. Of a very long article, only the first ${LIMITS.searchedBytes / 1_000_000} MB of words are searched, repetitions not counted; the passage is from the first ${LIMITS.searchPassage} characters of its content. The ${LIMITS.searchResults} best can be reached. An organization can search ${RATES.searches} times a minute.`,
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({
    query: line(LIMITS.searchQuery)
      .min(1, "must not be empty")
      .meta({
        description: `At most ${LIMITS.searchWords} different words, all of which must occur.`,
        example: 'porto "first ferry"',
      }),
    blogId: blogId.optional().meta({ description: "Only this blog's articles." }),
    locale: locale.optional().meta({ description: "Only articles in this locale." }),
    published: z.boolean().optional().meta({ description: "Only published articles, or only drafts.", example: true }),
    limit: paging.limit.meta({
      description: `Articles per page; 0, and more than ${LIMITS.searchPage}, mean ${LIMITS.searchPage}.`,
      example: 10,
    }),
    cursor: paging.cursor,
  }),
  output: z.array(foundArticle),
  refuses: ["blog_forbidden"],
  hasEtag: true,
  sample: {
    query: { query: "slow porto", blogId: "{blogId}" },
    command: "articles search slow porto --blog {blogId}",
  },
  async run({ store, principal, limit: count }, { query, limit, ...narrowed }) {
    const phrases = parseSearchPhrases("query", query);
    await count("searches", principal.organizationId);
    return toListResult(
      await store.searchArticles({ ...narrowed, phrases, limit: toPageSize(limit, LIMITS.searchPage) }),
    );
  },
});
