/** From what a server answered, or did not, to the error that says so. */
import { jsonOrNull } from "../lib/json.ts";
import { isErrorCode, kindOf } from "../errors.ts";
import { CliError, EXIT, exitOf, type Details } from "./failure.ts";

/**
 * The error that a refusal means: of the service a problem (RFC 9457). What is none comes from another server, or where
 * it says that there is too much to do, or that something is broken, from one in front of the service.
 * `authorization` is the header that was refused. Rejects where the body breaks off.
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
      hint: "If that is your server, pass it: --server URL.",
    });
  }
  const problem = jsonOrNull(await response.text());
  if (status < 500 && status !== 429 && !isProblem(problem)) {
    const hint = `It answered with ${status}. Is the address right (--server, EDGEPRESS_URL)?`;
    return invalidAnswer(new URL(response.url).origin, { status, hint });
  }
  const replayed = headers.get("Idempotent-Replayed") === "true";
  return problemError(problem, status, {
    authorization,
    retryAfter: retryAfterOf(headers.get("Retry-After")),
    replayed,
  });
}

/** Others, too, have a `code` for their errors, or a `title`, or a `detail`. */
function isProblem(body: unknown): boolean {
  const { code, title, detail } = membersOf(body);
  return typeof code === "string" && (typeof title === "string" || typeof detail === "string");
}

/** The error of an answer that no Edgepress server gives. */
export const invalidAnswer = (server: string, details: Details = {}): CliError =>
  new CliError("invalid_answer", `${server} does not answer as an Edgepress server does.`, EXIT.failed, details);

/** What an answer says besides its body. */
type Around = {
  readonly authorization?: string | null;
  readonly retryAfter?: number | undefined;
  readonly replayed?: boolean;
};

/** The error of a problem's body, as answers and `error` events carry it. */
export function problemError(body: unknown, answered: number, around: Around = {}): CliError {
  const problem = membersOf(body);
  const status = typeof problem["status"] === "number" ? problem["status"] : answered;
  const code = typeof problem["code"] === "string" ? problem["code"] : "unexpected_answer";
  const requestId = typeof problem["requestId"] === "string" ? problem["requestId"] : undefined;
  const inBody = typeof problem["retryAfter"] === "number" ? problem["retryAfter"] : undefined;
  const retryAfter = around.retryAfter ?? inBody;
  const details = {
    status,
    errors: fieldsOf(problem["errors"]),
    requestId,
    retryAfter,
    replayed: around.replayed,
    hint: hintOf(code, around.authorization ?? "", retryAfter),
  };
  return new CliError(code, messageOf(code, status, problem), exitOf(code, status), details);
}

/** Codes whose detail tells programs of headers; their title says enough to people. */
const BY_TITLE = new Set(["credentials_missing", "credentials_invalid", "rate_limited", "too_many_failed_attempts"]);

function messageOf(code: string, status: number, { title, detail }: Readonly<Record<string, unknown>>): string {
  if (BY_TITLE.has(code) && typeof title === "string") return `${title}.`;
  if (typeof detail === "string") return detail;
  return status === 429 ? "The server accepts no more requests for now." : `The server answered with ${status}.`;
}

/** The error of a request without an answer. */
export function unreachable(server: string, error: unknown): CliError {
  return new CliError("unreachable", `${server} cannot be reached: ${reasonOf(error)}.`, EXIT.failed, {
    hint: "Is the address right (--server, EDGEPRESS_URL), and is the service running?",
    cause: error,
  });
}

/** Node puts the reason under `cause`, and where a host has several addresses, under one error each. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === CONNECT_TIMEOUT) return "it does not answer";
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message || error.name;
}

/** Node's fetch gives up after ten seconds of connecting, to the end of TLS. */
const CONNECT_TIMEOUT = "UND_ERR_CONNECT_TIMEOUT";

/** Whether nothing was sent, because nobody answered for so long. */
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

/** Seconds (RFC 9110, 10.2.3); a date is not what the service sends. */
const retryAfterOf = (header: string | null): number | undefined =>
  header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined;

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

function fieldsOf(value: unknown): { path: string; message: string }[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.map(membersOf).map(({ path, message }) => ({ path: String(path), message: String(message) }));
}
