/** The limits of the contract (contract 14), but for those of a minute (rates.ts). */
export const LIMITS = {
  /** Maximum bytes of a request body, and maximum values in its JSON: members and items on all levels. */
  bodyBytes: 2 * 1024 * 1024,
  jsonValues: 5000,
  /** Maximum bytes of a console form without an article. */
  formBytes: 128 * 1024,
  /** Maximum bytes of a console form with an article. A form encodes a line break in up to six bytes. */
  articleFormBytes: 7 * 1024 * 1024,
  /** Maximum fields of a console form. The largest form of the console has some twenty. */
  formFields: 1000,
  /** Maximum characters of all values of a console form together. The response may show them again. */
  formCharacters: 2 * 1024 * 1024,
  /** Maximum UTF-8 bytes of an article's content. */
  contentBytes: 1024 * 1024,
  /** Maximum characters of each of these fields. */
  title: 300,
  description: 2000,
  slug: 200,
  name: 300,
  url: 2048,
  /** Maximum characters of a language tag (RFC 5646, 4.4.1). */
  locale: 35,
  /** Maximum invalid fields that one response lists, and maximum characters of the path to each. */
  fieldErrors: 100,
  fieldPath: 100,
  /** Maximum locales of a blog. */
  locales: 100,
  /** Maximum characters of an e-mail address, and of an Idempotency-Key. */
  email: 254,
  idempotencyKey: 255,
  /** Minimum and maximum characters of a password. */
  passwordLeast: 10,
  passwordMost: 128,
  /** Days for which an invitation is valid. */
  invitationDays: 7,
  /** Maximum pending invitations of an organization. */
  invitations: 100,
  /** Default quotas of an organization: articles, MiB of their texts (in UTF-8) and of their images, contacts. */
  articles: 50_000,
  articleMegabytes: 512,
  mediaMegabytes: 5120,
  contacts: 100_000,
  /** An uploaded picture: maximum bytes, maximum pixels, and maximum characters of its name and alternative text. */
  mediaBytes: 10 * 1024 * 1024,
  mediaPixels: 50_000_000,
  mediaName: 200,
  mediaAlt: 1000,
  /** Maximum words of a search in the library, which reads all of it; maximum articles that are counted as showing a picture. */
  mediaSearchWords: 5,
  mediaUsesCounted: 1000,
  /**
   * The milliseconds that a picture may take that is fetched from an address: fewer than a request may hold its share of
   * the memory (memory.ts).
   */
  mediaFetchTimeoutMs: 10_000,
  /** Maximum bytes of a picture that a tool of MCP takes: in base64, it fits into a request. */
  mcpMediaBytes: 1024 * 1024,
  /** Maximum bytes of a request with a picture: beside the file, a form has its other fields. */
  uploadBytes: 10 * 1024 * 1024 + 64 * 1024,
  /** Maximum uploads in the library of an organization. A search of the library reads all of them. */
  mediaItems: 20_000,
  /** Pixels to which the console makes photos smaller before it sends them. */
  fittedPixels: 8_400_000,
  /** Default quota of an organization: MiB of former states of its articles. The oldest give way to new ones. */
  revisionMegabytes: 512,
  /** Maximum former states of an article. */
  revisions: 100,
  /**
   * A comparison of two contents: maximum lines of both together, maximum lines that differ, and maximum product of the
   * two numbers.
   */
  comparedLines: 50_000,
  differentLines: 1500,
  comparedLineSteps: 10_000_000,
  /** Default quotas of an organization for a day of UTC: changes that fire an event, and webhook deliveries. */
  eventsPerDay: 100_000,
  deliveriesPerDay: 1_000_000,
  /** Default quota of an organization for a day of UTC: topic ideas that its refreshes create. A model words each. */
  ideasPerDay: 2000,
  /** Maximum tags, and maximum authors, of a blog and of an article. */
  terms: 1000,
  termsOfArticle: 20,
  /** Maximum characters of the slug and the name of a tag or author, and of an author's bio. */
  termSlug: 100,
  termName: 100,
  bio: 2000,
  /**
   * Working copies with tags or authors, and bytes of their contents, above which a renaming counts as a bulk request: it may
   * change all of them.
   */
  copiesRenamed: 100,
  bytesRenamed: 4 * 1024 * 1024,
  /**
   * What changes a tag or author counts as one more bulk request for each of so many articles that lose it, and for each of so
   * many bytes of such working copies.
   */
  articlesOfBulk: 5000,
  bytesOfBulk: 20 * 1024 * 1024,
  /** Maximum blogs of an organization, and maximum host names of a blog's own. */
  blogs: 1000,
  hosts: 10,
  /**
   * Default maximum of API keys and operator tokens of an organization together. Each credential has its own rate limit.
   */
  credentials: 100,
  /** What settings can raise the maxima of credentials and of subscriptions to. */
  counted: 1000,
  /** Maximum connected applications of a person. Their list has no pages. */
  connectedApps: 100,
  /** A person who owns this many organizations cannot create another one. */
  ownedOrganizations: 10,
  /** Maximum links to previews that have not ended: of an article, of an organization. */
  previewsOfArticle: 20,
  previews: 1000,
  /** Seconds for which a preview link works: at least, by default, and at most (30 days). */
  previewSecondsLeast: 60,
  previewSeconds: 3600,
  previewSecondsMost: 2_592_000,
  /** Maximum rows of a page; `limit=0` means this number too. */
  page: 100,
  /** Maximum bytes of content in one page, as JSON. A page ends early there, so that a list cannot exhaust memory. */
  pageBytes: 8 * 1024 * 1024,
  /**
   * Maximum bytes that the large requests of one isolate hold at once: pages with contents, former states, site maps,
   * and bodies above 64 KiB. An isolate has 128 MiB.
   */
  heldBytes: 72 * 1024 * 1024,
  /** Maximum `skip`, because D1 reads all rows that it skips. Callers have to use cursors to go deeper. */
  skip: 10_000,
  /** Maximum characters, and maximum different words, of a search query. */
  searchQuery: 300,
  searchWords: 12,
  /** Maximum results on one page, and on all pages of a search together. */
  searchPage: 20,
  searchResults: 200,
  /** If more articles match a search, only the newest ones, this many, are ranked. */
  searchRanked: 1000,
  /** A search treats its last word as a prefix only if at most this many occurrences of words begin with it. */
  searchPrefixed: 20_000,
  /** The index stores a word of a text at most this many times, because more hardly improves the ranking. */
  searchedTimes: 4,
  /**
   * The index stores at most this many UTF-8 bytes of a text's words, because D1 does nothing else while it writes
   * them. The rest of the text is not searched.
   */
  searchedBytes: 1_000_000,
  /** Maximum words of a text that are read for the index, as search-text.ts counts them. 1 MB of prose has 200,000. */
  searchedWords: 400_000,
  /** The passage of a search result comes from this many first characters of the content. */
  searchPassage: 50_000,
  /** Maximum words that are read to find the passages of one page of results. */
  searchPassageWords: 150_000,
  /** Maximum cells of the tables that an import makes of HTML, with every row as wide as the widest one. */
  tableCells: 10_000,
  /** One comparison of structures: maximum UTF-8 bytes of contents, and slugs on a page. */
  comparedBytes: 512 * 1024,
  comparedSlugs: 10,
  /** Maximum fallback locales that a read names, and maximum rows that a page of a list with fallbacks looks through. */
  fallbacks: 5,
  fallbackScanned: 500,
  /** Maximum articles with the same slug in a blog. They are translations of each other and are listed together. */
  translations: 200,
  /** Maximum messages in one request to /mcp, and maximum tool calls of one request that run concurrently. */
  mcpBatch: 20,
  mcpCallsAtOnce: 3,
  /** How many years ahead an article can be scheduled. */
  scheduleYears: 10,
  /** How long a deletion in the console can be undone, in seconds. */
  undoSeconds: 30,
  /** How many revoked keys and access tokens of an organization are still listed. */
  revokedCredentials: 200,
  /** Maximum articles of one bulk request. */
  bulkArticles: 100,
  /** Maximum accounts for which one browser is remembered. People may share a browser. */
  accountsOfBrowser: 5,
  /** Maximum bytes of a registration of an application, and maximum characters of the application's name. */
  appRegistrationBytes: 8 * 1024,
  appName: 100,
  /** Maximum bytes of what is stored of a registration, and maximum redirect URIs. */
  appStoredBytes: 2 * 1024,
  appRedirects: 10,
  /** Lifetime of a registration to which nobody has consented yet. It is short, because anybody can register. */
  unusedAppSeconds: 60 * 60,
  /**
   * Maximum registrations from everywhere in ten minutes: more than four networks (a /48 each) can send, so that one alone
   * cannot keep all others from registering, and so few that what waits for a consent takes at most some 140 MB.
   */
  appRegistrationsPerTenMinutes: 10_000,
  /** Lifetime of an application's access token. */
  accessTokenSeconds: 60 * 60,
  /**
   * Lifetime of a refresh token; each use issues a new one. After that, the application has to ask for consent again.
   */
  refreshTokenDays: 30,
  /** Maximum sources of one research. They are read concurrently, so this is not above `connectionsAtOnce`. */
  researchSources: 5,
  /** Milliseconds for all sources of one research together, and the maximum number of ideas in its response. */
  researchTimeoutMs: 20_000,
  researchIdeas: 50,
  /** Default maximum of webhook subscriptions of an organization. */
  subscriptions: 100,
  /** Milliseconds in which a webhook's receiver has to send its response headers, counted from the connection slot. */
  deliveryTimeoutMs: 5000,
  /** A receiver that takes more milliseconds is slow. Its next delivery goes through the queue for slow receivers. */
  slowDeliveryMs: 1000,
  /** Requests to one subscription that are under way at once: a short outage does not end its streak. */
  requestsOfSubscription: 5,
  /** Requests of one organization that are under way at once, to its quick and to its slow receivers. */
  deliveryCredits: { quick: 30, slow: 10 },
  /** How often the relay tries to fan out an event, or to prepare a delivery, before it is dead. Once a minute. */
  relayTries: 10,
  /** Failures in a row that deactivate a subscription. */
  failureStreak: 20,
  /** Connections of one invocation that may wait for response headers at the same time. The platform allows six. */
  connectionsAtOnce: 5,
  /** Maximum sources of topic ideas of a blog. */
  topicSources: 20,
  /** Limits of one fetch of a source: milliseconds, bytes after decompression, redirects, items. */
  sourceTimeoutMs: 8000,
  sourceBytes: 2 * 1024 * 1024,
  sourceRedirects: 3,
  sourceItems: 50,
  /** Maximum characters of an idea's summary. */
  topicSummary: 1000,
  /** Minimum and maximum number of words that a caller may request for a generated article. */
  wordsLeast: 300,
  wordsMost: 3000,
  /** Maximum characters of a description for search engines. */
  metaDescription: 160,
  /** Maximum keywords of an article or idea, and maximum characters of a keyword. */
  keywords: 10,
  keyword: 60,
  /** Maximum characters of these fields of a generation request. */
  topic: 1000,
  instructions: 4000,
  tone: 100,
  /** Default milliseconds for one call of a model. AI_TIMEOUT_SECONDS changes it. */
  modelTimeoutMs: 120_000,
  /** Milliseconds for a whole generation. */
  generationTimeoutMs: 15 * 60_000,
  /**
   * Help with a text: maximum characters of a passage, of an article, and of the text around a passage; maximum pictures
   * that get an alternative text; milliseconds in all.
   */
  assistPassage: 10_000,
  assistArticle: 60_000,
  assistContext: 4000,
  assistPictures: 20,
  assistTimeoutMs: 3 * 60_000,
  /** Default number of generations that an organization may begin. */
  generationsPerMinute: 10,
  generationsPerDay: 200,
  /** Maximum articles that a generation offers the model as targets of links. */
  linkTargets: 30,
  /** Maximum repetitions of a question to a model whose answer does not fit the schema. */
  repairs: 2,
  /** How many entries of the audit log a page looks through at most that is narrowed by an actor or a kind. */
  auditScanned: 1000,
  /**
   * Days after which rows are deleted. Those of `deliveries` (with their events) and `audit` are defaults: settings change
   * them. `topics` does not apply to ideas that became an article.
   */
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
    /** Former states of articles, from when the next one took their place: drafts, and those that were public. */
    draftRevisions: 90,
    publishedRevisions: 400,
  },
} as const;
