/** Errors as results of tools, with REST's codes and advice for the model. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Arrival } from "../request/arrival.ts";
import { DomainError, getErrorKind } from "../../domain/errors.ts";
import { toUnexpectedError } from "../request/unexpected.ts";

/** Returns the tool result for an exception. Logs it unless it is a DomainError. */
export function toFailureResult(thrown: unknown, { requestId }: Pick<Arrival, "requestId">): CallToolResult {
  const error = thrown instanceof DomainError ? thrown : toUnexpectedError(requestId, thrown);
  const failure = {
    code: error.code,
    detail: getDetail(error),
    ...(error.details.errors && { errors: error.details.errors }),
    ...getRetryAfter(error),
    next: getAdvice(error),
    requestId,
  };
  return { isError: true, content: [{ type: "text", text: JSON.stringify(failure) }], structuredContent: failure };
}

/** Returns the title instead of the default message, which names headers and paths of REST that agents do not see. */
export function getDetail({ code, message }: DomainError): string {
  const { title, help } = getErrorKind(code);
  return message === help ? `${title}.` : message;
}

/** Returns what to do about an error. The advice on invalid requests is about `errors`, which some do not have. */
function getAdvice({ code, details }: DomainError): string {
  if (code === "invalid_request" && !details.errors?.length) {
    return "Correct the call as `detail` says, then call the tool again.";
  }
  return getErrorKind(code).advice ?? getErrorKind(code).help;
}

export function getRetryAfter({ details }: DomainError): { retryAfter?: number } {
  return details.retryAfterSeconds === undefined ? {} : { retryAfter: details.retryAfterSeconds };
}
