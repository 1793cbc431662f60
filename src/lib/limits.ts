/** The numbers of the contract. wrangler.toml repeats the rate limits; a test keeps the two equal. */
export const LIMITS = {
  /** Bytes of a request body. */
  bodyBytes: 2 * 1024 * 1024,
  /** UTF-8 bytes of an article's content. */
  contentBytes: 1024 * 1024,
  /** Characters. */
  title: 300,
  description: 2000,
  slug: 200,
  name: 300,
  url: 2048,
  /** Characters of a language tag (RFC 5646, 4.4.1). */
  locale: 35,
  /** Wrong fields that one answer names, and the characters of a path among them. */
  fieldErrors: 100,
  fieldPath: 100,
  /** Locales of a blog. */
  locales: 100,
  email: 254,
  idempotencyKey: 255,
  /** Characters of a password. */
  passwordLeast: 10,
  passwordMost: 128,
  invitationDays: 7,
  /** The largest page, and the one that `limit=0` means. */
  page: 100,
  /** UTF-8 bytes of content after which a page ends early, so that a list cannot exhaust memory. */
  pageBytes: 8 * 1024 * 1024,
  /** Beyond this, cursors are the way: `skip` reads all that it skips. */
  skip: 10_000,
  keyRequestsPerMinute: 600,
  authenticationFailuresPerMinute: 20,
  /** Attempts to prove a password, right or wrong: of an account from one address, from all, and of an address. */
  signInsPerMinute: 10,
  signInsOfAccountPerMinute: 30,
  signInsOfAddressPerMinute: 60,
  /** Mails that one address may ask for. */
  mailRequestsPerMinute: 20,
  /** To one address. */
  mailsPerMinute: 3,
  /** Milliseconds from having a connection slot to a webhook's response headers. */
  deliveryTimeoutMs: 5000,
  /** Failures in a row that deactivate a subscription. */
  failureStreak: 20,
  /** Connections that may wait at once in one invocation; the platform allows six. */
  deliveriesAtOnce: 5,
  /** Sources of topic ideas that a blog may have. */
  topicSources: 20,
  /** One fetch of a source: milliseconds, bytes after decompression, redirects, items. */
  sourceTimeoutMs: 8000,
  sourceBytes: 2 * 1024 * 1024,
  sourceRedirects: 3,
  sourceItems: 50,
  /** Characters of an idea's summary. */
  topicSummary: 1000,
  /** Words that may be asked of a generated article. */
  wordsLeast: 300,
  wordsMost: 3000,
  /** Characters of a description for search engines. */
  metaDescription: 160,
  /** Keywords of an article or idea, and the characters of one. */
  keywords: 10,
  keyword: 60,
  /** Characters of what a generation is asked for. */
  topic: 1000,
  instructions: 4000,
  tone: 100,
  /** Milliseconds that one call of a model, and a generation as a whole, may take; the first is a setting. */
  modelTimeoutMs: 120_000,
  generationTimeoutMs: 15 * 60_000,
  /** Generations that an organization may begin, by default. */
  generationsPerMinute: 10,
  generationsPerDay: 200,
  /** Articles that a generated one may link to. */
  linkTargets: 30,
  /** How often a model is asked again for an answer that fits its schema. */
  repairs: 2,
} as const;
