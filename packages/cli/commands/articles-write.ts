/** The commands `articles create`, `update`, `publish`, `unpublish`, `delete` and `bulk`. */
import { TEXTS, type TextName } from "../../../src/domain/article-fields.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import { chunks } from "../../../src/lib/chunks.ts";
import { pick } from "../../../src/lib/pick.ts";
import { isId } from "../../../src/lib/ids.ts";
import type { Article, ArticleFields, ArticleInput, BulkInput, BulkOutcome, WorkingCopyInput } from "../api.ts";
import { path } from "../client.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import { CliError, EXIT, usage } from "../failure.ts";
import { printableLine } from "../terminal.ts";
import { find, findOne, stateOf, type Target, type Which } from "./articles-read.ts";
import { seoOf, withWholeSeo, type SeoOptions } from "./seo.ts";
import { counted, given, textOf } from "./shared.ts";

export type WriteOptions = Which &
  SeoOptions & { readonly [Name in TextName]?: string } & {
    readonly newLocale?: string;
    readonly publishTime?: string;
    readonly tags?: string[];
    readonly authors?: string[];
    readonly published?: boolean;
  };

export async function create(context: Context, options: WriteOptions): Promise<void> {
  const { output } = context;
  const { blog, locale, published, ...rest } = options;
  const members = await membersOf(context, rest);
  const { title = "" } = members;
  // The service accepts an article without a title and gives it the slug `untitled`. That is never intended here.
  if (title.trim() === "") throw usage("An article needs a title: --title.", FROM_FILES);
  const body = { ...members, ...given({ locale, published }), blogId: await context.blog(blog) };
  const service = await context.client();
  const request = { method: "POST", path: "/api/articles", body: body satisfies ArticleInput } as const;
  const { value: article } = await service.request<Article>(request);
  output.result(article, () => `Created ${nameOf(article)}: ${stateOf(article.published)}.`);
}

const FROM_FILES = "To use front matter or the first heading as the title: edgepress import FILE";

export async function update(context: Context, named: string, options: WriteOptions): Promise<void> {
  const { output } = context;
  const { blog, locale, newLocale, ...rest } = options;
  const members = { ...(await membersOf(context, rest)), ...given({ locale: newLocale }) };
  if (Object.keys(members).length === 0) throw usage("Nothing to change. Pass at least one option.");
  const { value: target, etag } = await findOne(context, named, given({ blog, locale }));
  const whole = await withWholeSeo(members, () => storedSeo(context, target._id));
  const article = await save(context, target, { members: whole, etag });
  output.result(article, () => `Updated ${nameOf(article)}: ${stateOf(article.published)}.`);
}

/** What the options can set, in articles as in working copies. */
type Members = Pick<WorkingCopyInput, TextName | "publishTime" | "tags" | "authors" | "seo">;

/** Returns what search engines are told of an article. */
export async function storedSeo(context: Context, id: string): Promise<ArticleFields["seo"]> {
  return (await find<ArticleFields>(context, id, {}, { fields: "seo" })).value.seo;
}

/** Returns what the options set. `content` names a file, or is `-` for standard input. */
export async function membersOf(context: Context, options: Omit<WriteOptions, "blog" | "locale">): Promise<Members> {
  const { publishTime, tags, authors, content: file, ...texts } = options;
  const content = file === undefined ? undefined : await textOf(file, context);
  return given({ ...pick(texts as WriteOptions, TEXTS), content, publishTime, tags, authors, seo: seoOf(options) });
}

export async function publish(
  context: Context,
  named: string,
  { published, ...which }: Which & { readonly published: boolean },
): Promise<void> {
  const { output } = context;
  const { value: target, etag } = await findOne(context, named, which);
  const state = published ? "published" : "a draft";
  if (target.published === published) {
    // With --json the result has the same fields whether or not the state has changed.
    const article = output.json ? (await find<Article>(context, target._id, {})).value : target;
    output.result(article, () => `${nameOf(target)} is already ${state}.`);
    return published ? noteUnpublished(context, target._id) : undefined;
  }
  const article = await save(context, target, { members: { published }, etag });
  output.result(article, () => `${nameOf(article)} is now ${state}.`);
}

