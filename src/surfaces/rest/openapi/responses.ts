/** The responses of an operation in the OpenAPI document: its success, and each error. */
import { extendZodWithOpenApi, type OpenAPIHono } from "@hono/zod-openapi";
import { RATES } from "../../../domain/rates.ts";
import * as z from "zod";
import { ERRORS, type ErrorCode } from "../../../domain/errors.ts";
import { DIFFERS } from "../../../domain/preconditions.ts";
import { carriesBody, type LoadedRoute } from "../routes.ts";

// Gives schemas the method `openapi`, but only schemas that are made after this call.
extendZodWithOpenApi(z);

export type PathConfig = Parameters<OpenAPIHono["openAPIRegistry"]["registerPath"]>[0];
type Responses = PathConfig["responses"];
type Reference = { readonly $ref: string };

/** The components of the document. Registering one again changes nothing. */
export type Components = OpenAPIHono["openAPIRegistry"];

export const problemSchema = z
  .object({
    type: z.string().meta({ format: "uri", description: "Explains the code." }),
    title: z.string(),
    status: z.int(),
    code: z.enum(Object.keys(ERRORS) as [ErrorCode]).meta({ description: "Stable; programs can switch on it." }),
    detail: z.string().meta({ description: "What is wrong with this request, for people to read." }),
    requestId: z.string().meta({ description: "The `X-Request-Id` of the response." }),
    errors: z
      .array(
        z.object({
          path: z
            .string()
            .meta({ description: "The field or parameter; empty for the body itself.", example: "title" }),
          message: z.string(),
        }),
      )
      .optional()
      .meta({ description: "Every invalid field." }),
    movedTo: z
      .object({ articleId: z.string(), slug: z.string(), locale: z.string(), blogId: z.string() })
      .optional()
      .meta({ description: "With `not_found`: the article that had this slug before." }),
    oldest: z
      .object({ _id: z.string(), timestamp: z.int() })
      .nullable()
      .optional()
      .meta({ description: "With `cursor_expired`: the oldest event that is left; null if there is none." }),
  })
  .meta({ id: "Problem", description: "A refusal, with the fields of RFC 9457 and a stable code." });

export const HEADERS = {
  RequestId: {
    description: "Identifies the request in the service's log.",
    schema: { type: "string", format: "uuid" },
    example: "019a9d3c-9a10-7f3b-8c2d-4e5f6a7b8c9d",
  },
  CacheControl: {
    description:
      "`no-store` for errors and responses without data; `private, no-store` for responses to a request with credentials; `public, max-age=0, must-revalidate` for what everybody may see.",
    schema: { type: "string" },
    example: "private, no-store",
  },
  FileCacheControl: {
    description:
      "A year for the image of a generated article, and where `v` names this file. Otherwise five minutes; ten seconds until the smaller files are made.",
    schema: { type: "string" },
    example: "public, max-age=31536000, immutable",
  },
  ETag: {
    description: "A strong entity tag, for `If-None-Match` and `If-Match`.",
    schema: { type: "string" },
    example: '"019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d"',
  },
  Link: {
    description: 'If more items follow: the next page, `rel="next"`.',
    schema: { type: "string" },
    example: '<https://api.example.com/api/articles?blogId=019a9d3c&limit=20&cursor=MjAyNi0x>; rel="next"',
  },
  AfterLink: {
    description: 'Where to go on, `rel="next"`; also on an empty page.',
    schema: { type: "string" },
    example: '<https://api.example.com/api/events?after=ZmVlZH40MTky>; rel="next"',
  },
  ContentLocation: {
    description: "Where the article is, if it was found by a previous slug (`moved=follow`).",
    schema: { type: "string" },
    example: "https://api.example.com/api/articles/six-walks?blogId=019a9d3c&locale=en",
  },
  Location: {
    description: "Where the image is now.",
    schema: { type: "string" },
    example: "https://other.example.com/media/019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d",
  },
  IdempotentReplayed: {
    description: "`true` if this is the response to an earlier call with the same `Idempotency-Key`.",
    schema: { type: "string" },
    example: "true",
  },
  RetryAfter: { description: "Seconds to wait, if they are known.", schema: { type: "integer" }, example: 60 },
  RateLimitPolicy: {
    description: "The limit that was exceeded: `q` requests in `w` seconds.",
    schema: { type: "string" },
    example: `"rate_limited";q=${RATES.calls};w=60`,
  },
  WWWAuthenticate: {
    description: "The supported authentication schemes; the last one points applications to the authorization server.",
    schema: { type: "string" },
    example: 'Basic realm="edgepress", charset="UTF-8", Token realm="edgepress", Bearer realm="edgepress"',
  },
} as const;

