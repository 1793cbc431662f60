/** Finds articles of a blog that an article could link to: by the words of its title and headings, and by its tags. */
import { Hono } from "hono";
import type { z } from "zod";
import { LIMITS } from "../../../domain/limits.ts";
import { canonicalizeLocale } from "../../../domain/locale.ts";
import { limitQuery } from "../../../domain/search-query.ts";
import { splitAtCommas } from "../../../lib/text.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { readForm } from "../read-form.ts";
import { perform } from "../session.ts";
import { getTitle, requireContributor } from "./found.ts";

export const related = new Hono<ConsoleEnv>();

related.post("/", async (c) => {
  requireContributor(c);
  const form = await readForm(c);
  const about = {
    texts: [form.text("title"), ...form.text("headings").split("\n")],
    tags: splitAtCommas(form.text("tags")),
  };
  // The locale may be half typed.
  const locale = canonicalizeLocale(form.text("locale")) ?? "";
  const place = { blogId: form.text("blogId"), locale, articleId: form.text("articleId") };
  return c.json(await findRelated(c, about, place));
});

type About = { readonly texts: readonly string[]; readonly tags: readonly string[] };
type Place = { readonly blogId: string; readonly locale: string; readonly articleId: string };
type FoundArticle = z.infer<typeof registry.searchArticles.output>[number];

type Related = { readonly title: string; readonly address: string };

/** How many searches one request makes, how many results each has, and how many articles are shown. */
const SEARCHES = 5;
const RESULTS = 6;
const MOST = 5;

/** Returns published articles of the blog in this locale, the closest first, without the article itself. */
async function findRelated(c: ConsoleContext, about: About, place: Place): Promise<Related[]> {
  const { blogId, locale, articleId } = place;
  const found = new Map<string, { article: FoundArticle; score: number }>();
  const input = { blogId, published: true, limit: RESULTS, ...(locale !== "" && { locale }) };
  const queries = buildQueries(about, locale);
  const results = await Promise.all(queries.map((query) => perform(c, registry.searchArticles, { ...input, query })));
  for (const { value } of results) {
    for (const [rank, article] of value.entries()) {
      const before = found.get(article._id)?.score ?? 0;
      found.set(article._id, { article, score: before + 1 / (rank + 2) });
    }
  }
  return [...found.values()]
    .filter(({ article }) => article._id !== articleId)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ article }) => ({ title: getTitle(article), address: `/${article.slug}` }));
}

/** In Latin script, shorter words say little about the subject. */
const LEAST_LETTERS = 5;

/** Returns the queries: the tags as phrases, then the words that titles and headings have most often. */
function buildQueries({ texts, tags }: About, locale: string): string[] {
  const phrases = tags.map((tag) => tag.replaceAll('"', " ").trim()).filter((tag) => /[\p{L}\p{N}]/u.test(tag));
  const words = new Map<string, number>();
  const segmenter = new Intl.Segmenter(locale || undefined, { granularity: "word" });
  for (const [index, text] of texts.slice(0, 50).entries()) {
    for (const { segment, isWordLike } of segmenter.segment(text.slice(0, LIMITS.title))) {
      const word = segment.toLowerCase();
      const isWeighty = /^\p{Script=Latin}+$/u.test(word) ? word.length >= LEAST_LETTERS : word.length >= 2;
      // A word of the title says more than one of a heading.
      if (isWordLike && isWeighty) words.set(word, (words.get(word) ?? 0) + (index === 0 ? 2 : 1));
    }
  }
  const best = [...words].toSorted(([a, first], [b, second]) => second - first || b.length - a.length);
  const asked = [...phrases.slice(0, 2).map((phrase) => `"${phrase}"`), ...best.map(([word]) => `"${word}"`)];
  const short = asked.map((query) => limitQuery(query.slice(0, LIMITS.searchQuery).toWellFormed(), LIMITS.searchWords));
  return [...new Set(short)].slice(0, SEARCHES);
}
