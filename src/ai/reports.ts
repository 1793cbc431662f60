/** Reads what a provider says about its own failure. */
import { APICallError, StreamProviderError } from "ai";

export type Report = {
  /** The HTTP status of the response; undefined if the error has none. */
  readonly status: number | undefined;
  /** The provider's error code; "" if there is none. */
  readonly code: string;
  /** The provider's error message; "" if there is none. */
  readonly message: string;
  /** The Retry-After header, as it came. */
  readonly retryAfter: string | undefined;
};

/**
 * Reads the response of a failed request, or an error that came within a stream. For any other error, which is not from
 * the provider, returns a report without values.
 */
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

/** Returns a field of a value of any type; undefined if the value is no object or has no such field. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
