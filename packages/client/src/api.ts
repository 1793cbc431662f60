/** What the service says, of its OpenAPI document. Written by `npm run cli-types`. */

/**
 * Identifier.
 */
export type Id = string;
export type Timestamp = string;
/**
 * When its working copy was started and last saved; null if it has none. Only for callers with credentials.
 */
export type WorkingCopyTimes = {
  creationTime: Timestamp;
  lastEditTime: Timestamp;
} | null;
export type WebhookEvent =
  ArticleCreatedEvent | ArticleUpdatedEvent | ArticleDeletedEvent | BlogCreatedEvent | ContactCreatedEvent | PingEvent;

export interface Article {
  _id: Id;
  /**
   * The identifier of its blog.
   */
  blogId: string;
  title: string;
  /**
   * Summary used in listings and meta tags.
   */
  description: string;
  /**
   * Markup body, at most 1 MiB of UTF-8.
   */
  content: string;
  /**
   * Identifies the article in its blog, in place of the id; translations share it.
   */
  slug: string;
  /**
   * A BCP 47 language tag.
   */
  locale: string;
  /**
   * An absolute http or https URL, or empty.
   */
  coverUrl: string;
  /**
   * false = draft, true = published.
   */
  published: boolean;
  creationTime: Timestamp;
  lastEditTime: Timestamp;
}
/**
 * An article: all of its fields, or those listed in `fields`.
 */
export interface ArticleFields {
  _id?: Id;
  /**
   * The identifier of its blog.
   */
  blogId?: string;
  title?: string;
  /**
   * Summary used in listings and meta tags.
   */
  description?: string;
  /**
   * Markup body, at most 1 MiB of UTF-8.
   */
  content?: string;
  /**
   * Identifies the article in its blog, in place of the id; translations share it.
   */
  slug?: string;
  /**
   * A BCP 47 language tag.
   */
  locale?: string;
  /**
   * An absolute http or https URL, or empty.
   */
  coverUrl?: string;
  /**
   * false = draft, true = published.
   */
  published?: boolean;
  creationTime?: Timestamp;
  lastEditTime?: Timestamp;
  /**
   * When it was first published; null if it never was.
   */
  publishTime?: string | null;
  /**
   * When it will be published or unpublished; null if it is not scheduled. Only for callers with credentials.
   */
  schedule?: {
    /**
     * When it is published, in UTC; null for never.
     */
    publishTime: string | null;
    /**
     * When it is unpublished, in UTC; null for never.
     */
    unpublishTime: string | null;
    /**
     * The time zone in which it was scheduled.
     */
    timeZone: string;
    /**
     * The next of the two times.
     */
    dueTime: string;
    /**
     * `failed`: see `failure`. Nothing happens until it is scheduled again.
     */
    state: "waiting" | "failed";
    /**
     * Why it could not be carried out; null while it waits.
     */
    failure: {
      code: string;
      detail: string;
      time: Timestamp;
    } | null;
    scheduledBy: {
      kind: string;
      id: Id;
    };
    creationTime: Timestamp;
  } | null;
  workingCopy?: WorkingCopyTimes;
  origin?: Origin;
  seo?: Seo;
  /**
   * Its tags, which all translations share, with their names in its language.
   */
  tags?: ShownTerm[];
  /**
   * Its authors, in order, which all translations share. Their bios: `GET /api/authors`.
   */
  authors?: ShownTerm[];
  /**
   * Who created it, as in the audit log; null if this is no longer known. Only for callers with credentials.
   */
  createdBy?: {
    /**
     * key, operator, user, app or schedule.
     */
    kind: string;
    id: Id;
  } | null;
  /**
   * Who changed it last, as in the audit log; null once the log no longer has the change. Only for callers with credentials.
   */
  lastEditedBy?: {
    /**
     * key, operator, user, app or schedule.
     */
    kind: string;
    id: Id;
  } | null;
  /**
   * The content as sanitized HTML, with ids on its headings.
   */
  html?: string;
  /**
   * The content as plain text.
   */
  text?: string;
  /**
   * The beginning of its text, as one line of about 280 characters.
   */
  excerpt?: string;
  /**
   * The reading time in minutes; at least 1.
   */
  readingMinutes?: number;
  /**
   * Its headings, in order.
   */
  headings?: Heading[];
  /**
   * Always `done`: every content is rendered. For clients of earlier versions, which had other states.
   */
  rendering?: "done";
  /**
   * Its public URL: by the blog's `siteUrl` and `articlePath`, else on the service's own site; if that is turned off, its Markdown.
   */
  url?: string;
}
/**
 * Whether a person or a model wrote it. Only for callers with credentials.
 */
