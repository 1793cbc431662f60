/** The commands `articles create`, `update`, `replace`, `publish`, `unpublish` and `draft save`. */
import type { Command } from "commander";
import { ARTICLE_TEXTS, TEXTS, type TextName } from "../../../src/domain/article-fields.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import { pick } from "../../../src/lib/pick.ts";
import type { ArticleFields, WorkingCopyInput } from "../client.ts";
import type { Context } from "../context.ts";
import { ignoreNotFound, usageError } from "../failure.ts";
import { toPrintableLine } from "../terminal.ts";
import { declare, getGroup, type Taken } from "./declare.ts";
import { findArticle, findOneArticle, LOCALE, NAMED, formatName, formatState, type Which } from "./find.ts";
import { BLOG, omitUndefined, parseList, requireChanges, readText, parseTime, wholeNumber } from "./shared.ts";

type WriteOptions = Which &
  Pick<WorkingCopyInput, "publishTime" | "tags" | "authors"> & { readonly [Name in TextName]?: string } & {
    readonly newLocale?: string;
    readonly published?: boolean;
    readonly seoTitle?: string;
    readonly seoDescription?: string;
    readonly canonicalUrl?: string;
    readonly noindex?: boolean;
    readonly seoImage?: string;
  };

const parseListOrNone = (text: string): string[] => (text === "" ? [] : parseList(text));

/** An option for each text, such as `--cover-url <url>`; not the locale, which also selects the article. */
const OF_TEXTS = TEXTS.filter((each) => each !== "locale").map((name): Taken => {
  const { kind, help } = ARTICLE_TEXTS[name];
  const value = kind === "line" ? "text" : kind === "markdown" ? "file" : kind;
  return [`--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} <${value}>`, help];
});

const MEMBERS: readonly Taken[] = [
  ["--seo-title <text>", 'its meta title; "" for its own title, here and below'],
  ["--seo-description <text>", "its meta description"],
  ["--canonical-url <url>", "its canonical URL"],
  ["--seo-image <url>", "its social image"],
  ["--noindex", "ask search engines not to list it"],
  ["--no-noindex", "let search engines list it again"],
  ...OF_TEXTS,
  ["--publish-time <time>", "when it was first published, such as 2026-11-20T09:00:00Z", parseTime],
  ["--tags <tags>", 'its tags, by slug or name, separated by commas; "" for none', parseListOrNone],
  ["--authors <authors>", 'its authors, by slug or name, separated by commas; "" for none', parseListOrNone],
];
const NEW_LOCALE: Taken = ["--new-locale <tag>", "move it to this locale"];

const CREATE_HELP = `
To use the title and more from front matter, or the first heading: edgepress import

Examples:
  $ edgepress articles create --blog field-notes --title "Slow mornings" --content slow-mornings.md
  $ pandoc notes.docx -t gfm | edgepress articles create --blog field-notes --title Notes --content - --published`;

type ReplaceOptions = Which & {
  readonly find?: string;
  readonly replace?: string;
  readonly offset?: number;
  readonly ifMatch?: string;
};

const PASSAGE: readonly Taken[] = [
  ["--find <text>", "the passage, exactly as it is in the content"],
  ["--replace <text>", 'what takes its place; "" to remove it'],
  ["--offset <n>", "where the passage is, if it occurs more than once", wholeNumber(0, LIMITS.contentBytes)],
  ["--if-match <etag>", "change only this version of the working copy, or of the article if it has none"],
];

const REPLACE_HELP = `
A published article is changed in its working copy, which readers do not see. To publish it: edgepress articles draft publish

Example:
  $ edgepress articles replace slow-mornings --blog field-notes --find "teh river" --replace "the river"`;

export function addWrites(program: Command, context: Context): void {
  const articles = getGroup(program, "articles");
  const locale: Taken = ["--locale <tag>", "its locale (default: the blog's default locale)"];
  declare(articles, "create", "create an article; a draft, unless --published", {
    takes: [...MEMBERS, BLOG, locale, ["--published", "publish it at once"]],
    help: CREATE_HELP,
    run: (options: WriteOptions) => create(context, options),
  });
  const named = [...MEMBERS, NAMED, BLOG, LOCALE, NEW_LOCALE];
  declare(articles, "update", "change an article; options that are left out change nothing", {
    takes: named,
    example: "articles update slow-mornings --blog field-notes --content - < slow-mornings.md",
    run: (name: string, options: WriteOptions) => update(context, name, options),
  });
  declare(articles, "replace", "replace a passage of the content, and leave the rest as it is", {
    takes: [...PASSAGE, NAMED, BLOG, LOCALE],
    help: REPLACE_HELP,
    run: (name: string, options: ReplaceOptions) => replace(context, name, options),
  });
  declare(
    getGroup(program, "articles", "draft"),
    "save",
    "change the working copy, or start one; options that are left out change nothing",
    {
      takes: named,
      example: "articles draft save slow-mornings --content slow-mornings.md",
      run: (name: string, options: WriteOptions) => saveDraft(context, name, options),
    },
  );
  for (const [name, isPublished] of [["publish", true] as const, ["unpublish", false] as const]) {
    declare(articles, name, isPublished ? "publish an article" : "unpublish an article; it becomes a draft", {
      takes: [NAMED, BLOG, LOCALE],
      example: `articles ${name} slow-mornings --blog field-notes --locale de`,
      run: (article: string, which: Which) => publish(context, article, which, isPublished),
    });
  }
}

