/** Finds articles of a blog that an article could link to: by the words of its title and headings, and by its tags. */
import { Hono } from "hono";
import type { z } from "zod";
import { canonicalizeLocale } from "../../../domain/locale.ts";
import { buildRelatedQueries, type About } from "../../../domain/related-queries.ts";
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

type Place = { readonly blogId: string; readonly locale: string; readonly articleId: string };
type FoundArticle = z.infer<typeof registry.searchArticles.output>[number];

type Related = { readonly title: string; readonly address: string };

/** How many results each search has, and how many articles are shown. */
const RESULTS = 6;
const MOST = 5;

/** Returns published articles of the blog in this locale, the closest first, without the article itself. */
async function findRelated(c: ConsoleContext, about: About, place: Place): Promise<Related[]> {
  const { blogId, locale, articleId } = place;
  const found = new Map<string, { article: FoundArticle; score: number }>();
  const input = { blogId, published: true, limit: RESULTS, ...(locale !== "" && { locale }) };
  const queries = buildRelatedQueries(about, locale);
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
