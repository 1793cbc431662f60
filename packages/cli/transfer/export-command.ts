import { formatCount, toPublished, type States } from "../commands/shared.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT, usageError } from "../failure.ts";
import { toPrintableLine } from "../terminal.ts";
import { Unusable } from "../../import/article.ts";
import { exportArticles, exportFile, openTarget, type ExportCounts } from "./export.ts";
import { ALL_FIELDS, toArticle } from "./service.ts";
import { SETTINGS_FILE, loadSettings } from "./settings.ts";
import { formatSource } from "../../../src/domain/redirects.ts";
import { DEFAULT_ARTICLE_PATH } from "../../../src/domain/site.ts";
import type { Client } from "../client.ts";

export type ExportOptions = States & {
  readonly blog?: string;
  readonly locale?: string;
  readonly full?: boolean;
  readonly force?: boolean;
};

export async function exportBlog(context: Context, folder: string, options: ExportOptions): Promise<void> {
  const { output, signal } = context;
  if (folder === "") throw usageError("Name the folder to export to.");
  const client = await context.client();
  const blogId = await context.blog(options.blog);
  const full = options.full === true;
  const settings = await loadSettings(client, blogId, full);
  const published = toPublished(options);
  const counts: ExportCounts = { written: 0, unchanged: 0, kept: [] };
  const progress = output.progress("Exporting");
  try {
    const target = await openTarget(folder, options.force === true);
    await exportFile(target, SETTINGS_FILE, settings, counts);
    const old = await listOldAddresses(client, blogId);
    async function* articles() {
      const query = { blogId, locale: options.locale, published, fields: ALL_FIELDS };
      for await (const each of client.articles.list(query)) {
        const article = toArticle(each);
        yield { ...article, redirects: old.byArticle.get(article._id) };
      }
    }
    await exportArticles(articles(), target, { full, signal, counts, onEach: () => progress.advance() });
    // An export of only some articles cannot tell which files belong to no article.
    const isAll = published === undefined && options.locale === undefined;
    reportOutcome(context, folder, counts, {
      strangers: isAll ? await target.countStrangers() : 0,
      others: old.others,
    });
  } catch (error) {
    if (error instanceof Unusable) throw new CliError("file_error", error.message, EXIT.failed, { cause: error });
    throw error;
  } finally {
    progress.end();
  }
}

function reportOutcome(
  { output }: Context,
  folder: string,
  { written, unchanged, kept }: ExportCounts,
  { strangers, others }: { readonly strangers: number; readonly others: number },
): void {
  output.result({ folder, written, unchanged, kept, strangers, otherRedirects: others }, () => {
    const parts = [`${written} written`, `${unchanged} unchanged`, ...(kept.length > 0 ? [`${kept.length} kept`] : [])];
    return `${toPrintableLine(folder)}: ${parts.join(", ")}.`;
  });
  if (strangers > 0)
    output.note(
      `In the folder, ${formatCount(strangers, "Markdown file belongs", "Markdown files belong")} to no article of the blog.`,
    );
  if (others > 0)
    output.note(
      `${formatCount(others, "redirect leads", "redirects lead")} to no article, so that no file has it: edgepress redirects list`,
    );
  if (kept.length === 0) return;
  const named = kept.slice(0, 20).join(", ") + (kept.length > 20 ? " …" : "");
  throw new CliError("export_incomplete", `Files that are different were kept: ${named}`, EXIT.failed, {
    hint: "--force overwrites them.",
  });
}

type OldAddresses = {
  readonly byArticle: ReadonlyMap<string, readonly string[]>;
  readonly others: number;
};

async function listOldAddresses(client: Client, blogId: string): Promise<OldAddresses> {
  const leads = new Map<string, string | null>();
  const input = { params: { blogId } };
  for await (const { slug, locale, to } of client.list("GET /api/blogs/{blogId}/movedslugs", input)) {
    leads.set(DEFAULT_ARTICLE_PATH.replace("{locale}", locale).replace("{slug}", slug), to.articleId);
  }
  // Second, because a redirect takes precedence over a former slug.
  for await (const { from, articleId } of client.list("GET /api/blogs/{blogId}/redirects", input)) {
    leads.set(from, articleId);
  }
  const byArticle = new Map<string, string[]>();
  for (const [from, articleId] of leads) {
    if (articleId === null) continue;
    byArticle.set(articleId, [...(byArticle.get(articleId) ?? []), formatSource(from)].sort());
  }
  return { byArticle, others: [...leads.values()].filter((articleId) => articleId === null).length };
}
