/** What Hono carries through a request of the console. */
import type { Context } from "hono";
import type { Accounts } from "../auth/accounts.ts";
import type { Arrival } from "../request/arrival.ts";
import type { OrganizationPrincipal } from "../domain/principal.ts";
import type { Submission } from "./submission.ts";
import type { Membership } from "../store/people/system-memberships.ts";

/** Who is signed in, and by which session. */
export type Person = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly session: { readonly id: string; readonly token: string; readonly activeOrganizationId: string | null };
};

export type ConsoleEnv = {
  Bindings: { readonly arrival: Arrival };
  Variables: {
    /** Opened where a page first needs it. */
    accounts?: Accounts;
    /** Set behind `signedIn`. */
    person?: Person;
    memberships?: readonly Membership[];
    /** Set behind `inOrganization`. */
    membership?: Membership;
    principal?: OrganizationPrincipal;
    /** The submitted form, once it was read. */
    submission?: Submission;
  };
};

export type ConsoleContext = Context<ConsoleEnv>;
