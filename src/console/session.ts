/** Who visits the console, and for which organization they act. */
import { sharedDatabase } from "../store/database.ts";
import { createMiddleware } from "hono/factory";
import { openAccounts, type Accounts, type AccountsSetting } from "../auth/accounts.ts";
import { baseUrlOf } from "../request/base-url.ts";
import { openCall } from "../request/call.ts";
import { limitCalls } from "../request/limits.ts";
import { DomainError } from "../errors.ts";
import { LIMITS } from "../domain/limits.ts";
import { ROLE_GRANTS, type Grant, type OrganizationPrincipal } from "../domain/principal.ts";
import type { Operation, Result } from "../operations/define.ts";
import { invoke, type Answer } from "../operations/invoke.ts";
import { listMemberships, type Membership } from "../store/people/system-memberships.ts";
import type { z } from "zod";
import type { ConsoleContext, ConsoleEnv, Person } from "./env.ts";
import { readForm } from "./read-form.ts";

/** Opens the accounts with what a flow needs beside the ordinary. */
export function accountsWith(c: ConsoleContext, more: Partial<AccountsSetting> = {}): Accounts {
  const { arrival } = c.env;
  const { settings } = arrival;
  return openAccounts({
    db: sharedDatabase(arrival.env),
    baseUrl: baseUrlOf(arrival),
    secret: settings.authSecret,
    ...more,
  });
}

/** The accounts of this request. */
export function accountsOf(c: ConsoleContext): Accounts {
  const accounts = c.get("accounts") ?? accountsWith(c);
  c.set("accounts", accounts);
  return accounts;
}

/** The answer of an endpoint of better-auth whose cookies are passed on to the browser. */
export function withCookies<T>(c: ConsoleContext, answer: { headers: Headers; response: T }): T {
  for (const cookie of answer.headers.getSetCookie()) c.header("Set-Cookie", cookie, { append: true });
  return answer.response;
}

/** Who is signed in, or null. */
export async function findPerson(c: ConsoleContext): Promise<Person | null> {
  if (!c.req.header("Cookie")?.includes("edgepress.session_token")) return null;
  const found = withCookies(c, await accountsOf(c).api.getSession({ headers: c.req.raw.headers, returnHeaders: true }));
  if (found === null) return null;
  const { user, session } = found;
  const { id, token, activeOrganizationId } = session as Person["session"];
  return { id: user.id, name: user.name, email: user.email, session: { id, token, activeOrganizationId } };
}

/**
 * Lets requests of signed-in people pass. A form can be held open for as long as its sender likes, so what counts is who
 * is signed in when all of it has arrived: a small one is read before that is asked. One that says to be large, or does
 * not say, is read only as far as its sender's role allows, which is therefore asked twice.
 */
export const signedIn = createMiddleware<ConsoleEnv>(async (c, next) => {
  const isForm = c.req.method === "POST";
  const isSmall = Number(c.req.header("Content-Length") ?? Infinity) <= LIMITS.formBytes;
  const unreadable = isForm && isSmall ? await refusalOf(readForm(c)) : null;
  let person = await findPerson(c);
  if (person !== null) await limitCalls(c.env.arrival, person.id);
  if (person !== null && isForm && !isSmall) {
    await readForm(c, await mostFormBytes(c, person));
    person = await findPerson(c);
  }
  if (person === null) {
    if (c.req.method !== "GET" && c.req.method !== "HEAD") throw new DomainError("credentials_missing", SIGNED_OUT);
    const { pathname, search } = new URL(c.req.url);
    return c.redirect(`/console/sign-in?next=${encodeURIComponent(pathname + search)}`, 303);
  }
  if (unreadable !== null) throw unreadable;
  await enter(c, person);
  return next();
});

/** What work was refused with, for later: first it is to be said that somebody is not signed in. Throws all else. */
async function refusalOf(work: Promise<unknown>): Promise<DomainError | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** Lets everybody pass; those who are signed in see the page as the others that they see. */
export const recognized = createMiddleware<ConsoleEnv>(async (c, next) => {
  const person = await findPerson(c);
  if (person !== null) {
    await limitCalls(c.env.arrival, person.id);
    await enter(c, person);
  }
  return next();
});

