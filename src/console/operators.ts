import { createMiddleware } from "hono/factory";
import { DomainError } from "../errors.ts";
import type { ConsoleEnv } from "./env.ts";
import { can } from "./session.ts";

/**
 * Lets pass who may do what only operators may. `invoke` refuses the rest anyway; but an empty form runs no
 * operation, so that nothing else would keep it from those who cannot send it.
 */
export const operatorsOnly = createMiddleware<ConsoleEnv>(async (c, next) => {
  if (!can(c, "operator")) throw new DomainError("role_forbidden");
  return next();
});
