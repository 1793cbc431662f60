/** The public paths of a blog in the OpenAPI document: feeds, site maps and texts (contract 20.4). */
import * as z from "zod";
import {
  CACHING,
  describeHeaders,
  IF_NONE_MATCH,
  describeNotModified,
  describeRefusals,
  type Components,
  type PathConfig,
} from "./responses.ts";

const blogId = z.string().meta({ description: "Identifier or vanityId of a blog.", example: "field-notes" });
const locale = z.string().optional().meta({ description: "Only articles in this locale.", example: "en" });
const tag = z.string().optional().meta({ description: "Only articles with this tag, by its slug.", example: "travel" });
const page = z.int().min(0).optional().meta({ description: "One of the files that the index names.", example: 0 });
const file = z
  .string()
  .meta({ description: "Slug or identifier of an article, followed by `.md`.", example: "six-walks.md" });

const FILES = [
  { file: "feed.xml", id: "rss", summary: "The newest articles as RSS 2.0", type: "application/rss+xml" },
  { file: "atom.xml", id: "atom", summary: "The newest articles as Atom", type: "application/atom+xml" },
  { file: "feed.json", id: "json", summary: "The newest articles as JSON Feed", type: "application/feed+json" },
  { file: "llms.txt", id: "llms", summary: "The newest articles for language models", type: "text/plain" },
] as const;

/** Describes the paths below /blogs/{blogId}. They ignore credentials. */
export function describeReaderPaths(components: Components): PathConfig[] {
  const describePath = (
    { path, id, summary, type }: { path: string; id: string; summary: string; type: string },
    { params, query }: { params?: z.ZodRawShape; query: z.ZodRawShape },
  ): PathConfig => ({
    method: "get",
    tags: ["Blogs"],
    security: [{}],
    path: `/blogs/{blogId}/${path}`,
    operationId: `feeds.${id}`,
    summary,
    description: "Open to everybody. Cached at the edge, which asks again when an article of the blog changes.",
    request: {
      params: z.strictObject({ blogId, ...params }),
      query: z.strictObject(query),
      headers: z.object(IF_NONE_MATCH),
    },
    responses: {
      200: {
        description: "The file.",
        headers: describeHeaders({ ...CACHING, ETag: "ETag" }),
        content: { [type]: { schema: type.endsWith("json") ? { type: "object" } : z.string() } },
      },
      304: describeNotModified(components),
      ...describeRefusals(["invalid_request", "not_found", "rate_limited", "internal", "not_ready"], components),
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
    summary: "The URLs of all articles",
    type: "application/xml",
  };
  return [
    ...FILES.map(({ file: path, ...about }) => describePath({ path, ...about }, { query: { locale, tag } })),
    describePath(sitemap, { query: { page } }),
    describePath(markdown, { params: { file }, query: { locale } }),
    describeSubscribing(components),
  ];
}

const pending = z
  .object({ status: z.literal("pending").meta({ description: "An email asks to confirm it.", example: "pending" }) })
  .meta({ id: "Subscription" });

const subscriber = z
  .strictObject({
    email: z.email().meta({ description: "The email address to subscribe.", example: "ada@example.com" }),
    locale: z
      .string()
      .optional()
      .meta({ description: "The language of the emails; by default, that of the blog.", example: "en" }),
  })
  .meta({ id: "SubscriptionInput" });

/** Describes how pages subscribe readers by JSON. Forms are not part of the API (contract 20.9). */
function describeSubscribing(components: Components): PathConfig {
  return {
    method: "post",
    tags: ["Contacts"],
    security: [{}],
    path: "/blogs/{blogId}/subscribe",
    operationId: "contacts.subscribe",
    summary: "Subscribe to a blog",
    description:
      "Open to everybody, including pages of other sites. The response does not tell whether the address is known. A contact is created once the person has confirmed by the link in an email. 404 if the blog's site is turned off.",
    request: {
      params: z.strictObject({ blogId }),
      body: { required: true, content: { "application/json": { schema: subscriber } } },
    },
    responses: {
      202: {
        description: "An email is on its way, unless the address got one a short while ago.",
        headers: describeHeaders({}),
        content: { "application/json": { schema: pending } },
      },
      ...describeRefusals(
        [
          "invalid_request",
          "invalid_json",
          "not_found",
          "body_too_large",
          "unsupported_media_type",
          "rate_limited",
          "internal",
          "not_ready",
        ],
        components,
      ),
    },
  };
}
