/** Rules for settings. The service ignores an invalid one and logs it; `npm start` refuses it. */
import { isLoopbackHost } from "../lib/network.ts";
import { isWebUrl } from "../lib/web-url.ts";

/** Who may create an account: everybody, only people with an invitation, or nobody. */
export type SignUp = "open" | "invitation" | "closed";

export const isSignUp = (text: string | undefined): text is SignUp =>
  text === "open" || text === "invitation" || text === "closed";

/** The API of models: OpenAI's chat completions, which many others have, OpenAI's Responses, or Anthropic's Messages. */
export type AiApi = "chat" | "responses" | "anthropic";

export const isAiApi = (text: string | undefined): text is AiApi =>
  text === "chat" || text === "responses" || text === "anthropic";

/** Settings that are whole numbers: the minimum, and the maximum number of digits. */
export const NUMBERS = {
  AI_TIMEOUT_SECONDS: [1, 6],
  AI_GENERATIONS_PER_MINUTE: [0, 6],
  AI_GENERATIONS_PER_DAY: [0, 6],
  ORGANIZATION_ARTICLES: [0, 6],
  ORGANIZATION_MEGABYTES: [0, 6],
  ORGANIZATION_CONTACTS: [0, 6],
  ORGANIZATION_MEDIA_MEGABYTES: [0, 6],
  ORGANIZATION_REVISION_MEGABYTES: [0, 6],
  ORGANIZATION_CREDENTIALS: [1, 6],
  ORGANIZATION_SUBSCRIPTIONS: [0, 6],
  ORGANIZATION_EVENTS_PER_DAY: [1, 9],
  ORGANIZATION_DELIVERIES_PER_DAY: [1, 9],
  ORGANIZATION_IDEAS_PER_DAY: [0, 9],
  ORGANIZATION_ROWS_WRITTEN_PER_MONTH: [1, 12],
  ORGANIZATION_DELIVERIES_PER_MONTH: [1, 12],
  ORGANIZATION_MODEL_TOKENS_PER_MONTH: [1, 12],
  ORGANIZATION_PICTURE_OPERATIONS_PER_MONTH: [1, 12],
  LOG_PERCENT: [0, 6],
  KEPT_DELIVERY_DAYS: [1, 6],
  KEPT_EVENT_DAYS: [1, 6],
  KEPT_AUDIT_DAYS: [1, 6],
} as const satisfies Record<string, readonly [least: number, digits: number]>;

export type NumberName = keyof typeof NUMBERS;

export function isValidNumber(name: NumberName, text: string): boolean {
  const [least, digits] = NUMBERS[name];
  return text.length <= digits && /^\d+$/.test(text) && Number(text) >= least;
}

/** Returns which numbers a setting can have. */
export function wordNumbers(name: NumberName): string {
  const [least, digits] = NUMBERS[name];
  return `a whole number from ${least} to ${"9".repeat(digits)}`;
}

/** US dollars for a million tokens, by the name of the model. */
export type Prices = Readonly<Record<string, { readonly input: number; readonly output: number }>>;

/** Returns null for anything but a JSON object of prices that are not negative. */
export function parsePrices(text: string): Prices | null {
  try {
    const given = JSON.parse(text) as Prices;
    const fits = Object.values(given).every(({ input, output }) => isPrice(input) && isPrice(output));
    return fits && typeof given === "object" && !Array.isArray(given) ? given : null;
  } catch {
    return null;
  }
}

const isPrice = (price: unknown): boolean => typeof price === "number" && price >= 0;

/**
 * Normalizes a base URL to an origin: lower case, no default port, Punycode. Returns "" if it has a path or query, or
 * if it is http outside of loopback hosts, because OAuth does not allow such an issuer.
 */
export function parseOrigin(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return "";
  const { protocol, hostname, origin, href } = new URL(baseUrl);
  const isSafe = protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
  return isSafe && href === `${origin}/` ? origin : "";
}

/** Returns whether a text is a domain. It may have a port for local runs. */
export const isDomain = (text: string): boolean =>
  /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)(?:\.[a-z\d-]+)*(?::\d+)?$/i.test(text);

/** `wanted` follows "it has to be" and "is not" in messages. */
type Rule = { readonly fits: (text: string) => boolean; readonly wanted: string };

const WEB_URL: Rule = { fits: isWebUrl, wanted: "an http or https URL" };
const ORIGIN: Rule = {
  fits: (text) => parseOrigin(text) !== "",
  wanted: "an https origin (an address without a path)",
};

const RULES: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(
    (Object.keys(NUMBERS) as NumberName[]).map((name) => [
      name,
      { fits: (text: string) => isValidNumber(name, text), wanted: wordNumbers(name) },
    ]),
  ),
  SIGN_UP: { fits: isSignUp, wanted: "open, invitation or closed" },
  DNS_RESOLVER_URL: WEB_URL,
  OEMBED_URL: WEB_URL,
  SITE_DOMAIN: { fits: isDomain, wanted: "a domain such as blogs.example.com" },
  AI_API: { fits: isAiApi, wanted: "chat, responses or anthropic" },
  AI_PRICES: {
    fits: (text) => parsePrices(text) !== null,
    wanted: 'JSON such as {"name of a model": {"input": 0.25, "output": 2}}',
  },
  BASE_URL: ORIGIN,
  MOVED_MEDIA_URL: ORIGIN,
  OIDC_ISSUER: WEB_URL,
};

/** Returns the settings that are set but invalid, and what each must be. */
export function listWrongSettings(
  settings: object,
): { readonly name: string; readonly text: string; readonly wanted: string }[] {
  return Object.entries(RULES).flatMap(([name, { fits, wanted }]) => {
    const text: unknown = Reflect.get(settings, name);
    return typeof text !== "string" || text === "" || fits(text) ? [] : [{ name, text, wanted }];
  });
}
