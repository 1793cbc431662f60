/** What a provider says of its own failure. */
import { APICallError, StreamProviderError } from "ai";

export type Report = {
  /** The HTTP status of a refusal; undefined where there is none. */
  readonly status: number | undefined;
  /** The provider's own code, "" for none. */
  readonly code: string;
  /** The provider's own words, "" for none. */
  readonly message: string;
  readonly retryAfter: string | undefined;
};

/** Reads a refusal, or the error that came in the middle of a stream. Other errors are about the inside: nothing. */
export function reportOf(thrown: unknown): Report {
  if (StreamProviderError.isInstance(thrown)) {
    const { statusCode: status, code, message } = thrown;
    return { status, code: wordOf(code), message, retryAfter: undefined };
  }
  const isRefusal = APICallError.isInstance(thrown) && (thrown.statusCode === undefined || thrown.statusCode >= 400);
  if (!isRefusal) return { status: undefined, code: "", message: "", retryAfter: undefined };
  const code = member(member(thrown.data, "error"), "code") ?? member(thrown.data, "workersAIErrorCode");
  return {
    status: thrown.statusCode,
    code: wordOf(code),
    message: thrown.message,
    retryAfter: thrown.responseHeaders?.["retry-after"],
  };
}

const wordOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** A member of what may be anything. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
