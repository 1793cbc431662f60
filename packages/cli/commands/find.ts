/** Finds the article that a person names. */
import { TEXTS, type TextName } from "../../../src/domain/article-fields.ts";
import { isId } from "../../../src/lib/ids.ts";
import type { ArticleField, Picked } from "../../client/src/client.ts";
import type { ApiAnswer } from "../client.ts";
import type { Context } from "../context.ts";
import { usageError } from "../failure.ts";
import { toPrintableLine } from "../terminal.ts";
import type { Column } from "../table.ts";

export const NAMED = ["<id-or-slug>", "the article"] as const;
export const LOCALE = ["--locale <tag>", "the locale of the article, if it is named by its slug"] as const;

/** The options that select one article if its slug exists in several blogs or locales. */
export type Which = { readonly blog?: string | undefined; readonly locale?: string | undefined };

type Asked<F extends ArticleField> = {
  readonly fields?: readonly F[];
  readonly moved?: "follow" | undefined;
  readonly fallback?: string | undefined;
};

/**
 * Returns an article by its id or slug, for reading: if there are several, the service chooses.
 * Throws `CliError` `not_found`, or a usage error for an empty name.
 */
export async function findArticle<const F extends ArticleField = never>(
  context: Context,
  named: string,
  { blog, locale }: Which,
  asked: Asked<F> = {},
): Promise<ApiAnswer<Picked<F>>> {
  if (named === "") throw usageError("Name the article by its id or slug.");
  const blogId = blog === undefined ? undefined : await context.blog(blog);
  const client = await context.client();
  const query = { blogId, locale, ...asked } as object;
  const answer = await client.request("GET /api/articles/{idOrSlug}", { params: { idOrSlug: named }, query });
  return answer as unknown as ApiAnswer<Picked<F>>;
}

const IDENTITY = ["_id", "blogId", "title", "slug", "locale", "published"] as const;
export type Target = Picked<(typeof IDENTITY)[number]>;

/** Returns the article that a write is for. Throws a usage error if its slug needs a locale and none is given. */
export async function findOneArticle(
  context: Context,
  named: string,
  { blog, locale }: Which,
): Promise<ApiAnswer<Target>> {
  const asked = { fields: IDENTITY };
  if (isId(named)) return findArticle(context, named, { blog, locale }, asked);
  const blogId = await context.blog(blog);
  const found = await findArticle(context, named, { blog: blogId, locale }, asked);
  if (locale !== undefined) return found;
  const { slug } = found.value;
  const client = await context.client();
  const all = await client.articles.list({ blogId, slug, fields: ["_id", "locale"] }).all();
  if (all.length <= 1) return found;
  const locales = all.map((each) => each.locale).join(", ");
  throw usageError(`${slug} exists in several locales: ${locales}.`, "Choose one with --locale.");
}

export const formatState = (published: boolean | undefined): string => (published === true ? "published" : "draft");

/** Returns the texts except the content, with their labels. */
export const listTexts = (article: Readonly<Record<TextName, string>>): [name: string, value: string][] =>
  TEXTS.filter((name) => name !== "content").map((name) => [name.replace("Url", ""), article[name]]);

export const formatName = ({ title, slug, locale, _id }: Pick<Target, "title" | "slug" | "locale" | "_id">): string =>
  toPrintableLine(`“${title}” (${slug}, ${locale}, ${_id})`);

export const SLUG_COLUMN: Column<{ readonly slug: string }> = { head: "SLUG", cell: ({ slug }) => slug, shrinks: true };
export const STATUS_COLUMN: Column<{ readonly published?: boolean }> = {
  head: "STATUS",
  cell: ({ published }) => formatState(published),
};
export const LOCALE_COLUMN: Column<{ readonly locale: string }> = { head: "LOCALE", cell: ({ locale }) => locale };
export const TITLE_COLUMN: Column<{ readonly title: string }> = {
  head: "TITLE",
  cell: ({ title }) => title,
  shrinks: true,
};
