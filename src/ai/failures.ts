/** Maps the errors of the SDK and of providers to the error codes of this service. */
import { APICallError, DownloadError, InvalidResponseDataError, TypeValidationError, StreamProviderError } from "ai";
import { DomainError } from "../domain/errors.ts";
import { parseJson } from "../lib/json.ts";
import { LostConnection, makeImageUrlError } from "./bounded-fetch.ts";
import { getMember } from "./json-text.ts";

export type Provider = {
  /** A host name, or "workers-ai". Shown in error messages. */
  readonly name: string;
  readonly model: string;
  /** Must not be in an error message. "" if there is none. */
  readonly apiKey: string;
};

/** Returns the error for anything that a call of the SDK has thrown. Its message never contains the API key. */
export function toDomainError(thrown: unknown, provider: Provider): DomainError {
  const known = listCauses(thrown).find((cause) => cause instanceof DomainError);
  if (known !== undefined) return known;
  const { name, model } = provider;
  if (InvalidResponseDataError.isInstance(thrown))
    return new DomainError("ai_cut_off", `The answer from ${name} ended before it was complete.`);
  if (DownloadError.isInstance(thrown)) return makeImageUrlError(name);
  if (thrown instanceof DOMException && thrown.name === "InvalidCharacterError")
    return new DomainError("ai_invalid_answer", `The image from ${name} is not base64.`);
  const { status, code, message, retryAfter } = readReport(thrown);
  if (REFUSALS.has(code)) return makeRefusal(message, provider);
  if (SPENT.has(code)) return makeUnavailableError(`${name} says that the account's quota is used up.`);
  if (status === 429 || code === "rate_limit_exceeded") return makeRateLimitError(name, retryAfter);
  if (status === 401 || status === 403)
    return makeUnavailableError(
      `${name} refused the configured credentials (${status}). Check the API key in the settings.`,
    );
  if (status === 404 || UNKNOWN_MODEL.has(code))
    return makeUnavailableError(
      `${name} does not know the model "${model}". Check the model and the base URL in the settings.`,
    );
  if (listCauses(thrown).some((cause) => TypeValidationError.isInstance(cause)))
    return new DomainError("ai_invalid_answer", `The answer from ${name} is not a valid response of this API.`);
  if (status === undefined && message === "")
    return makeUnavailableError(`${name} answered with something that could not be read.`);
  const words = status === undefined || status < 500 ? toSafeLine(message, provider) : "";
  return makeUnavailableError(
    `${name} answered with ${status === undefined ? "an error" : `the status ${status}`}${words && `: ${words}`}.`,
  );
}

/** Returns `ai_refused`, for a refusal by the model or the provider's filter. Shows `words` if they hold no secret. */
export function makeRefusal(words: string, provider: Provider): DomainError {
  const shown = toSafeLine(words, provider);
  return new DomainError("ai_refused", shown === "" ? undefined : `The model refused: ${shown}`);
}

/**
 * Returns true if the provider rejected the format of a structured answer. Such a request costs nothing, so the caller
 * can try another format.
 */
export function isFormatRefused(thrown: unknown): boolean {
  if (!APICallError.isInstance(thrown)) return false;
  const { status, code, message } = readReport(thrown);
  if (REFUSALS.has(code) || UNKNOWN_MODEL.has(code)) return false;
  return status === 400 || status === 422 || (status === undefined && /json (?:schema|mode)/i.test(message));
}

/** A failure that passes. `waitMs` is how long the provider wants callers to wait, if it says so. */
type PassingFailure = { readonly waitMs: number | undefined; readonly begun: boolean };

/** The account has nothing left: codes of OpenAI and Anthropic. */
const SPENT = new Set(["insufficient_quota", "enforced_spend_limit_reached"]);

/** Also Workers AI's code for the free allocation of a day. */
const USED_UP = new Set([...SPENT, "3036"]);

/** What a gateway or a busy provider answers; 529 means "overloaded". */
const BUSY: ReadonlySet<number | undefined> = new Set([429, 502, 503, 529]);

/** Returns how an error of a call passes, or null if the same call would fail again. */
export function getFailureKind(thrown: unknown): PassingFailure | null {
  const lost = listCauses(thrown).find((cause) => cause instanceof LostConnection);
  if (lost !== undefined) return { waitMs: undefined, begun: lost.begun };
  if (InvalidResponseDataError.isInstance(thrown)) return { waitMs: undefined, begun: true };
  const { status, code, retryAfter } = readReport(thrown);
  if (!BUSY.has(status) || USED_UP.has(code)) return null;
  const waitMs = retryAfter === undefined ? undefined : 1000 * parseRetryAfter(retryAfter);
  return { waitMs, begun: StreamProviderError.isInstance(thrown) };
}

