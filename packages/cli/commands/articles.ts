/** Declares the commands `articles …`: reads, writes and states here, the others in files of their own. */
import { Option, type Command } from "commander";
import { ARTICLE_TEXTS, TEXTS } from "../../../src/domain/article-fields.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { Context } from "../context.ts";
import { changeMany, create, publish, remove, update, type WriteOptions } from "./articles-write.ts";
import { addDraftCommands, addHistoryCommands } from "./articles-history.ts";
import {
  get,
  list,
  search,
  type GetOptions,
  type ListOptions,
  type SearchOptions,
  type Which,
} from "./articles-read.ts";
import { addGenerate } from "./generate.ts";
import { addPreviewCommands } from "./previews.ts";
import { withSeo } from "./seo.ts";
import { addScheduling, scheduleOf, withTimes, type Times } from "./schedules.ts";
import { BLOG, BLOG_OPTION, DRAFTS, given, listed, PUBLISHED, timeGiven, wholeNumber } from "./shared.ts";

const SORT = new Option("--sort <time>", "order by this time; publishTime leaves drafts out").choices([
  "creationTime",
  "publishTime",
]);
const NAMED = ["<id-or-slug>", "the article"] as const;
const LOCALE = ["--locale <tag>", "the locale of the article, if it is named by its slug"] as const;
const LIMIT = "the most to list";

export function addArticleCommands(program: Command, context: Context): void {
  const articles = program.command("articles").description("the articles of a blog");
  addReads(articles, context);
  addWrites(articles, context);
  addStates(articles, context);
  addScheduling(articles, context);
  addHistoryCommands(articles, context);
  addDraftCommands(articles, withMembers, context);
  addMany(articles, context);
  addPreviewCommands(articles, context);
  addGenerate(articles, context);
}

function addReads(articles: Command, context: Context): void {
  articles
    .command("list")
    .description("list the articles of a blog, newest first")
    .option(...BLOG)
    .addOption(
      new Option("--all-blogs", "list the articles of all blogs").conflicts([
        "blog",
        "slug",
        "tag",
        "author",
        "fallback",
      ]),
    )
    .option("--locale <tag>", "only this locale")
    .option("--fallback <tags>", "locales to fall back to, separated by commas")
    .option("--slug <slug>", "only this slug")
    .addOption(new Option("--tag <tag>", "only articles with this tag, by slug or name").conflicts("slug"))
    .addOption(
      new Option("--author <author>", "only articles of this author, by slug or name").conflicts(["slug", "tag"]),
    )
    .addOption(SORT)
    .addOption(PUBLISHED)
    .addOption(DRAFTS)
    .option("--limit <n>", LIMIT, wholeNumber(1, 1_000_000), LIMITS.page)
    .option("--all", "list all of them")
    .option("--content", "include the contents (with --json)")
    .addHelpText(
      "after",
      "\nExamples:\n  $ edgepress articles list --blog field-notes --drafts\n  $ edgepress articles list --blog field-notes --all --json",
    )
    .action((options: ListOptions) => list(context, options));
  addGet(articles, context);
  articles
    .command("search")
    .description("search titles, descriptions and contents of your organization")
    .argument("<words...>", 'words, all of which must occur; "in quotes" for a phrase')
    .option(BLOG_OPTION, "only this blog")
    .option("--locale <tag>", "only this locale")
    .addOption(PUBLISHED)
    .addOption(DRAFTS)
    .option("--limit <n>", LIMIT, wholeNumber(1, 1000), 20)
    .addHelpText("after", `\nExample:\n  $ edgepress articles search porto '"first ferry"'`)
    .action((words: string[], options: SearchOptions) => search(context, words, options));
}

function addGet(articles: Command, context: Context): void {
  articles
    .command("get")
    .description("show an article")
    .argument(...NAMED)
    .option(...BLOG)
    .option(...LOCALE)
    .option("--fallback <tags>", "locales to fall back to, separated by commas")
    .option("--content", "print only its content, unchanged")
    .addOption(
      new Option("--revision <number>", "an earlier version, by the number that `revisions` shows")
        .argParser(wholeNumber(1, 999_999_999))
        .conflicts("follow"),
    )
    .option("--follow", "if no article has this slug, show the one that had it before")
    .addHelpText(
      "after",
      "\nExample:\n  $ edgepress articles get slow-mornings --blog field-notes --content > slow-mornings.md",
    )
    .action((named: string, options: GetOptions) => get(context, named, options));
}

const withMembers = (command: Command): Command =>
  withTexts(withSeo(command))
    .option("--publish-time <time>", "when it was first published, such as 2026-11-20T09:00:00Z", timeGiven)
    .option("--tags <tags>", 'its tags, by slug or name, separated by commas; "" for none', listedOrNone)
    .option("--authors <authors>", 'its authors, by slug or name, separated by commas; "" for none', listedOrNone);

