/**
 * Everything that the service refuses, in one table: the code that programs switch on, the HTTP
 * status, and a title. The page /docs/errors is made from it.
 */

type ErrorKind = { readonly status: number; readonly title: string; readonly help: string };

export const ERRORS = {
  invalid_request: {
    status: 400,
    title: "The request is invalid",
    help: "One or more fields are missing, unknown, of the wrong type or out of range. `errors` names each.",
  },
  invalid_json: {
    status: 400,
    title: "The body is not JSON",
    help: "Send one JSON object, encoded as UTF-8.",
  },
  invalid_cursor: {
    status: 400,
    title: "The cursor is invalid",
    help: "Use the cursor from the previous page, unchanged, or start again without one.",
  },
  blog_required: {
    status: 400,
    title: "A blog must be named",
    help: "The organization has no blog or several, so `blogId` must say which one is meant.",
  },
  immutable_field: {
    status: 400,
    title: "A read-only field differs",
    help: "Read-only members may be sent back as they were read. To change the others, leave these out.",
  },
  target_not_allowed: {
    status: 400,
    title: "The webhook URL is not allowed",
    help: "Webhooks go to public https URLs with a host name, on port 443 or one above 1023.",
  },
  credentials_missing: {
    status: 401,
    title: "Credentials are missing",
    help: "Send an API key as `Authorization: Basic base64(KEY)`, an operator token as `Authorization: Token TOKEN`, or an application's access token as `Authorization: Bearer TOKEN`.",
  },
  credentials_invalid: {
    status: 401,
    title: "The credentials are invalid",
    help: "They are malformed, mistyped, unknown, revoked or expired. They are never treated as anonymous.",
  },
  scope_missing: {
    status: 403,
    title: "The credentials lack a scope",
    help: "Create a key that carries the scope named in `detail`; an application has to ask the person who connected it.",
  },
  operator_required: {
    status: 403,
    title: "An operator token is required",
    help: "Neither API keys nor applications reach this endpoint, whatever their scopes.",
  },
  role_forbidden: {
    status: 403,
    title: "The role does not allow this",
    help: "Ask an owner or an admin of the organization. Only owners can appoint, change and remove owners.",
  },
  blog_forbidden: {
    status: 403,
    title: "The blog is not within reach",
    help: "It does not exist, belongs to another organization, or the credential is pinned to another blog.",
  },
  origin_forbidden: {
    status: 403,
    title: "The host or origin is not allowed",
    help: "The console and MCP answer under the service's own address, and pages of other sites get nothing from them.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    help: "It does not exist, or the caller may not know that it does.",
  },
  route_not_found: {
    status: 404,
    title: "No such endpoint",
    help: "The endpoints are listed at /docs and in /openapi.json.",
  },
  method_not_allowed: {
    status: 405,
    title: "The method is not allowed",
    help: "`Allow` lists the methods of this path.",
  },
  slug_taken: {
    status: 409,
    title: "The slug is taken",
    help: "Another article of the blog has this slug in this locale. Choose another, or update that article.",
  },
  article_published: {
    status: 409,
    title: "The article is published",
    help: "Readers would see the change at once. Unpublish it first, or edit it in the console.",
  },
  vanity_id_taken: {
    status: 409,
    title: "The vanityId is taken",
    help: "vanityIds are unique across the whole service. Choose another.",
  },
  contact_exists: {
    status: 409,
    title: "The contact exists",
    help: "The blog already has a contact with this e-mail address.",
  },
  member_exists: {
    status: 409,
    title: "This person is already a member",
    help: "The person with this e-mail address already belongs to the organization. Change their role instead.",
  },
  invitation_limit: {
    status: 409,
    title: "Too many open invitations",
    help: "An organization has at most 100 invitations that wait for an answer. Cancel one that is no longer needed first.",
  },
  organization_limit: {
    status: 409,
    title: "Too many organizations",
    help: "A person who owns 10 organizations cannot create another one. An owner can still invite them to theirs.",
  },
  last_owner: {
    status: 409,
    title: "This is the last owner",
    help: "An organization has at least one owner. Make somebody else an owner first.",
  },
  quota_exceeded: {
    status: 409,
    title: "The organization's storage is full",
    help: "An organization may store so many articles, contacts and MiB of text. `detail` says which of them is full and what can be done; what frees space is always possible.",
  },
  blog_limit: {
    status: 409,
    title: "Too many blogs",
    help: "An organization has at most 1,000 blogs.",
  },
  credential_limit: {
    status: 409,
    title: "Too many credentials",
    help: "An organization has at most 100 API keys and access tokens that have not expired. Revoke one that is no longer needed first.",
  },
  app_limit: {
    status: 409,
    title: "Too many connected applications",
    help: "A person has at most 100 connected applications. Disconnect one that is no longer needed first, on your account's page.",
  },
  subscription_limit: {
    status: 409,
    title: "Too many webhook subscriptions",
    help: "An organization has at most 100 webhook subscriptions. Delete one that is no longer needed first.",
  },
  subscription_inactive: {
    status: 409,
    title: "The subscription is inactive",
    help: "An inactive subscription receives nothing. Reactivate it first (`active`: true).",
  },
  no_topic_sources: {
    status: 409,
    title: "The blog has no topic sources",
    help: "Add feeds or forums first: `topicSources` of PUT /api/blogs/{blogId}.",
  },
  topic_used: {
    status: 409,
    title: "The topic idea has become an article",
    help: "Translate or rewrite that article (`articleId`), or delete it first.",
  },
  idempotency_in_progress: {
    status: 409,
    title: "The first call is still running",
    help: "A call with this Idempotency-Key has not finished. Repeat it after the seconds in `Retry-After`.",
  },
  precondition_failed: {
    status: 412,
    title: "It has changed in the meantime",
    help: "Somebody has changed it since the version given in `If-Match`. Read it again, then write.",
  },
  body_too_large: {
    status: 413,
    title: "The body is too large",
    help: "A request body may have at most 2 MiB.",
  },
  unsupported_media_type: {
    status: 415,
    title: "The body is of another media type",
    help: "Send `Content-Type: application/json`.",
  },
  idempotency_key_reused: {
    status: 422,
    title: "The Idempotency-Key was used for another request",
    help: "A key belongs to one request for 24 hours. Use a new key for a new request.",
  },
  ai_refused: {
    status: 422,
    title: "The model refuses to write this",
    help: "The provider or its model declined what was asked. Ask for something else, or choose another model.",
  },
  generation_limit: {
    status: 429,
    title: "Too many generations",
    help: "The organization has used up its generations. Repeat after the seconds in `Retry-After`.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    help: "Too many requests of this kind in this minute. Repeat after the seconds in `Retry-After`.",
  },
  too_many_failed_attempts: {
    status: 429,
    title: "Too many failed authentications",
    help: "This address has failed to authenticate too often. Repeat after the seconds in `Retry-After`.",
  },
  canceled: {
    status: 499,
    title: "The caller has left",
    help: "The connection was closed before there was a response. The work was stopped and nothing was stored.",
  },
  internal: {
    status: 500,
    title: "Something went wrong",
    help: "The service failed. The request made either all of its changes or none; `requestId` identifies it in the log.",
  },
  ai_unavailable: {
    status: 502,
    title: "The model's provider failed",
    help: "It could not be reached, or answered with an error. Nothing was stored; repeat the request later.",
  },
  ai_cut_off: {
    status: 502,
    title: "The model's answer was cut off",
    help: "The answer ended before it was complete. Nothing was stored. Ask for fewer words, or choose a model with a larger output.",
  },
  ai_invalid_answer: {
    status: 502,
    title: "The model's answer is unusable",
    help: "It did not match the requested format, even after further attempts. Nothing was stored. Repeat the request, or choose a stronger model.",
  },
  ai_not_configured: {
    status: 503,
    title: "No text model is configured",
    help: "Set AI_BASE_URL and AI_MODEL to an OpenAI-compatible endpoint, or bind Workers AI (docs/generation.md).",
  },
  ai_rate_limited: {
    status: 503,
    title: "The model's provider is busy",
    help: "It limits the rate of requests. Nothing was stored; repeat the request after the seconds in `Retry-After` (`retryAfter` in an event stream).",
  },
  ai_timeout: {
    status: 504,
    title: "The model took too long",
    help: "It did not answer in time. Nothing was stored; repeat the request, or ask for fewer words.",
  },
  not_ready: {
    status: 503,
    title: "The service is not ready",
    help: "`detail` says which part is missing and how to set it up; with a `Retry-After`, it will be there by itself.",
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

/** A field that is wrong: the path to it (`""` is the body itself) and what is wrong with it. */
export type FieldError = { readonly path: string; readonly message: string };

/** Response headers that belong to a refusal, such as `Retry-After`. */
type RefusalHeaders = Readonly<Record<string, string>>;

/** A refusal. Every layer throws this one class; the surface turns the code into its own protocol. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: RefusalHeaders;

  constructor(
    code: ErrorCode,
    detail: string = ERRORS[code].help,
    more: { errors?: readonly FieldError[]; headers?: RefusalHeaders } = {},
  ) {
    super(detail);
    this.code = code;
    this.errors = more.errors;
    this.headers = more.headers ?? {};
  }
}

/** The body of a refusal over HTTP (RFC 9457), for a service at a base URL. */
export function problemBody({ code, message, errors }: DomainError, requestId: string, baseUrl: string) {
  const { status, title } = ERRORS[code];
  const type = `${baseUrl}/docs/errors#${code}`;
  return { type, title, status, code, detail: message, requestId, ...(errors && { errors }) };
}

/** The refusal of one field. */
export function invalidField(path: string, message: string, code: ErrorCode = "invalid_request"): DomainError {
  return new DomainError(code, `${path}: ${message}`, { errors: [{ path, message }] });
}
