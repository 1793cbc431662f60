import { ERRORS, type DomainError } from "../../domain/errors.ts";

/** Returns a refusal as JSON for the console's scripts. */
export const toRefusalJson = ({ code, message, details }: DomainError) => ({
  code,
  title: ERRORS[code].title,
  detail: message,
  errors: details.errors ?? [],
});
