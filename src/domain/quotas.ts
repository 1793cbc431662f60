/** The quotas of an organization. Each is a setting of the deployment, and can be set for one organization (quota.ts). */
import { LIMITS } from "./limits.ts";
import { isValidNumber, type NumberName } from "./settings.ts";

type QuotaName =
  | "articles"
  /**
   * UTF-8 bytes of the texts of all articles and their working copies, and of tags and authors. The same number limits,
   * separately, the UTF-8 bytes of idempotent responses and of contents stored with them.
   */
  | "articleBytes"
  | "contacts"
  | "mediaBytes"
  /** Bytes of former revisions. Above it, the oldest are deleted; no write is refused. */
  | "revisionBytes"
  /** API keys and operator tokens together, without expired ones. */
  | "credentials"
  | "subscriptions"
  /** Days are in UTC. */
  | "eventsPerDay"
  | "deliveriesPerDay"
  | "ideasPerDay"
  /** Ceilings: at one, the organization stops until the month (UTC) is over (store/ledger.ts). */
  | "rowsWrittenPerMonth"
  | "deliveriesPerMonth"
  | "modelTokensPerMonth"
  | "pictureOperationsPerMonth";

export type Quota = Readonly<Record<QuotaName, number>>;

type Rule = {
  readonly setting: NumberName;
  /** In the unit of the setting; Infinity for none. */
  readonly standard: number;
  /** The bytes of one, if it is a number of bytes. */
  readonly bytes?: number;
  readonly most?: number;
};

const bytes = 1024 * 1024;
/** Some pages of the console read all credentials or subscriptions. */
const most = LIMITS.counted;

export const QUOTAS: Readonly<Record<QuotaName, Rule>> = {
  articles: { setting: "ORGANIZATION_ARTICLES", standard: LIMITS.articles },
  articleBytes: { setting: "ORGANIZATION_MEGABYTES", standard: LIMITS.articleMegabytes, bytes },
  contacts: { setting: "ORGANIZATION_CONTACTS", standard: LIMITS.contacts },
  mediaBytes: { setting: "ORGANIZATION_MEDIA_MEGABYTES", standard: LIMITS.mediaMegabytes, bytes },
  revisionBytes: { setting: "ORGANIZATION_REVISION_MEGABYTES", standard: LIMITS.revisionMegabytes, bytes },
  credentials: { setting: "ORGANIZATION_CREDENTIALS", standard: LIMITS.credentials, most },
  subscriptions: { setting: "ORGANIZATION_SUBSCRIPTIONS", standard: LIMITS.subscriptions, most },
  eventsPerDay: { setting: "ORGANIZATION_EVENTS_PER_DAY", standard: LIMITS.eventsPerDay },
  deliveriesPerDay: { setting: "ORGANIZATION_DELIVERIES_PER_DAY", standard: LIMITS.deliveriesPerDay },
  ideasPerDay: { setting: "ORGANIZATION_IDEAS_PER_DAY", standard: LIMITS.ideasPerDay },
  rowsWrittenPerMonth: { setting: "ORGANIZATION_ROWS_WRITTEN_PER_MONTH", standard: Infinity },
  deliveriesPerMonth: { setting: "ORGANIZATION_DELIVERIES_PER_MONTH", standard: Infinity },
  modelTokensPerMonth: { setting: "ORGANIZATION_MODEL_TOKENS_PER_MONTH", standard: Infinity },
  pictureOperationsPerMonth: { setting: "ORGANIZATION_PICTURE_OPERATIONS_PER_MONTH", standard: Infinity },
};

export const QUOTA_NAMES = Object.keys(QUOTAS) as QuotaName[];

/** Returns the quota that a setting says, or null if the text is not valid. */
export function parseQuota(name: QuotaName, text: string): number | null {
  const { setting, bytes: unit = 1, most: highest = Infinity } = QUOTAS[name];
  return isValidNumber(setting, text) ? Math.min(Number(text) * unit, highest) : null;
}

/** Returns the quotas that a deployment's settings say. An invalid setting counts as not set. */
export function parseQuotas(settings: Partial<Readonly<Record<NumberName, string>>>): Quota {
  const parse = (name: QuotaName) =>
    parseQuota(name, settings[QUOTAS[name].setting] ?? "") ?? QUOTAS[name].standard * (QUOTAS[name].bytes ?? 1);
  return Object.fromEntries(QUOTA_NAMES.map((name) => [name, parse(name)])) as Quota;
}
