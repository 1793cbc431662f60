/** The commands `articles list`, `get` and `search`. */
import { Option, type Command } from "commander";
import { makeTermSlug } from "../../../src/domain/derived-names.ts";
import { LISTED_TEXTS, NAMED_TEXTS, type TextName } from "../../../src/domain/article-fields.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { ArticleFields, FoundArticle } from "../client.ts";
import type { Context } from "../context.ts";
import type { Column } from "../table.ts";
import { toPrintable } from "../terminal.ts";
import { declare, getGroup, makeChoice } from "./declare.ts";
import {
  findArticle,
  findOneArticle,
  LOCALE,
  LOCALE_COLUMN,
  NAMED,
  SLUG_COLUMN,
  formatState,
  STATUS_COLUMN,
  listTexts,
  TITLE_COLUMN,
  type Which,
} from "./find.ts";
import {
  BLOG,
  BLOG_OPTION,
  DRAFTS,
  listFirst,
  limit,
  formatMoreThan,
  PUBLISHED,
  toPublished,
  versionNumber,
  formatTime,
  type States,
} from "./shared.ts";

type Filter = Which & States & { readonly limit: number };
type ListOptions = Filter & {
  readonly fallback?: string;
  readonly slug?: string;
  readonly tag?: string;
  readonly author?: string;
  readonly sort?: "creationTime" | "publishTime" | "lastEditTime";
  readonly all?: boolean;
  readonly allBlogs?: boolean;
  readonly content?: boolean;
};
type GetOptions = Which & {
  readonly fallback?: string;
  readonly content?: boolean;
  readonly follow?: boolean;
  readonly revision?: number;
};

const FALLBACK = ["--fallback <tags>", "locales to fall back to, separated by commas"] as const;

const LISTED = [
  BLOG,
  new Option("--all-blogs", "list the articles of all blogs").conflicts(["blog", "slug", "tag", "author", "fallback"]),
  ["--locale <tag>", "only this locale"],
  FALLBACK,
  ["--slug <slug>", "only this slug"],
  new Option("--tag <tag>", "only articles with this tag, by slug or name").conflicts("slug"),
  new Option("--author <author>", "only articles of this author, by slug or name").conflicts(["slug", "tag"]),
  makeChoice("--sort <time>", "order by this time; publishTime leaves drafts out", [
    "creationTime",
    "publishTime",
    "lastEditTime",
  ]),
  PUBLISHED,
  DRAFTS,
  limit(LIMITS.page, 1_000_000),
  ["--all", "list all of them"],
  ["--content", "include the contents (with --json)"],
] as const;

const SHOWN = [
  NAMED,
  BLOG,
  LOCALE,
  FALLBACK,
  ["--content", "print only its content, unchanged"],
  new Option("--revision <number>", "an earlier version, by the number that `revisions` shows")
    .argParser(versionNumber)
    .conflicts("follow"),
  ["--follow", "if no article has this slug, show the one that had it before"],
] as const;

const SEARCHED = [
  ["<words...>", 'words, all of which must occur; "in quotes" for a phrase'],
  [BLOG_OPTION, "only this blog"],
  ["--locale <tag>", "only this locale"],
  PUBLISHED,
  DRAFTS,
  limit(20, 1000),
] as const;

export function addReads(program: Command, context: Context): void {
  const articles = getGroup(program, "articles");
  declare(articles, "list", "list the articles of a blog, newest first", {
    takes: LISTED,
    help: LIST_EXAMPLES,
    run: (options: ListOptions) => list(context, options),
  });
  declare(articles, "get", "show an article", {
    takes: SHOWN,
    example: "articles get slow-mornings --blog field-notes --content > slow-mornings.md",
    run: (named: string, options: GetOptions) =>
      options.revision === undefined ? get(context, named, options) : getRevision(context, named, options),
  });
  declare(articles, "search", "search titles, descriptions and contents of your organization", {
    takes: SEARCHED,
    example: `articles search porto '"first ferry"'`,
    run: (words: string[], options: Filter) => search(context, words, options),
  });
}

const LIST_EXAMPLES = `
Examples:
  $ edgepress articles list --blog field-notes --drafts
  $ edgepress articles list --blog field-notes --all --json`;

const MEMBERS = ["_id", "blogId", ...LISTED_TEXTS.filter((name) => name !== "content"), "published"] as const;
const TIMES = ["creationTime", "lastEditTime", "publishTime"] as const;

async function list(context: Context, options: ListOptions): Promise<void> {
  const { output } = context;
  const blogId = options.allBlogs ? undefined : await context.blog(options.blog);
  const most = options.all === true ? Infinity : options.limit;
  const withContent = options.content === true && output.json;
  const query = {
    locale: options.locale,
    fallback: options.fallback?.split(","),
    slug: options.slug,
    tag: toTermSlug(options.tag),
    author: toTermSlug(options.author),
    sort: options.sort,
    published: toPublished(options),
    limit: Math.min(most, LIMITS.page),
    fields: [...MEMBERS, ...(withContent ? (["content"] as const) : []), ...TIMES],
  };
  const client = await context.client();
  const articles =
    blogId === undefined
      ? client.list("GET /api/organization/articles", { query })
      : client.list("GET /api/articles", { query: { blogId, ...query } });
  const { found, more } = await listFirst(articles, most);
  output.list(found, COLUMNS, "No articles.");
  if (more) output.note(`${formatMoreThan(most, "article")}: see --limit and --all.`);
}

