import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ERRORS, type DomainError } from "../../domain/errors.ts";

/**
 * Returns the HTTP status of a refusal. That of `canceled` is not defined by HTTP, so the type lacks it: its caller has gone
 * and does not read the response.
 */
export const statusOf = ({ code }: DomainError): ContentfulStatusCode => ERRORS[code].status as ContentfulStatusCode;