type HeaderName = keyof typeof HEADERS;

export const IF_NONE_MATCH = {
  "If-None-Match": z
    .string()
    .optional()
    .meta({ description: "Answer 304 if this is still the current version.", example: HEADERS.ETag.example }),
};

/** For responses whose `Cache-Control` depends on the request. The document's introduction describes all others. */
export const CACHING = { "Cache-Control": "CacheControl" } as const;

/** Returns references to the headers, with `X-Request-Id`, which every response has. */
export function describeHeaders(names: Readonly<Record<string, HeaderName>>): Record<string, Reference> {
  const all = { "X-Request-Id": "RequestId", ...names };
  return Object.fromEntries(
    Object.entries(all).map(([header, name]) => [header, { $ref: `#/components/headers/${name}` }]),
  );
}

/** The body for callers who accept `text/event-stream`. */
const EVENTS = {
  schema: {
    type: "string" as const,
    description: "Server-sent events: any number of `step` events, then `result` or `error`.",
  },
  example: 'event: step\ndata: {"step":"outline"}\n\nevent: result\ndata: {"article":{},"metadata":{}}\n\n',
};

export function describeResponses(route: LoadedRoute, components: Components): Responses {
  const { operation } = route;
  const { hasEtag, answer } = operation;
  const found = describeHeaders({
    ...(operation.anonymous && CACHING),
    ...(hasEtag && { ETag: "ETag" }),
    ...("cursor" in operation.input.shape && { Link: "Link" }),
    ...("after" in operation.input.shape && { Link: "AfterLink" }),
    ...("moved" in operation.input.shape && { "Content-Location": "ContentLocation" }),
    ...(operation.effect !== "read" && { "Idempotent-Replayed": "IdempotentReplayed" }),
  });
  const success = {
    description: route.status === 202 ? "Accepted." : "OK.",
    headers: found,
    content: {
      "application/json": { schema: operation.output, ...(answer && { example: answer }) },
      ...(operation.lengthy && { "text/event-stream": EVENTS }),
    },
  };
  return {
    [route.status ?? 200]: success,
    ...(hasEtag && operation.effect === "read" && { 304: describeNotModified(components) }),
    ...describeRefusals(listErrorCodes(route), components),
  };
}

export const describeNotModified = (components: Components): Reference =>
  components.registerComponent("responses", "NotModified", {
    description: "Unchanged: `If-None-Match` names the current version.",
    headers: describeHeaders({ ...CACHING, ETag: "ETag" }),
  }).ref;

export function describeRefusals(codes: readonly ErrorCode[], components: Components): Responses {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries([...byStatus].map(([status, some]) => [status, describeRefusal(some, components)]));
}

/** Error responses that several operations share: the codes of each component. */
const SHARED: Readonly<Record<string, readonly ErrorCode[]>> = {
  Invalid: ["invalid_request"],
  InvalidList: ["invalid_request", "invalid_cursor"],
  InvalidBody: ["invalid_request", "invalid_json"],
  InvalidBodyOrNoBlog: ["invalid_request", "invalid_json", "blog_required"],
  CredentialsInvalid: ["credentials_invalid"],
  Unauthorized: ["credentials_missing", "credentials_invalid"],
  Suspended: ["organization_suspended"],
  SuspendedOrBlogForbidden: ["organization_suspended", "blog_forbidden"],
  ScopeMissing: ["scope_missing", "organization_suspended"],
  ScopeMissingOrBlogForbidden: ["scope_missing", "organization_suspended", "blog_forbidden"],
  OperatorRequired: ["operator_required", "organization_suspended"],
  OperatorRequiredOrBlogForbidden: ["operator_required", "organization_suspended", "blog_forbidden"],
  OperatorRequiredOrRoleForbidden: ["operator_required", "organization_suspended", "role_forbidden"],
  NotFound: ["not_found"],
  InProgress: ["idempotency_in_progress"],
  SlugTakenOrQuotaExceededOrInProgress: ["slug_taken", "quota_exceeded", "idempotency_in_progress"],
  SlugTakenOrInProgress: ["slug_taken", "idempotency_in_progress"],
  SlugTakenOrTermLimitOrInProgress: ["slug_taken", "term_limit", "idempotency_in_progress"],
  CredentialLimitOrInProgress: ["credential_limit", "idempotency_in_progress"],
  LastOwnerOrInProgress: ["last_owner", "idempotency_in_progress"],
  PreconditionFailed: ["precondition_failed"],
  BodyTooLarge: ["body_too_large"],
  UnsupportedMediaType: ["unsupported_media_type"],
  KeyReused: ["idempotency_key_reused"],
  AiRefusedOrKeyReused: ["ai_refused", "idempotency_key_reused"],
  AiFailed: ["ai_unavailable", "ai_cut_off", "ai_invalid_answer"],
  AiNotConfiguredOrBusyOrNotReady: ["ai_not_configured", "ai_rate_limited", "not_ready"],
  AiTimeout: ["ai_timeout"],
  TooManyRequests: ["rate_limited", "too_many_failed_attempts"],
  TooManyRequestsOrEvents: ["event_limit", "rate_limited", "too_many_failed_attempts"],
  TooManyRequestsOrUsage: ["usage_limit", "rate_limited", "too_many_failed_attempts"],
  TooManyRequestsOrEventsOrUsage: ["event_limit", "usage_limit", "rate_limited", "too_many_failed_attempts"],
  Internal: ["internal"],
  NotReady: ["not_ready"],
};

