/** The commands `blogs list|create|update`, and where those of their own are added. */
import { Option, type Command } from "commander";
import type { Blog, BlogChange, BlogInput, MovedSlug } from "../api.ts";
import { path } from "../client.ts";
import type { Context } from "../context.ts";
import { usage } from "../failure.ts";
import { printableLine } from "../terminal.ts";
import { addHostCommands } from "./hosts.ts";
import { addSiteCommand } from "./site.ts";
import { given, jsonOf, listed, when, articlePattern, BLOG, pathOf } from "./shared.ts";

export function addBlogCommands(program: Command, context: Context): void {
  const blogs = program.command("blogs").description("the blogs of your organization");
  blogs
    .command("list")
    .description("list the blogs")
    .addHelpText("after", "\nExample:\n  $ edgepress blogs list --json | jq -r '.[].vanityId'")
    .action(() => list(context));
  blogs
    .command("create")
    .description("create a blog")
    .argument("<name>", "its name")
    .option(
      "--vanity-id <label>",
      "its id in /blogs/{vanityId}, which can also be a subdomain (default: from the name)",
    )
    .option("--locales <list>", "language tags, the default first", listed)
    .option("--cover-url <url>", "the URL of its cover image")
    .addHelpText("after", '\nExample:\n  $ edgepress blogs create "Field Notes" --locales en,de')
    .action((name: string, options: BlogOptions) => create(context, { name, ...options }));
  blogs
    .command("update")
    .description("change a blog; options that are left out change nothing")
    .argument("<blog>", "its id or vanityId")
    .option("--name <name>", "its name")
    .option("--vanity-id <label>", "its id in /blogs/{vanityId}, which can also be a subdomain")
    .option("--locales <list>", "language tags, the default first", listed)
    .option("--cover-url <url>", "the URL of its cover image")
    .option("--topic-sources <file>", "a JSON file with the sources of its topic ideas; - for standard input")
    .addOption(new Option("--topic-refresh <how>", "when to read them").choices(["manual", "daily"]))
    .addHelpText("after", UPDATE_EXAMPLES)
    .action((named: string, options: ChangeOptions) => update(context, named, options));
  addSiteCommand(blogs, context);
  addMovedCommand(blogs, context);
  addHostCommands(blogs, context);
}

const UPDATE_EXAMPLES = `
Examples:
  $ edgepress blogs update field-notes --locales en,de,ja
  $ echo '[{"kind": "hackernews", "query": "ferries"}]' | edgepress blogs update field-notes --topic-sources -`;

type BlogOptions = { readonly vanityId?: string; readonly locales?: string[]; readonly coverUrl?: string };
type ChangeOptions = BlogOptions & {
  readonly name?: string;
  readonly topicSources?: string;
  readonly topicRefresh?: "manual" | "daily";
};

async function list({ client, output }: Context): Promise<void> {
  const blogs = await (await client()).all<Blog>("/api/blogs");
  output.result(blogs, () =>
    output.table(
      [
        { head: "ID", cell: ({ _id }) => _id },
        { head: "VANITY ID", cell: ({ vanityId }) => vanityId },
        { head: "NAME", cell: ({ name }) => name, shrinks: true },
        { head: "LOCALES", cell: ({ locales }) => locales.join(", "), shrinks: true },
        { head: "EDITED", cell: ({ lastEditTime }) => when(lastEditTime), drops: true },
      ],
      blogs,
    ),
  );
}

async function create({ client, output }: Context, input: BlogOptions & { name: string }): Promise<void> {
  const service = await client();
  const body: BlogInput = { name: input.name, ...given(input) };
  const { value: blog } = await service.request<Blog>({ method: "POST", path: "/api/blogs", body });
  output.result(blog, () => `Created the blog ${nameOf(blog)}.`);
}

async function update(context: Context, named: string, options: ChangeOptions): Promise<void> {
  const { output } = context;
  const { topicSources: file, ...members } = given(options);
  const topicSources = file === undefined ? undefined : await jsonOf(file, context);
  const body = given({ ...members, topicSources }) as Partial<BlogChange>;
  if (Object.keys(body).length === 0) throw usage("Nothing to change. Pass at least one option.");
  const blogId = await context.blog(named);
  const service = await context.client();
  const { etag } = await service.get<Blog>(path`/api/blogs/${blogId}`);
  const request = { method: "PUT", path: path`/api/blogs/${blogId}`, body, ifMatch: etag } as const;
  const { value: blog } = await service.request<Blog>(request);
  output.result(blog, () => `Updated the blog ${nameOf(blog)}.`);
}

const nameOf = ({ name, vanityId, _id }: Blog): string => printableLine(`${name} (${vanityId}, ${_id})`);

type Options = { readonly blog?: string; readonly format?: "redirects"; readonly path: string };

function addMovedCommand(blogs: Command, context: Context): void {
  blogs
    .command("moved")
    .description("list the previous slugs of a blog, and the current ones")
    .option(...BLOG)
    .addOption(new Option("--format <name>", "write lines of a _redirects file").choices(["redirects"]))
    .option("--path <pattern>", "the path of an article on your site, for --format", articlePattern, "/{locale}/{slug}")
    .addHelpText(
      "after",
      "\nExample:\n  $ edgepress blogs moved --blog field-notes --format redirects > public/_redirects",
    )
    .action((options: Options) => moved(context, options));
}

async function moved(context: Context, { blog, format, path: place }: Options): Promise<void> {
  const { output } = context;
  const blogId = await context.blog(blog);
  const service = await context.client();
  const found: MovedSlug[] = [];
  for await (const entry of service.items<MovedSlug>(path`/api/blogs/${blogId}/movedslugs`, {})) found.push(entry);
  if (format === "redirects" && !output.json) return output.raw(redirects(found, place));
  output.result(found, () =>
    found.length === 0
      ? "No previous slugs."
      : output.table(
          [
            { head: "SLUG", cell: ({ slug }) => slug, shrinks: true },
            { head: "LOCALE", cell: ({ locale }) => locale },
            { head: "CURRENT SLUG", cell: ({ to }) => to.slug, shrinks: true },
            { head: "CURRENT LOCALE", cell: ({ to }) => to.locale },
            { head: "STATUS", cell: ({ published }) => (published ? "published" : "draft") },
          ],
          found,
        ),
  );
}

/**
 * Returns a line of a `_redirects` file for each former slug of a published article. `place` has no locale if it does not
 * contain `{locale}`; then only the first of several former slugs counts, and one that leads to itself is left out.
 */
function redirects(found: readonly MovedSlug[], place: string): string {
  const lines = new Map<string, string>();
  for (const { slug, locale, to, published } of found) {
    const [from, target] = [pathOf(place, { slug, locale }), pathOf(place, to)];
    if (published && from !== target && !lines.has(from)) lines.set(from, `${from} ${target} 301\n`);
  }
  return [...lines.values()].join("");
}
