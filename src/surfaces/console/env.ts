import type { Context } from "hono";
import type { Accounts } from "../auth/accounts.ts";
import type { Arrival } from "../request/arrival.ts";
import type { OrganizationPrincipal } from "../../domain/principal.ts";
import type { Submission } from "./submission.ts";
import type { OwnMembership } from "../../store/people/system-memberships.ts";

/** The person who is signed in, with the session that the request belongs to. */
export type Person = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly session: { readonly id: string; readonly token: string; readonly activeOrganizationId: string | null };
};

/** Hono's environment for the console: `Bindings` come with the request, and middleware sets `Variables`. */
export type ConsoleEnv = {
  Bindings: { readonly arrival: Arrival };
  Variables: {
    /** Undefined until a page first needs it (session.ts, `getAccounts`). */
    accounts?: Accounts;
    /** This and `memberships` are set by `requirePerson`; by `recognizePerson` only if somebody is signed in. */
    person?: Person;
    memberships?: readonly OwnMembership[];
    /** This and `principal` are set for members of an organization. `requireOrganization` lets nobody else pass. */
    membership?: OwnMembership;
    principal?: OrganizationPrincipal;
    /** The submitted form. Undefined until it has been read. */
    submission?: Submission;
  };
};

export type ConsoleContext = Context<ConsoleEnv>;

/** Returns a parameter of the path; "" if the path has none of that name. */
export const param = (c: ConsoleContext, name: string): string => c.req.param(name) ?? "";
