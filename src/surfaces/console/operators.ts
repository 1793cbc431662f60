import { createMiddleware } from "hono/factory";
import { DomainError } from "../../domain/errors.ts";
import type { ConsoleEnv } from "./env.ts";
import { can } from "./session.ts";

/**
 * Lets only requests of members with the grant `operator` pass. Throws `role_forbidden` for others. `invoke` would
 * refuse their writes anyway, but a page with an empty form runs no operation, so without this they would see the form.
 */
export const operatorsOnly = createMiddleware<ConsoleEnv>(async (c, next) => {
  if (!can(c, "operator")) throw new DomainError("role_forbidden");
  return next();
});
