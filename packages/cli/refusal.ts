/** Explains failed requests to the person. */
import { isErrorCode, getErrorKind } from "../../src/domain/errors.ts";
import type { EdgepressError } from "../client/src/errors.ts";
import { CliError, EXIT, toExit, type Details } from "./failure.ts";

type Asked = { readonly server: string; readonly authorization?: string | null | undefined };

/** Returns an error of the client as one of this program: with a sentence, a hint and an exit code. */
export function explainError(error: EdgepressError, { server, authorization }: Asked): CliError {
  const { code, status, detail, errors, requestId, cause } = error;
  if (cause instanceof CliError) return cause;
  if (code === "unreachable") return unreachableError(server, cause);
  if (code === "timeout") return new CliError("timeout", `${server} did not answer in time.`);
  const response = cause instanceof Response ? cause : null;
  if (code === "invalid_answer" && status >= 300 && status < 400) return redirectError(status, response);
  if (code === "invalid_answer" && status < 500 && status !== 429) {
    const hint = `It answered with ${status}. Is the URL right (--server, EDGEPRESS_URL)?`;
    return invalidAnswerError(server, status === 0 ? {} : { status, hint });
  }
  const retryAfter = error.retryAfter ?? undefined;
  const hint = findHint(error, authorization ?? "", retryAfter);
  const replayed = response?.headers.get("Idempotent-Replayed") === "true";
  const details = { status, errors, requestId: requestId ?? undefined, retryAfter, replayed, hint };
  // A proxy in front of the service does not send problems as JSON.
  const isProxy = code === "invalid_answer";
  const message = isProxy ? describeProxyAnswer(status) : chooseMessage(code, detail, hint);
  return new CliError(isProxy ? "unexpected_answer" : code, message, toExit(code, status), details);
}

const describeProxyAnswer = (status: number): string =>
  status === 429 ? "The server does not accept more requests at the moment." : `The server answered with ${status}.`;

function redirectError(status: number, response: Response | null): CliError {
  const location = response?.headers.get("Location") ?? null;
  const known = location !== null && URL.canParse(location, response?.url);
  const where = known ? `to ${new URL(location, response?.url).origin}` : "elsewhere";
  const hint = "If that is your server, pass --server URL.";
  const details = { status, hint };
  return new CliError("redirected", `The server redirects ${where}. Redirects are not followed.`, EXIT.failed, details);
}

export const invalidAnswerError = (server: string, details: Details = {}): CliError =>
  new CliError("invalid_answer", `${server} does not answer as an Edgepress server does.`, EXIT.failed, details);

/** Codes whose `detail` is always about headers. */
const BY_TITLE = new Set(["credentials_missing", "credentials_invalid", "rate_limited", "too_many_failed_attempts"]);

/** People get the title in place of a `detail` for programmers: about headers, or the code's default beside a hint. */
function chooseMessage(code: string, detail: string, hint: string | undefined): string {
  if (!isErrorCode(code)) return detail;
  const { title, help } = getErrorKind(code);
  return BY_TITLE.has(code) || (detail === help && hint !== undefined) ? `${title}.` : detail;
}

export function unreachableError(server: string, error: unknown): CliError {
  return new CliError("unreachable", `${server} cannot be reached: ${findReason(error)}.`, EXIT.failed, {
    hint: "Is the URL right (--server, EDGEPRESS_URL), and is the service running?",
    cause: error,
  });
}

/** Returns why a connection failed. For a host with several addresses, Node has one error each; the first is used. */
function findReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === CONNECT_TIMEOUT) return "it does not answer";
  if (error instanceof AggregateError && error.errors.length > 0) return findReason(error.errors[0]);
  return error.cause instanceof Error ? findReason(error.cause) : error.message || error.name;
}

/** The code that Node's fetch throws if connecting, including TLS, takes longer than ten seconds. */
const CONNECT_TIMEOUT = "UND_ERR_CONNECT_TIMEOUT";

/** Returns whether connecting timed out: the request was never sent. */
export function isConnectTimeout({ details: { cause } }: CliError): boolean {
  const reason = cause instanceof Error ? cause.cause : undefined;
  return reason instanceof Error && "code" in reason && reason.code === CONNECT_TIMEOUT;
}

function findHint(
  { code, detail }: EdgepressError,
  authorization: string,
  retryAfter: number | undefined,
): string | undefined {
  if (code === "credentials_invalid" && authorization.startsWith("Basic "))
    return "Check EDGEPRESS_API_KEY: it was mistyped, revoked, or belongs to another server.";
  if (code === "credentials_invalid" && authorization.startsWith("Token ")) return "Check EDGEPRESS_OPERATOR_TOKEN.";
  const [, scope] = /the scope ([a-z:]+)\.$/.exec(detail) ?? [];
  if (code === "scope_missing" && scope !== undefined && authorization.startsWith("Bearer "))
    return `Sign in again with all scopes that you need: edgepress login --scopes ${scope},…`;
  const hint = isErrorCode(code) ? getErrorKind(code).hint : undefined;
  return hint ?? (retryAfter === undefined ? undefined : `Try again in ${describeWait(retryAfter)}.`);
}

function describeWait(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}