export interface Origin {
  /**
   * `generated`: as a model wrote it; `edited`: its texts have been changed since.
   */
  kind: "human" | "generated" | "edited";
  model: string | null;
  /**
   * Its identifier in `GET /api/generations`.
   */
  generationId: string | null;
  /**
   * Who published it in the console, as the `userId` of a member.
   */
  reviewedBy: string | null;
  reviewTime: string | null;
}
/**
 * Metadata for search engines and social networks. Where a text is empty, the article's own is used.
 */
export interface Seo {
  title: string;
  description: string;
  canonicalUrl: string;
  noindex: boolean;
  image: string;
}
export interface ShownTerm {
  _id: Id;
  slug: string;
  name: string;
}
export interface Heading {
  /**
   * The level of its element in `html`: 2 to 6.
   */
  level: number;
  id: string;
  text: string;
}
export interface ArticleInput {
  /**
   * The identifier of the article to update.
   */
  _id?: string;
  /**
   * The identifier of a blog.
   */
  blogId?: string;
  title?: string;
  /**
   * Summary used in listings and meta tags.
   */
  description?: string;
  /**
   * Markup body, at most 1 MiB of UTF-8.
   */
  content?: string;
  /**
   * Identifies the article in its blog, in place of the id; translations share it.
   */
  slug?: string;
  /**
   * A BCP 47 language tag.
   */
  locale?: string;
  /**
   * An absolute http or https URL, or empty.
   */
  coverUrl?: string;
  seo?: SeoInput;
  /**
   * Its tags, in order, which all translations share: slugs, names, or objects as the article returns them. New ones are created.
   *
   * @maxItems 20
   */
  tags?: (string | SentTerm)[];
  /**
   * Its authors, in order, which all translations share: slugs, names, or objects as the article returns them. New ones are created.
   *
   * @maxItems 20
   */
  authors?: (string | SentTerm)[];
  /**
   * false = draft, true = published.
   */
  published?: boolean;
  /**
   * When it was first public, not in the future. The first publication sets it if nobody has; null is accepted of an article that never was.
   */
  publishTime?: string | null;
  /**
   * Read-only: accepted in an update if it equals the stored value.
   */
  schedule?: {
    /**
     * When it is published, in UTC; null for never.
     */
    publishTime: string | null;
    /**
     * When it is unpublished, in UTC; null for never.
     */
    unpublishTime: string | null;
    /**
     * The time zone in which it was scheduled.
     */
    timeZone: string;
    /**
     * The next of the two times.
     */
    dueTime: string;
    /**
     * `failed`: see `failure`. Nothing happens until it is scheduled again.
     */
    state: "waiting" | "failed";
    /**
     * Why it could not be carried out; null while it waits.
     */
    failure: {
      code: string;
      detail: string;
      time: Timestamp;
    } | null;
    scheduledBy: {
      kind: string;
      id: Id;
    };
    creationTime: Timestamp;
  } | null;
  /**
   * Read-only: accepted in an update if it equals the stored value.
   */
  workingCopy?: {
    creationTime: Timestamp;
    lastEditTime: Timestamp;
  } | null;
  /**
   * Read-only: accepted in an update if it equals the stored value.
   */
  origin?: {
    /**
     * `generated`: as a model wrote it; `edited`: its texts have been changed since.
     */
    kind: "human" | "generated" | "edited";
    model: string | null;
    /**
     * Its identifier in `GET /api/generations`.
     */
    generationId: string | null;
    /**
     * Who published it in the console, as the `userId` of a member.
     */
    reviewedBy: string | null;
    reviewTime: string | null;
  };
  /**
   * Read-only: accepted in an update if it equals the stored value.
   */
  createdBy?: {
    /**
     * key, operator, user, app or schedule.
     */
    kind: string;
    id: Id;
  } | null;
  /**
   * Read-only: accepted in an update if it equals the stored value.
   */
  lastEditedBy?: {
    /**
     * key, operator, user, app or schedule.
     */
    kind: string;
    id: Id;
  } | null;
  /**
   * Read-only: accepted in an update if it equals the stored value.
   */
  html?: string;
  /**
   * Read-only: accepted in an update if it equals the stored value.
   */
  text?: string;
  /**
   * Read-only: accepted in an update if it equals the stored value.
   */
  excerpt?: string;
  /**
   * Read-only: accepted in an update if it equals the stored value.
   */
  readingMinutes?: number;
  /**
   * Read-only: accepted in an update if it equals the stored value.
   */
  headings?: Heading[];
  /**
   * Read-only: accepted in an update if it equals the stored value.
   */
  rendering?: "done";
  /**
   * Read-only: accepted in an update if it equals the stored value.
   */
  url?: string;
  /**
   * Read-only: accepted in an update if it equals the stored value.
   */
  creationTime?: string;
  /**
   * Read-only: accepted in an update if it equals the stored value.
   */
  lastEditTime?: string;
  /**
   * For editors that save a draft while somebody types: `article.updated` fires within six minutes, and former states are at most one for ten minutes of typing. Of a published article it is article_changed.
   */
  autosave?: boolean;
}
/**
 * Metadata for search engines and social networks. It replaces all of the previous metadata: what you leave out becomes empty.
 */
