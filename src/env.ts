/** Settings, from variables and secrets. The types of bindings are in src/worker-bindings.d.ts. */
import type { AiSettings } from "./ai/model.ts";
import { LIMITS } from "./domain/limits.ts";
import { parseQuotas, type Quota } from "./domain/quotas.ts";
import { RATES, type RateName } from "./domain/rates.ts";
import {
  isAiApi,
  isDomain,
  isValidNumber,
  isSignUp,
  parseOrigin,
  parsePrices,
  type NumberName,
  type SignUp,
} from "./domain/settings.ts";
import { FORUM_BASE_URLS, type ForumBaseUrls } from "./domain/topic-source.ts";
import { isWebUrl } from "./lib/web-url.ts";
import type { MailSettings } from "./background/mail/mailer.ts";
import type { TargetRules } from "./outbound/target.ts";
import type { GenerationQuota } from "./store/generation/limits.ts";
import type { KeptDays } from "./store/retention.ts";

export type OidcSettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
};

export type Settings = {
  /** False in local runs. Production sends real mails and no `Server-Timing`. */
  readonly production: boolean;
  /** Rules for URLs that others choose, such as those of webhooks. */
  readonly targetRules: TargetRules;
  /** The public origin of the service. "" if it is not set or invalid: local runs then use the host of the request. */
  readonly baseUrl: string;
  /** Each blog has a host `{vanityId}.{siteDomain}`. "" for none. */
  readonly siteDomain: string;
  /** The origin of the deployment that has images which are not here, as their organization moved. "" for none. */
  readonly movedMediaUrl: string;
  /** Resolves TXT records of custom domains: DNS over HTTPS, in JSON. */
  readonly dnsResolverUrl: string;
  /** The oEmbed endpoint for all embeds. "" for the endpoints of the providers. */
  readonly oembedUrl: string;
  readonly signUp: SignUp;
  /** Signs session cookies. "" if accounts are not set up. */
  readonly authSecret: string;
  readonly mail: MailSettings;
  readonly oidc: OidcSettings | null;
  readonly ai: AiSettings;
  readonly generationQuota: GenerationQuota;
  readonly forumBaseUrls: ForumBaseUrls;
  readonly quota: Quota;
  /** The share of requests below status 500 that is logged: 0 to 1. Server errors are always logged. */
  readonly logShare: number;
  readonly kept: KeptDays;
};

export type Variables = Partial<Readonly<Record<NumberName, string>>> & {
  readonly ENVIRONMENT: string;
  readonly ALLOW_LOOPBACK_WEBHOOKS: string;
  readonly SIGN_UP?: string;
  readonly BASE_URL?: string;
  readonly SITE_DOMAIN?: string;
  readonly MOVED_MEDIA_URL?: string;
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
  readonly AI_API?: string;
  readonly AI_BASE_URL?: string;
  readonly AI_MODEL?: string;
  readonly AI_API_KEY?: string;
  readonly AI_IMAGE_MODEL?: string;
  readonly AI_PRICES?: string;
  readonly FORUM_BASE_URLS?: string;
};

/**
 * Parses the settings. Variables that are not set get the strict value of production, and so do invalid ones, which
 * `listWrongSettings` (domain/settings.ts) names. Never throws.
 */
export function parseSettings(variables: Variables): Settings {
  const { SIGN_UP, BASE_URL = "", SITE_DOMAIN = "", DNS_RESOLVER_URL = "", OEMBED_URL = "" } = variables;
  const { AUTH_SECRET = "", OIDC_ISSUER = "", OIDC_CLIENT_ID = "" } = variables;
  return {
    production: variables.ENVIRONMENT !== "local",
    targetRules: { allowLoopback: variables.ALLOW_LOOPBACK_WEBHOOKS === "true" },
    baseUrl: parseOrigin(BASE_URL),
    siteDomain: isDomain(SITE_DOMAIN) ? SITE_DOMAIN.toLowerCase() : "",
    movedMediaUrl: parseOrigin(variables.MOVED_MEDIA_URL ?? ""),
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
    ai: parseAi(variables),
    generationQuota: {
      perMinute: parseNumber(variables, "AI_GENERATIONS_PER_MINUTE", LIMITS.generationsPerMinute),
      perDay: parseNumber(variables, "AI_GENERATIONS_PER_DAY", LIMITS.generationsPerDay),
    },
    quota: parseQuotas(variables),
    logShare: Math.min(100, parseNumber(variables, "LOG_PERCENT", 100)) / 100,
    kept: {
      deliveries: parseNumber(variables, "KEPT_DELIVERY_DAYS", LIMITS.keptDays.deliveries),
      events: parseNumber(variables, "KEPT_EVENT_DAYS", LIMITS.keptDays.events),
      audit: parseNumber(variables, "KEPT_AUDIT_DAYS", LIMITS.keptDays.audit),
    },
    forumBaseUrls: { ...FORUM_BASE_URLS, ...parseBaseUrls(variables.FORUM_BASE_URLS) },
  };
}

const parseAi = (variables: Variables): AiSettings => ({
  api: isAiApi(variables.AI_API) ? variables.AI_API : "chat",
  baseUrl: (variables.AI_BASE_URL ?? "").replace(/\/+$/, ""),
  model: variables.AI_MODEL ?? "",
  apiKey: variables.AI_API_KEY ?? "",
  imageModel: variables.AI_IMAGE_MODEL ?? "",
  timeoutMs: parseNumber(variables, "AI_TIMEOUT_SECONDS", LIMITS.modelTimeoutMs / 1000) * 1000,
  prices: parsePrices(variables.AI_PRICES ?? "") ?? {},
});

const DNS_RESOLVER = "https://cloudflare-dns.com/dns-query";

/** Returns the missing settings without which parts of a deployment answer 503. Always [] in local runs. */
export function listMissingSettings({ production, baseUrl, authSecret }: Settings): string[] {
  if (!production) return [];
  return [...(baseUrl === "" ? ["BASE_URL"] : []), ...(authSecret === "" ? ["AUTH_SECRET"] : [])];
}

/** Returns `otherwise` if the variable is not set or not valid. */
function parseNumber(variables: Variables, name: NumberName, otherwise: number): number {
  const { [name]: text = "" } = variables;
  return isValidNumber(name, text) ? Number(text) : otherwise;
}

/** Parses a JSON object of base URLs by forum. Ignores unknown forums. Returns {} for anything else. */
function parseBaseUrls(text: string | undefined): Partial<ForumBaseUrls> {
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

/** A shorter AUTH_SECRET could be guessed, so it counts as not set. */
const LEAST_SECRET = 32;

/** Counts an action of the caller `id`. Returns whether it is within the limit per minute. */
export const countAgainstRate = async (env: Env, name: RateName, id: string): Promise<boolean> =>
  (await env[`LIMIT_${RATES[name]}`].limit({ key: `${name} ${id}` })).success;