/** Returns the slug of a tag or author that is named by slug or name, by the same rule as the service. */
const toTermSlug = (named: string | undefined): string | undefined =>
  named === undefined ? undefined : (makeTermSlug(named.trim()) ?? named);

const COLUMNS: readonly Column<ArticleFields>[] = [
  { head: "ID", cell: ({ _id = "" }) => _id },
  { head: "SLUG", cell: ({ slug = "" }) => slug, shrinks: true },
  { head: "LOCALE", cell: ({ locale = "" }) => locale },
  STATUS_COLUMN,
  { head: "EDITED", cell: ({ lastEditTime }) => formatTime(lastEditTime), drops: true },
  { head: "PUBLISHED", cell: ({ publishTime }) => formatTime(publishTime), drops: true },
  { head: "TITLE", cell: ({ title = "" }) => title, shrinks: true },
];

function formatSchedule(plan: ArticleFields["schedule"]): string {
  if (!plan) return "";
  if (plan.failure !== null) return `failed: ${plan.failure.detail}`;
  const { publishTime, unpublishTime } = plan;
  const steps = [
    publishTime && `publish ${formatTime(publishTime)}`,
    unpublishTime && `unpublish ${formatTime(unpublishTime)}`,
  ];
  return steps.filter(Boolean).join(", ");
}

const joinNames = (terms: readonly { readonly name: string }[] = []): string =>
  terms.map(({ name }) => name).join(", ");

type Pairs = readonly (readonly [name: string, value: string])[];

/** Shows an article or a version: what both have, and around that what only one of them has. */
function show(
  { output }: Context,
  options: GetOptions,
  value: Required<Pick<ArticleFields, TextName | "published">> & Pick<ArticleFields, "seo">,
  [first, terms, last]: readonly [Pairs, Pairs, Pairs],
): void {
  const { content, published, seo } = value;
  // A file or a pipe gets the content unchanged, a terminal without control characters.
  if (options.content === true && !output.json)
    return output.raw(process.stdout.isTTY ? `${toPrintable(content)}\n` : content);
  output.result(options.content === true ? { content } : value, () => {
    const shown = output.members([
      ...first,
      ["status", formatState(published)],
      ...listTexts(value),
      ...terms,
      ...(seo === undefined
        ? []
        : ([
            ["meta title", seo.title],
            ["meta description", seo.description],
            ["canonical URL", seo.canonicalUrl],
            ["social image", seo.image],
            ["hidden from search", seo.noindex ? "yes" : ""],
          ] as const)),
      ...last,
    ]);
    return `${shown}\n\n${toPrintable(content)}`;
  });
}

async function getRevision(context: Context, named: string, options: GetOptions): Promise<void> {
  const { value: target } = await findOneArticle(context, named, options);
  const client = await context.client();
  const params = { articleId: target._id, revision: String(options.revision) };
  const { value: state } = await client.request("GET /api/articles/{articleId}/revisions/{revision}", { params });
  const first = [["id", state.articleId] as const, ["version", String(state.number)] as const];
  const last = [["saved", formatTime(state.lastEditTime)] as const, ["replaced", formatTime(state.endTime)] as const];
  show(context, options, state, [first, [], last]);
}

async function get(context: Context, named: string, options: GetOptions): Promise<void> {
  // Without a credential, the service refuses fields that are not public.
  const unseen = (await context.hasCredential()) ? (["schedule", "workingCopy"] as const) : [];
  const { value: article } = await findArticle(context, named, options, {
    fields: [...MEMBERS, "content", ...TIMES, ...unseen, ...NAMED_TEXTS, "seo", "tags", "authors"],
    moved: options.follow ? "follow" : undefined,
    fallback: options.fallback,
  });
  const { schedule, workingCopy }: Partial<typeof article> = article;
  show(context, options, article, [
    [
      ["id", article._id],
      ["blog", article.blogId],
    ],
    [
      ["tags", joinNames(article.tags)],
      ["authors", joinNames(article.authors)],
    ],
    [
      ["created", formatTime(article.creationTime)],
      ["edited", formatTime(article.lastEditTime)],
      ["first published", formatTime(article.publishTime)],
      ["scheduled", formatSchedule(schedule)],
      ["working copy", workingCopy ? `saved ${formatTime(workingCopy.lastEditTime)}` : ""],
    ],
  ]);
}

async function search(context: Context, words: string[], options: Filter): Promise<void> {
  const { output } = context;
  const blogId = options.blog === undefined ? undefined : await context.blog(options.blog);
  const query = { query: words.join(" "), blogId, locale: options.locale, published: toPublished(options) };
  const client = await context.client();
  const { found, more } = await listFirst(client.list("GET /api/search", { query }), options.limit);
  const snippet: Column<FoundArticle> = { head: "FOUND", cell: (each) => each.snippet, shrinks: true };
  output.list(found, [SLUG_COLUMN, LOCALE_COLUMN, STATUS_COLUMN, TITLE_COLUMN, snippet], "No articles found.");
  if (more) output.note(`${formatMoreThan(options.limit, "article")}: see --limit.`);
}
