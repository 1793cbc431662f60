/** The limits of contract 14, except those per minute (rates.ts). */
export const LIMITS = {
  /** Maximum bytes of a request body, and maximum values in its JSON (members and items on all levels). */
  bodyBytes: 2 * 1024 * 1024,
  jsonValues: 5000,
  /** Maximum bytes of a console form. */
  formBytes: 128 * 1024,
  /** The same for a form with an article. A form encodes a line break in up to six bytes. */
  articleFormBytes: 7 * 1024 * 1024,
  /** Maximum fields of a console form. The largest form has some twenty. */
  formFields: 1000,
  /** Maximum characters of all values of a console form. The response may show them again. */
  formCharacters: 2 * 1024 * 1024,
  /** Maximum UTF-8 bytes of an article's content. */
  contentBytes: 1024 * 1024,
  /** Maximum edits of one request, and maximum characters that one of them looks for. */
  edits: 100,
  editFind: 10_000,
  /** Maximum edits of one request times characters of the content: each edit reads all of it. */
  editSteps: 20 * 1024 * 1024,
  /** Maximum characters. */
  title: 300,
  description: 2000,
  /** Characters of the note to a request for approval, and of the reason why it was declined. */
  approvalNote: 1000,
  /** Articles whose changes one request undoes: each takes up to 20 queries, of the 1,000 of an invocation (D1, Limits). */
  undoneArticles: 25,
  slug: 200,
  name: 300,
  url: 2048,
  /** Maximum characters of a language tag (RFC 5646, 4.4.1). */
  locale: 35,
  /** Maximum invalid fields in a response, and maximum characters of the path to each. */
  fieldErrors: 100,
  fieldPath: 100,
  /** Per blog. */
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
  /** Default quotas of an organization: articles, MiB of their texts (UTF-8), MiB of images, contacts. */
  articles: 50_000,
  articleMegabytes: 512,
  mediaMegabytes: 5120,
  contacts: 100_000,
  /** An uploaded image: maximum bytes and pixels, and maximum characters of its name and alt text. */
  mediaBytes: 10 * 1024 * 1024,
  mediaPixels: 50_000_000,
  mediaName: 200,
  mediaAlt: 1000,
  /** Maximum words of a search in the library; maximum articles that are counted as users of an image. */
  mediaSearchWords: 5,
  mediaUsesCounted: 1000,
  /** Milliseconds for fetching an image: less than a request may hold its share of the memory (memory.ts). */
  mediaFetchTimeoutMs: 10_000,
  /** Maximum bytes of an image for an MCP tool: in base64, it fits into a request. */
  mcpMediaBytes: 1024 * 1024,
  /** Maximum bytes of a request with an image: its form has other fields, too. */
  uploadBytes: 10 * 1024 * 1024 + 64 * 1024,
  /** Maximum images of an organization. A search of the library reads all of them. */
  mediaItems: 20_000,
  /** The console shrinks photos to this number of pixels before it sends them. */
  fittedPixels: 8_400_000,
  /** Default quota of an organization: MiB of revisions. The oldest give way to new ones. */
  revisionMegabytes: 512,
  /** Maximum revisions of an article. */
  revisions: 100,
  /** Comparing contents: maximum lines of both, maximum different lines, and maximum product of the two. */
  comparedLines: 50_000,
  differentLines: 1500,
  comparedLineSteps: 10_000_000,
  /** Default quotas of an organization per day (UTC): changes that fire an event, and webhook deliveries. */
  eventsPerDay: 100_000,
  deliveriesPerDay: 1_000_000,
  /** Default quota of an organization per day (UTC): topic ideas of refreshes. A model words each of them. */
  ideasPerDay: 2000,
  /** Maximum tags, and maximum authors, of a blog and of an article. */
  terms: 1000,
  termsOfArticle: 20,
  /** Maximum characters of the slug and the name of a tag or author, and of an author's bio. */
  termSlug: 100,
  termName: 100,
  bio: 2000,
  /**
   * Renaming a tag or author may change all working copies with tags or authors. It counts as a bulk request if there
   * are more of them, or if their contents have more bytes.
   */
  copiesRenamed: 100,
  bytesRenamed: 4 * 1024 * 1024,
  /**
   * Deleting or merging a tag or author counts as one more bulk request per this many articles that lose it, and per
   * this many bytes of such working copies.
   */
  articlesOfBulk: 5000,
  bytesOfBulk: 20 * 1024 * 1024,
  /** Maximum blogs of an organization, and maximum host names of a blog. */
  blogs: 1000,
  hosts: 10,
  /** Default maximum of API keys and access tokens of an organization together. Each has its own rate limit. */
  credentials: 100,
  /** The highest value of the settings for credentials and subscriptions. */
  counted: 1000,
  /** Maximum connected apps of a person. Their list has no pages. */
  connectedApps: 100,
  /** A person who owns this many organizations cannot create another. */
  ownedOrganizations: 10,
  /** Maximum active preview links of an article, and of an organization. */
  previewsOfArticle: 20,
  previews: 1000,
  /** Lifetime of a preview link in seconds: minimum, default, maximum (30 days). */
  previewSecondsLeast: 60,
  previewSeconds: 3600,
  previewSecondsMost: 2_592_000,
  /** Maximum rows of a page. `limit=0` means this number, too. */
  page: 100,
  /** Maximum bytes of content in a page, as JSON. A page ends early there, to save memory. */
  pageBytes: 8 * 1024 * 1024,
  /**
   * Maximum bytes that the large requests of an isolate hold at once: pages with contents, revisions, site maps, and
   * bodies above 64 KiB. An isolate has 128 MiB.
   */
  heldBytes: 72 * 1024 * 1024,
  /** Maximum `skip`, because D1 reads all skipped rows. Cursors go deeper. */
  skip: 10_000,
  /** Maximum characters and different words of a search query. */
  searchQuery: 300,
  searchWords: 12,
  /** Maximum results on a page, and on all pages of a search. */
  searchPage: 20,
  searchResults: 200,
  /** The last word of a query is a prefix only if at most this many occurrences of words begin with it. */
  searchPrefixed: 20_000,
  /**
   * Maximum UTF-8 bytes of a text's words in the index, because D1 does nothing else while it writes them. The rest of
   * the text is not searched.
   */
  searchedBytes: 1_000_000,
  /** Maximum words of a text that are read for the index, as search-text.ts counts them. 1 MB of prose has 200,000. */
  searchedWords: 400_000,
  /** The passage of a search result is from this many first characters of the content. */
  searchPassage: 50_000,
  /** Maximum words that are read to find the passages of a page of results. */
  searchPassageWords: 150_000,
  /** Maximum cells of tables that an import makes of HTML, with every row as wide as the widest. */
  tableCells: 10_000,
  /** Comparing structures: maximum UTF-8 bytes of contents, and slugs on a page. */
  comparedBytes: 512 * 1024,
  comparedSlugs: 10,
  /** Maximum fallback locales of a read, and maximum rows that a page with fallbacks scans. */
  fallbacks: 5,
  fallbackScanned: 500,
  /** Maximum articles of a blog with the same slug. They are translations and are listed together. */
  translations: 200,
  /** Maximum messages in a request to /mcp, and maximum concurrent tool calls of a request. */
  mcpBatch: 20,
  mcpCallsAtOnce: 3,
  /** How many years ahead an article can be scheduled. */
  scheduleYears: 10,
  /** How many seconds a deletion in the console can be undone. */
  undoSeconds: 30,
  /** How many days a deleted article or blog can be restored. */
  trashDays: 30,
  /** How many revoked keys and access tokens of an organization are listed. */
  revokedCredentials: 200,
  /** Maximum articles of one bulk request. */
  bulkArticles: 100,
  /** Maximum accounts that a browser is remembered for. People may share a browser. */
  accountsOfBrowser: 5,
  /** Maximum bytes of an app's registration, and maximum characters of its name. */
  appRegistrationBytes: 8 * 1024,
  appName: 100,
  /** Maximum stored bytes of a registration, and maximum redirect URIs. */
  appStoredBytes: 2 * 1024,
  appRedirects: 10,
  /** Lifetime of a registration without a consent. It is short, because anybody can register. */
  unusedAppSeconds: 60 * 60,
  /**
   * Maximum registrations per ten minutes from everywhere: more than four networks (/48) can send, so that one cannot
   * block all others, and few enough that unused ones take at most some 140 MB.
   */
  appRegistrationsPerTenMinutes: 10_000,
  accessTokenSeconds: 60 * 60,
  /** How long a rotated key can go on beside its successor, at most. */
  keyOverlapSeconds: 7 * 24 * 60 * 60,
  /** Each use of a refresh token issues a new one. After this time, the app must ask for consent again. */
  refreshTokenDays: 30,
  /** Maximum sources of one research. They are read concurrently, so at most `connectionsAtOnce`. */
  researchSources: 5,
  /** Milliseconds for all sources of one research, and maximum ideas in the response. */
  researchTimeoutMs: 20_000,
  researchIdeas: 50,
  /** Default maximum of webhook subscriptions of an organization. */
  subscriptions: 100,
  /** Milliseconds until a webhook's receiver must send response headers, from the start of the connection. */
  deliveryTimeoutMs: 5000,
  /** Above this, a receiver is slow: its next delivery goes through the queue for slow receivers. */
  slowDeliveryMs: 1000,
  /** Concurrent requests to one subscription, so that a short outage does not end its streak. */
  requestsOfSubscription: 5,
  /** Hours after which a subscription ends whose secret was replaced. */
  replacementHours: 24,
  /** The most events of which one call has the missing ones delivered. */
  redeliveries: 1000,
  /** Concurrent requests of an organization to its quick and to its slow receivers. */
  deliveryCredits: { quick: 30, slow: 10 },
  /** How often the relay tries to fan out an event or to prepare a delivery, once a minute, before it is dead. */
  relayTries: 10,
  /** Consecutive failures that deactivate a subscription. */
  failureStreak: 20,
  /** Consecutive failures of which operators are warned; also of those that deactivate. The lowest is in an index. */
  streakWarnings: [10, 14, 18, 20],
  /** Connections of an invocation that may wait for response headers. The platform allows six. */
  connectionsAtOnce: 5,
  /** Per blog. */
  topicSources: 20,
  /** Fetching a source: milliseconds, bytes after decompression, redirects, items. */
  sourceTimeoutMs: 8000,
  sourceBytes: 2 * 1024 * 1024,
  sourceRedirects: 3,
  sourceItems: 50,
  /** Maximum characters. */
  topicSummary: 1000,
  /** Minimum and maximum words that a caller may request of a generated article. */
  wordsLeast: 300,
  wordsMost: 3000,
  /** Maximum characters of a description for search engines. */
  metaDescription: 160,
  /** Maximum keywords of an article or idea, and maximum characters of a keyword. */
  keywords: 10,
  keyword: 60,
  /** Maximum characters of fields of a generation request. */
  topic: 1000,
  instructions: 4000,
  tone: 100,
  /** Maximum characters of a blog's style guide, and maximum terms that it avoids, with the characters of each. */
  styleGuide: 4000,
  avoidedTerms: 100,
  avoidedTerm: 60,
  /** Sources of an article: how many, and the characters of each and of all together that a model reads. */
  sources: 10,
  sourceText: 20_000,
  sourcesText: 60_000,
  /** Default milliseconds for a call of a model. AI_TIMEOUT_SECONDS changes it. */
  modelTimeoutMs: 120_000,
  /** Milliseconds for a generation. */
  generationTimeoutMs: 15 * 60_000,
  /**
   * AI suggestions: maximum characters of a passage, of an article, and of the text around a passage; maximum images
   * that get an alt text; milliseconds in all.
   */
  assistPassage: 10_000,
  assistArticle: 60_000,
  assistContext: 4000,
  assistPictures: 20,
  assistTimeoutMs: 3 * 60_000,
  /** Default numbers for an organization. */
  generationsPerMinute: 10,
  generationsPerDay: 200,
  /** Maximum articles that a generation offers the model as link targets. */
  linkTargets: 30,
  /** An outline that somebody has approved: characters of a heading or point, points of a section, sections, characters in all. */
  outlineLine: 300,
  outlinePoints: 12,
  outlineSections: 20,
  outlineCharacters: 12_000,
  /** How often a model is asked again if its answer does not fit the schema. */
  repairs: 2,
  /**
   * Events on a page of the feed, and bytes of their data; events that a page looks at; seconds that a read waits for
   * one.
   */
  eventPage: 500,
  eventPageBytes: 4 * 1024 * 1024,
  /** A page of an export's rows, or a part of a file. */
  exportPageBytes: 2 * 1024 * 1024,
  eventsScanned: 1000,
  eventWaitSeconds: 25,
  /** Maximum entries of the audit log that a page scans for an actor or a kind. */
  auditScanned: 1000,
  /**
   * Days after which rows are deleted. Settings change those of `deliveries`, `events` and `audit`. `topics` does not
   * apply to ideas that became an article.
   */
  keptDays: {
    deliveries: 7,
    events: 30,
    deliveryHours: 30,
    ledger: 400,
    audit: 90,
    idempotency: 1,
    localMails: 1,
    topicRefreshes: 30,
    topicSourceStates: 30,
    generations: 30,
    /** What a generation keeps to go on with, and its report. */
    generationAnswers: 7,
    topics: 365,
    /** Revisions, from when the next one replaced them: drafts, and those that were public. */
    draftRevisions: 90,
    publishedRevisions: 400,
  },
} as const;
