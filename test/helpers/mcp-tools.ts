/** For every tool, an input that it accepts, and one that it refuses. */
import { newId } from "../../src/lib/ids.ts";
import { env } from "cloudflare:workers";
import type { World } from "./operations.ts";
import { freshGif } from "./pictures.ts";

let serial = 0;
const fresh = (): string => `tool-${++serial}`;

/** Returns an input that succeeds in this world. Values that must be unique are new with each call. */
export const validCalls = {
  list_blogs: () => ({}),
  get_blog: ({ tenant }) => ({ blogId: tenant.blogId }),
  list_articles: ({ tenant }) => ({ blogId: tenant.blogId, locale: "en", limit: 5 }),
  search_articles: ({ tenant }) => ({ query: "world", blogId: tenant.blogId, limit: 5 }),
  get_article: ({ article }) => ({ idOrSlug: article._id, limit: 1000 }),
  compare_locales: ({ tenant }) => ({ blogId: tenant.blogId, structure: true }),
  list_tags: ({ tenant }) => ({ blogId: tenant.blogId }),
  list_media: () => ({ query: "world", limit: 5 }),
  list_authors: ({ tenant }) => ({ blogId: tenant.blogId }),
  list_revisions: ({ article }) => ({ articleId: article._id }),
  compare_revisions: ({ article }) => ({ articleId: article._id, revision: 1 }),
  restore_revision: ({ article }) => ({ articleId: article._id, revision: 1 }),
  discard_working_copy: ({ article }) => ({ articleId: article._id }),
  list_schedules: ({ tenant }) => ({ blogId: tenant.blogId, state: "waiting" }),
  list_approvals: ({ tenant }) => ({ blogId: tenant.blogId, state: "waiting" }),
  request_approval: ({ asked }) => ({ articleId: asked._id, note: "Valid" }),
  get_usage: () => ({}),
  research_topics: ({ tenant }) => ({
    blogId: tenant.blogId,
    sources: [{ kind: "feed", url: `${env.FEEDS.url}/recent/feeds/wordpress.xml` }],
  }),
  list_events: ({ tenant }) => ({ blogId: tenant.blogId }),
  list_topics: ({ tenant }) => ({ blogId: tenant.blogId, status: "new" }),
  create_article: ({ tenant }) => ({ blogId: tenant.blogId, title: "Made by a tool", slug: fresh(), content: "Text" }),
  create_preview_link: ({ draft }) => ({ articleId: draft._id, expiresInSeconds: 60 }),
  update_article: ({ draft }) => ({ articleId: draft._id, description: fresh() }),
  edit_article: ({ edited }) => ({ articleId: edited._id, edits: [{ find: "Next", replace: "Next, please" }] }),
  upload_media: () => ({ data: btoa(String.fromCharCode(...freshGif())), name: "Valid", alt: "Valid" }),
  create_embed: () => ({ url: "https://vimeo.com/76979871" }),
  publish_article: ({ article }) => ({ articleId: article._id }),
  unpublish_article: ({ draft }) => ({ articleId: draft._id }),
  schedule_article: ({ draft }) => ({ articleId: draft._id, publishTime: "2032-01-01T09:00", timeZone: "Asia/Tokyo" }),
  generate_article: ({ tenant }) => ({ blogId: tenant.blogId, topic: "Morning walks", words: 300, slug: fresh() }),
  start_generation: ({ tenant }) => ({ order: { blogId: tenant.blogId, topic: "Walks", words: 300, slug: fresh() } }),
  get_generation: ({ generationId }) => ({ generationId }),
  refresh_topics: ({ tenant }) => ({ blogId: tenant.blogId }),
  delete_article: ({ article }) => ({ articleId: article._id }),
} as const satisfies Record<string, (world: World) => Record<string, unknown>>;

export type ToolName = keyof typeof validCalls;

export const TOOL_NAMES = Object.keys(validCalls) as ToolName[];

/** Returns an input that is refused, and the error code. */
export const refusedCalls: Record<ToolName, (world: World) => readonly [input: Record<string, unknown>, code: string]> =
  {
    list_blogs: () => [{ nonsense: "x" }, "invalid_request"],
    get_blog: () => [{ blogId: newId() }, "not_found"],
    list_articles: ({ tenant }) => [{ blogId: tenant.blogId, cursor: "x" }, "invalid_cursor"],
    search_articles: () => [{ query: "***" }, "invalid_request"],
    get_article: () => [{ idOrSlug: newId() }, "not_found"],
    compare_locales: () => [{ blogId: newId() }, "blog_forbidden"],
    list_tags: ({ tenant }) => [{ blogId: tenant.blogId, cursor: "x" }, "invalid_cursor"],
    list_media: () => [{ cursor: "x" }, "invalid_cursor"],
    list_authors: ({ tenant }) => [{ blogId: tenant.blogId, cursor: "x" }, "invalid_cursor"],
    list_revisions: () => [{ articleId: newId() }, "not_found"],
    compare_revisions: ({ article }) => [{ articleId: article._id, revision: 99 }, "not_found"],
    restore_revision: ({ article }) => [
      { articleId: article._id, revision: 1, version: newId() },
      "precondition_failed",
    ],
    discard_working_copy: ({ article }) => [{ articleId: article._id, version: newId() }, "precondition_failed"],
    list_schedules: () => [{ state: "x" }, "invalid_request"],
    list_approvals: () => [{ state: "x" }, "invalid_request"],
    request_approval: () => [{ articleId: newId() }, "not_found"],
    get_usage: () => [{ nonsense: "x" }, "invalid_request"],
    research_topics: () => [{ blogId: newId() }, "blog_forbidden"],
    list_events: () => [{ after: "x" }, "invalid_cursor"],
    list_topics: () => [{ blogId: newId() }, "blog_forbidden"],
    create_article: ({ tenant, article }) => [{ blogId: tenant.blogId, title: "x", slug: article.slug }, "slug_taken"],
    update_article: () => [{ articleId: newId(), title: "x" }, "not_found"],
    edit_article: ({ article }) => [
      { articleId: article._id, edits: [{ find: "nowhere", replace: "x" }] },
      "invalid_request",
    ],
    create_preview_link: () => [{ articleId: newId() }, "not_found"],
    create_embed: () => [{ url: "https://a.example" }, "invalid_request"],
    upload_media: () => [{ data: btoa("<svg/>") }, "unsupported_image"],
    publish_article: ({ draft }) => [{ articleId: draft._id, version: newId() }, "precondition_failed"],
    unpublish_article: () => [{ articleId: newId() }, "not_found"],
    schedule_article: ({ article }) => [{ articleId: article._id, publishTime: "2032-01-01T09:00" }, "invalid_request"],
    generate_article: ({ tenant }) => [{ blogId: tenant.blogId }, "invalid_request"],
    start_generation: ({ tenant }) => [{ order: { blogId: tenant.blogId } }, "invalid_request"],
    get_generation: () => [{ generationId: newId() }, "not_found"],
    refresh_topics: () => [{ blogId: newId() }, "blog_forbidden"],
    delete_article: () => [{ articleId: newId() }, "not_found"],
  };
