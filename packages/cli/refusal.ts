/** Turns failed requests and responses into errors for the person. */
import { jsonOrNull } from "../../src/lib/json.ts";
import { isErrorCode, kindOf } from "../../src/domain/errors.ts";
import { CliError, EXIT, exitOf, type Details } from "./failure.ts";

/**
 * Returns the error for a response whose status is not 2xx. The service sends a problem (RFC 9457). A response with
 * status 429 or 5xx and another body may come from a proxy in front of the service. Any other response without a
 * problem comes from a server that is not Edgepress: `invalid_answer`. Redirects are `redirected`. `authorization` is
 * the header of the request. Rejects if the body breaks off.
 */
export async function refusalOf(response: Response, authorization: string | null): Promise<CliError> {
  const { status, headers } = response;
  const location = headers.get("Location");
  if (status >= 300 && status < 400) {
    await response.body?.cancel().catch(() => undefined);
    const known = location !== null && URL.canParse(location, response.url);
    const where = known ? `to ${new URL(location, response.url).origin}` : "elsewhere";
    return new CliError("redirected", `The server redirects ${where}. Redirects are not followed.`, EXIT.failed, {
      status,
      hint: "If that is your server, pass --server URL.",
    });
  }
  const problem = jsonOrNull(await response.text());
  if (status < 500 && status !== 429 && !isProblem(problem)) {
    const hint = `It answered with ${status}. Is the URL right (--server, EDGEPRESS_URL)?`;
    return invalidAnswer(new URL(response.url).origin, { status, hint });
  }
  const replayed = headers.get("Idempotent-Replayed") === "true";
  return problemError(problem, status, {
    authorization,
    retryAfter: retryAfterOf(headers.get("Retry-After")),
    replayed,
  });
}

/** Returns whether a body is a problem of the service. One field is not enough: other APIs use these names too. */
function isProblem(body: unknown): boolean {
  const { code, title, detail } = membersOf(body);
  return typeof code === "string" && (typeof title === "string" || typeof detail === "string");
}

/** Returns the error for a response that an Edgepress server would not send. */
export const invalidAnswer = (server: string, details: Details = {}): CliError =>
  new CliError("invalid_answer", `${server} does not answer as an Edgepress server does.`, EXIT.failed, details);

/** What is known about a response besides its body. */
type Around = {
  readonly authorization?: string | null;
  readonly retryAfter?: number | undefined;
  readonly replayed?: boolean;
};

/**
 * Returns the error for the body of a problem, from a response or from an `error` event. `answered` is the HTTP status;
 * it counts if the body has no `status`.
 */
export function problemError(body: unknown, answered: number, around: Around = {}): CliError {
  const problem = membersOf(body);
  const status = typeof problem["status"] === "number" ? problem["status"] : answered;
  const code = typeof problem["code"] === "string" ? problem["code"] : "unexpected_answer";
  const requestId = typeof problem["requestId"] === "string" ? problem["requestId"] : undefined;
  const inBody = typeof problem["retryAfter"] === "number" ? problem["retryAfter"] : undefined;
  const retryAfter = around.retryAfter ?? inBody;
  const hint = hintOf(code, around.authorization ?? "", retryAfter);
  const { replayed } = around;
  const details = { status, errors: fieldsOf(problem["errors"]), requestId, retryAfter, replayed, hint };
  return new CliError(code, messageOf(code, status, problem, hint), exitOf(code, status), details);
}

/** Codes whose `detail` is about headers, whatever it is. */
const BY_TITLE = new Set(["credentials_missing", "credentials_invalid", "rate_limited", "too_many_failed_attempts"]);

/** A `detail` about headers and paths is for programmers, as is the default of each code: with a hint, people get the `title`. */
function messageOf(code: string, status: number, problem: Readonly<Record<string, unknown>>, hint?: string): string {
  const { title, detail } = problem;
  const isDefault = isErrorCode(code) && detail === kindOf(code).help && hint !== undefined;
  if ((isDefault || BY_TITLE.has(code)) && typeof title === "string") return `${title}.`;
  if (typeof detail === "string") return detail;
  return status === 429
    ? "The server does not accept more requests at the moment."
    : `The server answered with ${status}.`;
}

/** Returns the error for a request that got no response. `error` is what fetch has thrown. */
export function unreachable(server: string, error: unknown): CliError {
  return new CliError("unreachable", `${server} cannot be reached: ${reasonOf(error)}.`, EXIT.failed, {
    hint: "Is the URL right (--server, EDGEPRESS_URL), and is the service running?",
    cause: error,
  });
}

/**
 * Returns why a connection failed. Node puts the reason into `cause`. For a host with several addresses there is one
 * error for each address; this uses the first.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === CONNECT_TIMEOUT) return "it does not answer";
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message || error.name;
}

/** The code that Node's fetch throws if connecting, including TLS, takes longer than ten seconds. */
const CONNECT_TIMEOUT = "UND_ERR_CONNECT_TIMEOUT";

/** Returns whether connecting timed out: the request was never sent. */
export function isConnectTimeout({ details: { cause } }: CliError): boolean {
  const reason = cause instanceof Error ? cause.cause : undefined;
  return reason instanceof Error && "code" in reason && reason.code === CONNECT_TIMEOUT;
}

function hintOf(code: string, authorization: string, retryAfter: number | undefined): string | undefined {
  if (code === "credentials_invalid" && authorization.startsWith("Basic "))
    return "Check EDGEPRESS_API_KEY: it was mistyped, revoked, or belongs to another server.";
  if (code === "credentials_invalid" && authorization.startsWith("Token ")) return "Check EDGEPRESS_OPERATOR_TOKEN.";
  const hint = isErrorCode(code) ? kindOf(code).hint : undefined;
  return hint ?? (retryAfter === undefined ? undefined : `Try again in ${retryAfter} seconds.`);
}

/** Returns the seconds of a Retry-After header (RFC 9110, 10.2.3). Ignores dates, which the service does not send. */
const retryAfterOf = (header: string | null): number | undefined =>
  header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined;

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

function fieldsOf(value: unknown): { path: string; message: string }[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.map(membersOf).map(({ path, message }) => ({ path: String(path), message: String(message) }));
}
