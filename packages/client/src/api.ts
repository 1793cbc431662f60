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
export type TopicSource =
  | {
      kind: "feed";
      /**
       * A name for it. By default, the name that it gives itself.
       */
      name?: string;
      /**
       * RSS, Atom, RDF or JSON Feed.
       */
      url: string;
    }
  | {
      kind: "hackernews";
      /**
       * A name for it. By default, the name that it gives itself.
       */
      name?: string;
      /**
       * The front page by default.
       */
      query?: string;
    }
  | {
      kind: "discourse";
      /**
       * A name for it. By default, the name that it gives itself.
       */
      name?: string;
      /**
       * The site's address.
       */
      url: string;
      /**
       * Is the slug of a category: letters, digits, -, . and _.
       */
      category?: string;
      /**
       * Is a tag: letters, digits, -, . and _.
       */
      tag?: string;
    }
  | {
      kind: "reddit";
      /**
       * A name for it. By default, the name that it gives itself.
       */
      name?: string;
      /**
       * Is the name of a subreddit, without r/: letters, digits and _.
       */
      subreddit: string;
    }
  | {
      kind: "stackexchange";
      /**
       * A name for it. By default, the name that it gives itself.
       */
      name?: string;
      /**
       * Is the API's name of a site: lowercase letters, digits, . and -.
       */
      site?: string;
      /**
       * Is a tag: letters, digits, #, +, -, . and _.
       */
      tag: string;
    }
  | {
      kind: "lobsters";
      /**
       * A name for it. By default, the name that it gives itself.
       */
      name?: string;
      /**
       * Is a tag: letters, digits, +, -, . and _.
       */
      tag?: string;
    }
  | {
      kind: "lemmy";
      /**
       * A name for it. By default, the name that it gives itself.
       */
      name?: string;
      /**
       * A community's address.
       */
      url: string;
    };
export type EventKind =
  | "article.created"
  | "article.updated"
  | "article.deleted"
  | "blog.created"
  | "contact.created"
  | "blog.updated"
  | "blog.deleted"
  | "site.updated"
  | "tag.created"
  | "tag.updated"
  | "tag.deleted"
  | "author.created"
  | "author.updated"
  | "author.deleted"
  | "media.created"
  | "media.updated"
  | "media.deleted";
export type NewWebhookSubscription = WebhookSubscription & {
  /**
   * The key of the HMAC, shown once.
   */
  secret: string;
};
export type NewApiKey = ApiKey & {
  /**
   * Shown once.
   */
  secret: string;
};
export type NewAccessToken = AccessToken & {
  /**
   * Shown once.
   */
  secret: string;
};
/**
 * owner and admin: everything, but only owners add and remove owners. writer: articles and topics. contributor: drafts, unpublished changes and topics. reader: read access.
 */
export type Role = "owner" | "admin" | "writer" | "contributor" | "reader";
export type NewInvitation = Invitation & {
  link: string;
};
export type WebhookEvent =
  | ArticleCreatedEvent
  | ArticleUpdatedEvent
  | ArticleDeletedEvent
  | BlogCreatedEvent
  | ContactCreatedEvent
  | BlogUpdatedEvent
  | BlogDeletedEvent
  | SiteUpdatedEvent
  | TagCreatedEvent
  | TagUpdatedEvent
  | TagDeletedEvent
  | AuthorCreatedEvent
  | AuthorUpdatedEvent
  | AuthorDeletedEvent
  | MediaCreatedEvent
  | MediaUpdatedEvent
  | MediaDeletedEvent
  | PingEvent;

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
/**
 * As it is after the change.
 */
