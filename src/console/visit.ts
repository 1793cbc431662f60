/** What every page shows of its visitor. */
import { createContext } from "hono/jsx";
import type { Grant } from "../lib/principal.ts";
import type { Membership } from "../store/system/memberships.ts";
import type { ConsoleContext, Person } from "./env.ts";

export type Visit = {
  readonly path: string;
  readonly person: Person | null;
  /** The organization that the visitor acts for. */
  readonly active: Membership | null;
  readonly grants: ReadonlySet<Grant>;
  readonly production: boolean;
  /** The code of what was just done, from the address. */
  readonly done: string | null;
};

export function visitOf(c: ConsoleContext): Visit {
  return {
    path: c.req.path,
    person: c.get("person") ?? null,
    active: c.get("membership") ?? null,
    grants: c.get("member")?.grants ?? new Set(),
    production: c.env.arrival.settings.production,
    done: c.req.query("done") ?? null,
  };
}

const NOBODY: Visit = { path: "", person: null, active: null, grants: new Set(), production: true, done: null };

export const VisitContext = createContext<Visit>(NOBODY);
