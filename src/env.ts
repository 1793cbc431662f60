/** Parses settings from variables and secrets. The types of bindings are in src/worker-bindings.d.ts. */
import type { AiSettings } from "./ai/model.ts";
import { LIMITS } from "./domain/limits.ts";
import { RATES, type RateName } from "./domain/rates.ts";
import { isDomain, isNumberOf, isSignUp, originOf, pricesOf, type NumberName, type SignUp } from "./domain/settings.ts";
import { FORUM_BASE_URLS, type ForumBaseUrls } from "./domain/topic-source.ts";
import { isWebUrl } from "./lib/web-url.ts";
import type { MailSettings } from "./background/mail/mailer.ts";
import type { TargetRules } from "./outbound/target.ts";
import type { GenerationQuota } from "./store/generation/generations.ts";
import type { Quota } from "./store/core/writer.ts";
import type { KeptDays } from "./store/retention.ts";

/** An OpenID Connect provider by which people can sign in. */
export type OidcSettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The name on its sign-in button. */
  readonly name: string;
};

export type Settings = {
  /** True except in local runs. Production sends real mails and leaves out the `Server-Timing` header. */
  readonly production: boolean;
  /** The rules for URLs that others choose, such as those of webhooks. */
  readonly targetRules: TargetRules;
  /** The public origin of the service. "" if it is not set or invalid; local runs then use the host of the request. */
  readonly baseUrl: string;
  /** The domain below which each blog has a host, `{vanityId}.{siteDomain}`; "" for none. */
  readonly siteDomain: string;
  /** Where TXT records of blogs' own hosts are asked for: DNS over HTTPS, answering in JSON. */
  readonly dnsResolverUrl: string;
  /** The oEmbed endpoint that is asked about what articles embed; "" for those of the providers. */
  readonly oembedUrl: string;
  readonly signUp: SignUp;
  /** The secret that signs session cookies. "" if accounts are not set up. */
  readonly authSecret: string;
  readonly mail: MailSettings;
  readonly oidc: OidcSettings | null;
  readonly ai: AiSettings;
  /** How many generations an organization may begin. */
  readonly generationQuota: GenerationQuota;
  readonly forumBaseUrls: ForumBaseUrls;
  /** The most that an organization may have. */
  readonly quota: Quota;
  /** Of the requests that succeed or are refused, the share that is logged: 0 to 1. Errors always are. */
  readonly logShare: number;
  /** Days that deliveries with their events, and entries of the audit log, are kept. */
  readonly kept: KeptDays;
};

/** The variables and secrets of a deployment. Those that wrangler.toml does not set are secrets or not set. */
export type Variables = {
  readonly ENVIRONMENT: string;
  readonly ALLOW_LOOPBACK_WEBHOOKS: string;
  readonly SIGN_UP?: string;
  readonly BASE_URL?: string;
  readonly SITE_DOMAIN?: string;
  readonly DNS_RESOLVER_URL?: string;
  readonly OEMBED_URL?: string;
  readonly AUTH_SECRET?: string;
  readonly MAIL_FROM?: string;
  readonly MAIL_WEBHOOK_URL?: string;
  readonly MAIL_WEBHOOK_TOKEN?: string;
  readonly OIDC_ISSUER?: string;
  readonly OIDC_CLIENT_ID?: string;
  readonly OIDC_CLIENT_SECRET?: string;
  readonly OIDC_NAME?: string;
  readonly AI_BASE_URL?: string;
  readonly AI_MODEL?: string;
  readonly AI_API_KEY?: string;
  readonly AI_IMAGE_MODEL?: string;
  readonly AI_TIMEOUT_SECONDS?: string;
  readonly AI_PRICES?: string;
  readonly AI_GENERATIONS_PER_MINUTE?: string;
  readonly AI_GENERATIONS_PER_DAY?: string;
  readonly FORUM_BASE_URLS?: string;
  readonly ORGANIZATION_ARTICLES?: string;
  readonly ORGANIZATION_MEGABYTES?: string;
  readonly ORGANIZATION_CONTACTS?: string;
  readonly ORGANIZATION_MEDIA_MEGABYTES?: string;
  readonly ORGANIZATION_REVISION_MEGABYTES?: string;
  readonly ORGANIZATION_CREDENTIALS?: string;
  readonly ORGANIZATION_SUBSCRIPTIONS?: string;
  readonly ORGANIZATION_EVENTS_PER_DAY?: string;
  readonly ORGANIZATION_DELIVERIES_PER_DAY?: string;
  readonly ORGANIZATION_IDEAS_PER_DAY?: string;
  readonly LOG_PERCENT?: string;
  readonly KEPT_DELIVERY_DAYS?: string;
  readonly KEPT_AUDIT_DAYS?: string;
};

/**
 * Parses the settings. Each variable that is not set gets the strict value of production. Invalid values count as not
 * set (`wrongIn` of domain/settings.ts names them); this never throws.
 */