export interface UpdatedArticleData {
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
  /**
   * The names of the fields that changed.
   */
  changed: string[];
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
  styleGuide: StyleGuide;
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
/**
 * How the blog writes. Generation, help with a text, and the editor's advice follow it. Only for the organization.
 */
export interface StyleGuide {
  /**
   * Voice, audience and conventions, as Markdown.
   */
  text: string;
  /**
   * Words and phrases that its texts do not use.
   */
  avoid: {
    term: string;
    /**
     * What to say instead.
     */
    use: string;
  }[];
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
/**
 * As it is after the change.
 */
export interface UpdatedBlogData {
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
  styleGuide: StyleGuide;
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
  /**
   * The names of the fields that changed.
   */
  changed: string[];
}
/**
 * As it is after the change.
 */
export interface UpdatedSiteData {
  /**
   * The identifier of its blog.
   */
  blogId: string;
  /**
   * Where the blog's front page is: `siteUrl`, or the service's own site; if that is off, its `llms.txt`.
   */
  url: string;
  /**
   * Whether the service shows the blog under its `vanityId`.
   */
  enabled: boolean;
  /**
   * What the site and the feeds say of the blog.
   */
  description: string;
  /**
   * Where the blog's readers are, if you have a site of your own: http or https, without query and fragment. Empty: the service's own site.
   */
  siteUrl: string;
  /**
   * Where an article is on that site: a path with `{slug}`, and `{locale}`. Without `{locale}`, it is that of the blog's first locale; in others, it has the locale before it.
   */
  articlePath: string;
  /**
   * What feeds have of an article: all of it, or its beginning.
   */
  feedContent: "full" | "excerpt";
  /**
   * The colour of links on the site, as #rrggbb. Empty: the theme's own.
   */
  accentColor: string;
  /**
   * What the site's texts are set in.
   */
  font: "serif" | "sans";
  /**
   * A picture in place of the blog's name; empty for none.
   */
  logoUrl: string;
  /**
   * Links at the head of the site: absolute URLs, or paths of the site.
   */
  menu: MenuEntry[];
  /**
   * What subscribers get by email, in one line. Readers see it next to the Subscribe field of the site, and in the email to confirm. If it is empty, the site has no Subscribe field. The service sends only the emails to confirm: you send the newsletter.
   */
  newsletter: string;
  /**
   * When these settings were changed last; null if they never were.
   */
  lastEditTime: string | null;
  /**
   * The names of the fields that changed.
   */
  changed: string[];
}
export interface MenuEntry {
  label: string;
  url: string;
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
/**
 * As it is after the change.
 */
export interface UpdatedTagData {
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
  /**
   * The names of the fields that changed.
   */
  changed: string[];
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
/**
 * As it is after the change.
 */
export interface UpdatedAuthorData {
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
  /**
   * The names of the fields that changed.
   */
  changed: string[];
}
export interface Media {
  _id: Id;
  /**
   * The blog of the credential that uploaded it, if that was pinned to one; null: it is for all blogs.
   */
  blogId: string | null;
  /**
   * Its public URL. After a replacement, the same URL shows the new file.
   */
  url: string;
  /**
   * The URL of exactly this file, which caches may keep for a year. It changes with a replacement.
   */
  fileUrl: string;
  name: string;
  /**
   * What it shows, for people who cannot see it.
   */
  alt: string;
  /**
   * One of image/avif, image/gif, image/jpeg, image/png, image/webp.
   */
  mediaType: string;
  /**
   * Of the stored file.
   */
  bytes: number;
  /**
   * Pixels, as it is shown.
   */
  width: number;
  height: number;
  /**
   * Its smaller files, for `?w=`, which are made within seconds. `none`: readers get the file itself.
   */
  sizes: "pending" | "made" | "none";
  /**
   * Why there are none: its `kind`, the `cost` of decoding it, `undecodable`, or too `small`.
   */
  sizesReason: "kind" | "cost" | "undecodable" | "small" | null;
  /**
   * A blurred preview in about thirty characters (blurha.sh); null until it is made, with the sizes.
   */
  blurHash: string | null;
  /**
   * How many articles that you can access show it, up to 1,000.
   */
  articles: number;
  creationTime: Timestamp;
  lastEditTime: Timestamp;
}
/**
 * As it is after the change.
 */
export interface UpdatedMediaData {
  _id: Id;
  /**
   * The blog of the credential that uploaded it, if that was pinned to one; null: it is for all blogs.
   */
  blogId: string | null;
  /**
   * Its public URL. After a replacement, the same URL shows the new file.
   */
  url: string;
  /**
   * The URL of exactly this file, which caches may keep for a year. It changes with a replacement.
   */
  fileUrl: string;
  name: string;
  /**
   * What it shows, for people who cannot see it.
   */
  alt: string;
  /**
   * One of image/avif, image/gif, image/jpeg, image/png, image/webp.
   */
  mediaType: string;
  /**
   * Of the stored file.
   */
  bytes: number;
  /**
   * Pixels, as it is shown.
   */
  width: number;
  height: number;
  /**
   * Its smaller files, for `?w=`, which are made within seconds. `none`: readers get the file itself.
   */
  sizes: "pending" | "made" | "none";
  /**
   * Why there are none: its `kind`, the `cost` of decoding it, `undecodable`, or too `small`.
   */
  sizesReason: "kind" | "cost" | "undecodable" | "small" | null;
  /**
   * A blurred preview in about thirty characters (blurha.sh); null until it is made, with the sizes.
   */
  blurHash: string | null;
  /**
   * How many articles that you can access show it, up to 1,000.
   */
  articles: number;
  creationTime: Timestamp;
  lastEditTime: Timestamp;
  /**
   * The names of the fields that changed.
   */
  changed: string[];
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
    | "cursor_expired"
    | "blog_required"
    | "immutable_field"
    | "target_not_allowed"
    | "credentials_missing"
    | "credentials_invalid"
    | "scope_missing"
    | "operator_required"
    | "role_forbidden"
    | "approval_declined"
    | "organization_suspended"
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
    | "sources_unchanged"
    | "working_copy_exists"
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
    | "generation_state"
    | "media_limit"
    | "blog_limit"
    | "term_limit"
    | "credential_limit"
    | "preview_limit"
    | "app_limit"
    | "subscription_limit"
    | "subscription_inactive"
    | "subscription_being_replaced"
    | "delivery_not_settled"
    | "no_topic_sources"
    | "topic_used"
    | "idempotency_in_progress"
    | "ai_refused"
    | "generation_limit"
    | "event_limit"
    | "usage_limit"
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
  /**
   * With `cursor_expired`: the oldest event that is left; null if there is none.
   */
  oldest?: {
    _id: string;
    timestamp: number;
  } | null;
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
 * Whether a person or a model wrote it. Anonymous callers get null for `generationId`, `application` and `reviewedBy`.
 */
export interface Origin {
  /**
   * `human`: people wrote it; `generated`: as models wrote it; `edited`: both have written in it.
   */
  kind: "human" | "generated" | "edited";
  /**
   * null if an application wrote it, which does not name its model.
   */
  model: string | null;
  /**
   * Its identifier in `GET /api/generations`.
   */
  generationId: string | null;
  /**
   * The application connected over MCP that was the last to write in it.
   */
  application: string | null;
  /**
   * Whether a person answers for the text: people wrote it, or a member has reviewed it.
   */
  reviewed: boolean;
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
     * `human`: people wrote it; `generated`: as models wrote it; `edited`: both have written in it.
     */
    kind: "human" | "generated" | "edited";
    /**
     * null if an application wrote it, which does not name its model.
     */
    model: string | null;
    /**
     * Its identifier in `GET /api/generations`.
     */
    generationId: string | null;
    /**
     * The application connected over MCP that was the last to write in it.
     */
    application: string | null;
    /**
     * Whether a person answers for the text: people wrote it, or a member has reviewed it.
     */
    reviewed: boolean;
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
   * Only of a new article: the topic idea that it is about, which becomes `used` and names the article.
   */
  topicId?: string;
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
export interface BulkOutcome {
  _id: Id;
  /**
   * `unchanged`: there was nothing to change, and no event was fired.
   */
  outcome: "changed" | "unchanged" | "refused";
  /**
   * The error code of a refusal.
   */
  code: string | null;
  /**
   * The reason of a refusal.
   */
  detail: string | null;
}
export interface BulkInput {
  /**
   * `deleteLater` deletes once the time to undo it is over; `keep` undoes it.
   */
  action: "publish" | "unpublish" | "schedule" | "tag" | "delete" | "deleteLater" | "keep";
  /**
   * @minItems 1
   * @maxItems 100
   *
   * Items: The identifier of an article.
   */
  articleIds: string[];
  /**
   * For the action `schedule`: the times for all articles.
   */
  schedule?: {
    /**
     * When to publish it.
     */
    publishTime?: string;
    /**
     * When to unpublish it.
     */
    unpublishTime?: string;
    /**
     * The time zone of local times.
     */
    timeZone?: string;
  };
  /**
   * For the action `tag`: slugs or names of tags to add to each article.
   *
   * @minItems 1
   * @maxItems 20
   */
  tags?: string[];
}
export interface GeneratedArticle {
  article: Article;
  metadata: GenerationMetadata;
}
export interface GenerationMetadata {
  /**
   * Who runs the model.
   */
  provider: string;
  model: string;
  /**
   * null if no image was made.
   */
  imageModel: string | null;
  /**
   * As counted by the provider, including repairs.
   */
  inputTokens: number;
  outputTokens: number;
  durationMs: number;
  /**
   * Words of the content.
   */
  wordCount: number;
  keywords: string[];
  /**
   * The sections, and what they are about.
   */
  outline: {
    heading: string;
    points: string[];
  }[];
  /**
   * The generated images. Anybody who knows the URL of one can read it without credentials, even while the article is a draft.
   */
  images: {
    role: "cover" | "inline";
    url: string;
    alt: string;
  }[];
  /**
   * The requested topic.
   */
  topic: string;
  topicId: string | null;
  /**
   * The article that was translated or rewritten.
   */
  sourceArticleId: string | null;
  /**
   * Checks of the article, as an SEO editor would make them.
   */
  checks: {
    /**
     * What is checked.
     */
    name: string;
    passed: boolean;
    /**
     * The finding.
     */
    detail: string;
  }[];
  /**
   * The figures and quotations of an article with `sources`, 100 at most.
   */
  claims?: Claim[];
  /**
   * What falls short of the request.
   */
  degradations: string[];
  /**
   * How often the model had to be asked again.
   */
  repairs: number;
}
export interface Claim {
  kind: "figure" | "quotation";
  /**
   * As the article has it.
   */
  text: string;
  /**
   * The words around it.
   */
  context: string;
  /**
   * A source has it; or else the request that the article was generated from; or nothing.
   */
  backedBy: "source" | "request" | "nothing";
  /**
   * The address of the first source that has it.
   */
  source: string | null;
}
export interface GenerationInput {
  /**
   * The identifier of a blog.
   */
  blogId?: string;
  /**
   * What to write about.
   */
  topic?: string;
  /**
   * The identifier of a topic idea to write about.
   */
  topicId?: string;
  /**
   * The identifier of an article to translate (another `locale`) or to rewrite (its own).
   */
  articleId?: string;
  /**
   * Further instructions. Links given here may appear in the article.
   */
  instructions?: string;
  /**
   * What readers would search for; the first one is the primary keyword.
   *
   * @maxItems 10
   */
  keywords?: string[];
  /**
   * Pages, feeds or texts to write from. Not for translations.
   *
   * @maxItems 10
   */
  sources?: string[];
  /**
   * By default, the blog's default locale; with articleId, the article's.
   */
  locale?: string;
  /**
   * Derived by default; a translation shares its article's.
   */
  slug?: string;
  tone?: string;
  /**
   * The approximate length. A translation is as long as its article.
   */
  words?: number;
  outline?: ArticleOutline;
  /**
   * false = draft, true = published.
   */
  published?: boolean;
  /**
   * True by default if an image model is configured. A translation has its article's images unless this is false.
   */
  coverImage?: boolean;
  /**
   * True by default if an image model is configured. A translation has its article's images unless this is false.
   */
  inlineImages?: boolean;
}
/**
 * What to write, such as the answer of POST /api/articles/outline. Not for a translation.
 */
export interface ArticleOutline {
  title: string;
  /**
   * The primary keyword.
   */
  keyword: string;
  /**
   * @minItems 1
   * @maxItems 20
   */
  sections: {
    heading: string;
    /**
     * What the section has to say.
     *
     * @maxItems 12
     */
    points?: string[];
    /**
     * Its length. With such lengths, the article has their sum, and not the `words` of the order.
     */
    words?: number;
  }[];
}
export interface Assistance {
  task: string;
  /**
   * The new passage; null for other tasks.
   */
  text: string | null;
  /**
   * The suggestions, best first.
   */
  suggestions: {
    value: string;
    /**
     * The image that it describes.
     */
    picture: string | null;
    /**
     * For a tag: whether the blog has it.
     */
    known: boolean;
  }[];
  /**
   * What to check before you use it, one sentence each.
   */
  warnings: string[];
  provider: string;
  model: string;
  /**
   * As counted by the provider, including repairs.
   */
  inputTokens: number;
  outputTokens: number;
  /**
   * US dollars; null if the service has no price for the model.
   */
  cost: number | null;
}
export interface AssistInput {
  /**
   * The identifier of a blog.
   */
  blogId?: string;
  /**
   * `shorten`, `rephrase`, `correct` and `translate` rework a passage; `titles`, `description`, `alternatives` (alt texts for its images) and `tags` suggest something for an article.
   */
  task: "shorten" | "rephrase" | "correct" | "translate" | "titles" | "description" | "alternatives" | "tags";
  /**
   * Markdown: the passage, at most 10000 characters, or the content of the article.
   */
  text: string;
  /**
   * The article's title.
   */
  title?: string;
  /**
   * The text around the passage, which is read but not changed.
   */
  context?: string;
  /**
   * The text's locale; by default the blog's default locale.
   */
  locale?: string;
  /**
   * The locale to translate into, only for `translate`.
   */
  targetLocale?: string;
}
export interface OutlinedArticle {
  outline: ArticleOutline;
  provider: string;
  model: string;
  /**
   * As counted by the provider, including repairs.
   */
  inputTokens: number;
  outputTokens: number;
  /**
   * US dollars; null if the service has no price for the model.
   */
  cost: number | null;
}
export interface OutlineInput {
  /**
   * The identifier of a blog.
   */
  blogId?: string;
  /**
   * What to write about.
   */
  topic?: string;
  /**
   * The identifier of a topic idea to write about.
   */
  topicId?: string;
  /**
   * The identifier of an article to translate (another `locale`) or to rewrite (its own).
   */
  articleId?: string;
  /**
   * Further instructions. Links given here may appear in the article.
   */
  instructions?: string;
  /**
   * What readers would search for; the first one is the primary keyword.
   *
   * @maxItems 10
   */
  keywords?: string[];
  /**
   * Pages, feeds or texts to write from. Not for translations.
   *
   * @maxItems 10
   */
  sources?: string[];
  /**
   * By default, the blog's default locale; with articleId, the article's.
   */
  locale?: string;
  tone?: string;
  /**
   * The approximate length. A translation is as long as its article.
   */
  words?: number;
}
export interface Deleted {
  _id: Id;
}
export interface Preview {
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
export interface Generation {
  _id: Id;
  /**
   * The identifier of its blog.
   */
  blogId: string;
  /**
   * `stored`: the article was stored; `answered`: help with a text, which stores nothing.
   */
  state: "running" | "stored" | "answered" | "failed";
  /**
   * The error code of a failed generation.
   */
  code: string | null;
  provider: string;
  model: string;
  inputTokens: number;
  outputTokens: number;
  /**
   * US dollars for its tokens; null if the service has no price for the model.
   */
  cost: number | null;
  /**
   * Milliseconds; null while it runs.
   */
  durationMs: number | null;
  /**
   * The article that it created, which may have been deleted since.
   */
  articleId: string | null;
  /**
   * How far an article is that is not stored yet; null before its first step.
   */
  progress: {
    /**
     * The step that began last.
     */
    step: string;
    /**
     * Calls of models that are done, with parts of those that run.
     */
    done: number;
    total: number;
  } | null;
  actor: {
    kind: string;
    id: Id;
  };
  creationTime: Timestamp;
  /**
   * Null while it runs.
   */
  finishTime: string | null;
}
export interface Passages {
  articleId: Id;
  /**
   * In order; null if the content has more than 50000 lines.
   */
  passages: Passage[] | null;
}
export interface Passage {
  /**
   * The first line of `content`, from 1.
   */
  firstLine: number;
  /**
   * How many lines it has.
   */
  lines: number;
  /**
   * The number of the state with which it came; null if that is not known.
   */
  revision: number | null;
  /**
   * Who made that state, as in the audit log; null if that is not known.
   */
  by: {
    /**
     * key, operator, user, app or schedule.
     */
    kind: string;
    /**
     * The identifier of the credential, the person or the connection.
     */
    id: string;
  } | null;
  /**
   * Whether a model wrote it; null if that is not known.
   */
  byModel: boolean | null;
  /**
   * The model that generated it.
   */
  model: string | null;
  /**
   * The application connected over MCP that wrote it.
   */
  application: string | null;
  /**
   * When that state was made.
   */
  time: string | null;
}
export interface ArticleSources {
  articleId: Id;
  sources: ArticleSource[];
  /**
   * In their order; of more than 100, those that nothing backs first.
   */
  claims: Claim[];
}
export interface ArticleSource {
  url: string;
  /**
   * Empty if it has none.
   */
  title: string;
  /**
   * Whether only its beginning was read.
   */
  isCut: boolean;
  /**
   * When it was stored, as it was read.
   */
  readTime: string;
}
export interface GenerationEstimate {
  /**
   * Calls of models, images included.
   */
  calls: number;
  /**
   * About how many tokens are sent.
   */
  inputTokens: number;
  /**
   * About how many the model writes.
   */
  outputTokens: number;
  /**
   * US dollars; null if the service has no price for the model.
   */
  cost: number | null;
  /**
   * Of the organization; null for a credential pinned to one blog.
   */
  tokensToday: {
    /**
     * More than `limit` only if the limit was lowered.
     */
    used: number;
    /**
     * The ceiling; null for none.
     */
    limit: number | null;
    /**
     * When the count starts again.
     */
    resetTime: string;
  } | null;
}
export interface GenerationDetails {
  _id: Id;
  /**
   * The identifier of its blog.
   */
  blogId: string;
  /**
   * `stored`: the article was stored; `answered`: help with a text, which stores nothing.
   */
  state: "running" | "stored" | "answered" | "failed";
  /**
   * The error code of a failed generation.
   */
  code: string | null;
  provider: string;
  model: string;
  inputTokens: number;
  outputTokens: number;
  /**
   * US dollars for its tokens; null if the service has no price for the model.
   */
  cost: number | null;
  /**
   * Milliseconds; null while it runs.
   */
  durationMs: number | null;
  /**
   * The article that it created, which may have been deleted since.
   */
  articleId: string | null;
  /**
   * How far an article is that is not stored yet; null before its first step.
   */
  progress: {
    /**
     * The step that began last.
     */
    step: string;
    /**
     * Calls of models that are done, with parts of those that run.
     */
    done: number;
    total: number;
  } | null;
  actor: {
    kind: string;
    id: Id;
  };
  creationTime: Timestamp;
  /**
   * Null while it runs.
   */
  finishTime: string | null;
  /**
   * null if there is no article, or none any more.
   */
  metadata: {
    /**
     * Who runs the model.
     */
    provider: string;
    model: string;
    /**
     * null if no image was made.
     */
    imageModel: string | null;
    /**
     * As counted by the provider, including repairs.
     */
    inputTokens: number;
    outputTokens: number;
    durationMs: number;
    /**
     * Words of the content.
     */
    wordCount: number;
    keywords: string[];
    /**
     * The sections, and what they are about.
     */
    outline: {
      heading: string;
      points: string[];
    }[];
    /**
     * The generated images. Anybody who knows the URL of one can read it without credentials, even while the article is a draft.
     */
    images: {
      role: "cover" | "inline";
      url: string;
      alt: string;
    }[];
    /**
     * The requested topic.
     */
    topic: string;
    topicId: string | null;
    /**
     * The article that was translated or rewritten.
     */
    sourceArticleId: string | null;
    /**
     * Checks of the article, as an SEO editor would make them.
     */
    checks: {
      /**
       * What is checked.
       */
      name: string;
      passed: boolean;
      /**
       * The finding.
       */
      detail: string;
    }[];
    /**
     * The figures and quotations of an article with `sources`, 100 at most.
     */
    claims?: Claim[];
    /**
     * What falls short of the request.
     */
    degradations: string[];
    /**
     * How often the model had to be asked again.
     */
    repairs: number;
  } | null;
  /**
   * Whether it can go on where it stopped.
   */
  resumable: boolean;
}
export interface Revision {
  articleId: Id;
  /**
   * The first state of an article is 1; each change adds one.
   */
  number: number;
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
  seo: Seo;
  /**
   * false = draft, true = published.
   */
  published: boolean;
  /**
   * Whether it is a state of the working copy, which readers did not see.
   */
  workingCopy: boolean;
  /**
   * Who made this state; null if the audit log no longer said so when it was replaced.
   */
  by: {
    /**
     * key, operator, user or app.
     */
    kind: string;
    /**
     * The identifier of the credential, the person or the connection.
     */
    id: string;
    /**
     * As in the audit log.
     */
    action: string;
  } | null;
  lastEditTime: Timestamp;
  /**
   * When the next state took its place.
   */
  endTime: string;
}
export interface WholeRevision {
  articleId: Id;
  /**
   * The first state of an article is 1; each change adds one.
   */
  number: number;
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
  seo: Seo;
  /**
   * false = draft, true = published.
   */
  published: boolean;
  /**
   * Whether it is a state of the working copy, which readers did not see.
   */
  workingCopy: boolean;
  /**
   * Who made this state; null if the audit log no longer said so when it was replaced.
   */
  by: {
    /**
     * key, operator, user or app.
     */
    kind: string;
    /**
     * The identifier of the credential, the person or the connection.
     */
    id: string;
    /**
     * As in the audit log.
     */
    action: string;
  } | null;
  lastEditTime: Timestamp;
  /**
   * When the next state took its place.
   */
  endTime: string;
  /**
   * Markup body, at most 1 MiB of UTF-8.
   */
  content: string;
}
export interface RevisionComparison {
  articleId: Id;
  /**
   * The first state of an article is 1; each change adds one.
   */
  from: number;
  with: number | "current";
  /**
   * The fields that differ, without `content`.
   */
  fields: {
    name: string;
    before: string | boolean;
    after: string | boolean;
  }[];
  /**
   * null if the contents differ in too many lines, or have too many.
   */
  content: {
    /**
     * The lines that differ, with three around them, in the unified format; empty if none does.
     */
    unified: string;
    addedLines: number;
    removedLines: number;
  } | null;
}
export interface WorkingCopy {
  articleId: Id;
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
  seo: Seo;
  /**
   * Only if they were saved in the working copy.
   */
  tags?: NamedTerm[];
  /**
   * Only if they were saved in the working copy.
   */
  authors?: NamedTerm[];
  /**
   * Only if it was saved in the working copy.
   */
  publishTime?: string;
  /**
   * The fields that were saved; the others are the article's.
   */
  changed: string[];
  /**
   * Whether the article has changed since the working copy was begun.
   */
  articleChanged: boolean;
  /**
   * Who saved it last, as in the audit log.
   */
  by: {
    kind: string;
    id: string;
  };
  creationTime: Timestamp;
  lastEditTime: Timestamp;
}
export interface NamedTerm {
  slug: string;
  name: string;
}
export interface WorkingCopyInput {
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
   * When it was first published, not in the future. If you do not send it, the first publication sets it.
   */
  publishTime?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   *
   * @maxItems 100
   */
  changed?: string[];
  /**
   * Read-only: accepted if it equals the stored value.
   */
  articleChanged?: boolean;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  by?: {
    kind: string;
    id: string;
  };
  /**
   * Read-only: accepted if it equals the stored value.
   */
  creationTime?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  lastEditTime?: string;
}
export interface WorkingCopyPublication {
  /**
   * Publish it even if the article has changed meanwhile.
   */
  overwrite?: boolean;
}
export interface EditedArticle {
  _id: Id;
  /**
   * false = draft, true = published.
   */
  published: boolean;
  /**
   * Whether this is the working copy, which readers do not see.
   */
  workingCopy: boolean;
  /**
   * Characters of its content now (UTF-16 units).
   */
  contentLength: number;
  /**
   * Each edit, in the order of the request.
   */
  edits: {
    /**
     * Where the new passage begins now.
     */
    offset: number;
    /**
     * The new passage with a little around it; of a long one, the beginning and the end.
     */
    passage: string;
  }[];
}
export interface ContentEdits {
  /**
   * @minItems 1
   * @maxItems 100
   */
  edits: ContentEdit[];
}
export interface ContentEdit {
  /**
   * The passage, exactly as it is in the text.
   */
  find: string;
  /**
   * What takes its place; empty to remove it.
   */
  replace: string;
  /**
   * Where the passage is (UTF-16 units), if it occurs more than once.
   */
  offset?: number;
}
export interface Schedule {
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
  articleId: Id;
  /**
   * The identifier of its blog.
   */
  blogId: string;
  title: string;
  slug: string;
  locale: string;
  published: boolean;
}
export interface ScheduleInput {
  /**
   * When to publish it.
   */
  publishTime?: string | null;
  /**
   * When to unpublish it.
   */
  unpublishTime?: string | null;
  /**
   * The time zone of local times.
   */
  timeZone?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  blogId?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  title?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  slug?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  locale?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  published?: boolean;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  dueTime?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  state?: "waiting" | "failed";
  /**
   * Read-only: accepted if it equals the stored value.
   */
  failure?: {
    code: string;
    detail: string;
    time: Timestamp;
  } | null;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  scheduledBy?: {
    kind: string;
    id: Id;
  };
  /**
   * Read-only: accepted if it equals the stored value.
   */
  creationTime?: string;
}
export interface Deletion {
  articleId: Id;
  /**
   * The identifier of its blog.
   */
  blogId: string;
  title: string;
  slug: string;
  locale: string;
  /**
   * Until when the deletion can be undone.
   */
  dueTime: string;
  /**
   * `failed`: the article was not deleted. See `failure`.
   */
  state: "waiting" | "failed";
  /**
   * Why it was not deleted; null while it waits.
   */
  failure: {
    code: string;
    detail: string;
  } | null;
  deletedBy: {
    kind: string;
    id: Id;
  };
  creationTime: Timestamp;
}
export interface Approval {
  articleId: Id;
  /**
   * The identifier of its blog.
   */
  blogId: string;
  title: string;
  slug: string;
  locale: string;
  published: boolean;
  action: "publish" | "unpublish" | "delete";
  /**
   * When it is to be published; null: at once.
   */
  publishTime: string | null;
  /**
   * When it is to be unpublished; null: at once, or not at all.
   */
  unpublishTime: string | null;
  timeZone: string;
  note: string;
  /**
   * Whether the article, or its working copy, has changed since it was asked.
   */
  changed: boolean;
  state: "waiting" | "declined";
  /**
   * Why and when it was declined; null while it waits.
   */
  declined: {
    reason: string;
    time: Timestamp;
  } | null;
  /**
   * Who asked, as in the audit log.
   */
  requestedBy: {
    kind: string;
    id: Id;
  };
  creationTime: Timestamp;
}
export interface ApprovalInput {
  /**
   * `publish` is about a draft, or the working copy of a published article.
   */
  action?: "publish" | "unpublish" | "delete";
  /**
   * When to publish it.
   */
  publishTime?: string;
  /**
   * When to unpublish it.
   */
  unpublishTime?: string;
  /**
   * The time zone of local times.
   */
  timeZone?: string;
  /**
   * For whoever approves it.
   */
  note?: string;
}
export interface Approved {
  articleId: Id;
  action: "publish" | "unpublish" | "delete";
}
export interface ApprovalDecision {
  /**
   * What is approved: refused if it is not what was asked.
   */
  action: "publish" | "unpublish" | "delete";
  /**
   * Publish the working copy even if the article has changed since it was begun.
   */
  overwrite?: boolean;
}
export interface Refusal {
  /**
   * For whoever asked.
   */
  reason?: string;
}
export interface TrashedArticle {
  articleId: Id;
  /**
   * The identifier of its blog.
   */
  blogId: string;
  title: string;
  slug: string;
  locale: string;
  /**
   * Whether it was published, and will be again if it is restored.
   */
  published: boolean;
  deletedBy: {
    kind: string;
    id: Id;
  };
  deletionTime: Timestamp;
  /**
   * Until when it can be restored.
   */
  dueTime: string;
}
export interface ArticleRestoration {
  /**
   * Another slug; its former one by default.
   */
  slug?: string;
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
export interface BlogInput {
  name: string;
  /**
   * Lowercase id of the blog in `/blogs/{vanityId}`, which can also be a subdomain of your site.
   */
  vanityId?: string;
  /**
   * An absolute http or https URL, or empty.
   */
  coverUrl?: string;
  /**
   * BCP 47 tags; the first one is the default.
   *
   * @minItems 1
   * @maxItems 100
   *
   * Items: A BCP 47 language tag.
   */
  locales?: string[];
  styleGuide?: StyleGuideInput;
}
/**
 * How the blog writes. Generation, help with a text, and the editor's advice follow it. Only for the organization. It is replaced as a whole.
 */
export interface StyleGuideInput {
  /**
   * Voice, audience and conventions, as Markdown.
   */
  text?: string;
  /**
   * Words and phrases that its texts do not use.
   *
   * @maxItems 100
   */
  avoid?: {
    term: string;
    /**
     * What to say instead.
     */
    use?: string;
  }[];
}
export interface DeletedBlog {
  _id: Id;
  name: string;
  vanityId: string;
  deletionTime: Timestamp;
  /**
   * Until when it can be restored.
   */
  dueTime: string;
}
export interface BlogChange {
  name?: string;
  /**
   * Lowercase id of the blog in `/blogs/{vanityId}`, which can also be a subdomain of your site.
   */
  vanityId?: string;
  /**
   * An absolute http or https URL, or empty.
   */
  coverUrl?: string;
  /**
   * BCP 47 tags; the first one is the default.
   *
   * @minItems 1
   * @maxItems 100
   *
   * Items: A BCP 47 language tag.
   */
  locales?: string[];
  styleGuide?: StyleGuideInput;
  /**
   * Feeds and forums for topic ideas, at most 20. A new one is read once to try it, and refused if that fails.
   *
   * @maxItems 20
   */
  topicSources?: TopicSource[];
  /**
   * Whether its sources are read once a day, or on request only.
   */
  topicRefresh?: "manual" | "daily";
  /**
   * Read-only: accepted if it equals the stored value.
   */
  _id?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  creationTime?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  lastEditTime?: string;
}
export interface Site {
  /**
   * The identifier of its blog.
   */
  blogId: string;
  /**
   * Where the blog's front page is: `siteUrl`, or the service's own site; if that is off, its `llms.txt`.
   */
  url: string;
  /**
   * Whether the service shows the blog under its `vanityId`.
   */
  enabled: boolean;
  /**
   * What the site and the feeds say of the blog.
   */
  description: string;
  /**
   * Where the blog's readers are, if you have a site of your own: http or https, without query and fragment. Empty: the service's own site.
   */
  siteUrl: string;
  /**
   * Where an article is on that site: a path with `{slug}`, and `{locale}`. Without `{locale}`, it is that of the blog's first locale; in others, it has the locale before it.
   */
  articlePath: string;
  /**
   * What feeds have of an article: all of it, or its beginning.
   */
  feedContent: "full" | "excerpt";
  /**
   * The colour of links on the site, as #rrggbb. Empty: the theme's own.
   */
  accentColor: string;
  /**
   * What the site's texts are set in.
   */
  font: "serif" | "sans";
  /**
   * A picture in place of the blog's name; empty for none.
   */
  logoUrl: string;
  /**
   * Links at the head of the site: absolute URLs, or paths of the site.
   */
  menu: MenuEntry[];
  /**
   * What subscribers get by email, in one line. Readers see it next to the Subscribe field of the site, and in the email to confirm. If it is empty, the site has no Subscribe field. The service sends only the emails to confirm: you send the newsletter.
   */
  newsletter: string;
  /**
   * When these settings were changed last; null if they never were.
   */
  lastEditTime: string | null;
}
export interface SiteChange {
  /**
   * Whether the service shows the blog under its `vanityId`.
   */
  enabled?: boolean;
  /**
   * What the site and the feeds say of the blog.
   */
  description?: string;
  /**
   * Where the blog's readers are, if you have a site of your own: http or https, without query and fragment. Empty: the service's own site.
   */
  siteUrl?: string;
  /**
   * Where an article is on that site: a path with `{slug}`, and `{locale}`. Without `{locale}`, it is that of the blog's first locale; in others, it has the locale before it.
   */
  articlePath?: string;
  /**
   * What feeds have of an article: all of it, or its beginning.
   */
  feedContent?: "full" | "excerpt";
  /**
   * The colour of links on the site, as #rrggbb. Empty: the theme's own.
   */
  accentColor?: string;
  /**
   * What the site's texts are set in.
   */
  font?: "serif" | "sans";
  /**
   * A picture in place of the blog's name; empty for none.
   */
  logoUrl?: string;
  /**
   * Links at the head of the site: absolute URLs, or paths of the site.
   *
   * @maxItems 20
   */
  menu?: {
    label: string;
    url: string;
  }[];
  /**
   * What subscribers get by email, in one line. Readers see it next to the Subscribe field of the site, and in the email to confirm. If it is empty, the site has no Subscribe field. The service sends only the emails to confirm: you send the newsletter.
   */
  newsletter?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  url?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  lastEditTime?: string | null;
}
export interface SiteHost {
  /**
   * The identifier of its blog.
   */
  blogId: string;
  /**
   * In lower case, international names in Punycode.
   */
  host: string;
  /**
   * `pending`: its record was not found yet, or is gone. `verified`: it shows the site. `failing`: it still shows the site, but the last check did not find its record.
   */
  state: "pending" | "verified" | "failing";
  /**
   * The DNS records to create: the proof, and the alias that leads readers here.
   */
  records: {
    type: "TXT" | "CNAME";
    name: string;
    value: string;
  }[];
  /**
   * Since when it is verified.
   */
  verifiedTime: string | null;
  /**
   * When its record was last checked; null if it never was.
   */
  checkTime: string | null;
  /**
   * When it is next checked automatically; null once it was not found for a week.
   */
  nextCheckTime: string | null;
  /**
   * Why the last check did not verify it; null if it did, or if there was none.
   */
  failure: {
    since: Timestamp;
    /**
     * `host_taken`: the record was found, but so was that of another blog, which has the host.
     */
    reason: "record_missing" | "host_taken";
    /**
     * The texts that were found instead, or in addition.
     */
    found: string[];
  } | null;
  creationTime: Timestamp;
}
export interface SiteHostInput {
  /**
   * A host name of the blog, such as `journal.example.com`.
   */
  host: string;
}
export interface ListedRedirect {
  _id: Id;
  /**
   * The identifier of its blog.
   */
  blogId: string;
  /**
   * The old path, below the blog's site: without a query, but for WordPress's `/?p=123` and `/?page_id=123`. It is stored decoded, and without a slash at the end.
   */
  from: string;
  /**
   * A path of the site, or an https URL. Null if it leads to an article.
   */
  to: string | null;
  /**
   * The article of the blog that it leads to, whatever its slug is. Or null.
   */
  articleId: string | null;
  creationTime: Timestamp;
  /**
   * What its article is called now; null if it leads to an address.
   */
  article: {
    slug: string;
    locale: string;
    /**
     * false: the article is a draft, so the path leads nowhere.
     */
    published: boolean;
  } | null;
}
export interface NewRedirect {
  _id: Id;
  /**
   * The identifier of its blog.
   */
  blogId: string;
  /**
   * The old path, below the blog's site: without a query, but for WordPress's `/?p=123` and `/?page_id=123`. It is stored decoded, and without a slash at the end.
   */
  from: string;
  /**
   * A path of the site, or an https URL. Null if it leads to an article.
   */
  to: string | null;
  /**
   * The article of the blog that it leads to, whatever its slug is. Or null.
   */
  articleId: string | null;
  creationTime: Timestamp;
  /**
   * Readers see what the site has at `from`: a published article, or one of the site's own pages.
   */
  overridden: boolean;
}
export interface RedirectInput {
  /**
   * The old path, below the blog's site: without a query, but for WordPress's `/?p=123` and `/?page_id=123`. It is stored decoded, and without a slash at the end.
   */
  from: string;
  /**
   * A path of the site, or an https URL.
   */
  to?: string;
  /**
   * The article of the blog that it leads to, whatever its slug is.
   */
  articleId?: string;
}
export interface RedirectOutcome {
  /**
   * `unchanged`: the blog had this redirect already.
   */
  outcome: "created" | "unchanged" | "refused";
  /**
   * As it is stored; null if it was refused.
   */
  redirect: {
    _id: Id;
    /**
     * The identifier of its blog.
     */
    blogId: string;
    /**
     * The old path, below the blog's site: without a query, but for WordPress's `/?p=123` and `/?page_id=123`. It is stored decoded, and without a slash at the end.
     */
    from: string;
    /**
     * A path of the site, or an https URL. Null if it leads to an article.
     */
    to: string | null;
    /**
     * The article of the blog that it leads to, whatever its slug is. Or null.
     */
    articleId: string | null;
    creationTime: Timestamp;
  } | null;
  /**
   * Readers see what the site has at `from`: a published article, or one of the site's own pages.
   */
  overridden: boolean;
  /**
   * The error code of a refusal.
   */
  code: string | null;
  /**
   * The reason of a refusal.
   */
  detail: string | null;
}
export interface RedirectsInput {
  /**
   * Each with `from`, and with `to` or `articleId`.
   *
   * @minItems 1
   * @maxItems 500
   */
  redirects: {
    from: string;
    to?: string;
    articleId?: string;
  }[];
}
export interface Import {
  _id: Id;
  /**
   * The identifier of its blog.
   */
  blogId: string;
  /**
   * `checking` reads the file; `checked` waits to be started; `running` creates articles; `undoing` deletes them. `failed`: see `problem`.
   */
  state: "uploading" | "checking" | "checked" | "running" | "done" | "failed" | "undoing" | "undone";
  fileName: string;
  bytes: number;
  /**
   * null until it is known.
   */
  format: "ghost" | "wordpress" | "markdown" | null;
  wishes: ImportWishes;
  /**
   * How many articles the file has.
   */
  total: number;
  /**
   * How many of them this state has dealt with.
   */
  position: number;
  counts: ImportCounts;
  /**
   * What was left out or changed in the whole file, the most frequent first.
   */
  remarks: {
    what: string;
    times: number;
    /**
     * Some of those that it concerns, as the file calls them.
     */
    names?: string[];
  }[];
  /**
   * Why it failed; null if it did not.
   */
  problem: string | null;
  creationTime: Timestamp;
  /**
   * null until it is started.
   */
  startTime: string | null;
  /**
   * null until it has ended.
   */
  finishTime: string | null;
}
export interface ImportWishes {
  /**
   * Which articles are published: those that the file says are (`source`), none (`drafts`), or all that it does not call drafts (`publish`).
   */
  publication?: "source" | "drafts" | "publish";
  /**
   * Import pages as well as posts.
   */
  pages?: boolean;
  /**
   * Give a post whose slug an earlier one in the file has another slug.
   */
  renameDuplicates?: boolean;
  /**
   * Bring pictures into the library.
   */
  pictures?: boolean;
  /**
   * The address of the old site, for relative addresses in the file.
   */
  siteUrl?: string;
  /**
   * "" for the default of the blog.
   */
  locale: string;
}
export interface ImportCounts {
  /**
   * Can be imported, or still are to be.
   */
  ready: number;
  /**
   * Drafts among those that can be imported, or were.
   */
  drafts: number;
  /**
   * Lose something.
   */
  lossy: number;
  /**
   * Cannot be imported.
   */
  refused: number;
  created: number;
  /**
   * Were refused when they were to be created.
   */
  failed: number;
  /**
   * Were deleted by undoing.
   */
  deleted: number;
  /**
   * Were changed since, so undoing has kept them.
   */
  kept: number;
  /**
   * Pictures that are in the library now.
   */
  pictures: number;
  /**
   * Tags of the articles that it has created, and not deleted, once it has ended.
   */
  tags: number;
  /**
   * Their authors.
   */
  authors: number;
  /**
   * Old addresses that lead to them.
   */
  redirects: number;
}
export interface ImportedArticle {
  /**
   * Its place in the file.
   */
  number: number;
  /**
   * What the file calls it.
   */
  name: string;
  title: string;
  slug: string;
  locale: string;
  published: boolean;
  /**
   * `refused` by the check, `failed` when it was to be created, `kept` by undoing because it was changed.
   */
  state: "ready" | "refused" | "created" | "failed" | "deleted" | "kept";
  /**
   * The article that was created.
   */
  articleId: string | null;
  /**
   * The date that it has here; null without one, and before it is created.
   */
  publishTime: string | null;
  /**
   * What it lost.
   */
  losses: string[];
  /**
   * Why it was not imported, or is kept.
   */
  problem: string | null;
}
export interface ImportUndo {
  /**
   * Also delete articles that were changed since.
   */
  force?: boolean;
}
export interface SlugLocales {
  /**
   * The slug that the translations share.
   */
  slug: string;
  /**
   * In the order of the blog's locales. Others, which have only drafts or were removed, come last.
   */
  articles: {
    _id: Id;
    locale: string;
    title: string;
    /**
     * false = draft, true = published.
     */
    published: boolean;
    lastEditTime: Timestamp;
    /**
     * The article in the blog's default locale was edited after this one.
     */
    stale: boolean;
    /**
     * Only with `structure`: how its content differs from that of the article in the blog's default locale; null for that article itself, and if there is none.
     */
    structure?: {
      /**
       * null if a text is too long to be compared, or a slug has more than one response can compare.
       */
      differences:
        | {
            part: "headings" | "lists" | "listItems" | "codeBlocks" | "images" | "links" | "tables" | "quotes";
            /**
             * Counts; for headings, their levels in order.
             */
            original: string;
            translation: string;
          }[]
        | null;
      /**
       * Its length divided by the original's, in characters; null if the original has none.
       */
      lengthRatio: number | null;
    } | null;
  }[];
  /**
   * The blog's locales that have no article with this slug.
   */
  missing: string[];
}
export interface MovedSlug {
  /**
   * The previous slug.
   */
  slug: string;
  locale: string;
  to: {
    articleId: Id;
    slug: string;
    locale: string;
  };
  /**
   * false: the article is a draft now, so the slug leads nowhere.
   */
  published: boolean;
  moveTime: Timestamp;
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
export interface TagInput {
  /**
   * The identifier of a blog.
   */
  blogId?: string;
  /**
   * Identifies it in its blog; derived from the name if it is left out.
   */
  slug?: string;
  name: string;
  /**
   * Its names in other languages. An update replaces all of them.
   */
  names?: {
    [k: string]: string;
  };
}
export interface TagInputChange {
  /**
   * Identifies it in its blog; derived from the name if it is left out.
   */
  slug?: string;
  name?: string;
  /**
   * Its names in other languages. An update replaces all of them.
   */
  names?: {
    [k: string]: string;
  };
  /**
   * Read-only: accepted if it equals the stored value.
   */
  _id?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  blogId?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  articles?: number;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  publishedArticles?: number;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  creationTime?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  lastEditTime?: string;
}
export interface TagInputMerge {
  /**
   * The identifier of a tag.
   */
  into: string;
}
export interface AuthorInput {
  /**
   * The identifier of a blog.
   */
  blogId?: string;
  /**
   * Identifies it in its blog; derived from the name if it is left out.
   */
  slug?: string;
  name: string;
  bio?: string;
  /**
   * An absolute http or https URL, or empty.
   */
  pictureUrl?: string;
}
export interface AuthorInputChange {
  /**
   * Identifies it in its blog; derived from the name if it is left out.
   */
  slug?: string;
  name?: string;
  bio?: string;
  /**
   * An absolute http or https URL, or empty.
   */
  pictureUrl?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  _id?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  blogId?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  articles?: number;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  publishedArticles?: number;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  creationTime?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  lastEditTime?: string;
}
export interface AuthorInputMerge {
  /**
   * The identifier of an author.
   */
  into: string;
}
export interface MediaChange {
  /**
   * A name to find it by.
   */
  name?: string;
  /**
   * What it shows, for people who cannot see it.
   */
  alt?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  _id?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  blogId?: string | null;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  url?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  fileUrl?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  mediaType?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  bytes?: number;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  width?: number;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  height?: number;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  sizes?: "pending" | "made" | "none";
  /**
   * Read-only: accepted if it equals the stored value.
   */
  sizesReason?: "kind" | "cost" | "undecodable" | "small" | null;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  blurHash?: string | null;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  articles?: number;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  creationTime?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  lastEditTime?: string;
}
export interface MediaUse {
  articleId: Id;
  /**
   * The identifier of its blog.
   */
  blogId: string;
  title: string;
  slug: string;
  locale: string;
  published: boolean;
  /**
   * Where: in the article itself, in its working copy, or in both.
   */
  places: ("article" | "draft")[];
}
export interface Embed {
  /**
   * As the provider tells it.
   */
  title: string;
  /**
   * The URL of the image in the library, with its size in pixels.
   */
  picture: string;
  /**
   * A paragraph for an article's `content`.
   */
  markdown: string;
}
export interface EmbedInput {
  /**
   * The URL of a video, a sound or code, as people copy it.
   */
  url: string;
}
export interface Topic {
  _id: Id;
  /**
   * The identifier of its blog.
   */
  blogId: string;
  title: string;
  /**
   * The text of the item, as plain text.
   */
  summary: string;
  /**
   * What an article could say that the item does not; empty without a model.
   */
  angle: string;
  /**
   * Where it was found.
   */
  url: string;
  source: TopicOrigin;
  /**
   * The items about it, one for each source and URL, ten at most.
   */
  mentions: TopicMention[];
  keywords: string[];
  /**
   * The language of its text.
   */
  locale: string;
  /**
   * The higher, the better: the day, plus a bonus in days for votes and closeness to the blog.
   */
  score: number;
  /**
   * `used` once it has become an article.
   */
  status: "new" | "used" | "dismissed";
  /**
   * The article that it became.
   */
  articleId: string | null;
  creationTime: Timestamp;
  lastEditTime: Timestamp;
}
export interface TopicOrigin {
  /**
   * `feed`, or the kind of forum.
   */
  kind: string;
  /**
   * The source's name in the blog.
   */
  name: string;
}
export interface TopicMention {
  url: string;
  source: TopicOrigin;
  /**
   * Its votes and comments when it was read last. Older mentions lack it.
   */
  engagement?: number;
}
export interface TopicChange {
  status: "new" | "used" | "dismissed";
  /**
   * Read-only: accepted if it equals the stored value.
   */
  _id?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  blogId?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  title?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  summary?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  angle?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  url?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  source?: {
    /**
     * `feed`, or the kind of forum.
     */
    kind: string;
    /**
     * The source's name in the blog.
     */
    name: string;
  };
  /**
   * Read-only: accepted if it equals the stored value.
   */
  mentions?: TopicMention[];
  /**
   * Read-only: accepted if it equals the stored value.
   */
  keywords?: string[];
  /**
   * Read-only: accepted if it equals the stored value.
   */
  locale?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  score?: number;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  articleId?: string | null;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  creationTime?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  lastEditTime?: string;
}
export interface TopicRefresh {
  _id: Id;
  /**
   * The identifier of its blog.
   */
  blogId: string;
  state: "running" | "done";
  /**
   * In the blog's order.
   */
  sources: {
    /**
     * As the blog had it when the refresh started.
     */
    source: {
      kind: string;
      name: string;
      [k: string]: unknown;
    };
    /**
     * `unchanged`: its server reports nothing new.
     */
    state: "waiting" | "reading" | "read" | "unchanged" | "failed";
    /**
     * Items that the source returned.
     */
    found: number;
    /**
     * Ideas that were created from them.
     */
    created: number;
    /**
     * Items that belong to an existing idea, whose mentions and score they update.
     */
    merged: number;
    /**
     * Items that were left out, and why.
     */
    refused: {
      reason: string;
      count: number;
    }[];
    /**
     * Why it failed, as a code.
     */
    reason: string | null;
    /**
     * The reason as a sentence. Of a source that was read: until when its forum asks for no requests.
     */
    detail: string | null;
  }[];
  creationTime: Timestamp;
  /**
   * null while it is running.
   */
  finishTime: string | null;
}
export interface TopicRefreshInput {
  /**
   * The identifier of a blog.
   */
  blogId?: string;
}
export interface TopicResearch {
  /**
   * The blog that the ideas were compared with.
   */
  blogId: string;
  sources: {
    source: TopicOrigin;
    /**
     * `left`: the blog has more sources than one call reads.
     */
    state: "read" | "failed" | "left";
    /**
     * Items that the source returned.
     */
    found: number;
    /**
     * Items that were left out, and why.
     */
    refused: {
      reason: string;
      count: number;
    }[];
    /**
     * Why it failed, as a code.
     */
    reason: string | null;
    /**
     * The reason as a sentence.
     */
    detail: string | null;
  }[];
  /**
   * Best first.
   */
  ideas: {
    title: string;
    /**
     * The text of the item, as plain text.
     */
    summary: string;
    /**
     * Where it was found.
     */
    url: string;
    source: TopicOrigin;
    /**
     * The items about it, one for each source and URL, ten at most.
     */
    mentions: TopicMention[];
    keywords: string[];
    /**
     * The language of its text.
     */
    locale: string;
    /**
     * As for a topic idea: the higher, the better.
     */
    score: number;
    /**
     * The blog's own idea about the same subject; null if it has none.
     */
    known: {
      topicId: string;
      status: "new" | "used" | "dismissed";
    } | null;
  }[];
}
export interface TopicResearchInput {
  /**
   * The identifier of a blog.
   */
  blogId?: string;
  /**
   * Feeds and forums, as in a blog's `topicSources`. By default, the blog's own.
   *
   * @minItems 1
   * @maxItems 5
   */
  sources?: TopicSource[];
  /**
   * Ideas to list, 50 at most.
   */
  limit?: number;
}
export interface WholeContact {
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
  /**
   * The URL where they unsubscribe, for the List-Unsubscribe header and the end of an email. Null if the service has no BASE_URL or AUTH_SECRET.
   */
  unsubscribeUrl: string | null;
}
export interface ContactInput {
  /**
   * The identifier of a blog.
   */
  blogId?: string;
  email: string;
  name?: string;
  /**
   * A BCP 47 language tag.
   */
  locale?: string;
}
export interface ContactImportOutcome {
  /**
   * `changed`: the contact was there, and is subscribed or unsubscribed now.
   */
  outcome: "created" | "changed" | "unchanged" | "refused";
  /**
   * The error code of a refusal.
   */
  code: string | null;
  /**
   * The reason of a refusal, or why nothing changed.
   */
  detail: string | null;
}
export interface ContactImport {
  /**
   * The identifier of a blog.
   */
  blogId?: string;
  /**
   * Where they agreed, or what file they are from.
   */
  from: string;
  /**
   * Each with `email`; `state` is `subscribed` for those who have agreed to get the blog's emails, and `unsubscribed` for those who wanted no more, since `time`.
   *
   * @minItems 1
   * @maxItems 500
   */
  contacts: {
    email: string;
    name?: string;
    locale?: string;
    state?: "subscribed" | "unsubscribed";
    time?: string;
  }[];
  /**
   * Only say what would happen.
   */
  dryRun?: boolean;
}
export interface WebhookSubscription {
  _id: Id;
  /**
   * A name for people; empty if it has none.
   */
  name: string;
  url: string;
  /**
   * null: the whole organization.
   */
  blogId: string | null;
  /**
   * Empty: the kinds of articles, and blog.created and contact.created.
   */
  events: EventKind[];
  active: boolean;
  /**
   * Consecutive failures; 20 deactivate the subscription.
   */
  failureStreak: number;
  /**
   * null while it is active.
   */
  deactivationTime: string | null;
  /**
   * When it ends, because another one with a new secret replaces it; null: never.
   */
  endTime: string | null;
  /**
   * The subscription that it replaces.
   */
  replaces: string | null;
  organization: Id;
  creationTime: Timestamp;
  lastEditTime: Timestamp;
}
export interface WebhookSubscriptionInput {
  /**
   * A public https URL.
   */
  url: string;
  /**
   * A name for people; may be empty.
   */
  name?: string;
  /**
   * One blog; null: the whole organization.
   */
  blogId?: string | null;
  /**
   * The kinds to send. Empty: the kinds of articles, and blog.created and contact.created.
   *
   * @maxItems 34
   */
  events?: EventKind[];
}
export interface WebhookSubscriptionChange {
  /**
   * A public https URL.
   */
  url?: string;
  /**
   * A name for people; may be empty.
   */
  name?: string;
  /**
   * The kinds to send. Empty: the kinds of articles, and blog.created and contact.created.
   *
   * @maxItems 34
   */
  events?: EventKind[];
  active?: boolean;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  _id?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  blogId?: string | null;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  organization?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  failureStreak?: number;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  deactivationTime?: string | null;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  endTime?: string | null;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  replaces?: string | null;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  creationTime?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  lastEditTime?: string;
  /**
   * Immutable; not accepted in an update.
   */
  secret?: string;
}
export interface Delivery {
  _id: Id;
  /**
   * The event that it delivers; a subscription gets each once.
   */
  eventId: string;
  event:
    | "article.created"
    | "article.updated"
    | "article.deleted"
    | "blog.created"
    | "contact.created"
    | "blog.updated"
    | "blog.deleted"
    | "site.updated"
    | "tag.created"
    | "tag.updated"
    | "tag.deleted"
    | "author.created"
    | "author.updated"
    | "author.deleted"
    | "media.created"
    | "media.updated"
    | "media.deleted"
    | "ping";
  /**
   * open: waiting. claimed: being sent. skipped: the subscription changed before it was sent. unknown: the attempt was interrupted; nothing repeats it by itself. dead: the service could not send it (/api/deadletters).
   */
  state: "open" | "claimed" | "succeeded" | "failed" | "skipped" | "unknown" | "dead";
  /**
   * The receiver's HTTP status, if it answered.
   */
  status: number | null;
  /**
   * Milliseconds until the headers arrived or the attempt failed.
   */
  durationMs: number | null;
  /**
   * The kind of failure, such as timeout (contract 11.11).
   */
  error: string | null;
  creationTime: Timestamp;
  /**
   * When it was sent; null: not yet.
   */
  attemptTime: string | null;
  /**
   * When its state became final; null: not yet.
   */
  settleTime: string | null;
  /**
   * How often an operator had it delivered again.
   */
  redeliveries: number;
}
export interface WholeDelivery {
  _id: Id;
  /**
   * The event that it delivers; a subscription gets each once.
   */
  eventId: string;
  event:
    | "article.created"
    | "article.updated"
    | "article.deleted"
    | "blog.created"
    | "contact.created"
    | "blog.updated"
    | "blog.deleted"
    | "site.updated"
    | "tag.created"
    | "tag.updated"
    | "tag.deleted"
    | "author.created"
    | "author.updated"
    | "author.deleted"
    | "media.created"
    | "media.updated"
    | "media.deleted"
    | "ping";
  /**
   * open: waiting. claimed: being sent. skipped: the subscription changed before it was sent. unknown: the attempt was interrupted; nothing repeats it by itself. dead: the service could not send it (/api/deadletters).
   */
  state: "open" | "claimed" | "succeeded" | "failed" | "skipped" | "unknown" | "dead";
  /**
   * The receiver's HTTP status, if it answered.
   */
  status: number | null;
  /**
   * Milliseconds until the headers arrived or the attempt failed.
   */
  durationMs: number | null;
  /**
   * The kind of failure, such as timeout (contract 11.11).
   */
  error: string | null;
  creationTime: Timestamp;
  /**
   * When it was sent; null: not yet.
   */
  attemptTime: string | null;
  /**
   * When its state became final; null: not yet.
   */
  settleTime: string | null;
  /**
   * How often an operator had it delivered again.
   */
  redeliveries: number;
  /**
   * As it was sent, or would be sent now, without the signature and with the subscription's current URL.
   */
  request: {
    url: string;
    headers: {
      [k: string]: string;
    };
    body: string;
  };
  /**
   * Its entry in /api/deadletters, if the service itself could not send it.
   */
  deadLetterId: string | null;
}
export interface Redeliveries {
  /**
   * How many will be sent.
   */
  deliveries: number;
  /**
   * How many are being sent right now. They are left out, and may still fail.
   */
  underWay: number;
  /**
   * The time from which it looked.
   */
  from: string;
  /**
   * Whether there are more events to look at.
   */
  more: boolean;
  /**
   * The event to go on after; null: no more.
   */
  next: string | null;
}
export interface RedeliveryInput {
  /**
   * Only events since this time. Without it: since the last success, or else since the creation.
   */
  from?: string;
  /**
   * Only events after this one: `next` of an answer.
   */
  after?: string;
  /**
   * Reactivates the subscription in the same transaction, if it is inactive.
   */
  activate?: boolean;
}
export interface FeedEvent {
  /**
   * The same in all of its deliveries.
   */
  _id: string;
  event:
    | "article.created"
    | "article.updated"
    | "article.deleted"
    | "blog.created"
    | "contact.created"
    | "blog.updated"
    | "blog.deleted"
    | "site.updated"
    | "tag.created"
    | "tag.updated"
    | "tag.deleted"
    | "author.created"
    | "author.updated"
    | "author.deleted"
    | "media.created"
    | "media.updated"
    | "media.deleted";
  /**
   * null: it belongs to no blog.
   */
  blogId: string | null;
  /**
   * When it happened: Unix time, in seconds.
   */
  timestamp: number;
  /**
   * The same as `data` of its deliveries.
   */
  data: {
    [k: string]: unknown;
  };
}
export interface DeliveryHour {
  /**
   * The beginning of the hour, UTC.
   */
  hour: string;
  /**
   * Deliveries that succeeded in this hour.
   */
  succeeded: number;
  /**
   * Deliveries that failed in this hour.
   */
  failed: number;
}
export interface DeadLetter {
  _id: Id;
  event:
    | "article.created"
    | "article.updated"
    | "article.deleted"
    | "blog.created"
    | "contact.created"
    | "blog.updated"
    | "blog.deleted"
    | "site.updated"
    | "tag.created"
    | "tag.updated"
    | "tag.deleted"
    | "author.created"
    | "author.updated"
    | "author.deleted"
    | "media.created"
    | "media.updated"
    | "media.deleted"
    | "ping";
  /**
   * The subscription that did not get the event; null: none did.
   */
  webhookSubscriptionId: string | null;
  /**
   * The number of attempts, at most 10.
   */
  tries: number;
  /**
   * When it first failed.
   */
  creationTime: string;
  lastTryTime: Timestamp;
  /**
   * When the service gave up; null: it retries each minute.
   */
  deadTime: string | null;
}
export interface ApiKey {
  _id: Id;
  name: string;
  /**
   * The last four characters of the secret.
   */
  hint: string;
  /**
   * When it expires; null: never.
   */
  expirationTime: string | null;
  /**
   * null: never.
   */
  lastUsedTime: string | null;
  creationTime: Timestamp;
  /**
   * @maxItems 20
   */
  scopes: (
    | "articles:read"
    | "articles:draft"
    | "articles:write"
    | "blogs:read"
    | "blogs:write"
    | "topics:read"
    | "topics:write"
    | "contacts:read"
    | "contacts:write"
    | "events:read"
  )[];
  /**
   * The identifier of its blog.
   */
  blogId: string | null;
}
export interface ApiKeyInput {
  name: string;
  /**
   * When it expires; null: never.
   */
  expirationTime?: string | null;
  /**
   * By default, the read scopes for articles, blogs and topics.
   *
   * @maxItems 20
   */
  scopes?: (
    | "articles:read"
    | "articles:draft"
    | "articles:write"
    | "blogs:read"
    | "blogs:write"
    | "topics:read"
    | "topics:write"
    | "contacts:read"
    | "contacts:write"
    | "events:read"
  )[];
  /**
   * The one blog that the key may access, or null.
   */
  blogId?: string | null;
}
export interface ApiKeyChange {
  name?: string;
  /**
   * All scopes that the key has from now on.
   *
   * @maxItems 20
   */
  scopes?: (
    | "articles:read"
    | "articles:draft"
    | "articles:write"
    | "blogs:read"
    | "blogs:write"
    | "topics:read"
    | "topics:write"
    | "contacts:read"
    | "contacts:write"
    | "events:read"
  )[];
}
export interface RotatedApiKey {
  _id: Id;
  name: string;
  /**
   * The last four characters of the secret.
   */
  hint: string;
  /**
   * When it expires; null: never.
   */
  expirationTime: string | null;
  /**
   * null: never.
   */
  lastUsedTime: string | null;
  creationTime: Timestamp;
  /**
   * @maxItems 20
   */
  scopes: (
    | "articles:read"
    | "articles:draft"
    | "articles:write"
    | "blogs:read"
    | "blogs:write"
    | "topics:read"
    | "topics:write"
    | "contacts:read"
    | "contacts:write"
    | "events:read"
  )[];
  /**
   * The identifier of its blog.
   */
  blogId: string | null;
  /**
   * Shown once.
   */
  secret: string;
}
export interface ApiKeyRotation {
  /**
   * How long the old key still works; 0: it ends at once.
   */
  overlapSeconds?: number;
  /**
   * When the new key expires; null: never. Required if the old one expires.
   */
  expirationTime?: string | null;
}
export interface AccessToken {
  _id: Id;
  name: string;
  /**
   * The last four characters of the secret.
   */
  hint: string;
  /**
   * When it expires; null: never.
   */
  expirationTime: string | null;
  /**
   * null: never.
   */
  lastUsedTime: string | null;
  creationTime: Timestamp;
}
export interface AccessTokenInput {
  name: string;
  /**
   * When it expires; null: never.
   */
  expirationTime?: string | null;
}
export interface Revocation {
  /**
   * The identifier that the key or token had.
   */
  _id: string;
  /**
   * An API key, or an access token.
   */
  kind: "key" | "token";
  name: string;
  /**
   * The last four characters of the secret.
   */
  hint: string;
  creationTime: Timestamp;
  /**
   * null: never.
   */
  lastUsedTime: string | null;
  /**
   * When it was revoked.
   */
  revokeTime: string;
  revokedBy: {
    kind: string;
    id: Id;
    /**
     * Their current name; null once they are gone.
     */
    name: string | null;
  };
}
export interface Member {
  _id: Id;
  userId: Id;
  name: string;
  email: string;
  role: Role;
  creationTime: Timestamp;
}
export interface MemberChange {
  role: Role;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  _id?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  userId?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  name?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  email?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  creationTime?: string;
}
export interface Invitation {
  _id: Id;
  email: string;
  role: Role;
  expirationTime: Timestamp;
  creationTime: Timestamp;
}
export interface InvitationInput {
  email: string;
  role: Role;
}
export interface Organization {
  _id: Id;
  name: string;
  creationTime: Timestamp;
  /**
   * The most tokens of models in a day (UTC); null for no ceiling.
   */
  modelTokensPerDay: number | null;
}
export interface OrganizationChange {
  name: string;
  /**
   * The most tokens of models in a day (UTC): a generation that would exceed it does not begin. null for no ceiling; left out, it stays.
   */
  modelTokensPerDay?: number | null;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  _id?: string;
  /**
   * Read-only: accepted if it equals the stored value.
   */
  creationTime?: string;
}
export interface OrganizationExport {
  format: 1;
  /**
   * The version of the service, whose tables it has.
   */
  version: string;
  migrations: string[];
  began: Timestamp;
  organization: {
    id: Id;
    name: string;
    hasSecrets: false;
    /**
     * The entry of the audit log that this export has made.
     */
    lastWrite: {
      id: Id;
      time: Timestamp;
      action: string;
    };
  };
  /**
   * Read them in this order.
   */
  tables: string[];
}
export interface ExportedFile {
  /**
   * Another one than before: the file was replaced.
   */
  etag: string;
  base64: string;
  /**
   * `offset` of the next part; null: this is the last one.
   */
  next: number | null;
}
export interface Usage {
  articles: QuotaUsage;
  articleBytes: QuotaUsage;
  answerBytes: QuotaUsage;
  mediaBytes: QuotaUsage;
  revisionBytes: QuotaUsage;
  contacts: QuotaUsage;
  blogs: QuotaUsage;
  credentials: QuotaUsage;
  subscriptions: QuotaUsage;
  eventsPerDay: DayQuotaUsage;
  ideasPerDay: DayQuotaUsage;
  deliveriesPerDay: DeliveryUsage;
  modelTokensPerDay: CeilingUsage;
  requestsPerMinute: RequestUsage;
  rowsWrittenPerMonth: CeilingUsage;
  deliveriesPerMonth: CeilingUsage;
  modelTokensPerMonth: CeilingUsage;
  pictureOperationsPerMonth: CeilingUsage;
  /**
   * The days of this month (UTC), the newest first.
   */
  days: UsageOfDay[];
  /**
   * This month and the twelve before it, the newest first.
   */
  months: UsageOfMonth[];
}
export interface QuotaUsage {
  /**
   * More than `limit` only if the limit was lowered.
   */
  used: number;
  /**
   * The most that it can have.
   */
  limit: number;
}
export interface DayQuotaUsage {
  /**
   * More than `limit` only if the limit was lowered.
   */
  used: number;
  /**
   * The most that it can have.
   */
  limit: number;
  /**
   * When the count starts again.
   */
  resetTime: string;
}
export interface DeliveryUsage {
  /**
   * More than `limit` only if the limit was lowered.
   */
  used: number;
  /**
   * The most that it can have.
   */
  limit: number;
  /**
   * When the count starts again.
   */
  resetTime: string;
  /**
   * Since when events have been waiting because the deliveries are used up; null if none are.
   */
  waitingSince: string | null;
}
export interface CeilingUsage {
  /**
   * More than `limit` only if the limit was lowered.
   */
  used: number;
  /**
   * The ceiling; null for none.
   */
  limit: number | null;
  /**
   * When the count starts again.
   */
  resetTime: string;
}
export interface RequestUsage {
  /**
   * The platform counts these, but does not report them.
   */
  used: null;
  /**
   * The most that it can have.
   */
  limit: number;
}
export interface UsageOfDay {
  day: string;
  /**
   * Rows that its work has written in the database.
   */
  rowsWritten: number;
  /**
   * Attempts to deliver webhooks.
   */
  deliveries: number;
  /**
   * Tokens of models, as their provider counts them.
   */
  modelTokens: number;
  /**
   * Smaller images made, and images drawn by models.
   */
  pictureOperations: number;
}
export interface UsageOfMonth {
  month: string;
  /**
   * Rows that its work has written in the database.
   */
  rowsWritten: number;
  /**
   * Attempts to deliver webhooks.
   */
  deliveries: number;
  /**
   * Tokens of models, as their provider counts them.
   */
  modelTokens: number;
  /**
   * Smaller images made, and images drawn by models.
   */
  pictureOperations: number;
}
export interface Caller {
  /**
   * The identifier of the credential or of the connection, as in the audit log.
   */
  _id: string;
  /**
   * An API key, an operator access token, a connected application, or a person.
   */
  kind: "key" | "operator" | "app" | "user";
  name: string;
  organization: {
    _id: Id;
    name: string;
  };
  /**
   * Its scopes.
   */
  scopes: (
    | "articles:read"
    | "articles:draft"
    | "articles:write"
    | "blogs:read"
    | "blogs:write"
    | "topics:read"
    | "topics:write"
    | "contacts:read"
    | "contacts:write"
    | "events:read"
  )[];
  /**
   * Whether it can also use what is only for operators.
   */
  operator: boolean;
  /**
   * The one blog that it can access; null if it can access the whole organization.
   */
  blogId: string | null;
  /**
   * When it expires; null if it is valid until revoked.
   */
  expirationTime: string | null;
}
export interface AuditEntry {
  _id: Id;
  actor: {
    /**
     * key, operator, user or app; reader, schedule or service.
     */
    kind: string;
    /**
     * The identifier of the credential, the person or the connection.
     */
    id: string;
    /**
     * Its current name; null once it is gone.
     */
    name: string | null;
  };
  action: string;
  resourceId: Id;
  /**
   * The current title, name or URL of what was changed; null if it has none or is gone.
   */
  resourceName: string | null;
  /**
   * The identifier of its blog.
   */
  blogId: string | null;
  /**
   * The X-Request-Id of the call.
   */
  requestId: string;
  creationTime: Timestamp;
}
export interface Undone {
  articles: UndoneArticle[];
  /**
   * What else it has done, which is not undone.
   */
  further: {
    action: string;
    count: number;
  }[];
  /**
   * Pass it as `after` to go on; null at the end.
   */
  next: string | null;
}
export interface UndoneArticle {
  articleId: Id;
  title: string | null;
  /**
   * `kept`: somebody else has changed it since, or it was refused. `unchanged`: there was nothing to undo.
   */
  outcome: "undone" | "kept" | "unchanged";
  /**
   * What was undone, or would be: the article itself, its texts and whether it is published, its working copy, and so on.
   */
  done: ("deleted" | "restored" | "texts" | "workingCopy" | "schedule" | "deletion" | "approval")[];
  /**
   * The error code of a refusal.
   */
  code: string | null;
  /**
   * Why it was kept.
   */
  detail: string | null;
  /**
   * Who else has changed it since, as in the audit log.
   */
  changedBy: {
    kind: string;
    id: Id;
  } | null;
}
export interface UndoInput {
  /**
   * The identifier of a connected app or an API key.
   */
  actor: string;
  /**
   * From when on. Nothing older than 30 days is undone.
   */
  from: string;
  /**
   * Until when, included; until now, if it is left out.
   */
  to?: string;
  /**
   * Only say what would be undone.
   */
  dryRun?: boolean;
  /**
   * `next` of the previous answer.
   */
  after?: string;
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
export interface Health {
  status: "ok";
  /**
   * The latest migration of the database.
   */
  schema: string;
  [k: string]: unknown;
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
export interface ArticleUpdatedEvent {
  /**
   * The event kind.
   */
  event: "article.updated";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: UpdatedArticleData;
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
export interface BlogUpdatedEvent {
  /**
   * The event kind.
   */
  event: "blog.updated";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: UpdatedBlogData;
}
export interface BlogDeletedEvent {
  /**
   * The event kind.
   */
  event: "blog.deleted";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: Blog;
}
export interface SiteUpdatedEvent {
  /**
   * The event kind.
   */
  event: "site.updated";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: UpdatedSiteData;
}
export interface TagCreatedEvent {
  /**
   * The event kind.
   */
  event: "tag.created";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: Tag;
}
export interface TagUpdatedEvent {
  /**
   * The event kind.
   */
  event: "tag.updated";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: UpdatedTagData;
}
export interface TagDeletedEvent {
  /**
   * The event kind.
   */
  event: "tag.deleted";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: Tag;
}
export interface AuthorCreatedEvent {
  /**
   * The event kind.
   */
  event: "author.created";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: Author;
}
export interface AuthorUpdatedEvent {
  /**
   * The event kind.
   */
  event: "author.updated";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: UpdatedAuthorData;
}
export interface AuthorDeletedEvent {
  /**
   * The event kind.
   */
  event: "author.deleted";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: Author;
}
export interface MediaCreatedEvent {
  /**
   * The event kind.
   */
  event: "media.created";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: Media;
}
export interface MediaUpdatedEvent {
  /**
   * The event kind.
   */
  event: "media.updated";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: UpdatedMediaData;
}
export interface MediaDeletedEvent {
  /**
   * The event kind.
   */
  event: "media.deleted";
  /**
   * Unix time of the attempt, in seconds.
   */
  timestamp: number;
  data: Media;
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
export interface Operations {
  "GET /api/articles": {
    query: {
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
       * Only these articles, separated by commas; those that are not in the list are left out.
       *
       * @minItems 1
       * @maxItems 100
       *
       * Items: The identifier of an article.
       */
      ids?: string[];
      /**
       * By which time the list is ordered: `creationTime` by default.
       */
      sort?: "creationTime" | "publishTime" | "lastEditTime";
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
      /**
       * The fields to return, separated by commas; those of `Article` by default.
       *
       * @minItems 1
       */
      fields?: (
        | "_id"
        | "blogId"
        | "title"
        | "description"
        | "content"
        | "slug"
        | "locale"
        | "coverUrl"
        | "published"
        | "creationTime"
        | "lastEditTime"
        | "publishTime"
        | "schedule"
        | "workingCopy"
        | "origin"
        | "seo"
        | "tags"
        | "authors"
        | "createdBy"
        | "lastEditedBy"
        | "html"
        | "text"
        | "excerpt"
        | "readingMinutes"
        | "headings"
        | "rendering"
        | "url"
      )[];
    };
    answer: ArticleFields[];
  };
  "POST /api/articles": {
    body: ArticleInput;
    answer: Article;
  };
  "POST /api/articles/bulk": {
    body: BulkInput;
    answer: BulkOutcome[];
  };
  "POST /api/articles/generate": {
    body?: GenerationInput;
    answer: GeneratedArticle;
  };
  "POST /api/articles/assist": {
    body: AssistInput;
    answer: Assistance;
  };
  "POST /api/articles/outline": {
    body?: OutlineInput;
    answer: OutlinedArticle;
  };
  "GET /api/articles/{idOrSlug}": {
    params: {
      /**
       * Identifier or slug.
       */
      idOrSlug: string;
    };
    query?: {
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
      /**
       * The fields to return, separated by commas; those of `Article` by default.
       *
       * @minItems 1
       */
      fields?: (
        | "_id"
        | "blogId"
        | "title"
        | "description"
        | "content"
        | "slug"
        | "locale"
        | "coverUrl"
        | "published"
        | "creationTime"
        | "lastEditTime"
        | "publishTime"
        | "schedule"
        | "workingCopy"
        | "origin"
        | "seo"
        | "tags"
        | "authors"
        | "createdBy"
        | "lastEditedBy"
        | "html"
        | "text"
        | "excerpt"
        | "readingMinutes"
        | "headings"
        | "rendering"
        | "url"
      )[];
    };
    answer: ArticleFields;
  };
  "DELETE /api/articles/{idOrSlug}": {
    params: {
      /**
       * The identifier of an article.
       */
      idOrSlug: string;
    };
    answer: Deleted;
  };
  "GET /api/articles/{articleId}/previews": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    answer: Preview[];
  };
  "POST /api/articles/{articleId}/previews": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    body?: PreviewInput;
    answer: NewPreview;
  };
  "DELETE /api/articles/{articleId}/previews/{previewId}": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
      /**
       * The identifier of a preview link.
       */
      previewId: string;
    };
    answer: Deleted;
  };
  "GET /api/organization/articles": {
    query?: {
      /**
       * A BCP 47 language tag.
       */
      locale?: string;
      /**
       * Only published articles, or only drafts.
       */
      published?: boolean;
      /**
       * Only these articles, separated by commas; those that are not in the list are left out.
       *
       * @minItems 1
       * @maxItems 100
       *
       * Items: The identifier of an article.
       */
      ids?: string[];
      /**
       * By which time the list is ordered: `creationTime` by default.
       */
      sort?: "creationTime" | "publishTime" | "lastEditTime";
      /**
       * Items per page; 0, and more than 100, mean 100.
       */
      limit?: number;
      /**
       * The opaque cursor from a `Link` header.
       */
      cursor?: string;
      /**
       * The fields to return, separated by commas; those of `Article` by default.
       *
       * @minItems 1
       */
      fields?: (
        | "_id"
        | "blogId"
        | "title"
        | "description"
        | "content"
        | "slug"
        | "locale"
        | "coverUrl"
        | "published"
        | "creationTime"
        | "lastEditTime"
        | "publishTime"
        | "schedule"
        | "workingCopy"
        | "origin"
        | "seo"
        | "tags"
        | "authors"
        | "createdBy"
        | "lastEditedBy"
        | "html"
        | "text"
        | "excerpt"
        | "readingMinutes"
        | "headings"
        | "rendering"
        | "url"
      )[];
    };
    answer: ArticleFields[];
  };
  "GET /api/generations": {
    query?: {
      /**
       * Only those in this state.
       */
      state?: "running" | "stored" | "answered" | "failed";
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
    };
    answer: Generation[];
  };
  "POST /api/generations": {
    body?: GenerationInput;
    answer: Generation;
  };
  "GET /api/articles/{articleId}/passages": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    answer: Passages;
  };
  "GET /api/articles/{articleId}/sources": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    answer: ArticleSources;
  };
  "POST /api/articles/{articleId}/sources/proposal": {
    params: {
      /**
       * The identifier of an article with sources.
       */
      articleId: string;
    };
    answer: Generation;
  };
  "POST /api/generations/estimate": {
    body?: GenerationInput;
    answer: GenerationEstimate;
  };
  "GET /api/generations/{generationId}": {
    params: {
      /**
       * The identifier of the generation.
       */
      generationId: string;
    };
    answer: GenerationDetails;
  };
  "POST /api/generations/{generationId}/resume": {
    params: {
      /**
       * The identifier of the generation.
       */
      generationId: string;
    };
    answer: Generation;
  };
  "GET /api/articles/{articleId}/revisions": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    answer: Revision[];
  };
  "GET /api/articles/{articleId}/revisions/{revision}": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
      /**
       * The number of a former state.
       */
      revision: string;
    };
    answer: WholeRevision;
  };
  "GET /api/articles/{articleId}/revisions/{revision}/diff": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
      /**
       * The number of a former state.
       */
      revision: string;
    };
    query?: {
      /**
       * The number of a former state, or `current`.
       */
      with?: string;
    };
    answer: RevisionComparison;
  };
  "POST /api/articles/{articleId}/revisions/{revision}/restore": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
      /**
       * The number of a former state.
       */
      revision: string;
    };
    answer: Article;
  };
  "GET /api/articles/{articleId}/draft": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    answer: WorkingCopy;
  };
  "PUT /api/articles/{articleId}/draft": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    body: WorkingCopyInput;
    answer: WorkingCopy;
  };
  "DELETE /api/articles/{articleId}/draft": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    answer: Deleted;
  };
  "POST /api/articles/{articleId}/draft/publish": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    body?: WorkingCopyPublication;
    answer: Article;
  };
  "POST /api/articles/{articleId}/edits": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    body: ContentEdits;
    answer: EditedArticle;
  };
  "GET /api/articles/{articleId}/schedule": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    answer: Schedule;
  };
  "PUT /api/articles/{articleId}/schedule": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    body: ScheduleInput;
    answer: Schedule;
  };
  "DELETE /api/articles/{articleId}/schedule": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    answer: Deleted;
  };
  "PUT /api/articles/{articleId}/deletion": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    answer: Deletion;
  };
  "DELETE /api/articles/{articleId}/deletion": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    answer: Deleted;
  };
  "GET /api/deletions": {
    query?: {
      /**
       * Only the deletion of this article.
       */
      articleId?: string;
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
    };
    answer: Deletion[];
  };
  "GET /api/approvals": {
    query?: {
      /**
       * Only those of this blog.
       */
      blogId?: string;
      /**
       * Only those in this state.
       */
      state?: "waiting" | "declined";
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
    };
    answer: Approval[];
  };
  "GET /api/articles/{articleId}/approval": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    answer: Approval;
  };
  "PUT /api/articles/{articleId}/approval": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    body: ApprovalInput;
    answer: Approval;
  };
  "DELETE /api/articles/{articleId}/approval": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    answer: Deleted;
  };
  "POST /api/articles/{articleId}/approval/approve": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    body: ApprovalDecision;
    answer: Approved;
  };
  "POST /api/articles/{articleId}/approval/decline": {
    params: {
      /**
       * The identifier of an article.
       */
      articleId: string;
    };
    body?: Refusal;
    answer: Deleted;
  };
  "GET /api/trash": {
    query?: {
      /**
       * Only those of this blog.
       */
      blogId?: string;
      /**
       * Only this article.
       */
      articleId?: string;
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
    };
    answer: TrashedArticle[];
  };
  "POST /api/trash/{articleId}/restore": {
    params: {
      /**
       * The identifier of a deleted article.
       */
      articleId: string;
    };
    body?: ArticleRestoration;
    answer: Article;
  };
  "DELETE /api/trash/{articleId}": {
    params: {
      /**
       * The identifier of a deleted article.
       */
      articleId: string;
    };
    answer: Deleted;
  };
  "GET /api/schedules": {
    query?: {
      /**
       * Only those of this blog.
       */
      blogId?: string;
      /**
       * Only those due at this time or later.
       */
      from?: string;
      /**
       * Only those due before this time.
       */
      to?: string;
      /**
       * The time that `from` and `to` filter by: the next one, or `unpublishTime`. The order stays the same.
       */
      time?: "next" | "unpublish";
      /**
       * Only those in this state.
       */
      state?: "waiting" | "failed";
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
    };
    answer: Schedule[];
  };
  "GET /api/search": {
    query: {
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
    };
    answer: FoundArticle[];
  };
  "GET /api/blogs": {
    query?: {
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
    };
    answer: Blog[];
  };
  "POST /api/blogs": {
    body: BlogInput;
    answer: Blog;
  };
  "GET /api/deletedblogs": {
    query?: {
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
    };
    answer: DeletedBlog[];
  };
  "GET /api/blogs/{blogId}": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
    };
    answer: Blog;
  };
  "PUT /api/blogs/{blogId}": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
    };
    body: BlogChange;
    answer: Blog;
  };
  "DELETE /api/blogs/{blogId}": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
    };
    answer: Deleted;
  };
  "POST /api/blogs/{blogId}/restore": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
    };
    answer: Blog;
  };
  "DELETE /api/deletedblogs/{blogId}": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
    };
    answer: Deleted;
  };
  "GET /api/blogs/{blogId}/site": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
    };
    answer: Site;
  };
  "PUT /api/blogs/{blogId}/site": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
    };
    body: SiteChange;
    answer: Site;
  };
  "GET /api/blogs/{blogId}/site/hosts": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
    };
    answer: SiteHost[];
  };
  "POST /api/blogs/{blogId}/site/hosts": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
    };
    body: SiteHostInput;
    answer: SiteHost;
  };
  "POST /api/blogs/{blogId}/site/hosts/{host}/check": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
      /**
       * A host name of the blog, such as `journal.example.com`.
       */
      host: string;
    };
    answer: SiteHost;
  };
  "DELETE /api/blogs/{blogId}/site/hosts/{host}": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
      /**
       * A host name of the blog, such as `journal.example.com`.
       */
      host: string;
    };
    answer: Deleted;
  };
  "GET /api/blogs/{blogId}/redirects": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
    };
    query?: {
      /**
       * Only redirects with this text in `from` or `to`.
       */
      query?: string;
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
    };
    answer: ListedRedirect[];
  };
  "POST /api/blogs/{blogId}/redirects": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
    };
    body: RedirectInput;
    answer: NewRedirect;
  };
  "POST /api/blogs/{blogId}/redirects/bulk": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
    };
    body: RedirectsInput;
    answer: RedirectOutcome[];
  };
  "DELETE /api/blogs/{blogId}/redirects/{redirectId}": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
      /**
       * The identifier of a redirect.
       */
      redirectId: string;
    };
    answer: Deleted;
  };
  "GET /api/blogs/{blogId}/imports": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
    };
    query?: {
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
    };
    answer: Import[];
  };
  "POST /api/blogs/{blogId}/imports": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
    };
    query?: {
      /**
       * To know it by.
       */
      fileName?: string;
      /**
       * Which articles are published: those that the file says are (`source`), none (`drafts`), or all that it does not call drafts (`publish`).
       */
      publication?: "source" | "drafts" | "publish";
      /**
       * Import pages as well as posts.
       */
      pages?: boolean;
      /**
       * Give a post whose slug an earlier one in the file has another slug.
       */
      renameDuplicates?: boolean;
      /**
       * Bring pictures into the library.
       */
      pictures?: boolean;
      /**
       * The address of the old site, for relative addresses in the file.
       */
      siteUrl?: string;
      /**
       * The locale of articles that name none; by default the blog's first.
       */
      locale?: string;
    };
    body: Blob;
    answer: Import;
  };
  "GET /api/blogs/{blogId}/imports/{importId}": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
      /**
       * The identifier of an import.
       */
      importId: string;
    };
    answer: Import;
  };
  "DELETE /api/blogs/{blogId}/imports/{importId}": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
      /**
       * The identifier of an import.
       */
      importId: string;
    };
    answer: Deleted;
  };
  "GET /api/blogs/{blogId}/imports/{importId}/articles": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
      /**
       * The identifier of an import.
       */
      importId: string;
    };
    query?: {
      /**
       * Only those in this state.
       */
      state?: "ready" | "refused" | "created" | "failed" | "deleted" | "kept";
      /**
       * Only those that lost something, or nothing.
       */
      lossy?: boolean;
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
    };
    answer: ImportedArticle[];
  };
  "POST /api/blogs/{blogId}/imports/{importId}/start": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
      /**
       * The identifier of an import.
       */
      importId: string;
    };
    answer: Import;
  };
  "POST /api/blogs/{blogId}/imports/{importId}/undo": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
      /**
       * The identifier of an import.
       */
      importId: string;
    };
    body?: ImportUndo;
    answer: Import;
  };
  "GET /api/blogs/{blogId}/locales": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
    };
    query?: {
      /**
       * Only this slug.
       */
      slug?: string;
      /**
       * Slugs per page; 0, and more than 100, mean 100.
       */
      limit?: number;
      /**
       * Also compare the structure of the contents. A page then has at most 10 slugs, fewer if their contents have more than 512 KiB or are complex. An organization can do this 30 times a minute.
       */
      structure?: boolean;
      /**
       * The opaque cursor from a `Link` header.
       */
      cursor?: string;
    };
    answer: SlugLocales[];
  };
  "GET /api/blogs/{blogId}/movedslugs": {
    params: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
    };
    query?: {
      /**
       * Items per page; 0, and more than 100, mean 100.
       */
      limit?: number;
      /**
       * The opaque cursor from a `Link` header.
       */
      cursor?: string;
    };
    answer: MovedSlug[];
  };
  "GET /blogs": {
    query: {
      /**
       * Identifier or vanityId of a blog.
       */
      blogId: string;
    };
    answer: PublicBlog;
  };
  "GET /blogs/{blogId}": {
    params: {
      /**
       * Identifier or vanityId of a blog.
       */
      blogId: string;
    };
    answer: PublicBlog;
  };
  "GET /blogs/{blogId}/search": {
    params: {
      /**
       * Identifier or vanityId of a blog.
       */
      blogId: string;
    };
    query: {
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
    };
    answer: FoundByReader[];
  };
  "GET /api/tags": {
    query: {
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
    };
    answer: Tag[];
  };
  "POST /api/tags": {
    body: TagInput;
    answer: Tag;
  };
  "GET /api/tags/{tagId}": {
    params: {
      /**
       * The identifier of a tag.
       */
      tagId: string;
    };
    answer: Tag;
  };
  "PUT /api/tags/{tagId}": {
    params: {
      /**
       * The identifier of a tag.
       */
      tagId: string;
    };
    body: TagInputChange;
    answer: Tag;
  };
  "DELETE /api/tags/{tagId}": {
    params: {
      /**
       * The identifier of a tag.
       */
      tagId: string;
    };
    answer: Deleted;
  };
  "POST /api/tags/{tagId}/merge": {
    params: {
      /**
       * The identifier of a tag.
       */
      tagId: string;
    };
    body: TagInputMerge;
    answer: Tag;
  };
  "GET /api/authors": {
    query: {
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
    };
    answer: Author[];
  };
  "POST /api/authors": {
    body: AuthorInput;
    answer: Author;
  };
  "GET /api/authors/{authorId}": {
    params: {
      /**
       * The identifier of an author.
       */
      authorId: string;
    };
    answer: Author;
  };
  "PUT /api/authors/{authorId}": {
    params: {
      /**
       * The identifier of an author.
       */
      authorId: string;
    };
    body: AuthorInputChange;
    answer: Author;
  };
  "DELETE /api/authors/{authorId}": {
    params: {
      /**
       * The identifier of an author.
       */
      authorId: string;
    };
    answer: Deleted;
  };
  "POST /api/authors/{authorId}/merge": {
    params: {
      /**
       * The identifier of an author.
       */
      authorId: string;
    };
    body: AuthorInputMerge;
    answer: Author;
  };
  "GET /api/media": {
    query?: {
      /**
       * Up to 5 words in the name or alt text.
       */
      query?: string;
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
    };
    answer: Media[];
  };
  "POST /api/media": {
    query?: {
      /**
       * A name to find it by.
       */
      name?: string;
      /**
       * What it shows, for people who cannot see it.
       */
      alt?: string;
    };
    body:
      | {
          /**
           * The URL of the image, which the service fetches once, instead of `file`.
           */
          url: string;
          /**
           * A name to find it by.
           */
          name?: string;
          /**
           * What it shows, for people who cannot see it.
           */
          alt?: string;
        }
      | Blob;
    answer: Media;
  };
  "GET /api/media/{mediaId}": {
    params: {
      /**
       * The identifier of an image.
       */
      mediaId: string;
    };
    answer: Media;
  };
  "PUT /api/media/{mediaId}": {
    params: {
      /**
       * The identifier of an image.
       */
      mediaId: string;
    };
    body: MediaChange;
    answer: Media;
  };
  "DELETE /api/media/{mediaId}": {
    params: {
      /**
       * The identifier of an image.
       */
      mediaId: string;
    };
    query?: {
      /**
       * Delete it even if articles show it.
       */
      force?: boolean;
    };
    answer: Deleted;
  };
  "PUT /api/media/{mediaId}/file": {
    params: {
      /**
       * The identifier of an image.
       */
      mediaId: string;
    };
    body: Blob;
    answer: Media;
  };
  "GET /api/media/{mediaId}/usage": {
    params: {
      /**
       * The identifier of an image.
       */
      mediaId: string;
    };
    query?: {
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
    };
    answer: MediaUse[];
  };
  "POST /api/embeds": {
    body: EmbedInput;
    answer: Embed;
  };
  "GET /api/topics": {
    query: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
      /**
       * Only ideas of this status.
       */
      status?: "new" | "used" | "dismissed";
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
    };
    answer: Topic[];
  };
  "GET /api/topics/{topicId}": {
    params: {
      /**
       * The identifier of a topic idea.
       */
      topicId: string;
    };
    answer: Topic;
  };
  "PATCH /api/topics/{topicId}": {
    params: {
      /**
       * The identifier of a topic idea.
       */
      topicId: string;
    };
    body: TopicChange;
    answer: Topic;
  };
  "POST /api/topics/refresh": {
    body?: TopicRefreshInput;
    answer: TopicRefresh;
  };
  "POST /api/topics/research": {
    body?: TopicResearchInput;
    answer: TopicResearch;
  };
  "GET /api/topics/refreshes/{refreshId}": {
    params: {
      /**
       * The identifier of a refresh.
       */
      refreshId: string;
    };
    answer: TopicRefresh;
  };
  "GET /api/contacts": {
    query: {
      /**
       * The identifier of a blog.
       */
      blogId: string;
      /**
       * Only the contact with this email address.
       */
      email?: string;
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
    };
    answer: WholeContact[];
  };
  "POST /api/contacts": {
    body: ContactInput;
    answer: Contact;
  };
  "POST /api/contacts/import": {
    body: ContactImport;
    answer: ContactImportOutcome[];
  };
  "GET /api/contacts/{contactId}": {
    params: {
      /**
       * The identifier of a contact.
       */
      contactId: string;
    };
    answer: WholeContact;
  };
  "DELETE /api/contacts/{contactId}": {
    params: {
      /**
       * The identifier of a contact.
       */
      contactId: string;
    };
    answer: Deleted;
  };
  "GET /api/webhooksubscriptions": {
    query?: {
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
    };
    answer: WebhookSubscription[];
  };
  "POST /api/webhooksubscriptions": {
    body: WebhookSubscriptionInput;
    answer: NewWebhookSubscription;
  };
  "GET /api/webhooksubscriptions/{webhookSubscriptionId}": {
    params: {
      /**
       * The identifier of a webhook subscription.
       */
      webhookSubscriptionId: string;
    };
    answer: WebhookSubscription;
  };
  "PUT /api/webhooksubscriptions/{webhookSubscriptionId}": {
    params: {
      /**
       * The identifier of a webhook subscription.
       */
      webhookSubscriptionId: string;
    };
    body: WebhookSubscriptionChange;
    answer: WebhookSubscription;
  };
  "DELETE /api/webhooksubscriptions/{webhookSubscriptionId}": {
    params: {
      /**
       * The identifier of a webhook subscription.
       */
      webhookSubscriptionId: string;
    };
    answer: Deleted;
  };
  "GET /api/webhooksubscriptions/{webhookSubscriptionId}/deliveries": {
    params: {
      /**
       * The identifier of a webhook subscription.
       */
      webhookSubscriptionId: string;
    };
    query?: {
      /**
       * Only deliveries in this state.
       */
      state?: "open" | "claimed" | "succeeded" | "failed" | "skipped" | "unknown" | "dead";
      /**
       * Only events of this kind.
       */
      event?:
        | "article.created"
        | "article.updated"
        | "article.deleted"
        | "blog.created"
        | "contact.created"
        | "blog.updated"
        | "blog.deleted"
        | "site.updated"
        | "tag.created"
        | "tag.updated"
        | "tag.deleted"
        | "author.created"
        | "author.updated"
        | "author.deleted"
        | "media.created"
        | "media.updated"
        | "media.deleted"
        | "ping";
      /**
       * Only events since this time.
       */
      from?: string;
      /**
       * Only events before this time.
       */
      until?: string;
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
    };
    answer: Delivery[];
  };
  "GET /api/webhooksubscriptions/{webhookSubscriptionId}/deliveries/{eventId}": {
    params: {
      /**
       * The identifier of a webhook subscription.
       */
      webhookSubscriptionId: string;
      /**
       * The identifier of an event.
       */
      eventId: string;
    };
    answer: WholeDelivery;
  };
  "POST /api/webhooksubscriptions/{webhookSubscriptionId}/deliveries/{eventId}/redeliver": {
    params: {
      /**
       * The identifier of a webhook subscription.
       */
      webhookSubscriptionId: string;
      /**
       * The identifier of an event.
       */
      eventId: string;
    };
    answer: Delivery;
  };
  "POST /api/webhooksubscriptions/{webhookSubscriptionId}/redeliveries": {
    params: {
      /**
       * The identifier of a webhook subscription.
       */
      webhookSubscriptionId: string;
    };
    body?: RedeliveryInput;
    answer: Redeliveries;
  };
  "POST /api/webhooksubscriptions/{webhookSubscriptionId}/replacement": {
    params: {
      /**
       * The identifier of a webhook subscription.
       */
      webhookSubscriptionId: string;
    };
    answer: NewWebhookSubscription;
  };
  "POST /api/webhooksubscriptions/{webhookSubscriptionId}/ping": {
    params: {
      /**
       * The identifier of a webhook subscription.
       */
      webhookSubscriptionId: string;
    };
    answer: Delivery;
  };
  "GET /api/events": {
    query?: {
      /**
       * Only events behind this one: `after` of the `Link` header, the identifier of an event, or `latest`. Default: from the oldest.
       */
      after?: string;
      /**
       * Only these kinds, separated by commas.
       *
       * @minItems 1
       * @maxItems 34
       */
      kinds?: (
        | "article.created"
        | "article.updated"
        | "article.deleted"
        | "blog.created"
        | "contact.created"
        | "blog.updated"
        | "blog.deleted"
        | "site.updated"
        | "tag.created"
        | "tag.updated"
        | "tag.deleted"
        | "author.created"
        | "author.updated"
        | "author.deleted"
        | "media.created"
        | "media.updated"
        | "media.deleted"
      )[];
      /**
       * Only events of this blog.
       */
      blogId?: string;
      /**
       * Only events at this time or later.
       */
      from?: string;
      /**
       * Only events before this time.
       */
      to?: string;
      /**
       * `newest`: backwards, to look into the past; without `Link` at the end.
       */
      order?: "oldest" | "newest";
      /**
       * Events per page; 0, and more than 500, mean 500.
       */
      limit?: number;
      /**
       * How many seconds to wait for an event if there is none.
       */
      wait?: number;
    };
    answer: FeedEvent[];
  };
  "GET /api/deliveries/hours": {
    answer: DeliveryHour[];
  };
  "GET /api/deadletters": {
    query?: {
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
    };
    answer: DeadLetter[];
  };
  "POST /api/deadletters/{deadLetterId}/retry": {
    params: {
      /**
       * The identifier of a dead letter.
       */
      deadLetterId: string;
    };
    answer: DeadLetter;
  };
  "GET /api/apikeys": {
    query?: {
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
    };
    answer: ApiKey[];
  };
  "POST /api/apikeys": {
    body: ApiKeyInput;
    answer: NewApiKey;
  };
  "PUT /api/apikeys/{apiKeyId}": {
    params: {
      /**
       * The identifier of an API key.
       */
      apiKeyId: string;
    };
    body: ApiKeyChange;
    answer: ApiKey;
  };
  "DELETE /api/apikeys/{apiKeyId}": {
    params: {
      /**
       * The identifier of an API key.
       */
      apiKeyId: string;
    };
    answer: Deleted;
  };
  "POST /api/apikeys/{apiKeyId}/rotate": {
    params: {
      /**
       * The identifier of an API key.
       */
      apiKeyId: string;
    };
    body?: ApiKeyRotation;
    answer: RotatedApiKey;
  };
  "GET /api/accesstokens": {
    query?: {
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
    };
    answer: AccessToken[];
  };
  "POST /api/accesstokens": {
    body: AccessTokenInput;
    answer: NewAccessToken;
  };
  "DELETE /api/accesstokens/{accessTokenId}": {
    params: {
      /**
       * The identifier of an access token.
       */
      accessTokenId: string;
    };
    answer: Deleted;
  };
  "GET /api/revocations": {
    query?: {
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
    };
    answer: Revocation[];
  };
  "GET /api/members": {
    query?: {
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
    };
    answer: Member[];
  };
  "GET /api/members/{memberId}": {
    params: {
      /**
       * The identifier of a member.
       */
      memberId: string;
    };
    answer: Member;
  };
  "PUT /api/members/{memberId}": {
    params: {
      /**
       * The identifier of a member.
       */
      memberId: string;
    };
    body: MemberChange;
    answer: Member;
  };
  "DELETE /api/members/{memberId}": {
    params: {
      /**
       * The identifier of a member.
       */
      memberId: string;
    };
    answer: Deleted;
  };
  "GET /api/invitations": {
    answer: Invitation[];
  };
  "POST /api/invitations": {
    body: InvitationInput;
    answer: NewInvitation;
  };
  "DELETE /api/invitations/{invitationId}": {
    params: {
      /**
       * The identifier of an invitation.
       */
      invitationId: string;
    };
    answer: Deleted;
  };
  "GET /api/organization": {
    answer: Organization;
  };
  "PUT /api/organization": {
    body: OrganizationChange;
    answer: Organization;
  };
  "DELETE /api/organization": {
    answer: Deleted;
  };
  "POST /api/organization/export": {
    answer: OrganizationExport;
  };
  "GET /api/organization/export": {
    query: {
      /**
       * A table of the export, or files.
       */
      table: string;
      /**
       * `cursor` of the `Link` header.
       */
      cursor?: string;
    };
    answer: {
      [k: string]: unknown;
    }[];
  };
  "GET /api/organization/export/file": {
    query: {
      /**
       * Its `key` in the list.
       */
      key: string;
      /**
       * The byte with which the part begins.
       */
      offset?: number;
    };
    answer: ExportedFile;
  };
  "GET /api/usage": {
    answer: Usage;
  };
  "GET /api/me": {
    answer: Caller;
  };
  "GET /api/audit": {
    query?: {
      /**
       * Only changes by this credential, person or connection, by its identifier.
       */
      actor?: string;
      /**
       * Only changes of this kind of thing: the first part of `action`.
       */
      kind?:
        | "articles"
        | "schedules"
        | "deletions"
        | "approvals"
        | "trash"
        | "previews"
        | "blogs"
        | "hosts"
        | "redirects"
        | "imports"
        | "tags"
        | "authors"
        | "media"
        | "topics"
        | "contacts"
        | "webhooksubscriptions"
        | "deadletters"
        | "apikeys"
        | "accesstokens"
        | "apps"
        | "members"
        | "invitations"
        | "organization";
      /**
       * Only changes at this time or later.
       */
      from?: string;
      /**
       * Only changes before this time.
       */
      to?: string;
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
    };
    answer: AuditEntry[];
  };
  "POST /api/audit/undo": {
    body: UndoInput;
    answer: Undone;
  };
  "POST /blogs/{blogId}/subscribe": {
    params: {
      /**
       * Identifier or vanityId of a blog.
       */
      blogId: string;
    };
    body: SubscriptionInput;
    answer: Subscription;
  };
  "GET /healthz": {
    answer: Health;
  };
  "GET /openapi.json": {
    answer: {};
  };
}
