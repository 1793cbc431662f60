/** Finds out who sent a request and for which organization, and runs operations for them. */
import { getDirectory } from "../../store/database.ts";
import { createMiddleware } from "hono/factory";
import { openAccounts, type Accounts, type AccountsSetting } from "../auth/accounts.ts";
import { getBaseUrl } from "../request/base-url.ts";
import { openCall, type Caller } from "../request/call.ts";
import { enforceLimit } from "../request/limits.ts";
import { DomainError } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { ROLE_GRANTS, type Grant, type OrganizationPrincipal } from "../../domain/principal.ts";
import type { Operation, Result } from "../../operations/define.ts";
import { invoke, type Answer } from "../../operations/invoke.ts";
import { chooseOrganization } from "../../store/people/system-people.ts";
import { listMemberships, type OwnMembership } from "../../store/people/system-memberships.ts";
import { requireActive } from "../../store/core/suspension.ts";
import type { z } from "zod";
import type { ConsoleContext, ConsoleEnv, Person } from "./env.ts";
import { readForm } from "./read-form.ts";
import type { Submission } from "./submission.ts";

/** Opens better-auth's accounts anew, with the usual settings and `more`. */
export function makeAccounts(c: ConsoleContext, more: Partial<AccountsSetting> = {}): Accounts {
  const { arrival } = c.env;
  const { settings } = arrival;
  return openAccounts({
    db: getDirectory(arrival.env),
    baseUrl: getBaseUrl(arrival),
    secret: settings.authSecret,
    ...more,
  });
}

/** Returns the accounts with the usual settings. Opens them once for each request. */
export function getAccounts(c: ConsoleContext): Accounts {
  const accounts = c.get("accounts") ?? makeAccounts(c);
  c.set("accounts", accounts);
  return accounts;
}

/** Returns the result of a better-auth endpoint, and adds the cookies that it sets to the console's response. */
export function forwardCookies<T>(c: ConsoleContext, answer: { headers: Headers; response: T }): T {
  keepCookies(c, answer.headers);
  return answer.response;
}

/** Sets for which organization the session acts. It takes effect only while the person is a member. */
export async function switchTo(c: ConsoleContext, organizationId: string): Promise<void> {
  const person = c.get("person") ?? (await findPerson(c));
  if (person !== null) await chooseOrganization(getDirectory(c.env.arrival.env), person.session.token, organizationId);
}

/** Adds the cookies that a library sets in `headers` to the console's response. */
export function keepCookies(c: ConsoleContext, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) c.header("Set-Cookie", cookie, { append: true });
}

/** Returns the person whom the session cookie belongs to, or null if there is no valid session. */
export async function findPerson(c: ConsoleContext): Promise<Person | null> {
  if (!c.req.header("Cookie")?.includes("edgepress.session_token")) return null;
  const found = forwardCookies(
    c,
    await getAccounts(c).api.getSession({ headers: c.req.raw.headers, returnHeaders: true }),
  );
  if (found === null) return null;
  const { user, session } = found;
  const { id, token, activeOrganizationId } = session as Person["session"];
  return { id: user.id, name: user.name, email: user.email, session: { id, token, activeOrganizationId } };
}

/**
 * Lets only requests of signed-in people pass. It redirects other GET and HEAD requests to the sign-in page, and throws
 * `credentials_missing` for the rest. Throws `credentials_invalid` for a form that somebody else filled in.
 *
 * The sender of a form can delay it for any time, and may be signed out meanwhile. So the session is looked up after
 * the whole form has arrived. A form that declares a small Content-Length is read first. The size that is allowed for
 * any other form depends on the sender's role, so the session is looked up twice: before the form is read, and again
 * after.
 */
export const requirePerson = createMiddleware<ConsoleEnv>(async (c, next) => {
  const isForm = c.req.method === "POST";
  const isSmall = Number(c.req.header("Content-Length") ?? Infinity) <= LIMITS.formBytes;
  const unreadable = isForm && isSmall ? await catchRefusal(readForm(c)) : null;
  let person = await findPerson(c);
  if (person !== null) await enforceLimit(c.env.arrival, "calls", person.id);
  if (person !== null && isForm && !isSmall) {
    await readForm(c, await getFormByteLimit(c, person));
    person = await findPerson(c);
  }
  if (person === null) {
    if (c.req.method !== "GET" && c.req.method !== "HEAD") throw new DomainError("credentials_missing", SIGNED_OUT);
    const { pathname, search } = new URL(c.req.url);
    return c.redirect(`/console/sign-in?next=${encodeURIComponent(pathname + search)}`, 303);
  }
  if (unreadable !== null) throw unreadable;
  if (isForm) refuseOthers(await readForm(c), person);
  await setPerson(c, person);
  return next();
});

/** A form without `_person` passes. */
function refuseOthers(form: Submission, { id }: Person): void {
  if (form.has("_person") && form.text("_person") !== id) throw new DomainError("credentials_invalid", SOMEBODY_ELSE);
}

/**
 * Returns the refusal that `work` throws, or null. The caller throws it later: if nobody is signed in, that is reported
 * first.
 */
async function catchRefusal(work: Promise<unknown>): Promise<DomainError | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** Lets all requests pass. For a signed-in person, it sets the same variables as `requirePerson`. */
export const recognizePerson = createMiddleware<ConsoleEnv>(async (c, next) => {
  const person = await findPerson(c);
  if (person !== null) {
    await enforceLimit(c.env.arrival, "calls", person.id);
    await setPerson(c, person);
  }
  return next();
});

