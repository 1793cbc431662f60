/** Finds the subject of a generation: the topic, idea or article that it starts from. */
import { DomainError, makeBlogNotFoundError } from "../../../domain/errors.ts";
import { registry } from "../../../operations/registry.ts";
import { findArticle, listBlogs, type Article, type Blog } from "../articles/found.ts";
import type { ConsoleContext } from "../env.ts";
import { perform } from "../session.ts";
import type { Topic } from "../topics/idea.tsx";

/** The subject that the query or the form names. Undefined and "" both mean that a value is not given. */
export type Asked = {
  readonly blogId?: string | undefined;
  readonly topicId?: string | undefined;
  readonly articleId?: string | undefined;
  /** Used only with an article: the article's own locale means a rewrite, any other value a translation. */
  readonly locale?: string | undefined;
};

/** The subject of a generation. `topic` means that the person describes what to write about. */
export type Subject =
  | { readonly kind: "topic"; readonly blog: Blog }
  | { readonly kind: "idea"; readonly blog: Blog; readonly idea: Topic }
  | { readonly kind: "rewrite"; readonly blog: Blog; readonly article: Article }
  | {
      readonly kind: "translation";
      readonly blog: Blog;
      readonly article: Article;
      /** The blog's locales in which the slug has no article. If the requested locale is among them, it comes first. */
      readonly missing: readonly string[];
    };

/**
 * Returns the requested subject. Without any id, it is a topic for the first blog. Null if the organization has no
 * blog. Throws `not_found` for a blog, idea or article that the organization does not have.
 */
export async function findSubject(c: ConsoleContext, asked: Asked): Promise<Subject | null> {
  const { blogId, topicId, articleId, locale } = asked;
  if (articleId) return findArticleSubject(c, articleId, locale);
  const blogs = await listBlogs(c);
  const blog = blogId ? blogs.find(({ _id }) => _id === blogId) : blogs[0];
  if (blog === undefined) {
    if (!blogId) return null;
    throw makeBlogNotFoundError();
  }
  if (!topicId) return { kind: "topic", blog };
  const { value: idea } = await perform(c, registry.getTopic, { topicId });
  if (idea.blogId !== blog._id) throw new DomainError("not_found", "There is no such topic idea in this blog.");
  return { kind: "idea", blog, idea };
}

async function findArticleSubject(c: ConsoleContext, id: string, locale: string | undefined): Promise<Subject> {
  const { article, blog } = await findArticle(c, id);
  if (locale === article.locale) return { kind: "rewrite", blog, article };
  const query = { blogId: blog._id, slug: article.slug, limit: 1 };
  const { value: slugs } = await perform(c, registry.compareLocales, query);
  const missing = slugs[0]?.missing ?? [];
  const first = missing.filter((each) => each === locale);
  return { kind: "translation", blog, article, missing: [...new Set([...first, ...missing])] };
}
