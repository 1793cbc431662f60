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
      tag: string;
    };
export type NewWebhookSubscription = WebhookSubscription & {
  /**
   * The key of the HMAC, shown once.
   */
  secret: string;
};
export type EventKind = "article.created" | "article.updated" | "article.deleted" | "blog.created" | "contact.created";

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
    | "articles:write"
    | "blogs:read"
    | "blogs:write"
    | "topics:read"
    | "topics:write"
    | "contacts:read"
    | "contacts:write"
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
export interface DeadLetter {
  _id: Id;
  event: "article.created" | "article.updated" | "article.deleted" | "blog.created" | "contact.created" | "ping";
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
   * What falls short of the request.
   */
  degradations: string[];
  /**
   * How often the model had to be asked again.
   */
  repairs: number;
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
   * Empty: all events.
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
  organization: Id;
  creationTime: Timestamp;
  lastEditTime: Timestamp;
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
export interface MenuEntry {
  label: string;
  url: string;
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
   * Other items about the same subject.
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
     * Items that an existing idea covers already.
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
     * The reason as a sentence.
     */
    detail: string | null;
  }[];
  creationTime: Timestamp;
  /**
   * null while it is running.
   */
  finishTime: string | null;
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
  requestsPerMinute: RequestUsage;
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
   * The kinds to send; empty: all.
   *
   * @maxItems 10
   */
  events?: EventKind[];
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
