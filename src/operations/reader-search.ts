/** The public search of a blog (contract 20.8). */
import * as z from "zod";
import { RATES } from "../domain/rates.ts";
import { blogTag } from "../domain/cache-tags.ts";
import { LIMITS } from "../domain/limits.ts";
import { parsePhrases } from "../domain/search-query.ts";
import { toAbsoluteUrl } from "../domain/site.ts";
import { invalidField, makeBlogNotFoundError } from "../domain/errors.ts";
import { escapeHtml } from "../lib/html.ts";
import { article, wholeArticle } from "./article-members.ts";
import { definePublicOperation } from "./define.ts";
import { line, locale, toPageSize, paging } from "./fields.ts";

const { _id, title, description, slug, locale: tag } = article.shape;
const { publishTime, url } = wholeArticle.shape;

const foundByReader = z
  .object({
    _id,
    title,
    description,
    slug,
    locale: tag,
    publishTime,
    url,
    passage: z.string().meta({
      description: "The passage that was found, as HTML: escaped text on one line, matches in `<mark>`.",
      example: "… the first <mark>ferry</mark> to Porto leaves before six …",
    }),
  })
  .meta({ id: "FoundByReader" });

export const searchBlog = definePublicOperation({
  name: "blogs.search",
  summary: "Search a blog",
  description: `Published articles that contain all words, for everybody. Matches in titles come first, then those in descriptions, then those in contents; among equals, the newest first. Words are as in \`/api/search\`. A network can search ${RATES.searches} times a minute, not counting what the edge has cached.`,
  scope: null,
  effect: "read",
  searches: true,
  input: z.strictObject({
    blogId: line(100)
      .min(1, "must not be empty")
      .meta({ description: "Identifier or vanityId of a blog.", example: "field-notes" }),
    q: line(LIMITS.searchQuery)
      .min(1, "must not be empty")
      .meta({
        description: `At most ${LIMITS.searchWords} different words, all of which must occur.`,
        example: 'porto "first ferry"',
      }),
    locale: locale.optional().meta({ description: "Only articles in this locale." }),
    limit: paging.limit.meta({
      description: `How many articles; 0, and more than ${LIMITS.searchPage}, mean ${LIMITS.searchPage}.`,
      example: 10,
    }),
  }),
  output: z.array(foundByReader),
  refuses: ["not_found"],
  hasEtag: true,
  sample: { query: { q: "slow porto" } },
  async run({ published, store, principal, service, limit: count }, { blogId, q, locale: only, limit }) {
    const phrases = parseSearchPhrases("q", q);
    if (principal.kind !== "anonymous") await count("searches", principal.organizationId);
    const size = toPageSize(limit, LIMITS.searchPage);
    const result = await published.search({ blog: blogId, phrases, locale: only, limit: size });
    if (result === null) throw makeBlogNotFoundError();
    const { found } = result;
    return {
      value: found.map(({ value: { snippet, url: place = "", ...rest } }) =>
        foundByReader.parse({ ...rest, url: toAbsoluteUrl(place, service.baseUrl), passage: markPassage(snippet) }),
      ),
      // With what changes without a new version: the URL and the rendering.
      version: [...found.map(({ version, value }) => version + (value.url ?? "") + value.snippet), "end"].join(),
      shared: store === null ? [blogTag(result.blogId)] : undefined,
    };
  },
});

/** Returns the phrases of a query. Throws an error on `field` if there are none, or too many words. */
export function parseSearchPhrases(field: string, query: string) {
  const phrases = parsePhrases(query);
  if (phrases.length === 0) throw invalidField(field, "has no word to search for");
  const count = phrases.reduce((sum, { words }) => sum + words.length, 0);
  if (count > LIMITS.searchWords) throw invalidField(field, `has more than ${LIMITS.searchWords} different words`);
  return phrases;
}

/** Returns the different words of a query in lower case. Throws an error on `field` if there are more than `most`. */
export function parseSearchWords(field: string, query: string, most: number): string[] {
  const words = [...new Set(query.toLowerCase().match(/\S+/g) ?? [])];
  if (words.length > most) throw invalidField(field, `has more than ${most} different words`);
  return words;
}

/** Returns a snippet as HTML. `**` begins or ends a match (domain/snippet.ts). */
const markPassage = (snippet: string): string =>
  escapeHtml(snippet)
    .split("**")
    .map((part, index) => (index % 2 === 1 ? `<mark>${part}</mark>` : part))
    .join("");
