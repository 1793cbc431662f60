/** Errors for exceeded limits, failures of models, and failures of the service itself. */
import type { ErrorKind } from "./kind.ts";

export const SERVICE_ERRORS = {
  ai_refused: {
    status: 422,
    passes: true,
    title: "The model refuses to write this",
    help: "The provider or its model declined what was asked. Ask for something else, or choose another model.",
    advice: "Ask the user for another subject, or write the article yourself and store it with create_article.",
    exit: "failed",
  },
  generation_limit: {
    status: 429,
    title: "Too many generations",
    help: "The organization has used up its generations. Repeat after the seconds in `Retry-After`.",
    advice: "Wait the seconds in `retryAfter`, or write the article yourself and store it with create_article.",
    exit: "limit",
  },
  event_limit: {
    status: 429,
    title: "Too many changes today",
    help: "The organization has used up its changes that fire an event for this day (UTC). Repeat after the seconds in `Retry-After`.",
    advice:
      "Do not repeat the call today. Tell the user that the organization has used up its changes of the day; the seconds in `retryAfter` say when the next one begins.",
    exit: "limit",
  },
  delivery_limit: {
    status: 429,
    title: "Too many deliveries today",
    help: "The organization has used up its webhook deliveries for this day (UTC). Its events wait for the next one. Repeat a ping after the seconds in `Retry-After`.",
    exit: "limit",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    help: "Too many requests of this kind in this minute. Repeat after the seconds in `Retry-After`.",
    advice: "Wait the seconds in `retryAfter`, then repeat the call.",
    sentence: "Too many requests. Wait a minute, then try again.",
    exit: "limit",
  },
  too_many_failed_attempts: {
    status: 429,
    title: "Too many failed authentications",
    help: "This address has failed to authenticate too often. Repeat after the seconds in `Retry-After`.",
    sentence: "Too many attempts. Wait a minute, then try again.",
    exit: "limit",
  },
  canceled: {
    status: 499,
    passes: true,
    title: "The caller has left",
    help: "The connection was closed before there was a response. The work was stopped and nothing was stored.",
    exit: "failed",
  },
  internal: {
    status: 500,
    title: "Something went wrong",
    help: "The service failed. The request made either all of its changes or none; `requestId` identifies it in the log.",
    advice: "Repeat the call once. If it fails again, tell the user the `requestId`.",
    exit: "failed",
  },
  dns_unavailable: {
    status: 502,
    title: "The DNS records could not be checked",
    help: "The resolver did not answer, or could not find out. Nothing has changed; repeat the request later.",
    exit: "failed",
  },
  ai_unavailable: {
    status: 502,
    title: "The model's provider failed",
    help: "It could not be reached, or answered with an error. Nothing was stored; repeat the request later.",
    exit: "failed",
  },
  ai_cut_off: {
    status: 502,
    title: "The model's answer was cut off",
    help: "The answer ended before it was complete. Nothing was stored. Ask for fewer words, or choose a model with a larger output.",
    exit: "failed",
  },
  ai_invalid_answer: {
    status: 502,
    title: "The model's answer is unusable",
    help: "It did not match the requested format, even after further attempts. Nothing was stored. Repeat the request, or choose a stronger model.",
    exit: "failed",
  },
  ai_not_configured: {
    status: 503,
    title: "No text model is configured",
    help: "Set AI_BASE_URL and AI_MODEL to an OpenAI-compatible endpoint, or bind Workers AI (docs/generation.md).",
    advice: "This service has no text model. Write the article yourself and store it with create_article.",
    exit: "failed",
  },
  ai_rate_limited: {
    status: 503,
    title: "The model's provider is busy",
    help: "It limits the rate of requests. Nothing was stored; repeat the request after the seconds in `Retry-After` (`retryAfter` in an event stream).",
    advice: "Wait the seconds in `retryAfter`, then repeat the call.",
    exit: "limit",
  },
  ai_timeout: {
    status: 504,
    title: "The model took too long",
    help: "It did not answer in time. Nothing was stored; repeat the request, or ask for fewer words.",
    exit: "failed",
  },
  not_ready: {
    status: 503,
    title: "The service is not ready",
    help: "`detail` says which part is missing and how to set it up; with a `Retry-After`, it will be there by itself.",
    exit: "failed",
  },
} as const satisfies Record<string, ErrorKind>;
