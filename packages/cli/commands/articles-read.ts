/** The commands `articles list`, `get` and `search`, and how commands find the article that a person names. */
import { isId } from "../../../src/lib/ids.ts";
import { termSlugOf } from "../../../src/domain/derived-names.ts";
import { LISTED_TEXTS, NAMED_TEXTS, TEXTS, type TextName } from "../../../src/domain/article-fields.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { Article, ArticleFields, FoundArticle, WholeRevision } from "../api.ts";
import { path, type Answer } from "../client.ts";
import type { Context } from "../context.ts";
import { usage } from "../failure.ts";
import { printable } from "../terminal.ts";
import { firstOf, moreThan, publishedOf, when } from "./shared.ts";

/** The options that select one article if its slug exists in several blogs or locales. */
export type Which = { readonly blog?: string; readonly locale?: string };

type Filter = Which & { readonly published?: boolean; readonly drafts?: boolean; readonly limit: number };
export type ListOptions = Filter & {
  readonly fallback?: string;
  readonly slug?: string;
  readonly tag?: string;
  readonly author?: string;
  readonly sort?: string;
  readonly all?: boolean;
  readonly allBlogs?: boolean;
  readonly content?: boolean;
};
export type SearchOptions = Filter;
export type GetOptions = Which & {
  readonly fallback?: string;
  readonly content?: boolean;
  readonly follow?: boolean;
  readonly revision?: number;
};

const MEMBERS = ["_id", "blogId", ...LISTED_TEXTS.filter((name) => name !== "content"), "published"];
const TIMES = ["creationTime", "lastEditTime", "publishTime"];

export async function list(context: Context, options: ListOptions): Promise<void> {
  const { output } = context;
  const blogId = options.allBlogs ? undefined : await context.blog(options.blog);
  const most = options.all === true ? Infinity : options.limit;
  const withContent = options.content === true && output.json;
  const query = {
    blogId,
    locale: options.locale,
    fallback: options.fallback,
    slug: options.slug,
    tag: slugOfTerm(options.tag),
    author: slugOfTerm(options.author),
    sort: options.sort,
    published: publishedOf(options),
    limit: Math.min(most, LIMITS.page),
    fields: [...MEMBERS, ...(withContent ? ["content"] : []), ...TIMES].join(","),
  };
  const place = blogId === undefined ? "/api/organization/articles" : "/api/articles";
  const service = await context.client();
  const { found, more } = await firstOf(service.items<ArticleFields>(place, query), most);
  output.result(found, () => (found.length === 0 ? "No articles." : articleTable(context, found)));
  if (more) output.note(`${moreThan(most, "article")}: see --limit and --all.`);
}

/** Returns the slug of a tag or author that a person names by its slug or name, as the service takes names. */
const slugOfTerm = (named: string | undefined): string | undefined =>
  named === undefined ? undefined : (termSlugOf(named.trim()) ?? named);

const articleTable = ({ output }: Context, articles: readonly ArticleFields[]): string =>
  output.table(
    [
      { head: "ID", cell: ({ _id = "" }) => _id },
      { head: "SLUG", cell: ({ slug = "" }) => slug, shrinks: true },
      { head: "LOCALE", cell: ({ locale = "" }) => locale },
      { head: "STATUS", cell: ({ published }) => stateOf(published) },
      { head: "EDITED", cell: ({ lastEditTime }) => when(lastEditTime), drops: true },
      { head: "PUBLISHED", cell: ({ publishTime }) => when(publishTime), drops: true },
      { head: "TITLE", cell: ({ title = "" }) => title, shrinks: true },
    ],
    articles,
  );

export const stateOf = (published: boolean | undefined): string => (published === true ? "published" : "draft");

type Shown = Article &
  Required<Pick<ArticleFields, TextName>> &
  Pick<ArticleFields, "publishTime" | "schedule" | "workingCopy" | "seo" | "tags" | "authors">;

/** Says what a schedule does when; empty if there is none. */
function planned(plan: ArticleFields["schedule"]): string {
  if (!plan) return "";
  if (plan.failure !== null) return `failed: ${plan.failure.detail}`;
  const { publishTime, unpublishTime } = plan;
  const steps = [publishTime && `publish ${when(publishTime)}`, unpublishTime && `unpublish ${when(unpublishTime)}`];
  return steps.filter(Boolean).join(", ");
}

const namesOf = (terms: readonly { readonly name: string }[] = []): string => terms.map(({ name }) => name).join(", ");

/** Returns the texts but the content, each with what it is called. */
export const textRows = (article: Readonly<Record<TextName, string>>): [string, string][] =>
  TEXTS.filter((name) => name !== "content").map((name) => [name.replace("Url", ""), article[name]]);

/** Says what search engines are told in place of the article's own texts. */
const told = (seo: ArticleFields["seo"]): [string, string][] =>
  seo === undefined
    ? []
    : [
        ["meta title", seo.title],
        ["meta description", seo.description],
        ["canonical URL", seo.canonicalUrl],
        ["social image", seo.image],
        ["hidden from search", seo.noindex ? "yes" : ""],
      ];

