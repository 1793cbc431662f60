/** Finds articles and blogs of the member's organization. */
import type { z } from "zod";
import { DomainError, makeBlogNotFoundError } from "../../../domain/errors.ts";
import { readAllItems } from "../../../lib/pages.ts";
import { wholeArticle } from "../../../operations/article-members.ts";
import type { blog } from "../../../operations/blogs.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext } from "../env.ts";
import { can, perform } from "../session.ts";

/** An article without what the API derives from its content: the console renders the content itself. */
const shownArticle = wholeArticle.omit({
  html: true,
  text: true,
  excerpt: true,
  readingMinutes: true,
  headings: true,
  rendering: true,
  url: true,
});

export type Article = z.infer<typeof shownArticle>;
export type Blog = z.infer<typeof blog>;
/** An article with its blog and its version, which a form sends back to detect conflicts. */
export type Found = { readonly article: Article; readonly blog: Blog; readonly version: string };

const MEMBERS = Object.keys(shownArticle.shape) as (keyof Article)[];

/** Returns an article of the organization, its blog and its version. Throws `not_found` for any other id. */
export async function findArticle(c: ConsoleContext, id: string): Promise<Found> {
  const [blogs, { value, version = "" }] = await Promise.all([
    listBlogs(c),
    perform(c, registry.getArticle, { idOrSlug: id, fields: MEMBERS }),
  ]);
  const found = shownArticle.parse(value);
  // The operation also returns published articles of other organizations, and accepts slugs. Refuse both here.
  const blog = blogs.find(({ _id }) => _id === found.blogId);
  if (blog === undefined || found._id !== id) throw new DomainError("not_found", "There is no such article.");
  return { article: found, blog, version };
}

/** Returns all of the organization's blogs, oldest first. */
export function listBlogs(c: ConsoleContext): Promise<Blog[]> {
  return readAllItems((cursor) => perform(c, registry.listBlogs, { cursor }));
}

/**
 * Returns the blog that the query names, or the first one if it names none. Null if the organization has no blog.
 * Throws `not_found` for an unknown id.
 */
export function findChosenBlog(c: ConsoleContext, blogs: readonly Blog[]): Blog | null {
  const asked = c.req.query("blog") || blogs[0]?._id;
  if (asked === undefined) return null;
  const blog = blogs.find(({ _id }) => _id === asked);
  if (blog === undefined) throw makeBlogNotFoundError();
  return blog;
}

/**
 * Returns the blog that the query names, or the only one. Null means all blogs, if there are several and the query
 * names none. Throws `not_found` for an unknown id.
 */
export function findBlogOrAll(c: ConsoleContext, blogs: readonly Blog[]): Blog | null {
  return c.req.query("blog") || blogs.length === 1 ? findChosenBlog(c, blogs) : null;
}

/**
 * Throws `role_forbidden` unless the member may write drafts. It only hides pages that others could not use: their
 * writes are refused by the operation.
 */
export function requireContributor(c: ConsoleContext): void {
  if (!can(c, "articles:draft"))
    throw new DomainError("role_forbidden", "Your role can read articles, but not write them.");
}

/** Throws `role_forbidden` as {@link requireContributor} does, and for members who may write drafts only. */
export function requireWriter(c: ConsoleContext): void {
  requireContributor(c);
  if (!can(c, "articles:write"))
    throw new DomainError("role_forbidden", "Your role can only write drafts. Ask a writer to do this.");
}

/** Returns the article's title, or "Untitled" if it is blank. */
export const getTitle = ({ title }: { readonly title: string }): string => title.trim() || "Untitled";
