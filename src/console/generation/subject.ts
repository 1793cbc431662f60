/** What an article is to be generated from, as the form shows it. */
import { DomainError } from "../../errors.ts";
import { registry } from "../../operations/registry.ts";
import { findArticle, listBlogs, type Article, type Blog } from "../articles/found.ts";
import type { ConsoleContext } from "../env.ts";
import { perform } from "../session.ts";
import type { Topic } from "../topics/idea.tsx";

/** What the address or the form names; "" is nothing. */
export type Asked = {
  readonly blogId?: string | undefined;
  readonly topicId?: string | undefined;
  readonly articleId?: string | undefined;
  /** With an article: its own is to rewrite it, every other to translate it. */
  readonly locale?: string | undefined;
};

export type Subject =
  | { readonly kind: "topic"; readonly blog: Blog }
  | { readonly kind: "idea"; readonly blog: Blog; readonly idea: Topic }
  | { readonly kind: "rewrite"; readonly blog: Blog; readonly article: Article }
  | {
      readonly kind: "translation";
      readonly blog: Blog;
      readonly article: Article;
      /** The blog's locales in which there is no article of its slug, the one that was asked for first. */
      readonly missing: readonly string[];
    };

/** Finds what is asked for; null where the organization has no blog, `not_found` for what is not its own. */
export async function findSubject(c: ConsoleContext, asked: Asked): Promise<Subject | null> {
  const { blogId, topicId, articleId, locale } = asked;
  if (articleId) return ofArticle(c, articleId, locale);
  const blogs = await listBlogs(c);
  const blog = blogId ? blogs.find(({ _id }) => _id === blogId) : blogs[0];
  if (blog === undefined) {
    if (!blogId) return null;
    throw new DomainError("not_found", "There is no such blog.");
  }
  if (!topicId) return { kind: "topic", blog };
  const { value: idea } = await perform(c, registry.getTopic, { topicId });
  if (idea.blogId !== blog._id) throw new DomainError("not_found", "There is no such idea in this blog.");
  return { kind: "idea", blog, idea };
}

async function ofArticle(c: ConsoleContext, id: string, locale: string | undefined): Promise<Subject> {
  const { article, blog } = await findArticle(c, id);
  if (locale === article.locale) return { kind: "rewrite", blog, article };
  const query = { blogId: blog._id, slug: article.slug, limit: 1 };
  const { value: slugs } = await perform(c, registry.compareLocales, query);
  const missing = slugs[0]?.missing ?? [];
  const first = missing.filter((each) => each === locale);
  return { kind: "translation", blog, article, missing: [...new Set([...first, ...missing])] };
}
