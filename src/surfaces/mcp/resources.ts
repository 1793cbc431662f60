/** Articles as resources of MCP: Markdown with front matter. */
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ListResourcesResult,
  type ReadResourceResult,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { DomainError } from "../../domain/errors.ts";
import { isUuid } from "../../lib/ids.ts";
import { readAllItems } from "../../lib/pages.ts";
import { pickVisible } from "../../lib/text.ts";
import { escapeQuoted } from "../../lib/yaml.ts";
import type { ArticleMember, ArticlePart } from "../../operations/article-members.ts";
import { registry } from "../../operations/registry.ts";
import type { Connection } from "./connection.ts";
import { slicePart } from "./excerpt.ts";
import { NOTICE } from "./notice.ts";

const SCHEME = "edgepress://articles/";
const MIME_TYPE = "text/markdown";

const PAGE = 50;
const MOST = 100_000;

export const resourceTemplates: ResourceTemplateType[] = [
  {
    name: "article",
    title: "Article",
    uriTemplate: `${SCHEME}{id}`,
    mimeType: MIME_TYPE,
    description: "An article by its `_id`: Markdown, with its other fields as front matter. Drafts are included.",
  },
  {
    name: "article_part",
    title: "Part of a long article",
    uriTemplate: `${SCHEME}{id}{?offset}`,
    mimeType: MIME_TYPE,
    description: `The content from \`offset\` on, if it is longer than ${MOST} characters: the front matter names the \`next\` part.`,
  },
];

export const toArticleUri = (id: string): string => `${SCHEME}${id}`;

/**
 * Returns a page of articles, blog by blog, the newest first. A cursor consists of the blog's id, a dot and the cursor within
 * the blog. Returns an empty list without the scopes to list blogs and articles. Throws a ProtocolError for an invalid
 * cursor.
 */
export async function listResources({ run, allows }: Connection, cursor?: string): Promise<ListResourcesResult> {
  if (!allows(registry.listBlogs) || !allows(registry.listArticles)) return { resources: [] };
  const blogs = await readAllItems((from) => run(registry.listBlogs, () => ({ cursor: from })));
  const [blogId = blogs[0]?._id, place = ""] = cursor?.split(".") ?? [];
  const index = blogs.findIndex(({ _id }) => _id === blogId);
  if (index === -1) {
    if (cursor === undefined) return { resources: [] };
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The cursor is invalid.");
  }
  const { value, next } = await run(registry.listArticles, () => ({
    blogId: blogId ?? "",
    limit: PAGE,
    fields: LISTED_FIELDS,
    ...(place !== "" && { cursor: place }),
  }));
  const following = next === undefined ? blogs[index + 1]?._id : blogId;
  return {
    resources: value.map(toResource),
    ...(following !== undefined && { nextCursor: `${following}.${next ?? ""}` }),
  };
}

const LISTED_FIELDS: ArticleMember[] = ["_id", "title", "description", "slug", "locale", "published", "lastEditTime"];

function toResource({ _id = "", title, description, slug, locale, published, lastEditTime }: ArticlePart) {
  const state = published ? "published" : "draft";
  return {
    uri: toArticleUri(_id),
    name: pickVisible(title, slug, _id),
    description: [`${locale}, ${state}.`, description].filter(Boolean).join(" "),
    mimeType: MIME_TYPE,
    annotations: { lastModified: lastEditTime ?? "" },
  };
}

/** Returns an article or a part of it. Throws ResourceNotFoundError, also for an invalid URI. */
export async function readResource(connection: Connection, uri: string): Promise<ReadResourceResult> {
  const { id, offset } = parseUri(uri);
  try {
    return { contents: [await readArticleResource(connection, id, offset)] };
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") throw new ResourceNotFoundError(uri);
    throw error;
  }
}

/** Returns an article with at most `most` characters of its content, from `offset` on. Throws `not_found`. */
export async function readArticleResource({ run }: Pick<Connection, "run">, id: string, offset = 0, most = MOST) {
  const { value, version } = await run(registry.getArticle, () => ({ idOrSlug: id }));
  const { content = "", ...members } = value;
  const part = slicePart(content, offset, most);
  const next = part.nextOffset === null ? undefined : `${toArticleUri(id)}?offset=${part.nextOffset}`;
  const matter = {
    ...members,
    version,
    ...(part.text.length < content.length && { contentLength: content.length, offset: part.offset, next }),
  };
  const uri = offset === 0 ? toArticleUri(id) : `${toArticleUri(id)}?offset=${offset}`;
  return { uri, mimeType: MIME_TYPE, text: `---\n${writeFrontMatter(matter)}# ${NOTICE}\n---\n\n${part.text}` };
}

/** Writes fields as YAML. With the escapes of `escapeQuoted`, JSON values are valid YAML. */
const writeFrontMatter = (members: Readonly<Record<string, unknown>>): string =>
  Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${escapeQuoted(JSON.stringify(value))}\n`)
    .join("");

/** Nine digits are enough: no content is that long. */
const OFFSET = /^offset=(\d{1,9})$/;

/** Parses the URI of an article. Throws ResourceNotFoundError if it is invalid. */
function parseUri(uri: string): { id: string; offset: number } {
  const [id = "", query, more] = uri.startsWith(SCHEME) ? uri.slice(SCHEME.length).split("?") : [];
  const offset = query === undefined ? "0" : more === undefined ? OFFSET.exec(query)?.[1] : undefined;
  if (!isUuid(id) || offset === undefined) throw new ResourceNotFoundError(uri);
  return { id, offset: Number(offset) };
}