/** Says that a published article has changes that its publication leaves. */
async function noteUnpublished(context: Context, id: string): Promise<void> {
  const { value: left } = await find<ArticleFields>(context, id, {}, { fields: "workingCopy" });
  if (left.workingCopy)
    context.output.note("It has unpublished changes. To publish them: edgepress articles draft publish");
}

/** Updates the version of the article that was read. Throws a conflict if somebody else has changed it meanwhile. */
async function save(
  { client }: Context,
  target: Target,
  { members, etag }: { members: Partial<ArticleInput>; etag: string | undefined },
): Promise<Article> {
  const body = { _id: target._id, ...members };
  const service = await client();
  return (await service.request<Article>({ method: "POST", path: "/api/articles", body, ifMatch: etag })).value;
}

export async function remove(context: Context, named: string, options: Which & { yes?: boolean }): Promise<void> {
  const { output } = context;
  const { value: target, etag } = await findOne(context, named, options);
  await context.confirm(`Delete ${nameOf(target)} for good?`, options.yes);
  const service = await context.client();
  const request = { method: "DELETE", path: path`/api/articles/${target._id}`, ifMatch: etag } as const;
  const { value } = await service.request<{ _id: string }>(request);
  output.result(value, () => `Deleted ${nameOf(target)}.`);
}

type Many = Which & {
  readonly named: readonly string[];
  readonly yes?: boolean;
  readonly tags?: string[];
  readonly schedule?: NonNullable<BulkInput["schedule"]>;
};

function showOutcomes(output: Output, outcomes: readonly BulkOutcome[]): void {
  output.result(outcomes, () =>
    output.table(
      [
        { head: "ID", cell: ({ _id }) => _id },
        { head: "OUTCOME", cell: ({ outcome, code }) => code ?? outcome },
        { head: "REASON", cell: ({ detail }) => detail ?? "", shrinks: true },
      ],
      outcomes,
    ),
  );
}

/** Changes many articles, 100 in a request. Ends with an error code if one of them was refused. */
export async function changeMany(
  context: Context,
  action: BulkInput["action"],
  { named, blog, locale, yes, ...details }: Many,
): Promise<void> {
  const { output } = context;
  const articleIds = await idsOf(context, named, given({ blog, locale }));
  if (action === "delete") await context.confirm(`Delete ${counted(articleIds.length, "article")} for good?`, yes);
  const service = await context.client();
  const outcomes: BulkOutcome[] = [];
  try {
    for (const ids of chunks(articleIds, LIMITS.bulkArticles)) {
      const body = { action, articleIds: ids, ...details } satisfies BulkInput;
      const { value } = await service.request<BulkOutcome[]>({ method: "POST", path: "/api/articles/bulk", body });
      outcomes.push(...value);
    }
  } finally {
    // Also if a later request failed: these have been changed.
    if (outcomes.length > 0) showOutcomes(output, outcomes);
  }
  const refused = outcomes.filter(({ outcome }) => outcome === "refused").length;
  if (refused > 0) throw new CliError("some_refused", `${counted(refused, "article")} refused.`, EXIT.failed);
}

/** Returns the ids of articles by their ids or slugs, each once. Throws if one of the slugs is not to be found. */
async function idsOf(context: Context, named: readonly string[], which: Which): Promise<string[]> {
  const ids = new Set<string>();
  for (const each of named) {
    ids.add(isId(each.toLowerCase()) ? each.toLowerCase() : await idOf(context, each, which));
  }
  return [...ids];
}

/** Returns the id of an article by its slug. Says which one it was that is not to be found: there may be hundreds. */
async function idOf(context: Context, slug: string, which: Which): Promise<string> {
  try {
    return (await findOne(context, slug, which)).value._id;
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== "not_found") throw error;
    throw new CliError(error.code, `${slug}: ${error.message}`, error.exit, error.details);
  }
}

export const nameOf = ({ title, slug, locale, _id }: Pick<Target, "title" | "slug" | "locale" | "_id">): string =>
  printableLine(`“${title}” (${slug}, ${locale}, ${_id})`);
