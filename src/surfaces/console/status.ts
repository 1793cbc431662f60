import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ERRORS, type DomainError } from "../../domain/errors.ts";

/**
 * Returns the HTTP status of a refusal. Nobody reads a response with that of `canceled`, which HTTP does not define.
 */
export const toHttpStatus = ({ code }: DomainError): ContentfulStatusCode =>
  ERRORS[code].status as ContentfulStatusCode;