/** Adds an option for each text, such as `--cover-url <url>`. The locale has others, as it also says which article is meant. */
function withTexts(command: Command): Command {
  for (const name of TEXTS.filter((each) => each !== "locale")) {
    const { kind, help } = ARTICLE_TEXTS[name];
    const value = kind === "line" ? "text" : kind === "markdown" ? "file" : kind;
    command.option(`--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} <${value}>`, help);
  }
  return command;
}

const listedOrNone = (text: string): string[] => (text === "" ? [] : listed(text));

function addWrites(articles: Command, context: Context): void {
  withMembers(articles.command("create"))
    .description("create an article; a draft, unless --published")
    .option(...BLOG)
    .option("--locale <tag>", "its locale (default: the blog's default locale)")
    .option("--published", "publish it at once")
    .addHelpText("after", CREATE_HELP)
    .action((options: WriteOptions) => create(context, options));
  withMembers(articles.command("update"))
    .description("change an article; options that are left out change nothing")
    .argument(...NAMED)
    .option(...BLOG)
    .option(...LOCALE)
    .option("--new-locale <tag>", "move it to this locale")
    .addHelpText(
      "after",
      "\nExample:\n  $ edgepress articles update slow-mornings --blog field-notes --content - < slow-mornings.md",
    )
    .action((named: string, options: WriteOptions) => update(context, named, options));
}

const CREATE_HELP = `
To use the title and more from front matter, or the first heading: edgepress import

Examples:
  $ edgepress articles create --blog field-notes --title "Slow mornings" --content slow-mornings.md
  $ pandoc notes.docx -t gfm | edgepress articles create --blog field-notes --title Notes --content - --published`;

function addMany(articles: Command, context: Context): void {
  const many = articles.command("bulk").description("change many articles at once");
  const command = (name: string, description: string) =>
    many
      .command(name)
      .description(description)
      .argument("<ids-or-slugs...>", "the articles")
      .option(...BLOG)
      .option(...LOCALE);
  command("tag", "add tags to articles")
    .requiredOption("--tags <tags>", "the tags, by slug or name, separated by commas", listed)
    .addHelpText("after", "\nExample:\n  $ edgepress articles bulk tag first-light slow-mornings --tags winter")
    .action((named: string[], options: Which & { tags: string[] }) =>
      changeMany(context, "tag", { named, ...options }),
    );
  withTimes(command("schedule", "publish or unpublish articles later, all at the same time"))
    .addHelpText(
      "after",
      '\nExample:\n  $ edgepress articles bulk schedule first-light slow-mornings --publish "2026-12-01 09:00"',
    )
    .action((named: string[], { blog, locale, ...times }: Which & Times) =>
      changeMany(context, "schedule", { named, ...given({ blog, locale }), schedule: scheduleOf(times) }),
    );
  const examples = { publish: "--drafts", unpublish: "--published", delete: "--drafts" };
  for (const action of ["publish", "unpublish", "delete"] as const) {
    const each = command(action, `${action} articles, each on its own`);
    if (action === "delete") each.option("-y, --yes", "do not ask for confirmation");
    each
      .addHelpText(
        "after",
        `\nExample:\n  $ edgepress articles list ${examples[action]} --json | jq -r '.[]._id' |\n      xargs edgepress articles bulk ${action}${action === "delete" ? " --yes" : ""}`,
      )
      .action((named: string[], options: Which & { yes?: boolean }) =>
        changeMany(context, action, { named, ...options }),
      );
  }
}

function addStates(articles: Command, context: Context): void {
  for (const [name, published] of [["publish", true] as const, ["unpublish", false] as const]) {
    articles
      .command(name)
      .description(published ? "publish an article" : "unpublish an article; it becomes a draft")
      .argument(...NAMED)
      .option(...BLOG)
      .option(...LOCALE)
      .addHelpText("after", `\nExample:\n  $ edgepress articles ${name} slow-mornings --blog field-notes --locale de`)
      .action((named: string, options: Which) => publish(context, named, { ...options, published }));
  }
  articles
    .command("delete")
    .description("delete an article permanently")
    .argument(...NAMED)
    .option(...BLOG)
    .option(...LOCALE)
    .option("-y, --yes", "do not ask for confirmation")
    .addHelpText(
      "after",
      "\nExample:\n  $ edgepress articles delete slow-mornings --blog field-notes --locale de --yes",
    )
    .action((named: string, options: Which & { yes?: boolean }) => remove(context, named, options));
}
