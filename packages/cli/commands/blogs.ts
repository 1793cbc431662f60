/** The commands `blogs list|create|update`, and where those of their own are added. */
import { Option, type Command } from "commander";
import type { Blog, BlogChange, BlogInput } from "../api.ts";
import { path } from "../client.ts";
import type { Context } from "../context.ts";
import { usage } from "../failure.ts";
import { printableLine } from "../terminal.ts";
import { addHostCommands } from "./hosts.ts";
import { addMovedCommand } from "./moved.ts";
import { addSiteCommand } from "./site.ts";
import { given, jsonOf, listed, when } from "./shared.ts";

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
