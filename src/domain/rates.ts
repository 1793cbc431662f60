/** How often something may be done in a minute. wrangler.toml repeats these, and test/faults/rate-limits.test.ts compares. */
export const RATES = {
  /** Requests of one credential, application or person. */
  keyRequestsPerMinute: 600,
  /** Requests of all credentials and applications of an organization together. */
  organizationRequestsPerMinute: 1200,
  /**
   * Searches, and comparisons of structures and of former states, of an organization; as many topic researches of all its
   * callers. They cost far more than other reads.
   */
  searchesPerMinute: 120,
  comparisonsPerMinute: 30,
  /** Bulk requests of an organization: with the most articles in each, as many changes as by single requests. */
  bulkPerMinute: 12,
  /** Pictures that an organization has fetched from addresses. */
  mediaFetchesPerMinute: 120,
  /** Quarters of a second in which smaller files of an organization's pictures are made, with the rests: half of the time. */
  sizeQuartersPerMinute: 120,
  /** Topic researches of one caller; also refreshes of topic ideas, and checks of hosts by hand, of an organization. */
  topicResearchesPerMinute: 10,
  /** Reads without credentials that the edge did not answer, from one IPv4 address or IPv6 /48. */
  readsPerMinute: 1200,
  /** Articles whose Markdown the console renders for a person: previews, and the pages of members who may not write. */
  previewsPerMinute: 60,
  /** Failed authentications from one address (IPv6: from one /64). */
  authenticationFailuresPerMinute: 20,
  /**
   * Attempts to prove the password of one account, right or wrong: from one address or one known browser, from an IPv6
   * /56, from an IPv6 /48, and from everywhere. The last limit is the largest, so that one /48 cannot use it up alone.
   */
  signInsPerMinute: 10,
  signInsOf56PerMinute: 15,
  signInsOf48PerMinute: 20,
  signInsOfAccountPerMinute: 30,
  /** Attempts to prove a password from one address, for all accounts together. */
  signInsOfAddressPerMinute: 60,
  /** Mails that one address may request, and invitations that one organization may send. */
  mailRequestsPerMinute: 20,
  /**
   * Sign-ins, mails and registrations of applications from an IPv6 /56 and from a /48, each kind counted separately.
   * Many connections share such a network, so the limits are higher than for one address. They are not 256 and 65,536
   * times as high, because one person may own the whole network.
   */
  strangersOf56PerMinute: 120,
  strangersOf48PerMinute: 240,
  /** Mails to one address. */
  mailsPerMinute: 3,
  /** Applications that one address may register (RFC 7591). */
  appRegistrationsPerMinute: 20,
  /** Requests from one address to issue or revoke tokens. */
  tokenRequestsPerMinute: 300,
} as const;
