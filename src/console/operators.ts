import { createMiddleware } from "hono/factory";
import { DomainError } from "../errors.ts";
import type { ConsoleEnv } from "./env.ts";
import { can } from "./session.ts";

/**
 * Lets requests pass whose sender may do what only operators may. `invoke` refuses the rest anyway; but showing
 * an empty form runs no operation, so nothing else would hide it from those who cannot submit it.
 */
export const operatorsOnly = createMiddleware<ConsoleEnv>(async (c, next) => {
  if (!can(c, "operator")) throw new DomainError("role_forbidden");
  return next();
});
