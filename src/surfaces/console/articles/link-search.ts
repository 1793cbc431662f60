/** Finds articles of a blog to link to: the editor's script asks for them. */
import { Hono } from "hono";
import type { z } from "zod";
import { LIMITS } from "../../../domain/limits.ts";
import { withFirstWords } from "../../../domain/search-query.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleEnv } from "../env.ts";
import { perform } from "../session.ts";
import { titleOf, writersOnly } from "./found.ts";

/** The largest number of articles that are offered. */
const MOST = 8;

type FoundArticle = z.infer<typeof registry.searchArticles.output>[number];

export const linkSearch = new Hono<ConsoleEnv>();

/** `blog` is a blog's id; without it, all blogs are searched. `q` are words. Answers with titles and addresses. */
linkSearch.get("/", async (c) => {
  writersOnly(c);
  const { blog, q = "" } = c.req.query();
  // Who pastes a whole title looks for its first words.
  const query = withFirstWords(q.slice(0, LIMITS.searchQuery).toWellFormed(), LIMITS.searchWords);
  const input = { query, limit: MOST, ...(blog && { blogId: blog }) };
  const { value } = await perform(c, registry.searchArticles, input);
  return c.json(value.map(shown));
});

/** Until sites have addresses, the path of an article on its site is its slug (docs/editor.md, "Links to your own articles"). */
const shown = (article: FoundArticle) => ({
  title: titleOf(article),
  address: `/${article.slug}`,
  locale: article.locale,
  published: article.published,
});
