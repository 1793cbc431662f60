/** Describes for the OpenAPI document what readers' programs get of a blog: feeds, site maps and texts (contract 20.4). */
import * as z from "zod";
import {
  CACHING,
  HEADERS,
  headers,
  notModified,
  refusals,
  type Components,
  type PathConfig,
} from "./openapi-responses.ts";

const blogId = z.string().meta({ description: "Identifier or vanityId of a blog.", example: "field-notes" });
const locale = z.string().optional().meta({ description: "Only articles in this locale.", example: "en" });
const tag = z.string().optional().meta({ description: "Only articles with this tag, by its slug.", example: "travel" });
const page = z.int().min(0).optional().meta({ description: "One of the files that the index names.", example: 0 });
const file = z.string().meta({ description: "Slug or identifier of an article, and `.md`.", example: "six-walks.md" });

const FILES = [
  { file: "feed.xml", id: "rss", summary: "The newest articles as RSS 2.0", type: "application/rss+xml" },
  { file: "atom.xml", id: "atom", summary: "The newest articles as Atom", type: "application/atom+xml" },
  { file: "feed.json", id: "json", summary: "The newest articles as JSON Feed", type: "application/feed+json" },
  { file: "llms.txt", id: "llms", summary: "The newest articles for language models", type: "text/plain" },
] as const;

/** Describes the paths below /blogs/{blogId}. None of them needs credentials, or minds them. */
export function readerPaths(components: Components): PathConfig[] {
  const pathOf = (
    { path, id, summary, type }: { path: string; id: string; summary: string; type: string },
    { params, query }: { params?: z.ZodRawShape; query: z.ZodRawShape },
  ): PathConfig => ({
    method: "get",
    tags: ["Blogs"],
    security: [{}],
    path: `/blogs/{blogId}/${path}`,
    operationId: `feeds.${id}`,
    summary,
    description: "Open to everybody; kept by the edge, and purged when an article of the blog changes.",
    request: { params: z.strictObject({ blogId, ...params }), query: z.strictObject(query), headers: IF_NONE_MATCH },
    responses: {
      200: {
        description: "The file.",
        headers: headers({ ...CACHING, ETag: "ETag" }),
        content: { [type]: { schema: z.string() } },
      },
      304: notModified(components),
      ...refusals(["invalid_request", "not_found", "rate_limited", "internal", "not_ready"], components),
    },
  });
  const markdown = {
    path: "articles/{file}",
    id: "markdown",
    summary: "An article as Markdown",
    type: "text/markdown",
  };
  const sitemap = {
    path: "sitemap.xml",
    id: "sitemap",
    summary: "The addresses of all articles",
    type: "application/xml",
  };
  return [
    ...FILES.map(({ file: path, ...about }) => pathOf({ path, ...about }, { query: { locale, tag } })),
    pathOf(sitemap, { query: { page } }),
    pathOf(markdown, { params: { file }, query: { locale } }),
  ];
}

const IF_NONE_MATCH = z.object({
  "If-None-Match": z
    .string()
    .optional()
    .meta({ description: "Answer 304 if this is still the version.", example: HEADERS.ETag.example }),
});