/** Returns the error response for codes of one status: a reference if SHARED has exactly these codes. */
function describeRefusal(codes: readonly ErrorCode[], components: Components): Responses[string] {
  const examples = codes.map((code) => [code, registerExample(code, components)]);
  const response = {
    description: codes.map((code) => `\`${code}\``).join(", "),
    headers: describeHeaders(listRefusalHeaders(codes)),
    content: { "application/json": { schema: PROBLEM, examples: Object.fromEntries(examples) } },
  };
  const [name] = Object.entries(SHARED).find(([, some]) => some.join() === codes.join()) ?? [];
  return name === undefined ? response : components.registerComponent("responses", name, response).ref;
}

const PROBLEM: Reference = { $ref: "#/components/schemas/Problem" };

function listRefusalHeaders(codes: readonly ErrorCode[]): Record<string, HeaderName> {
  const hasStatus = (status: number) => codes.some((code) => ERRORS[code].status === status);
  return {
    ...(hasStatus(401) && { "WWW-Authenticate": "WWWAuthenticate" }),
    ...(hasStatus(429) && { "Retry-After": "RetryAfter", "RateLimit-Policy": "RateLimitPolicy" }),
    ...(codes.some((code) => WAITS.has(code)) && { "Retry-After": "RetryAfter" }),
  };
}

/** Codes other than those of status 429 whose responses have `Retry-After`. */
const WAITS: ReadonlySet<ErrorCode> = new Set(["idempotency_in_progress", "ai_rate_limited", "not_ready"]);

/** Returns the error codes of a route: those of all routes of its kind, and those that the operation lists. */
function listErrorCodes(route: LoadedRoute): ErrorCode[] {
  const { operation } = route;
  const { scope } = operation;
  const writes = operation.effect !== "read";
  const codes: (ErrorCode | false)[] = [
    // Every write may have an Idempotency-Key that is too long.
    (writes || Object.keys(operation.input.shape).length > 0) && "invalid_request",
    ("cursor" in operation.input.shape || "after" in operation.input.shape) && "invalid_cursor",
    !operation.anonymous && "credentials_missing",
    "credentials_invalid",
    scope !== null && (scope === "operator" ? "operator_required" : "scope_missing"),
    "organization_suspended",
    // The body is read even if the operation needs none.
    ...(carriesBody(route.method) ? (["invalid_json", "body_too_large", "unsupported_media_type"] as const) : []),
    ...(operation.refuses ?? []),
    operation.effect === "write" && "usage_limit",
    // Writes of resources without versions refuse every If-Match.
    writes && "precondition_failed",
    writes && "idempotency_in_progress",
    writes && "idempotency_key_reused",
    "rate_limited",
    "too_many_failed_attempts",
    "internal",
    "not_ready",
  ];
  return codes.filter((code) => code !== false);
}

const FIELD_ERRORS: Partial<Record<ErrorCode, { path: string; message: string }>> = {
  invalid_request: { path: "locale", message: "must be a BCP 47 language tag" },
  immutable_field: { path: "creationTime", message: DIFFERS },
  target_not_allowed: { path: "url", message: "must be a public https URL" },
};

function registerExample(code: ErrorCode, components: Components): Reference {
  const { status, title, help } = ERRORS[code];
  const field = FIELD_ERRORS[code];
  const detail = code === "scope_missing" ? "This needs the scope articles:write." : help;
  const value = {
    type: `https://api.example.com/docs/errors#${code}`,
    title,
    status,
    code,
    detail: field === undefined ? detail : `${field.path}: ${field.message}`,
    requestId: HEADERS.RequestId.example,
    ...(field && { errors: [field] }),
  };
  return components.registerComponent("examples", code, { value }).ref;
}
