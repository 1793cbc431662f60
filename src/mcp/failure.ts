/** Refusals and failures as results of tools: REST's codes, and what to do next. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Arrival } from "../request/arrival.ts";
import { DomainError, ERRORS, type ErrorCode } from "../errors.ts";
import { unexpected } from "../unexpected.ts";

/** What a model can do about it; for the other codes, what the table of errors says. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  invalid_request: "Correct the arguments that `errors` names, then call the tool again.",
  invalid_cursor: "Call the tool again without `cursor`, or with the `nextCursor` of the previous page, unchanged.",
  blog_required: "Call list_blogs, and pass the `_id` of the intended blog as `blogId`.",
  blog_forbidden: "Call list_blogs for the blogs within reach. If the one that the user means is not among them, ask.",
  credentials_invalid: "The connection has ended. Ask the user to connect again.",
  scope_missing: "Ask the user to connect again and to grant this scope. Do not try to work around it.",
  role_forbidden: "Tell the user: an owner or admin of their organization can do this, or change the user's role.",
  not_found: "Look for it with search_articles, list_articles or list_topics. It may have been deleted.",
  article_published:
    "Tell the user that the article is published. Change it in the console, or, if they ask for it, call unpublish_article first.",
  slug_taken:
    "Choose another `slug` or `locale`, or change the article that has it (list_articles with `slug` finds it).",
  quota_exceeded:
    "Store nothing else. Tell the user what is full (`detail`); delete or shorten articles only if they ask for it.",
  no_topic_sources: "Ask the user to name feeds or forums on the blog's page in the console, or use research_topics.",
  topic_used: "Choose another idea (list_topics with status `new`), or work on the article that this one has become.",
  precondition_failed: "Call get_article again, look at what has changed, and repeat the call with its `version`.",
  idempotency_in_progress: "Wait the seconds in `retryAfter`, then repeat the call unchanged.",
  idempotency_key_reused: "Use a new `idempotencyKey` for a call with other arguments.",
  rate_limited: "Wait the seconds in `retryAfter`, then repeat the call.",
  generation_limit: "Wait the seconds in `retryAfter`, or write the article yourself and store it with create_article.",
  ai_refused: "Ask the user for another subject, or write the article yourself and store it with create_article.",
  ai_not_configured: "This service has no text model. Write the article yourself and store it with create_article.",
  ai_rate_limited: "Wait the seconds in `retryAfter`, then repeat the call.",
  internal: "Repeat the call once. If it fails again, tell the user the `requestId`.",
};

/** The result for anything thrown. */
export function failureOf(thrown: unknown, { requestId }: Pick<Arrival, "requestId">): CallToolResult {
  const error = thrown instanceof DomainError ? thrown : unexpected(requestId, thrown);
  const failure = {
    code: error.code,
    detail: error.message,
    ...(error.errors && { errors: error.errors }),
    ...retryAfterOf(error),
    next: NEXT[error.code] ?? ERRORS[error.code].help,
    requestId,
  };
  return { isError: true, content: [{ type: "text", text: JSON.stringify(failure) }], structuredContent: failure };
}

/** Seconds, where it says when to call again. */
export function retryAfterOf({ headers }: DomainError): { retryAfter?: number } {
  const retryAfter = Number(headers["Retry-After"]);
  return retryAfter > 0 ? { retryAfter } : {};
}
