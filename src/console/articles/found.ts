/** The articles and blogs that the console shows: those of the organization. */
import type { z } from "zod";
import { DomainError } from "../../errors.ts";
import { article } from "../../operations/articles.ts";
import type { blog } from "../../operations/blogs.ts";
import { registry } from "../../operations/registry.ts";
import type { ConsoleContext } from "../env.ts";
import { can, perform } from "../session.ts";

export type Article = z.infer<typeof article>;
export type Blog = z.infer<typeof blog>;
export type Found = { readonly article: Article; readonly blog: Blog; readonly version: string };

/** An article of the organization with its version; `not_found` for every other. */
export async function findArticle(c: ConsoleContext, id: string): Promise<Found> {
  const [blogs, { value, version = "" }] = await Promise.all([
    listBlogs(c),
    perform(c, registry.getArticle, { idOrSlug: id }),
  ]);
  const found = article.parse(value);
  // What other organizations have published is everybody's to read, but not here.
  const blog = blogs.find(({ _id }) => _id === found.blogId);
  if (blog === undefined || found._id !== id) throw new DomainError("not_found", "There is no such article.");
  return { article: found, blog, version };
}

/** The organization's blogs, the oldest first. */
export async function listBlogs(c: ConsoleContext): Promise<readonly Blog[]> {
  return (await perform(c, registry.listBlogs, {})).value;
}

/** The blog that the address names, else the first one; null where there is none. */
export function chosenBlog(c: ConsoleContext, blogs: readonly Blog[]): Blog | null {
  const asked = c.req.query("blog") || blogs[0]?._id;
  if (asked === undefined) return null;
  const blog = blogs.find(({ _id }) => _id === asked);
  if (blog === undefined) throw new DomainError("not_found", "There is no such blog.");
  return blog;
}

/** Refuses a page that is of no use to readers. What they send is refused by its operation. */
export function writersOnly(c: ConsoleContext): void {
  if (!can(c, "articles:write"))
    throw new DomainError("role_forbidden", "Your role can read articles, but not write them.");
}

/** What an article is called. */
export const titleOf = ({ title }: { readonly title: string }): string => title.trim() || "Untitled";