/** Shows an earlier version of an article. */
async function getState(context: Context, named: string, options: GetOptions): Promise<void> {
  const { output } = context;
  const { value: target } = await findOne(context, named, options);
  const service = await context.client();
  const place = path`/api/articles/${target._id}/revisions/${String(options.revision)}`;
  const { value: state } = await service.get<WholeRevision>(place);
  const { content, number, published } = state;
  if (options.content === true && !output.json) return output.raw(shownContent(content));
  output.result(options.content === true ? { content } : state, () => {
    const shown = output.members([
      ["id", state.articleId],
      ["version", String(number)],
      ["status", stateOf(published)],
      ...textRows(state),
      ...told(state.seo),
      ["saved", when(state.lastEditTime)],
      ["replaced", when(state.endTime)],
    ]);
    return `${shown}\n\n${printable(content)}`;
  });
}

/** On a terminal, control characters are replaced. A file or a pipe gets the content unchanged. */
const shownContent = (content: string): string => (process.stdout.isTTY ? `${printable(content)}\n` : content);

export async function get(context: Context, named: string, options: GetOptions): Promise<void> {
  if (options.revision !== undefined) return getState(context, named, options);
  const { output } = context;
  // Readers without credentials may not ask for what is not public.
  const unseen = (await (await context.client()).hasCredential()) ? ["schedule", "workingCopy"] : [];
  const members = [...MEMBERS, "content", ...TIMES, ...unseen, ...NAMED_TEXTS, "seo", "tags", "authors"].join(",");
  const { value: article } = await find<Shown>(context, named, options, {
    fields: members,
    moved: options.follow ? "follow" : undefined,
    fallback: options.fallback,
  });
  if (options.content === true && !output.json) return output.raw(shownContent(article.content));
  const { content, _id, blogId, published } = article;
  output.result(options.content === true ? { content } : article, () => {
    const shown = output.members([
      ["id", _id],
      ["blog", blogId],
      ["status", stateOf(published)],
      ...textRows(article),
      ["tags", namesOf(article.tags)],
      ["authors", namesOf(article.authors)],
      ...told(article.seo),
      ["created", when(article.creationTime)],
      ["edited", when(article.lastEditTime)],
      ["first published", when(article.publishTime)],
      ["scheduled", planned(article.schedule)],
      ["working copy", article.workingCopy ? `saved ${when(article.workingCopy.lastEditTime)}` : ""],
    ]);
    return `${shown}\n\n${printable(content)}`;
  });
}

/**
 * Returns an article by its id or slug. If the slug exists in several blogs or locales, the service chooses one as its
 * contract says; writes use the stricter `findOne`. Throws `CliError` `not_found`, or a usage error for an empty name.
 */
export async function find<T>(
  context: Context,
  named: string,
  { blog, locale }: Which,
  asked: {
    readonly fields?: string;
    readonly moved?: "follow" | undefined;
    readonly fallback?: string | undefined;
  } = {},
): Promise<Answer<T>> {
  if (named === "") throw usage("Name the article by its id or slug.");
  const blogId = blog === undefined ? undefined : await context.blog(blog);
  const service = await context.client();
  return service.get<T>(path`/api/articles/${named}`, { blogId, locale, ...asked });
}

export type Target = Required<Pick<ArticleFields, "_id" | "title" | "slug" | "locale" | "published">>;

/**
 * Returns the article that a write is for, with its ETag. Throws a usage error if the name is a slug that exists in
 * several locales and `which` has no locale.
 */
export async function findOne(context: Context, named: string, which: Which): Promise<Answer<Target>> {
  const asked = { fields: "_id,blogId,title,slug,locale,published" };
  if (isId(named)) return find<Target>(context, named, which, asked);
  const blogId = await context.blog(which.blog);
  const found = await find<Target>(context, named, { ...which, blog: blogId }, asked);
  if (which.locale !== undefined) return found;
  const service = await context.client();
  const query = { blogId, slug: found.value.slug, fields: "_id,locale" };
  const { value: all } = await service.get<{ locale: string }[]>("/api/articles", query);
  if (all.length <= 1) return found;
  const locales = all.map(({ locale }) => locale).join(", ");
  throw usage(`${found.value.slug} exists in several locales: ${locales}.`, "Choose one with --locale.");
}

export async function search(context: Context, words: string[], options: SearchOptions): Promise<void> {
  const { output } = context;
  const blogId = options.blog === undefined ? undefined : await context.blog(options.blog);
  const query = { query: words.join(" "), blogId, locale: options.locale, published: publishedOf(options) };
  const service = await context.client();
  const { found, more } = await firstOf(service.items<FoundArticle>("/api/search", query), options.limit);
  output.result(found, () =>
    found.length === 0
      ? "No articles found."
      : output.table(
          [
            { head: "SLUG", cell: ({ slug }) => slug, shrinks: true },
            { head: "LOCALE", cell: ({ locale }) => locale },
            { head: "STATUS", cell: ({ published }) => stateOf(published) },
            { head: "TITLE", cell: ({ title }) => title, shrinks: true },
            { head: "FOUND", cell: ({ snippet }) => snippet, shrinks: true },
          ],
          found,
        ),
  );
  if (more) output.note(`${moreThan(options.limit, "article")}: see --limit.`);
}
