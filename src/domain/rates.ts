/**
 * Limits per minute, counted by the bindings `LIMIT_<number>` of wrangler.toml (`countAgainstRate` in env.ts) for each name
 * and caller. Each group keeps a promise of SECURITY.md, which is quoted before it.
 */
export const RATES = {
  // "Neighbours": what one organization, caller or network may ask of the service.
  /** Requests of one credential, app or person. */
  calls: 600,
  /** Requests of all credentials and apps of an organization together. */
  organizationCalls: 1200,
  /** Searches of an organization, and of a network without credentials. They cost far more than other reads. */
  searches: 120,
  readerSearches: 120,
  /** Comparisons of structures and of revisions, per organization. */
  comparisons: 30,
  /** Site maps of a blog that the edge had not cached: each reads all of its articles. */
  sitemaps: 30,
  /** Bulk requests of an organization: with the most articles each, as many changes as by single requests. */
  bulk: 12,
  /** Images and titles of embeds that an organization fetches from URLs. */
  pictureFetches: 120,
  /** Quarters of a second in which smaller files of an organization's images are made, rounded up: half of the time. */
  sizeQuarters: 120,
  /** Topic researches of a caller, and of all callers of an organization: five feeds of 2 MiB take seconds of CPU. */
  researches: 10,
  organizationResearches: 30,
  /** Refreshes of topic ideas, and manual checks of hosts, per organization. */
  refreshes: 10,
  hostChecks: 10,
  /** Renderings of Markdown for a person in the console, or for a preview link. */
  renderings: 60,
  /** Reads without credentials that the edge had not cached, per IPv4 address or IPv6 /48. */
  reads: 1200,
  /** Requests of `/healthz`, and lookups of what a host shows, per IPv4 address or IPv6 /48. */
  healthChecks: 1200,
  hostLookups: 1200,
  /** Requests from one IP address to issue or revoke tokens. */
  tokens: 300,
  /** Apps that one IP address may register (RFC 7591). */
  registrations: 20,
  /** Emails that one IP address may request, invitations of an organization, and subscriptions to a blog. */
  mailRequests: 20,
  invitations: 20,
  subscriptions: 120,
  /** Emails of one kind to one recipient. */
  mails: 3,

  // "Authority" and "Secrets": what a stranger may guess.
  /** Failed authentications from one IP address (IPv6: /64). */
  failures: 20,
  /**
   * Password attempts for one account, right or wrong: from one IP address, an IPv6 /56, a /48, and everywhere. The
   * last limit is the largest, so that one /48 cannot use it up.
   */
  signIns: 10,
  signInsOf56: 15,
  signInsOf48: 20,
  signInsOfAccount: 30,
  /** The same from one browser that the account knows, and from all of them. */
  signInsOfBrowser: 10,
  signInsOfBrowsers: 30,
  /** Password attempts from one IP address for all accounts. */
  signInsOfAddress: 60,
  /**
   * Sign-ins, emails and app registrations from an IPv6 /56 and a /48, counted separately. Many connections share such
   * a network, so the limits are higher than for one address. One person may own all of it, so they are not 256 and
   * 65,536 times as high.
   */
  strangersOf56: 120,
  strangersOf48: 240,
} as const;

export type RateName = keyof typeof RATES;
