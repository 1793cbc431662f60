/** The numbers of the contract (contract 14). wrangler.toml repeats the rate limits; a test keeps the two equal. */
export const LIMITS = {
  /** Bytes of a request body. */
  bodyBytes: 2 * 1024 * 1024,
  /**
   * Bytes of a form of the console; and of one with an article, whose line breaks take six bytes each at worst. Then its
   * fields (the largest form has some twenty), and the characters of all values, which the answer may show again.
   */
  formBytes: 128 * 1024,
  articleFormBytes: 7 * 1024 * 1024,
  formFields: 1000,
  formCharacters: 2 * 1024 * 1024,
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
  /** Invitations of an organization that wait for an answer. */
  invitations: 100,
  /** What an organization may store, by default: articles, UTF-8 bytes of their texts, contacts. */
  articles: 50_000,
  articleMegabytes: 512,
  contacts: 100_000,
  /** Blogs of an organization: their list has no pages. */
  blogs: 1000,
  /** API keys and operator tokens of an organization, together; each has a rate limit of its own. */
  credentials: 100,
  /** Connected applications of a person: their list has no pages. */
  connectedApps: 100,
  /** Organizations of which a person may be an owner, for them to found one more. */
  ownedOrganizations: 10,
  /** The largest page, and the one that `limit=0` means. */
  page: 100,
  /** UTF-8 bytes of content after which a page ends early, so that a list cannot exhaust memory. */
  pageBytes: 8 * 1024 * 1024,
  /** Beyond this, cursors are the way: `skip` reads all that it skips. */
  skip: 10_000,
  /**
   * Characters and different words of a search; what a page of it holds at most, how many of the best can be reached,
   * and how many of those that match, the newest ones, are ranked.
   */
  searchQuery: 300,
  searchWords: 12,
  searchPage: 20,
  searchResults: 200,
  searchRanked: 1000,
  /** Occurrences of words that may begin with what the last word of a search does, for it to be taken as a beginning. */
  searchPrefixed: 20_000,
  /** Times that a text's row in the index has a word, at most: a ranking gains little from more. */
  searchedTimes: 4,
  /**
   * UTF-8 bytes of a text's words, as the index stores them, beyond which it is not searched: D1 does nothing else while
   * it writes them. And the words of a text that are read for it (domain/search-text.ts counts them): a megabyte of prose
   * has some 200,000.
   */
  searchedBytes: 1_000_000,
  searchedWords: 400_000,
  /** Characters of a content in which the passage is looked for that a search found, and words for a page of results. */
  searchPassage: 50_000,
  searchPassageWords: 150_000,
  /**
   * Steps of the Markdown parser, as it counts them (markdown/steps.ts): a text that takes more is not parsed, or
   * in part. At worst 100,000 steps take a millisecond. An article of 150 KB takes some 20 million; most, less than one.
   * A source of a generation may take fewer: it is parsed some ten times.
   */
  markdownSteps: 30_000_000,
  sourceMarkdownSteps: 15_000_000,
  /**
   * UTF-8 bytes of contents that one comparison of structures reads, the steps of the Markdown parser in all, and the
   * slugs of its largest page.
   */
  comparedBytes: 512 * 1024,
  comparedSteps: 30_000_000,
  comparedSlugs: 10,
  /** Articles of one slug in a blog: translations of each other, which are listed together. */
  translations: 200,
  /** Messages of one request to /mcp, and the calls among them that run at once. */
  mcpBatch: 20,
  mcpCallsAtOnce: 3,
  keyRequestsPerMinute: 600,
  /** Of all credentials and applications of an organization together. */
  organizationRequestsPerMinute: 1200,
  /** What costs far more than other reads, for an organization: searches, and comparisons of structures. */
  searchesPerMinute: 120,
  comparisonsPerMinute: 30,
  authenticationFailuresPerMinute: 20,
  /**
   * Attempts to prove a password, right or wrong: of an account from one address, or from one browser that its owner
   * has signed in with before; from an IPv6 /56 and /48; from everywhere. One /48 must not use up the last one alone.
   */
  signInsPerMinute: 10,
  signInsOf56PerMinute: 15,
  signInsOf48PerMinute: 20,
  signInsOfAccountPerMinute: 30,
  /** The same from one address, of all accounts. */
  signInsOfAddressPerMinute: 60,
  /** Mails that one address may ask for, and invitations of one organization. */
  mailRequestsPerMinute: 20,
  /**
   * Sign-ins, mails and registrations of applications, each kind by itself, from an IPv6 /56 and /48. More than from
   * one address, because many connections share such a network, but not 256 and 65,536 times as many.
   */
  strangersOf56PerMinute: 120,
  strangersOf48PerMinute: 240,
  /** Browsers may be shared: how many accounts one is remembered for. */
  accountsOfBrowser: 5,
  /** To one address. */
  mailsPerMinute: 3,
  /** Applications that one address may register (RFC 7591). */
  appRegistrationsPerMinute: 20,
  /** Requests for tokens and their revocation from one address. */
  tokenRequestsPerMinute: 300,
  /** Bytes of a registration, and characters of what its client calls itself. */
  appRegistrationBytes: 8 * 1024,
  appName: 100,
  /** How long an access token of an application works, and how long it may stay away before it has to ask again. */
  accessTokenSeconds: 60 * 60,
  refreshTokenDays: 30,
  /**
   * Times that one caller may have sources read at once for topic ideas, and how many sources: no more than
   * `connectionsAtOnce`.
   */
  topicResearchesPerMinute: 10,
  researchSources: 5,
  /** Milliseconds that all of them may take together, and the ideas that an answer lists at most. */
  researchTimeoutMs: 20_000,
  researchIdeas: 50,
  /** Webhook subscriptions of an organization. */
  subscriptions: 100,
  /** Milliseconds from having a connection slot to a webhook's response headers. */
  deliveryTimeoutMs: 5000,
  /** Milliseconds after which a receiver counts as slow: its next deliveries do not wait in line with those of others. */
  slowDeliveryMs: 1000,
  /** Requests to one subscription that are under way at once: a short outage does not end its streak. */
  requestsOfSubscription: 5,
  /** Requests of one organization that are under way at once, to its quick and to its slow receivers. */
  deliveryCredits: { quick: 30, slow: 10 },
  /** Failures in a row that deactivate a subscription. */
  failureStreak: 20,
  /** Connections that may wait at once in one invocation; the platform allows six. */
  connectionsAtOnce: 5,
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
  /** Days that rows are kept: deliveries with their events and the audit log by default; ideas that nobody has used. */
  keptDays: {
    deliveries: 7,
    deliveryHours: 30,
    audit: 90,
    idempotency: 1,
    localMails: 1,
    topicRefreshes: 30,
    topicSourceStates: 30,
    generations: 30,
    topics: 365,
  },
} as const;
