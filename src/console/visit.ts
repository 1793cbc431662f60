/** What every page shows of its visitor. */
import { createContext } from "hono/jsx";
import { AUTHORIZE_PATH } from "../oauth/server/resources.ts";
import type { Grant } from "../domain/principal.ts";
import type { Membership } from "../store/people/system-memberships.ts";
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
    grants: c.get("principal")?.grants ?? new Set(),
    production: c.env.arrival.settings.production,
    done: doneBefore(c),
  };
}

/** Applications write the address of the page of consent: there, only what leads back to it is believed. */
function doneBefore(c: ConsoleContext): string | null {
  const done = c.req.query("done") ?? null;
  return c.req.path === AUTHORIZE_PATH && done !== "organization-created" ? null : done;
}

const NOBODY: Visit = { path: "", person: null, active: null, grants: new Set(), production: true, done: null };

export const VisitContext = createContext<Visit>(NOBODY);
