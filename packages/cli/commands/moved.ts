/** The command `blogs moved`. */
import { Option, type Command } from "commander";
import type { MovedSlug } from "../api.ts";
import { path } from "../client.ts";
import type { Context } from "../context.ts";
import { articlePattern, BLOG, pathOf } from "./shared.ts";

type Options = { readonly blog?: string; readonly format?: "redirects"; readonly path: string };

export function addMovedCommand(blogs: Command, context: Context): void {
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
