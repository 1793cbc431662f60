/** Errors as results of tools, with REST's codes and advice for the model. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Arrival } from "../request/arrival.ts";
import { DomainError, kindOf } from "../../domain/errors.ts";
import { unexpected } from "../request/unexpected.ts";

/** Returns the tool result for an exception. Logs it unless it is a DomainError. */
export function failureOf(thrown: unknown, { requestId }: Pick<Arrival, "requestId">): CallToolResult {
  const error = thrown instanceof DomainError ? thrown : unexpected(requestId, thrown);
  const failure = {
    code: error.code,
    detail: detailOf(error),
    ...(error.details.errors && { errors: error.details.errors }),
    ...retryAfterOf(error),
    next: nextOf(error),
    requestId,
  };
  return { isError: true, content: [{ type: "text", text: JSON.stringify(failure) }], structuredContent: failure };
}

/** Returns the title instead of the default message, which names headers and paths of REST that agents do not see. */
export function detailOf({ code, message }: DomainError): string {
  const { title, help } = kindOf(code);
  return message === help ? `${title}.` : message;
}

/** Returns what to do about an error. The advice on invalid requests is about `errors`, which some do not have. */
function nextOf({ code, details }: DomainError): string {
  if (code === "invalid_request" && !details.errors?.length) {
    return "Correct the call as `detail` says, then call the tool again.";
  }
  return kindOf(code).advice ?? kindOf(code).help;
}

export function retryAfterOf({ details }: DomainError): { retryAfter?: number } {
  return details.retryAfterSeconds === undefined ? {} : { retryAfter: details.retryAfterSeconds };
}
