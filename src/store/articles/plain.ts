/** A published article as the Markdown that its writers wrote (contract 20.6). */
import { sql } from "drizzle-orm";
import { isUuid } from "../../lib/ids.ts";
import { blogs } from "../../schema/blogs.ts";
import { joinAnd, defineQuery, type Reader } from "../core/sql.ts";
import { hasBlogName, toBlogName, type BlogName } from "../blogs/names.ts";
import { buildArticleUrl } from "./rows.ts";
import { articles } from "../../schema/articles.ts";

export type PlainArticle = {
  readonly _id: string;
  readonly blogId: string;
  readonly title: string;
  readonly description: string;
  readonly content: string;
  readonly locale: string;
  readonly place: string;
  /** 1 if search engines are asked not to list it. */
  readonly noindex: number;
};

export type PlainQuery = {
  readonly blog: string;
  readonly idOrSlug: string;
  readonly locale?: string | undefined;
};

/** Returns a published article of a blog, in its default locale if the slug has several. Null if there is none. */
export async function readPlainArticle(
  read: Reader,
  { blog, idOrSlug, locale }: PlainQuery,
): Promise<PlainArticle | null> {
  const article = isUuid(idOrSlug) ? { article: idOrSlug.toLowerCase() } : { slug: idOrSlug.normalize("NFC") };
  const [row] = await read<PlainArticle>(selectPlain({ ...toBlogName(blog), ...article, locale }));
  return row ?? null;
}

type Values = BlogName & {
  readonly article?: string | undefined;
  readonly slug?: string | undefined;
  readonly locale?: string | undefined;
};

const selectPlain = defineQuery<Values>((names) => {
  const where = joinAnd(
    hasBlogName(names),
    sql`${articles.published} = 1`,
    names.article === undefined ? sql`${articles.slug} = ${names.slug}` : sql`${articles.id} = ${names.article}`,
    names.locale !== undefined && sql`${articles.locale} = ${names.locale}`,
  );
  return sql`select ${articles.id} as "_id", ${blogs.id} as "blogId", ${articles.title} as "title",
      ${articles.description} as "description", ${articles.content} as "content", ${articles.locale} as "locale",
      ${buildArticleUrl(blogs, articles)} as "place", coalesce(${articles.seo} ->> '$.noindex', 0) as "noindex"
    from ${blogs} join ${articles} on ${articles.blogId} = ${blogs.id} where ${where}
    order by ${articles.locale} = ${blogs.locales} ->> '$[0]' desc, ${articles.creationTime}, ${articles.id} limit 1`;
});
