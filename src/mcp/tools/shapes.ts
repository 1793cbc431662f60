/** What the tools show of blogs and articles: these members and no other. */
import * as z from "zod";
import { article, type ArticleValue } from "../../operations/articles.ts";
import { blog } from "../../operations/blogs.ts";

const { content, ...about } = article.shape;

/** An article without its content. */
export const articleMembers = about;

export const version = z.string().meta({
  description: "Differs after every change. Pass it to a write to make sure that nobody has changed the article since.",
});

/** What a write answers: the article as it is now, without its content. */
export const writtenArticle = z.object({
  ...about,
  contentLength: z.int().meta({ description: "Characters of its content (UTF-16 units)." }),
  version,
});

export const articleContent = content;

/** The result of a write. */
export const written = ({ content: text, ...rest }: ArticleValue, of: string | undefined) => ({
  ...rest,
  contentLength: text.length,
  version: of ?? "",
});

const { topicSources: _, ...members } = blog.shape;

export const blogMembers = members;

/** Sources by their names: their addresses may hold what only the organization knows. */
export const sourceNames = z
  .array(z.object({ kind: z.string(), name: z.string() }))
  .meta({ description: "The feeds and forums that refresh_topics reads." });
