/** The fields of blogs and articles that tools return. Tools return no other fields. */
import * as z from "zod";
import { article } from "../../../operations/article-members.ts";
import { type ArticleValue } from "../../../operations/articles.ts";
import { blog } from "../../../operations/blogs.ts";

const { content, ...about } = article.shape;

export const articleMembers = about;

export const version = z.string().meta({
  description: "Differs after every change. Pass it to a write to make sure that nobody has changed the article since.",
});

export const hasUnpublishedChanges = z.boolean().meta({
  description: "Whether it has changes that readers do not see until they are published.",
});

/** The result of a write: the stored article without its content. */
export const writtenArticle = z.object({
  ...about,
  hasUnpublishedChanges,
  contentLength: z.int().meta({ description: "Characters of its content (UTF-16 units)." }),
  version,
});

export const articleContent = content;

/** Returns the result of a write. `of` is the version of the article or of its working copy. */
export const toWriteResult = (
  { content: text, ...rest }: ArticleValue,
  of: string | undefined,
  isUnpublished = false,
) => ({
  ...rest,
  hasUnpublishedChanges: isUnpublished,
  contentLength: text.length,
  version: of ?? "",
});

const { topicSources: _, styleGuide, ...members } = blog.shape;

export const blogMembers = members;

/** Only of a blog that is shown alone: it can be long. */
export const ownStyle = { styleGuide };

/** Topic sources without their URLs, which may contain secrets. */
export const sourceNames = z
  .array(z.object({ kind: z.string(), name: z.string() }))
  .meta({ description: "The feeds and forums that refresh_topics reads." });