export interface SeoInput {
  title?: string;
  description?: string;
  /**
   * An absolute http or https URL, or empty.
   */
  canonicalUrl?: string;
  noindex?: boolean;
  /**
   * An absolute http or https URL, or empty.
   */
  image?: string;
}
/**
 * As the article returns it; `slug` identifies it.
 */
export interface SentTerm {
  /**
   * The identifier of it.
   */
  _id?: string;
  /**
   * Identifies the article in its blog; translations share it.
   */
  slug: string;
  name: string;
}
export interface Author {
  _id: Id;
  /**
   * The identifier of its blog.
   */
  blogId: string;
  slug: string;
  name: string;
  bio: string;
  pictureUrl: string;
  /**
   * How many articles have it; for anonymous callers, how many published ones.
   */
  articles: number;
  /**
   * How many of them are published.
   */
  publishedArticles: number;
  creationTime: Timestamp;
  lastEditTime: Timestamp;
}
export interface Deleted {
  _id: Id;
}
export interface FoundArticle {
  _id: Id;
  /**
   * The identifier of its blog.
   */
  blogId: string;
  title: string;
  /**
   * Summary used in listings and meta tags.
   */
  description: string;
  /**
   * Identifies the article in its blog, in place of the id; translations share it.
   */
  slug: string;
  /**
   * A BCP 47 language tag.
   */
  locale: string;
  /**
   * false = draft, true = published.
   */
  published: boolean;
  creationTime: Timestamp;
  lastEditTime: Timestamp;
  /**
   * The passage that was found, on one line, matches between `**`.
   */
  snippet: string;
}
export interface FoundByReader {
  _id: Id;
  title: string;
  /**
   * Summary used in listings and meta tags.
   */
  description: string;
  /**
   * Identifies the article in its blog, in place of the id; translations share it.
   */
  slug: string;
  /**
   * A BCP 47 language tag.
   */
  locale: string;
  /**
   * When it was first published; null if it never was.
   */
  publishTime: string | null;
  /**
   * Its public URL: by the blog's `siteUrl` and `articlePath`, else on the service's own site; if that is turned off, its Markdown.
   */
  url: string;
  /**
   * The passage that was found, as HTML: escaped text on one line, matches in `<mark>`.
   */
  passage: string;
}
export interface NewPreview {
  _id: Id;
  articleId: string;
  /**
   * Who created it, as in the audit log. It stops working when they can no longer write articles.
   */
  actor: {
    kind: string;
    id: string;
  };
  creationTime: Timestamp;
  expirationTime: Timestamp;
  url: string;
  /**
   * The last part of `url`. Shown once.
   */
  token: string;
}
export interface PreviewInput {
  /**
   * How long it works: an hour by default, 30 days at most.
   */
  expiresInSeconds?: number;
}
/**
 * A refusal, with the fields of RFC 9457 and a stable code.
 */
