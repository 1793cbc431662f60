/** All operations. The surfaces, the documentation and the tenancy tests use this list. */
import type { Operation } from "./define.ts";
import * as modules from "./all.ts";

type Modules = typeof modules;

export const registry = Object.fromEntries(
  Object.entries(modules).filter(([, value]) => typeof value === "object" && "anonymous" in value && "run" in value),
) as { readonly [Name in keyof Modules as Modules[Name] extends Operation ? Name : never]: Modules[Name] };
