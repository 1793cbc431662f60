/** From what can go wrong with a provider to the codes that callers know. */
import { APICallError, DownloadError, InvalidResponseDataError, TypeValidationError } from "ai";
import { DomainError } from "../errors.ts";
import { addressRefused } from "./bounded-fetch.ts";
import { member, reportOf } from "./reports.ts";

/** Whom a failure is about. */
export type Provider = {
  /** What errors call it: a host name, or "workers-ai". */
  readonly name: string;
  readonly model: string;
  /** What no message may contain; "" for none. */
  readonly apiKey: string;
};

/** The refusal for whatever a call of the SDK has thrown. It never quotes the key. */
export function failureOf(thrown: unknown, provider: Provider): DomainError {
  const known = causes(thrown).find((cause) => cause instanceof DomainError);
  if (known !== undefined) return known;
  const { name, model } = provider;
  if (InvalidResponseDataError.isInstance(thrown))
    return new DomainError("ai_cut_off", `The answer of ${name} ended before it was complete.`);
  if (DownloadError.isInstance(thrown)) return addressRefused(name);
  if (thrown instanceof DOMException && thrown.name === "InvalidCharacterError")
    return new DomainError("ai_invalid_answer", `The image of ${name} is not base64.`);
  const { status, code, message, retryAfter } = reportOf(thrown);
  if (REFUSALS.has(code)) return refused(message, provider);
  if (code === "insufficient_quota") return unavailable(`${name} says that the account's quota is used up.`);
  if (status === 429 || code === "rate_limit_exceeded") return busy(name, retryAfter);
  if (status === 401 || status === 403)
    return unavailable(`${name} refused the configured credentials (${status}). Check the API key in the settings.`);
  if (status === 404 || UNKNOWN_MODEL.has(code))
    return unavailable(`${name} does not know the model "${model}". Check the model and the base URL in the settings.`);
  if (causes(thrown).some((cause) => TypeValidationError.isInstance(cause)))
    return new DomainError("ai_invalid_answer", `The answer of ${name} is not a valid response of this API.`);
  if (status === undefined && message === "")
    return unavailable(`${name} answered with something that could not be read.`);
  const words = status === undefined || status < 500 ? safeWords(message, provider) : "";
  return unavailable(
    `${name} answered with ${status === undefined ? "an error" : `the status ${status}`}${words && `: ${words}`}.`,
  );
}

/** A refusal by the model or by the provider's filter. Its words are shown where they are safe to show. */
export function refused(words: string, provider: Provider): DomainError {
  const shown = safeWords(words, provider);
  return new DomainError("ai_refused", shown === "" ? undefined : `The model refuses: ${shown}`);
}

/** Whether a provider refused the way in which a structured answer was asked for; such a request costs nothing. */
export function isFormatRefused(thrown: unknown): boolean {
  if (!APICallError.isInstance(thrown)) return false;
  const { status, code, message } = reportOf(thrown);
  if (REFUSALS.has(code) || UNKNOWN_MODEL.has(code)) return false;
  return status === 400 || status === 422 || (status === undefined && /json (?:schema|mode)/i.test(message));
}

/** Codes of a refusal by content: OpenAI's, Azure's, and those of image models. */
const REFUSALS = new Set(["content_policy_violation", "content_filter", "moderation_blocked"]);

/** 5007 is Workers AI's "No such model". */
const UNKNOWN_MODEL = new Set(["model_not_found", "5007"]);

/** The error and its causes, at most ten. */
function causes(thrown: unknown): unknown[] {
  const all: unknown[] = [];
  for (let cause = thrown; cause !== undefined && all.length < 10; cause = member(cause, "cause")) all.push(cause);
  return all;
}

const unavailable = (detail: string) => new DomainError("ai_unavailable", detail);

/** Seconds to wait where the provider does not say, and the most that it may say. */
const RETRY_AFTER = 30;
const MOST_RETRY_AFTER = 3600;

function busy(name: string, retryAfter: string | undefined): DomainError {
  return new DomainError("ai_rate_limited", `${name} limits the rate of requests.`, {
    retryAfterSeconds: secondsOf(retryAfter),
  });
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function secondsOf(retryAfter: string | undefined): number {
  if (retryAfter === undefined) return RETRY_AFTER;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? RETRY_AFTER : Math.min(Math.max(Math.ceil(seconds), 1), MOST_RETRY_AFTER);
}

const MOST_WORDS = 200;

/** A provider's words on one line, without a stop at the end; "" where they could tell a secret. */
function safeWords(words: string, { apiKey }: Provider): string {
  const line = words.replace(/[\p{Cc}\s]+/gu, " ").trim();
  if ((apiKey !== "" && line.includes(apiKey)) || SECRET.test(line)) return "";
  const short = line.length > MOST_WORDS ? `${line.slice(0, MOST_WORDS).trimEnd()}…` : line;
  return short.toWellFormed().replace(/\.$/, "");
}

/** What looks like a key, a token or an address with credentials. */
const SECRET = /\b(?:sk|pk|key|token|bearer)[-_ :=]+[\w*.-]{8,}|[\w+/=-]{32,}|\/\/[^\s/]*@/i;
