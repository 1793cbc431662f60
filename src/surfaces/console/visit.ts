/** The facts about a request that the layout and forms of every page need. */
import { createContext, useContext } from "hono/jsx";
import { hasDeploymentModel } from "../request/models.ts";
import { AUTHORIZE_PATH } from "../oauth/server/resources.ts";
import { findBaseUrl } from "../request/base-url.ts";
import type { Grant } from "../../domain/principal.ts";
import type { Membership } from "../../store/people/system-memberships.ts";
import type { ConsoleContext, Person } from "./env.ts";

export type Visit = {
  readonly path: string;
  readonly person: Person | null;
  readonly active: Membership | null;
  readonly grants: ReadonlySet<Grant>;
  readonly production: boolean;
  readonly hasModel: boolean;
  /** The public origin of the service; null if it is not configured. */
  readonly baseUrl: string | null;
  /** The name of a notice (notices.ts). It comes from the query, so it may be any text. */
  readonly done: string | null;
};

export function makeVisit(c: ConsoleContext): Visit {
  return {
    path: c.req.path,
    person: c.get("person") ?? null,
    active: c.get("membership") ?? null,
    grants: c.get("principal")?.grants ?? new Set(),
    production: c.env.arrival.settings.production,
    hasModel: hasDeploymentModel(c.env.arrival.env, c.env.arrival.settings),
    baseUrl: findBaseUrl(c.env.arrival),
    done: getNoticeName(c),
  };
}

/**
 * Returns the query's `done`. Applications write the URL of the consent page, so there it accepts only the notice that
 * the console itself adds when it leads back to that page.
 */
function getNoticeName(c: ConsoleContext): string | null {
  const done = c.req.query("done") ?? null;
  return c.req.path === AUTHORIZE_PATH && done !== "organization-created" ? null : done;
}

const NOBODY: Visit = {
  path: "",
  person: null,
  active: null,
  grants: new Set(),
  production: true,
  hasModel: false,
  baseUrl: null,
  done: null,
};

export const VisitContext = createContext<Visit>(NOBODY);

/** Returns whether the member's role has this grant. It decides only what a part of a page shows. */
export const useGrant = (grant: Grant): boolean => useContext(VisitContext).grants.has(grant);