/** Returns how many bytes the form may have. Only people who may write drafts may send large ones. */
async function getFormByteLimit(c: ConsoleContext, person: Person): Promise<number> {
  const most = c.req.path.startsWith("/console/articles/")
    ? LIMITS.articleFormBytes
    : c.req.path.startsWith("/console/media/")
      ? LIMITS.uploadBytes
      : LIMITS.formBytes;
  if (most === LIMITS.formBytes) return most;
  const membership = findChosenMembership(person, await listMemberships(c.env.arrival.env, person.id));
  const mayWrite = membership !== undefined && ROLE_GRANTS[membership.role].includes("articles:draft");
  return mayWrite ? most : LIMITS.formBytes;
}

async function setPerson(c: ConsoleContext, person: Person): Promise<void> {
  c.set("person", person);
  const memberships = await listMemberships(c.env.arrival.env, person.id);
  c.set("memberships", memberships);
  const membership = findChosenMembership(person, memberships);
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

const SIGNED_OUT =
  "Nothing was changed. Sign in again in another tab, then reload this page. Your browser sends the form again.";

/**
 * Returns the membership that the session has chosen, or the first one. Undefined if the person has left that
 * organization, or has none.
 */
function findChosenMembership({ session }: Person, memberships: readonly OwnMembership[]): OwnMembership | undefined {
  const chosen = session.activeOrganizationId ?? memberships[0]?.organizationId;
  return memberships.find(({ organizationId }) => organizationId === chosen);
}

/**
 * Lets only requests pass whose sender acts for an organization and currently belongs to it. It redirects other GET and
 * HEAD requests to the list of organizations, and throws `role_forbidden` for the rest. Throws `organization_suspended`, and `precondition_failed`
 * for a form that was made for another organization.
 */
export const requireOrganization = createMiddleware<ConsoleEnv>(async (c, next) => {
  const membership = c.get("membership");
  const reads = c.req.method === "GET" || c.req.method === "HEAD";
  if (membership === undefined) {
    if (reads) return c.redirect("/console/organizations", 303);
    throw new DomainError("role_forbidden", "You are not a member of the organization that this form was for.");
  }
  requireActive(membership.suspension);
  if (!reads) {
    const form = await readForm(c);
    if (form.text("_organization") !== membership.organizationId)
      throw new DomainError("precondition_failed", SWITCHED, { worded: true });
  }
  return next();
});

export const SOMEBODY_ELSE = "Somebody else is now signed in to this browser. Nothing was changed.";

const SWITCHED =
  "This form was for another organization. You have switched since, probably in another tab. Nothing was changed.";

/** Returns the person who is signed in. Throws if the page is not behind {@link requirePerson}. */
export const getPerson = (c: ConsoleContext): Person => requireSet(c.get("person"));

/** Returns all memberships of the person who is signed in. Throws if the page is not behind {@link requirePerson}. */
export const getMemberships = (c: ConsoleContext): readonly OwnMembership[] => requireSet(c.get("memberships"));

/** Returns the member as a principal of their organization. Throws if the page is not behind {@link requireOrganization}. */
export const getPrincipal = (c: ConsoleContext): OrganizationPrincipal => requireSet(c.get("principal"));

function requireSet<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the page is not behind the middleware that it needs");
  return value;
}

/** Whether the member's role has this grant. It decides only what a page shows; `invoke` does the authorization. */
export const can = (c: ConsoleContext, grant: Grant): boolean => getPrincipal(c).grants.has(grant);

/**
 * Lets only requests of members with the grant `operator` pass. Throws `role_forbidden` for others. `invoke` refuses
 * their writes anyway, but an empty form runs no operation, so they would see it.
 */
export const requireOperator = createMiddleware<ConsoleEnv>(async (c, next) => {
  if (!can(c, "operator")) throw new DomainError("role_forbidden");
  return next();
});

export type PerformOptions = {
  /** The version that the member saw. If the stored version differs, the write is refused: `precondition_failed`. */
  readonly version?: string | undefined;
  /** The key of the form. If the form is submitted again, the operation is not run twice. */
  readonly idempotencyKey?: string | undefined;
  /** Receives the steps of a long operation. `signal` is aborted when the person leaves. */
  readonly tell?: Caller["tell"];
  readonly signal?: Caller["signal"];
};

/**
 * Runs an operation for the member, with the same checks as on every other surface. `replayed` is true if the result is
 * that of an earlier call with the same key. Throws refusals as a `DomainError`.
 */
export async function perform<O extends Operation>(
  c: ConsoleContext,
  operation: O,
  input: Readonly<Record<string, unknown>>,
  { version, idempotencyKey, tell, signal }: PerformOptions = {},
): Promise<Result<z.infer<O["output"]>> & Pick<Answer, "replayed">> {
  const call = openCall(c.env.arrival, {
    principal: getPrincipal(c),
    // Stored responses are sealed under this secret. The token alone is not enough: the database contains it, too.
    secret: `${getPerson(c).session.token}\n${c.env.arrival.settings.authSecret}`,
    ifMatch: version === undefined ? undefined : [version],
    idempotencyKey,
    tell,
    signal,
  });
  return (await invoke(operation, call, async () => input)) as Answer & Result<z.infer<O["output"]>>;
}