/** Codes for content that is not allowed: those of OpenAI, Azure and image models. */
const REFUSALS = new Set(["content_policy_violation", "content_filter", "moderation_blocked"]);

/** 5007 is Workers AI's "No such model". */
const UNKNOWN_MODEL = new Set(["model_not_found", "5007"]);

/** Returns the error and its chain of causes, at most ten in all. */
function listCauses(thrown: unknown): unknown[] {
  const all: unknown[] = [];
  for (let cause = thrown; cause !== undefined && all.length < 10; cause = getMember(cause, "cause")) all.push(cause);
  return all;
}

const makeUnavailableError = (detail: string) => new DomainError("ai_unavailable", detail);

/** Seconds: the default if the provider sends no Retry-After, and the largest value that is passed on. */
const RETRY_AFTER = 30;
const MOST_RETRY_AFTER = 3600;

function makeRateLimitError(name: string, retryAfter: string | undefined): DomainError {
  return new DomainError("ai_rate_limited", `${name} limits the rate of requests.`, {
    retryAfterSeconds: parseRetryAfter(retryAfter),
  });
}

/** Returns the seconds of a Retry-After header, which holds seconds or a date (RFC 9110, 10.2.3). */
function parseRetryAfter(retryAfter: string | undefined): number {
  if (retryAfter === undefined) return RETRY_AFTER;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? RETRY_AFTER : Math.min(Math.max(Math.ceil(seconds), 1), MOST_RETRY_AFTER);
}

const MOST_WORDS = 200;

/** Returns a provider's message on one line, without a final period; "" if it may contain a secret. */
function toSafeLine(words: string, { apiKey }: Provider): string {
  const line = words.replace(/[\p{Cc}\s]+/gu, " ").trim();
  if ((apiKey !== "" && line.includes(apiKey)) || SECRET.test(line)) return "";
  const short = line.length > MOST_WORDS ? `${line.slice(0, MOST_WORDS).trimEnd()}…` : line;
  return short.toWellFormed().replace(/\.$/, "");
}

/** Matches text that looks like a key, a token or an address with credentials. */
const SECRET = /\b(?:sk|pk|key|token|bearer)[-_ :=]+[\w*.-]{8,}|[\w+/=-]{32,}|\/\/[^\s/]*@/i;

type Report = {
  readonly status: number | undefined;
  /** "" if there is none, as for `message`. */
  readonly code: string;
  readonly message: string;
  readonly retryAfter: string | undefined;
};

/** Reads a failed response, or an error within a stream. Any other error gives a report without values. */
function readReport(thrown: unknown): Report {
  if (StreamProviderError.isInstance(thrown)) {
    const { statusCode: status, code, message } = thrown;
    return { status, code: toCode(code), message, retryAfter: undefined };
  }
  const isRefusal = APICallError.isInstance(thrown) && (thrown.statusCode === undefined || thrown.statusCode >= 400);
  if (!isRefusal) return { status: undefined, code: "", message: "", retryAfter: undefined };
  const body = readBody(thrown);
  const error = getMember(body, "error") ?? getMember(getMember(body, "response"), "error") ?? body;
  const words = typeof error === "string" ? error : getMember(error, "message");
  const code = getMember(getMember(error, "details"), "error_code") ?? getMember(error, "code");
  return {
    status: thrown.statusCode,
    code: toCode(code ?? getMember(body, "workersAIErrorCode")),
    message: typeof words === "string" ? words : thrown.message,
    retryAfter: thrown.responseHeaders?.["retry-after"] ?? readRetryDelay(error),
  };
}

/** Returns the body as the SDK has read it. Reads what the SDK does not know, also an array of one: Gemini's. */
function readBody({ data, responseBody }: APICallError): unknown {
  const body: unknown = data ?? parseJson(responseBody ?? "");
  return Array.isArray(body) ? body[0] : body;
}

/** Returns the whole seconds of a `RetryInfo`, Google's way to say how long to wait: `"retryDelay": "33.4s"`. */
function readRetryDelay(error: unknown): string | undefined {
  const details = getMember(error, "details");
  const delays = Array.isArray(details) ? details.map((detail) => getMember(detail, "retryDelay")) : [];
  const seconds = parseFloat(String(delays.find((delay) => typeof delay === "string")));
  return Number.isNaN(seconds) ? undefined : String(Math.ceil(Math.max(seconds, 0)));
}

const toCode = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";