export function settingsOf(variables: Variables): Settings {
  const { SIGN_UP, BASE_URL = "", SITE_DOMAIN = "", DNS_RESOLVER_URL = "", OEMBED_URL = "" } = variables;
  const { AUTH_SECRET = "", OIDC_ISSUER = "", OIDC_CLIENT_ID = "" } = variables;
  return {
    production: variables.ENVIRONMENT !== "local",
    targetRules: { allowLoopback: variables.ALLOW_LOOPBACK_WEBHOOKS === "true" },
    baseUrl: originOf(BASE_URL),
    siteDomain: isDomain(SITE_DOMAIN) ? SITE_DOMAIN.toLowerCase() : "",
    dnsResolverUrl: isWebUrl(DNS_RESOLVER_URL) ? DNS_RESOLVER_URL : DNS_RESOLVER,
    oembedUrl: isWebUrl(OEMBED_URL) ? OEMBED_URL : "",
    signUp: isSignUp(SIGN_UP) ? SIGN_UP : "invitation",
    authSecret: AUTH_SECRET.length < LEAST_SECRET ? "" : AUTH_SECRET,
    mail: {
      from: variables.MAIL_FROM ?? "",
      webhook: variables.MAIL_WEBHOOK_URL
        ? { url: variables.MAIL_WEBHOOK_URL, token: variables.MAIL_WEBHOOK_TOKEN ?? "" }
        : null,
    },
    oidc:
      !isWebUrl(OIDC_ISSUER) || OIDC_CLIENT_ID === ""
        ? null
        : {
            issuer: OIDC_ISSUER.replace(/\/+$/, ""),
            clientId: OIDC_CLIENT_ID,
            clientSecret: variables.OIDC_CLIENT_SECRET ?? "",
            name: variables.OIDC_NAME || new URL(OIDC_ISSUER).hostname,
          },
    ai: {
      baseUrl: (variables.AI_BASE_URL ?? "").replace(/\/+$/, ""),
      model: variables.AI_MODEL ?? "",
      apiKey: variables.AI_API_KEY ?? "",
      imageModel: variables.AI_IMAGE_MODEL ?? "",
      timeoutMs: numberOr(variables, "AI_TIMEOUT_SECONDS", LIMITS.modelTimeoutMs / 1000) * 1000,
      prices: pricesOf(variables.AI_PRICES ?? "") ?? {},
    },
    generationQuota: {
      perMinute: numberOr(variables, "AI_GENERATIONS_PER_MINUTE", LIMITS.generationsPerMinute),
      perDay: numberOr(variables, "AI_GENERATIONS_PER_DAY", LIMITS.generationsPerDay),
    },
    quota: quotaOf(variables),
    logShare: Math.min(100, numberOr(variables, "LOG_PERCENT", 100)) / 100,
    kept: {
      deliveries: numberOr(variables, "KEPT_DELIVERY_DAYS", LIMITS.keptDays.deliveries),
      audit: numberOr(variables, "KEPT_AUDIT_DAYS", LIMITS.keptDays.audit),
    },
    forumBaseUrls: { ...FORUM_BASE_URLS, ...baseUrls(variables.FORUM_BASE_URLS) },
  };
}

/** The public resolver that is asked unless a setting names another. */
const DNS_RESOLVER = "https://cloudflare-dns.com/dns-query";

const MEBIBYTE = 1024 * 1024;

function quotaOf(variables: Variables): Quota {
  return {
    articles: numberOr(variables, "ORGANIZATION_ARTICLES", LIMITS.articles),
    articleBytes: numberOr(variables, "ORGANIZATION_MEGABYTES", LIMITS.articleMegabytes) * MEBIBYTE,
    contacts: numberOr(variables, "ORGANIZATION_CONTACTS", LIMITS.contacts),
    mediaBytes: numberOr(variables, "ORGANIZATION_MEDIA_MEGABYTES", LIMITS.mediaMegabytes) * MEBIBYTE,
    revisionBytes: numberOr(variables, "ORGANIZATION_REVISION_MEGABYTES", LIMITS.revisionMegabytes) * MEBIBYTE,
    credentials: counted(numberOr(variables, "ORGANIZATION_CREDENTIALS", LIMITS.credentials)),
    subscriptions: counted(numberOr(variables, "ORGANIZATION_SUBSCRIPTIONS", LIMITS.subscriptions)),
    eventsPerDay: numberOr(variables, "ORGANIZATION_EVENTS_PER_DAY", LIMITS.eventsPerDay),
    deliveriesPerDay: numberOr(variables, "ORGANIZATION_DELIVERIES_PER_DAY", LIMITS.deliveriesPerDay),
    ideasPerDay: numberOr(variables, "ORGANIZATION_IDEAS_PER_DAY", LIMITS.ideasPerDay),
  };
}

/** At most `LIMITS.counted`, whatever is set: some pages of the console read all credentials or subscriptions. */
const counted = (most: number): number => Math.min(most, LIMITS.counted);

/** Returns the names of missing settings without which parts of a deployment answer 503. Always [] for local runs. */
export function missingSettings({ production, baseUrl, authSecret }: Settings): string[] {
  if (!production) return [];
  return [...(baseUrl === "" ? ["BASE_URL"] : []), ...(authSecret === "" ? ["AUTH_SECRET"] : [])];
}

/** Parses a setting. Returns `otherwise` if it is not set, or not what NUMBERS says. */
function numberOr(variables: Variables, name: NumberName, otherwise: number): number {
  const { [name]: text = "" } = variables;
  return isNumberOf(name, text) ? Number(text) : otherwise;
}

/** Parses a JSON object that maps forums to base URLs. Ignores unknown forums. Returns {} for anything else. */
function baseUrls(text: string | undefined): Partial<ForumBaseUrls> {
  try {
    const given: unknown = JSON.parse(text || "{}");
    const known = Object.entries(given as object).filter(
      ([kind, url]) => kind in FORUM_BASE_URLS && typeof url === "string",
    );
    return Object.fromEntries(known.map(([kind, url]) => [kind, String(url).replace(/\/+$/, "")]));
  } catch {
    return {};
  }
}

/** Minimum characters of AUTH_SECRET. A shorter secret could be guessed, so it counts as not set. */
const LEAST_SECRET = 32;

/** Counts one of what may be done only so often in a minute, for the caller `id`. Returns whether it may be done. */
export const isWithinRate = async (env: Env, name: RateName, id: string): Promise<boolean> =>
  (await env[`LIMIT_${RATES[name]}`].limit({ key: `${name} ${id}` })).success;
