/** Errors of the request: it is invalid, the caller may not make it, or its subject does not exist. */
import type { ErrorKind } from "./kind.ts";

export const REQUEST_ERRORS = {
  invalid_request: {
    status: 400,
    title: "The request is invalid",
    help: "One or more fields are missing, unknown, of the wrong type or out of range. `errors` lists them.",
    advice: "Correct the arguments listed in `errors`, then call the tool again.",
  },
  invalid_json: {
    status: 400,
    title: "The body is not JSON",
    help: "Send one JSON object, encoded as UTF-8.",
    exit: "failed",
  },
  invalid_cursor: {
    status: 400,
    title: "The cursor is invalid",
    help: "Use the cursor from the previous page, unchanged, or start again without one.",
    advice: "Call the tool again without `cursor`, or with the `nextCursor` of the previous page, unchanged.",
  },
  cursor_expired: {
    status: 410,
    title: "The cursor has expired",
    help: "Events behind it are no longer kept. `oldest` is the oldest event that is left. Read what you need again, then start without `after`, or with `after=latest`.",
    advice: "Call the tool again without `after`. Older events are no longer kept.",
    hint: "Older events are gone. Start again without --after, or with --after latest",
  },
  blog_required: {
    status: 400,
    title: "A blog is required",
    help: "The organization has no blog, or more than one. Name the blog with `blogId`.",
    advice: "Call list_blogs, and pass the `_id` of the intended blog as `blogId`.",
  },
  immutable_field: {
    status: 400,
    title: "A read-only field was changed",
    help: "Read-only fields can be sent back unchanged. To update the other fields, leave these out.",
  },
  target_not_allowed: {
    status: 400,
    title: "The webhook URL is not allowed",
    help: "Use a public https URL with a host name, on port 443 or above 1023.",
  },
  credentials_missing: {
    status: 401,
    title: "Credentials are missing",
    help: "Send an API key as `Authorization: Basic base64(KEY)`, an operator token as `Authorization: Token TOKEN`, or an app's access token as `Authorization: Bearer TOKEN`.",
    hint: "Sign in with edgepress login, or set EDGEPRESS_API_KEY in scripts",
  },
  credentials_invalid: {
    status: 401,
    passes: true,
    title: "The credentials are invalid",
    help: "They are malformed, unknown, revoked or expired, or of a key whose blog is deleted. The request is not treated as anonymous.",
    advice: "The connection has ended. Ask the user to connect again.",
    hint: "Sign in again: edgepress login",
  },
  scope_missing: {
    status: 403,
    title: "The credentials lack a scope",
    help: "Create a key with the scope named in `detail`. A connected app has to ask for it when it is connected.",
    advice: "Ask the user to connect again and to grant this scope. Do not try to work around it.",
  },
  operator_required: {
    status: 403,
    title: "An operator token is required",
    help: "API keys and connected apps cannot use this endpoint, whatever their scopes.",
  },
  role_forbidden: {
    status: 403,
    passes: true,
    title: "Your role does not allow this",
    help: "Ask an owner or an admin of the organization. Only owners can add, change and remove owners, create access tokens, and export and delete the organization.",
    advice: "Tell the user that an owner or admin of the organization can do this, or can change the user's role.",
  },
  organization_suspended: {
    status: 403,
    passes: true,
    title: "The organization is suspended or deleted",
    help: "The operator of the service has suspended it, or an owner has deleted it; `detail` says why. Its blogs are hidden, and what it had planned waits.",
    advice: "Tell the user what `detail` says. Nothing else can be done with these credentials.",
  },
  blog_forbidden: {
    status: 403,
    passes: true,
    title: "You cannot access the blog",
    help: "It does not exist, belongs to another organization, or your credentials are pinned to another blog.",
    advice: "Call list_blogs to see the blogs you can access. If the one the user means is not among them, ask.",
    exit: "notFound",
  },
  origin_forbidden: {
    status: 403,
    title: "The host or origin is not allowed",
    help: "MCP answers only at the host of `BASE_URL`, and refuses pages of other sites. The console accepts forms only from its own pages.",
    exit: "failed",
  },
  not_found: {
    status: 404,
    title: "Not found",
    help: "It does not exist, or you do not have access to it.",
    advice: "Find its `_id` with list_blogs, list_articles, search_articles or list_topics. It may have been deleted.",
  },
  route_not_found: {
    status: 404,
    title: "No such endpoint",
    help: "The endpoints are listed at /docs and in /openapi.json.",
    exit: "failed",
  },
  method_not_allowed: {
    status: 405,
    title: "The method is not allowed",
    help: "The `Allow` header lists the methods of this path.",
  },
  precondition_failed: {
    status: 412,
    title: "It has changed in the meantime",
    help: "Somebody has changed it since the version given in `If-Match`. Read it again, then repeat your change.",
    advice: "Call get_article again, look at what has changed, and repeat the call with its `version`.",
    sentence:
      "Somebody has changed it since you opened this page, so nothing was done. Check the current version, then try again.",
    hint: "Read the current version, then repeat your change",
  },
  body_too_large: {
    status: 413,
    title: "The body is too large",
    help: "A request body can have at most 2 MiB, or 10 MiB if it is an image.",
    exit: "usage",
  },
  unsupported_media_type: {
    status: 415,
    title: "The media type is not supported",
    help: "Send `Content-Type: application/json`.",
  },
  unsupported_image: {
    status: 415,
    title: "The image format is not supported",
    help: "Use PNG, JPEG, GIF, WebP or AVIF, but not SVG. The content of the file decides, not its name or declared type.",
    advice: "Convert the image to PNG, JPEG or WebP, or ask the user for another one.",
    exit: "usage",
  },
  image_invalid: {
    status: 422,
    title: "The image is damaged",
    help: "The file starts like an image, but cannot be read as one. `detail` says where it ends or breaks. Export it again.",
  },
  image_too_large: {
    status: 422,
    title: "The image has too many pixels",
    help: "An image can have at most 50 million pixels. Make it smaller first.",
  },
  picture_unreachable: {
    status: 422,
    passes: true,
    title: "The image could not be fetched",
    help: "The URL does not lead to an image, or is not allowed. `detail` says why. Upload the file instead.",
    advice:
      "Tell the user what `detail` says. Images can be fetched from public https or http URLs that need no sign-in.",
  },
  idempotency_key_reused: {
    status: 422,
    title: "The Idempotency-Key was used for another request",
    help: "A key belongs to one request for 24 hours. Use a new key for a new request.",
    advice: "Use a new `idempotencyKey` for a call with other arguments.",
    sentence: "This form was already submitted with other values. To use these values, submit it again.",
    exit: "conflict",
  },
} as const satisfies Record<string, ErrorKind>;
