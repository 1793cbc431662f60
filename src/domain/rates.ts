/**
 * How often something may be done in a minute. The binding `LIMIT_<number>` of wrangler.toml counts it, by the name of the limit and
 * who asks (`isWithinRate` in env.ts). Each limit keeps a promise of SECURITY.md, which stands before its group.
 */
export const RATES = {
  // "Neighbours": what one organization, caller or network may ask of the service.
  /** Requests of one credential, application or person. */
  calls: 600,
  /** Requests of all credentials and applications of an organization together. */
  organizationCalls: 1200,
  /** Searches of an organization, and of a network without credentials. They cost far more than other reads. */
  searches: 120,
  readerSearches: 120,
  /** Comparisons of structures and of former states, of an organization. */
  comparisons: 30,
  /** Site maps of a blog that the edge did not answer: each reads all of its articles. */
  sitemaps: 30,
  /** Bulk requests of an organization: with the most articles in each, as many changes as by single requests. */
  bulk: 12,
  /** Pictures, and titles of embeds, that an organization has fetched from addresses. */
  pictureFetches: 120,
  /** Quarters of a second in which smaller files of an organization's pictures are made, with the rests: half of the time. */
  sizeQuarters: 120,
  /** Topic researches of one caller, and of all callers of an organization: five feeds of 2 MiB take seconds of CPU. */
  researches: 10,
  organizationResearches: 30,
  /** Refreshes of topic ideas, and checks of hosts by hand, of an organization. */
  refreshes: 10,
  hostChecks: 10,
  /** Articles whose Markdown is rendered for a person of the console, or for the link to a preview. */
  renderings: 60,
  /** Reads without credentials that the edge did not answer, from one IPv4 address or IPv6 /48. */
  reads: 1200,
  /** Looks at `/healthz`, and looks for what a host shows, from one IPv4 address or IPv6 /48. */
  healthChecks: 1200,
  hostLookups: 1200,
  /** Requests from one address to issue or revoke tokens. */
  tokens: 300,
  /** Applications that one address may register (RFC 7591). */
  registrations: 20,
  /** Mails that one address may request, invitations that one organization may send, and subscriptions to one blog. */
  mailRequests: 20,
  invitations: 20,
  subscriptions: 120,
  /** Mails of one kind to one address. */
  mails: 3,

  // "Authority" and "Secrets": what a stranger may guess.
  /** Failed authentications from one address (IPv6: from one /64). */
  failures: 20,
  /**
   * Attempts to prove the password of one account, right or wrong: from one address, from an IPv6 /56, from a /48, and from
   * everywhere. The last limit is the largest, so that one /48 cannot use it up alone.
   */
  signIns: 10,
  signInsOf56: 15,
  signInsOf48: 20,
  signInsOfAccount: 30,
  /** The same from one browser that the account knows, and from all of them. */
  signInsOfBrowser: 10,
  signInsOfBrowsers: 30,
  /** Attempts to prove a password from one address, for all accounts together. */
  signInsOfAddress: 60,
  /**
   * Sign-ins, mails and registrations of applications from an IPv6 /56 and from a /48, each kind counted separately.
   * Many connections share such a network, so the limits are higher than for one address. They are not 256 and 65,536
   * times as high, because one person may own the whole network.
   */
  strangersOf56: 120,
  strangersOf48: 240,
} as const;

export type RateName = keyof typeof RATES;
