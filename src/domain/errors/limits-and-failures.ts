/** Exceeded limits, and failures of models and of the service itself. */
import type { ErrorKind } from "./kind.ts";

export const SERVICE_ERRORS = {
  ai_refused: {
    status: 422,
    passes: true,
    title: "The model refused to write this",
    help: "The provider or its model declined the request. Ask for something else, or choose another model.",
    advice: "Ask the user for another subject, or write the article yourself and store it with create_article.",
    exit: "failed",
  },
  generation_limit: {
    status: 429,
    title: "Too many generations",
    help: "The organization has used up its generations for now. Retry after the number of seconds in `Retry-After`.",
    advice: "Wait `retryAfter` seconds, or write the article yourself and store it with create_article.",
  },
  event_limit: {
    status: 429,
    title: "Too many changes today",
    help: "The organization has used up its quota of events for today (UTC). Retry after the number of seconds in `Retry-After`.",
    advice:
      "Do not repeat the call today. Tell the user that the organization has used up its quota of changes for today. The next day begins in `retryAfter` seconds.",
  },
  usage_limit: {
    status: 429,
    title: "Used up for this month",
    help: "The organization has reached a ceiling that the operator of the service has set for a month (UTC); `detail` says which. It can be read, and what it has can be deleted. Everything else is refused until the month is over, after the number of seconds in `Retry-After`, or the operator raises the ceiling. What it had planned waits.",
    advice:
      "Do not repeat the call. Tell the user which ceiling is reached (`detail`). Reading and deleting are still possible.",
  },
  delivery_limit: {
    status: 429,
    title: "Too many deliveries today",
    help: "The organization has used up its quota of webhook deliveries for today (UTC). Its events wait until tomorrow. Retry a ping after the number of seconds in `Retry-After`.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    help: "Too many requests of this kind in one minute. Retry after the number of seconds in `Retry-After`.",
    advice: "Wait `retryAfter` seconds, then repeat the call.",
    sentence: "Too many requests. Wait a minute, then try again.",
  },
  too_many_failed_attempts: {
    status: 429,
    title: "Too many failed attempts",
    help: "This IP address has failed to authenticate too often. Retry after the number of seconds in `Retry-After`.",
    sentence: "Too many attempts. Wait a minute, then try again.",
  },
  canceled: {
    status: 499,
    passes: true,
    title: "The request was canceled",
    help: "The client closed the connection before the response. The work was stopped, and nothing was stored.",
  },
  internal: {
    status: 500,
    title: "Something went wrong",
    help: "The service failed. The request made either all of its changes or none; `requestId` identifies it in the log.",
    advice: "Repeat the call once. If it fails again, tell the user the `requestId`.",
  },
  dns_unavailable: {
    status: 502,
    title: "The DNS records could not be checked",
    help: "The DNS resolver did not answer, or answered with an error. Nothing has changed. Try again later.",
  },
  ai_unavailable: {
    status: 502,
    title: "The AI provider failed",
    help: "The AI provider could not be reached, or answered with an error. Nothing was stored. Try again later.",
  },
  ai_cut_off: {
    status: 502,
    title: "The model's answer was cut off",
    help: "The model stopped before its answer was complete. Nothing was stored. Ask for fewer words, or choose a model with a larger output limit.",
  },
  ai_invalid_answer: {
    status: 502,
    title: "The model's answer cannot be used",
    help: "The answer did not match the requested format, even after several attempts. Nothing was stored. Try again, or choose a stronger model.",
  },
  ai_not_configured: {
    status: 503,
    title: "No text model is configured",
    help: "Set AI_BASE_URL and AI_MODEL to the endpoint of a provider, or bind Workers AI (docs/generation.md).",
    advice: "This service has no text model. Write the article yourself and store it with create_article.",
  },
  ai_rate_limited: {
    status: 503,
    title: "The AI provider is busy",
    help: "The AI provider limits the rate of requests. Nothing was stored. Retry after the number of seconds in `Retry-After` (`retryAfter` in an event stream).",
    advice: "Wait `retryAfter` seconds, then repeat the call.",
    exit: "limit",
  },
  ai_timeout: {
    status: 504,
    title: "The model took too long",
    help: "The model did not answer in time. Nothing was stored. Try again, or ask for fewer words.",
  },
  not_ready: {
    status: 503,
    title: "The service is not ready",
    help: "`detail` says what is missing, and how to set it up. If there is a `Retry-After`, you only need to retry after that many seconds.",
  },
} as const satisfies Record<string, ErrorKind>;