export interface Problem {
  /**
   * Explains the code.
   */
  type: string;
  title: string;
  status: number;
  /**
   * Stable; programs can switch on it.
   */
  code:
    | "invalid_request"
    | "invalid_json"
    | "invalid_cursor"
    | "blog_required"
    | "immutable_field"
    | "target_not_allowed"
    | "credentials_missing"
    | "credentials_invalid"
    | "scope_missing"
    | "operator_required"
    | "role_forbidden"
    | "blog_forbidden"
    | "origin_forbidden"
    | "not_found"
    | "route_not_found"
    | "method_not_allowed"
    | "precondition_failed"
    | "body_too_large"
    | "unsupported_media_type"
    | "unsupported_image"
    | "image_invalid"
    | "image_too_large"
    | "picture_unreachable"
    | "idempotency_key_reused"
    | "slug_taken"
    | "article_changed"
    | "article_not_published"
    | "vanity_id_taken"
    | "host_exists"
    | "host_limit"
    | "redirect_exists"
    | "redirect_loop"
    | "redirect_limit"
    | "contact_exists"
    | "member_exists"
    | "invitation_limit"
    | "organization_limit"
    | "last_owner"
    | "quota_exceeded"
    | "media_in_use"
    | "media_exists"
    | "import_limit"
    | "import_state"
    | "media_limit"
    | "blog_limit"
    | "term_limit"
    | "credential_limit"
    | "preview_limit"
    | "app_limit"
    | "subscription_limit"
    | "subscription_inactive"
    | "no_topic_sources"
    | "topic_used"
    | "idempotency_in_progress"
    | "ai_refused"
    | "generation_limit"
    | "event_limit"
    | "delivery_limit"
    | "rate_limited"
    | "too_many_failed_attempts"
    | "canceled"
    | "internal"
    | "dns_unavailable"
    | "ai_unavailable"
    | "ai_cut_off"
    | "ai_invalid_answer"
    | "ai_not_configured"
    | "ai_rate_limited"
    | "ai_timeout"
    | "not_ready";
  /**
   * What is wrong with this request, for people to read.
   */
  detail: string;
  /**
   * The `X-Request-Id` of the response.
   */
  requestId: string;
  /**
   * Every invalid field.
   */
  errors?: {
    /**
     * The field or parameter; empty for the body itself.
     */
    path: string;
    message: string;
  }[];
  /**
   * With `not_found`: the article that had this slug before.
   */
  movedTo?: {
    articleId: string;
    slug: string;
    locale: string;
    blogId: string;
  };
}
export interface PublicBlog {
  /**
   * Identifier.
   */
  _id: string;
  name: string;
  coverUrl: string;
  creationTime: Timestamp;
  lastEditTime: Timestamp;
  /**
   * BCP 47 tags; the first one is the default. Publishing an article in another locale adds that locale.
   */
  locales: string[];
}
export interface Subscription {
  /**
   * An email asks to confirm it.
   */
  status: "pending";
}
export interface SubscriptionInput {
  /**
   * The email address to subscribe.
   */
  email: string;
  /**
   * The language of the emails; by default, that of the blog.
   */
  locale?: string;
}
export interface Tag {
  _id: Id;
  /**
   * The identifier of its blog.
   */
  blogId: string;
  slug: string;
  name: string;
  /**
   * Its names in other languages.
   */
  names: {
    [k: string]: string;
  };
  /**
   * How many articles have it; for anonymous callers, how many published ones.
   */
  articles: number;
  /**
   * How many of them are published.
   */
  publishedArticles: number;
  creationTime: Timestamp;
  lastEditTime: Timestamp;
}
export interface ArticlesListQuery {
  /**
   * The identifier of a blog.
   */
  blogId: string;
  /**
   * A BCP 47 language tag.
   */
  locale?: string;
  /**
   * Other locales, best first, for slugs that have no article in `locale`: of each, the article in the first of these locales.
   *
   * @minItems 1
   * @maxItems 5
   *
   * Items: A BCP 47 language tag.
   */
  fallback?: string[];
  /**
   * Only published articles, or only drafts.
   */
  published?: boolean;
  /**
   * Only the article of this slug, in all its locales.
   */
  slug?: string;
  /**
   * The slug of a tag: only articles that have it. Not together with `slug` or `author`.
   */
  tag?: string;
  /**
   * The slug of an author: only their articles.
   */
  author?: string;
  /**
   * By which time the list is ordered: `creationTime` by default.
   */
  sort?: "creationTime" | "publishTime";
  /**
   * Items per page; 0, and more than 100, mean 100.
   */
  limit?: number;
  /**
   * Items to skip. For deep lists, follow the `Link` header instead.
   */
  skip?: number;
  /**
   * The opaque cursor from a `Link` header.
   */
  cursor?: string;
}
export interface ArticlesGetQuery {
  /**
   * The identifier of a blog.
   */
  blogId?: string;
  /**
   * A BCP 47 language tag.
   */
  locale?: string;
  /**
   * Other locales, best first, for slugs that have no article in `locale`: of each, the article in the first of these locales.
   *
   * @minItems 1
   * @maxItems 5
   *
   * Items: A BCP 47 language tag.
   */
  fallback?: string[];
  /**
   * `follow`: show the article that had this slug before, if no other has it, with `Content-Location`.
   */
  moved?: "follow";
}
export interface ArticlesSearchQuery {
  /**
   * At most 12 different words, all of which must occur.
   */
  query: string;
  /**
   * Only this blog's articles.
   */
  blogId?: string;
  /**
   * Only articles in this locale.
   */
  locale?: string;
  /**
   * Only published articles, or only drafts.
   */
  published?: boolean;
  /**
   * Articles per page; 0, and more than 20, mean 20.
   */
  limit?: number;
  /**
   * The opaque cursor from a `Link` header.
   */
  cursor?: string;
}
export interface BlogsSearchQuery {
  /**
   * At most 12 different words, all of which must occur.
   */
  q: string;
  /**
   * Only articles in this locale.
   */
  locale?: string;
  /**
   * How many articles; 0, and more than 20, mean 20.
   */
  limit?: number;
}
export interface TagsListQuery {
  /**
   * The identifier of a blog.
   */
  blogId: string;
  /**
   * Only the one with this slug.
   */
  slug?: string;
  /**
   * Items per page; 0, and more than 100, mean 100.
   */
  limit?: number;
  /**
   * Items to skip. For deep lists, follow the `Link` header instead.
   */
  skip?: number;
  /**
   * The opaque cursor from a `Link` header.
   */
  cursor?: string;
}
export interface AuthorsListQuery {
  /**
   * The identifier of a blog.
   */
  blogId: string;
  /**
   * Only the one with this slug.
   */
  slug?: string;
  /**
   * Items per page; 0, and more than 100, mean 100.
   */
  limit?: number;
  /**
   * Items to skip. For deep lists, follow the `Link` header instead.
   */
  skip?: number;
  /**
   * The opaque cursor from a `Link` header.
   */
  cursor?: string;
}
export interface ArticleCreatedEvent {
  /**
   * The event kind.
   */
  event: "article.created";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: ArticleEventData;
}
/**
 * An article without its content.
 */