/** Bytes that a form may have. Only those who may write an article may send one. */
async function mostFormBytes(c: ConsoleContext, person: Person): Promise<number> {
  if (!c.req.path.startsWith("/console/articles/")) return LIMITS.formBytes;
  const membership = chosenOf(person, await listMemberships(sharedDatabase(c.env.arrival.env), person.id));
  const mayWrite = membership !== undefined && ROLE_GRANTS[membership.role].includes("articles:write");
  return mayWrite ? LIMITS.articleFormBytes : LIMITS.formBytes;
}

async function enter(c: ConsoleContext, person: Person): Promise<void> {
  c.set("person", person);
  const memberships = await listMemberships(sharedDatabase(c.env.arrival.env), person.id);
  c.set("memberships", memberships);
  choose(c, person, memberships);
}

const SIGNED_OUT =
  "You are signed out, so nothing was changed. Sign in again in another tab; then come back here and repeat it.";

/** The membership by which somebody acts: the chosen one; a session that has not chosen yet takes the first. */
function chosenOf({ session }: Person, memberships: readonly Membership[]): Membership | undefined {
  const chosen = session.activeOrganizationId ?? memberships[0]?.organizationId;
  return memberships.find(({ organizationId }) => organizationId === chosen);
}

function choose(c: ConsoleContext, person: Person, memberships: readonly Membership[]): void {
  const membership = chosenOf(person, memberships);
  if (membership === undefined) return;
  const { organizationId, role } = membership;
  c.env.arrival.identify(organizationId);
  c.set("membership", membership);
  c.set("principal", {
    kind: "user",
    id: person.id,
    organizationId,
    grants: new Set(ROLE_GRANTS[role]),
    role,
    pinnedBlogId: null,
  });
}

/** Lets requests pass whose sender acts for an organization that they belong to at this moment. */
export const inOrganization = createMiddleware<ConsoleEnv>(async (c, next) => {
  const membership = c.get("membership");
  const reads = c.req.method === "GET" || c.req.method === "HEAD";
  if (membership === undefined) {
    if (reads) return c.redirect("/console/organizations", 303);
    throw new DomainError("role_forbidden", "You do not belong to the organization that this was for.");
  }
  if (!reads && (await readForm(c)).text("_organization") !== membership.organizationId) {
    throw new DomainError("precondition_failed", SWITCHED);
  }
  return next();
});

const SWITCHED =
  "This form was for another organization: you have switched since, probably in another tab. Nothing was changed.";

/** The person who is signed in; for pages behind {@link signedIn}. */
export const personOf = (c: ConsoleContext): Person => known(c.get("person"));

/** All organizations of the person who is signed in. */
export const membershipsOf = (c: ConsoleContext): readonly Membership[] => known(c.get("memberships"));

/** Who acts for an organization; for pages behind {@link inOrganization}. */
export const principalOf = (c: ConsoleContext): OrganizationPrincipal => known(c.get("principal"));

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the page is not behind the middleware that it needs");
  return value;
}

/** Whether the member's role allows something. Only for what a page shows: `invoke` decides. */
export const can = (c: ConsoleContext, grant: Grant): boolean => principalOf(c).grants.has(grant);

export type PerformOptions = {
  /** The version that the member saw: a write of another one is refused with `precondition_failed`. */
  readonly version?: string | undefined;
  /** Makes a repeated submission of the same form happen once. */
  readonly idempotencyKey?: string | undefined;
};

/** Runs an operation for the member, by the same authorization as every surface. */
export async function perform<O extends Operation>(
  c: ConsoleContext,
  operation: O,
  input: Readonly<Record<string, unknown>>,
  { version, idempotencyKey }: PerformOptions = {},
): Promise<Result<z.infer<O["output"]>> & Pick<Answer, "replayed">> {
  const call = openCall(c.env.arrival, {
    principal: principalOf(c),
    // Not the token alone: it is in the database, next to the responses that are sealed under it.
    secret: `${personOf(c).session.token}\n${c.env.arrival.settings.authSecret}`,
    ifMatch: version === undefined ? undefined : [version],
    idempotencyKey,
  });
  return (await invoke(operation, call, async () => input)) as Answer & Result<z.infer<O["output"]>>;
}
