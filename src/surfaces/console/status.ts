import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ERRORS, type DomainError } from "../../domain/errors.ts";

/**
 * Returns the HTTP status of a refusal. The type lacks that of `canceled`, which HTTP does not define: nobody reads
 * that response.
 */
export const statusOf = ({ code }: DomainError): ContentfulStatusCode => ERRORS[code].status as ContentfulStatusCode;