export interface ArticleEventData {
  _id: Id;
  /**
   * The identifier of its blog.
   */
  blogId: string;
  title: string;
  /**
   * Summary used in listings and meta tags.
   */
  description: string;
  /**
   * Identifies the article in its blog, in place of the id; translations share it.
   */
  slug: string;
  /**
   * A BCP 47 language tag.
   */
  locale: string;
  /**
   * An absolute http or https URL, or empty.
   */
  coverUrl: string;
  /**
   * false = draft, true = published.
   */
  published: boolean;
  creationTime: Timestamp;
  lastEditTime: Timestamp;
}
export interface ArticleUpdatedEvent {
  /**
   * The event kind.
   */
  event: "article.updated";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: ArticleEventData;
}
export interface ArticleDeletedEvent {
  /**
   * The event kind.
   */
  event: "article.deleted";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: ArticleEventData;
}
export interface BlogCreatedEvent {
  /**
   * The event kind.
   */
  event: "blog.created";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: Blog;
}
export interface Blog {
  /**
   * Identifier.
   */
  _id: string;
  name: string;
  /**
   * Lowercase id of the blog in `/blogs/{vanityId}`, which can also be a subdomain of your site.
   */
  vanityId: string;
  coverUrl: string;
  creationTime: Timestamp;
  lastEditTime: Timestamp;
  /**
   * BCP 47 tags; the first one is the default. Publishing an article in another locale adds that locale.
   */
  locales: string[];
  /**
   * Where topic ideas come from.
   */
  topicSources: {
    kind: string;
    name: string;
    [k: string]: unknown;
  }[];
  /**
   * Whether its sources are read once a day, or on request only.
   */
  topicRefresh: "manual" | "daily";
}
export interface ContactCreatedEvent {
  /**
   * The event kind.
   */
  event: "contact.created";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: Contact;
}
export interface Contact {
  _id: Id;
  /**
   * The identifier of its blog.
   */
  blogId: string;
  email: string;
  name: string;
  locale: string;
  creationTime: Timestamp;
  /**
   * When they confirmed by email that they want the blog's emails, or agreed elsewhere (`imported`); null if they never did.
   */
  consentTime: string | null;
  /**
   * When they unsubscribed; null if they have not.
   */
  unsubscribeTime: string | null;
  /**
   * Who imported, and from where, that they agreed elsewhere to get the emails, or unsubscribed; null if nobody did.
   */
  imported: {
    from: string;
    time: Timestamp;
    by: {
      kind: string;
      id: string;
    };
  } | null;
}
export interface PingEvent {
  /**
   * The event kind.
   */
  event: "ping";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: {
    /**
     * Identifier.
     */
    subscriptionId: string;
  };
}
