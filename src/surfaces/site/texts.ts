/** A blog for language models: its articles as llms.txt, and one article as Markdown (contract 20.6). */
import type { Context } from "hono";
import { articleTag, blogTag } from "../../domain/cache-tags.ts";
import { LIMITS } from "../../domain/limits.ts";
import { toAbsoluteUrl } from "../../domain/site.ts";
import { DomainError, makeBlogNotFoundError } from "../../domain/errors.ts";
import { pickVisible, toLine } from "../../lib/text.ts";
import type { FeedEntry } from "../../store/articles/feeds.ts";
import type { PlainArticle } from "../../store/articles/plain.ts";
import type { AppEnv } from "../rest/app-env.ts";
import type { Reply } from "../rest/reply.ts";
import { getBlogName, readFilters, openReader, toPublicReply, formatQuery } from "./replies.ts";

const NAMED = 500;

/** Handles `GET /blogs/{blogId}/llms.txt` (llmstxt.org). Throws `not_found`, `invalid_request` and `rate_limited`. */
export async function serveLlmsTxt(c: Context<AppEnv>): Promise<Reply> {
  const asked = readFilters(c);
  const { published, baseUrl } = await openReader(c);
  const found = await published.readFeed({ blog: getBlogName(c), ...asked, limit: NAMED, bytes: 0 });
  if (found === null) throw makeBlogNotFoundError();
  const { blog, entries } = found;
  const root = `${baseUrl()}/blogs/${blog._id}`;
  const line = ({ title, slug, locale, description, excerpt }: FeedEntry): string => {
    const about = toLine(description || excerpt || "");
    const address = `${root}/articles/${encodeURIComponent(slug)}.md${formatQuery({ locale })}`;
    return `- [${pickVisible(toLine(title).replaceAll(/[[\]\\]/g, "\\$&"), slug)}](${address})${about && `: ${about}`}\n`;
  };
  const locales = [...new Set([...blog.locales, ...entries.map(({ locale }) => locale)])];
  const sections = locales.flatMap((locale) => {
    const lines = entries.filter((entry) => entry.locale === locale).map(line);
    return lines.length === 0 ? [] : [`## Articles (${locale})\n\n${lines.join("")}`];
  });
  const head = [`# ${toLine(blog.name)}\n`, ...(blog.description ? [`> ${toLine(blog.description)}\n`] : [])];
  const more = `## Optional\n\n- [Site map](${root}/sitemap.xml): the addresses of all articles\n- [Feed](${root}/feed.json): the newest articles\n`;
  return toPublicReply(c, { blogId: blog._id, type: "text/plain", body: [...head, ...sections, more].join("\n") });
}

/** Handles `GET /blogs/{blogId}/articles/{idOrSlug}.md`. Throws `not_found`, `invalid_request` and `rate_limited`. */
export async function serveMarkdown(c: Context<AppEnv>): Promise<Reply> {
  const [, idOrSlug] = /^(.+)\.md$/.exec(c.req.param("file") ?? "") ?? [];
  if (idOrSlug === undefined || idOrSlug.length > LIMITS.slug) throw new DomainError("route_not_found");
  const { locale } = readFilters(c, ["locale"]);
  const { published, baseUrl } = await openReader(c);
  const article = await published.readPlainArticle({ blog: getBlogName(c), idOrSlug, locale });
  if (article === null) throw new DomainError("not_found", "There is no such article.");
  const headers = {
    "Cache-Tag": `${blogTag(article.blogId)},${articleTag(article._id)}`,
    "Content-Language": article.locale,
    Link: `<${toAbsoluteUrl(article.place, baseUrl)}>; rel="canonical"`,
    ...(article.noindex === 1 && { "X-Robots-Tag": "noindex" }),
  };
  return toPublicReply(c, { blogId: article.blogId, type: "text/markdown", body: toMarkdown(article), headers });
}

/** Returns the title, description and content. The title is not repeated if the content begins with it. */
function toMarkdown({ title, description, content }: PlainArticle): string {
  const heading = `# ${toLine(title)}`;
  const summary = description === "" ? "" : `> ${toLine(description)}\n\n`;
  const [first = ""] = content.split("\n", 1);
  if (first.trim() === heading) return `${heading}\n\n${summary}${content.slice(first.length).trimStart()}`;
  return `${pickVisible(title) === "" ? "" : `${heading}\n\n`}${summary}${content}`;
}
