import { ERRORS, type DomainError } from "../../domain/errors.ts";

/** Returns a refusal as the console's scripts read it. */
export const refusalInJson = ({ code, message, details }: DomainError) => ({
  code,
  title: ERRORS[code].title,
  detail: message,
  errors: details.errors ?? [],
});