async function create(context: Context, options: WriteOptions): Promise<void> {
  const { blog, locale, published } = options;
  const members = await readMembers(context, options);
  // The service would take an article without a title and call it `untitled`, which nobody intends here.
  if ((members.title ?? "").trim() === "") throw usageError("An article needs a title: --title.", FROM_FILES);
  const body = { ...members, ...omitUndefined({ locale, published }), blogId: await context.blog(blog) };
  const { value: article } = await (await context.client()).request("POST /api/articles", { body });
  context.output.result(article, () => `Created ${formatName(article)}: ${formatState(article.published)}.`);
}

const FROM_FILES = "To use front matter or the first heading as the title: edgepress import FILE";

async function update(context: Context, named: string, options: WriteOptions): Promise<void> {
  const members = await readChanges(context, options);
  const { value: target, etag } = await findOneArticle(context, named, options);
  const body = { _id: target._id, ...(await completeSeo(members, () => loadSeo(context, target._id))) };
  const { value } = await (await context.client()).request("POST /api/articles", { body, ifMatch: etag });
  context.output.result(value, () => `Updated ${formatName(value)}: ${formatState(value.published)}.`);
}

async function replace(context: Context, named: string, options: ReplaceOptions): Promise<void> {
  const { find, replace: by, offset, ifMatch } = options;
  if (find === undefined || by === undefined) throw usageError("Say what to replace, and by what: --find, --replace.");
  const { value: target } = await findOneArticle(context, named, options);
  const body = { edits: [{ find, replace: by, ...omitUndefined({ offset }) }] };
  const input = { params: { articleId: target._id }, body, ifMatch };
  const { value } = await (await context.client()).request("POST /api/articles/{articleId}/edits", input);
  context.output.result(value, () => value.edits.map(({ passage }) => toPrintableLine(passage)).join("\n"));
  const [what, hint] = value.workingCopy ? ["the working copy of ", " Readers do not see it yet."] : ["", ""];
  context.output.note(`Changed ${what}${formatName(target)}.${hint}`);
}

async function saveDraft(context: Context, named: string, options: WriteOptions): Promise<void> {
  const members = await readChanges(context, options);
  const { value: target, etag } = await findOneArticle(context, named, options);
  const client = await context.client();
  const params = { articleId: target._id };
  const copy = await client.request("GET /api/articles/{articleId}/draft", { params }).catch(ignoreNotFound);
  const body = await completeSeo(members, async () => copy?.value.seo ?? (await loadSeo(context, target._id)));
  const input = { params, body, ifMatch: copy === null ? etag : copy.etag };
  const { value } = await client.request("PUT /api/articles/{articleId}/draft", input);
  context.output.result(value, () => `Saved the working copy of ${formatName(target)}. Readers do not see it yet.`);
}

/** Throws a usage error if the options change nothing. */
async function readChanges(context: Context, options: WriteOptions): Promise<WorkingCopyInput> {
  const members = { ...(await readMembers(context, options)), ...omitUndefined({ locale: options.newLocale }) };
  requireChanges(members);
  return members;
}

const loadSeo = async (context: Context, id: string): Promise<ArticleFields["seo"]> =>
  (await findArticle(context, id, {}, { fields: ["seo"] })).value.seo;

async function readMembers(context: Context, options: WriteOptions): Promise<WorkingCopyInput> {
  const { publishTime, tags, authors, locale: _, content: file, ...texts } = options;
  const { seoTitle, seoDescription, canonicalUrl, noindex, seoImage } = options;
  const content = file === undefined ? undefined : await readText(file, context);
  const said = omitUndefined({ title: seoTitle, description: seoDescription, canonicalUrl, noindex, image: seoImage });
  const seo = Object.keys(said).length === 0 ? undefined : said;
  return omitUndefined({ ...pick(texts as WriteOptions, TEXTS), content, publishTime, tags, authors, seo });
}

/** Completes `seo` with what is stored, because the service replaces all of it. */
async function completeSeo(members: WorkingCopyInput, stored: () => Promise<WorkingCopyInput["seo"]>) {
  return members.seo === undefined ? members : { ...members, seo: { ...(await stored()), ...members.seo } };
}

async function publish(context: Context, named: string, which: Which, published: boolean): Promise<void> {
  const { output } = context;
  const { value: target, etag } = await findOneArticle(context, named, which);
  const state = published ? "published" : "a draft";
  if (target.published !== published) {
    const body = { _id: target._id, published };
    const { value } = await (await context.client()).request("POST /api/articles", { body, ifMatch: etag });
    return output.result(value, () => `${formatName(value)} is now ${state}.`);
  }
  // A program gets the same fields whether or not the state has changed.
  const article = output.json ? (await findArticle(context, target._id, {})).value : target;
  output.result(article, () => `${formatName(target)} is already ${state}.`);
  const left = published && (await findArticle(context, target._id, {}, { fields: ["workingCopy"] })).value.workingCopy;
  if (left) output.note("It has unpublished changes. To publish them: edgepress articles draft publish");
}
