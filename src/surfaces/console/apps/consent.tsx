/** The page on which a person lets an application act for them (OAuth 2.1, the authorization endpoint). */
import { openAuthServer } from "../../request/authorization-server.ts";
import type { AuthRequest } from "@cloudflare/workers-oauth-provider";
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { grantAccess } from "../../oauth/server/consent.ts";
import type { AuthorizationServer } from "../../oauth/server/server.ts";
import { makeWriter } from "../../request/writer.ts";
import { DomainError } from "../../../domain/errors.ts";
import { ROLE_GRANTS, type Scope } from "../../../domain/principal.ts";
import { SCOPE_TEXTS } from "../../../domain/scope-texts.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { listBlogs, type BlogRecord } from "../../../store/blogs/blogs.ts";
import type { Page } from "../../../store/core/paging.ts";
import type { Writer } from "../../../store/core/writer.ts";
import type { Membership } from "../../../store/people/system-memberships.ts";
import { RecordConflict } from "../../../store/access/system-oauth-records.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { CheckField, Form, newForm, refusedForm, SelectField, toChoices, type FormState } from "../forms.tsx";
import { page, type Status } from "../layout.tsx";
import { keepCookies, getMemberships, getPerson } from "../session.ts";
import { addNext } from "../sign-in/local-path.ts";
import { readForm } from "../read-form.ts";
import { ClientFacts, OrganizationChoice, Target } from "./facts.tsx";
import {
  toBaseUrlRequest,
  rewordForPerson,
  requireClient,
  listOfferedScopes,
  readAsking,
  cleanName,
  type Asking,
} from "./request.ts";

export const consent = new Hono<ConsoleEnv>();

consent.get("/", (c) => ask(c, openAuthServer(c.env.arrival)));

consent.post("/", async (c) => {
  const server = openAuthServer(c.env.arrival);
  const form = await readForm(c);
  const handle = form.text("handle");
  const decision = form.text("decision");
  if (decision !== "allow" && decision !== "deny") throw new DomainError("invalid_request", UNDECIDED);
  if (decision === "deny") {
    const { redirectTo, headers } = await consumeOnce(() => server.api.denyConsent(toBaseUrlRequest(c), handle));
    return goBack(c, redirectTo, headers, "Nothing was connected");
  }
  const scopes = form.all("scopes");
  if (scopes.length === 0) return ask(c, server, NOTHING_TICKED);
  const membership = requireMembership(c, form.text("organization"));
  const { request, headers } = await consumeOnce(() => server.api.approveConsent(toBaseUrlRequest(c), handle));
  const allowed = filterGrantable(listOfferedScopes(c, request).scopes, membership);
  const granted = allowed.filter((scope) => scopes.includes(scope));
  if (granted.length < new Set(scopes).size) throw new DomainError("role_forbidden", BEYOND);
  const blogId = form.text("blogId") || null;
  const redirectTo = await grant(c, server, { request, membership, scopes: granted, blogId });
  return goBack(c, redirectTo, headers, "Connected");
});

const UNDECIDED = "Choose Allow or Deny. Nothing was connected.";

const NOTHING_TICKED = new DomainError("invalid_request", undefined, {
  errors: [{ path: "scopes", message: "Select at least one permission, or deny access." }],
});

const BEYOND = "These permissions go beyond what the app asked for, or what your role allows. Nothing was connected.";

/**
 * Runs `work`, which consumes the page's handle. Throws `precondition_failed` if the handle has been consumed already,
 * for example by a double click, and refusals of the library in words for people.
 */
async function consumeOnce<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RecordConflict) throw new DomainError("precondition_failed", USED, { worded: true });
    throw rewordForPerson(error);
  }
}

const USED = "This page was already submitted. If the app is not connected, start again in the app.";

type Granted = {
  readonly request: AuthRequest;
  readonly membership: Membership;
  readonly scopes: readonly Scope[];
  readonly blogId: string | null;
};

/** Stores the connection. Returns the redirect URI with the code. Throws refusals in words for people. */
async function grant(c: ConsoleContext, server: AuthorizationServer, granted: Granted): Promise<string> {
  const { membership, request, ...given } = granted;
  const { id: userId } = getPerson(c);
  try {
    const { clientName } = await requireClient(server, request.clientId);
    const name = cleanName(clientName?.trim() || request.clientId);
    return await grantAccess(server, makeMemberWriter(c, membership), { request, userId, clientName: name, ...given });
  } catch (error) {
    // The application may have changed or been deleted after the page was shown.
    throw rewordForPerson(error);
  }
}

/** The organization of the consent may be another one than that for which the session acts. */
const makeMemberWriter = (c: ConsoleContext, { organizationId, role }: Membership): Writer =>
  makeWriter(c.env.arrival, organizationId, { kind: "user", id: getPerson(c).id, role });

/** Returns the person's membership. Throws `role_forbidden` without one, whether or not the organization exists. */
function requireMembership(c: ConsoleContext, organizationId: string): Membership {
  const found = getMemberships(c).find((membership) => membership.organizationId === organizationId);
  if (found === undefined) throw new DomainError("role_forbidden", "You are not a member of this organization.");
  return found;
}

const filterGrantable = (scopes: readonly Scope[], { role }: Membership): Scope[] =>
  scopes.filter((scope) => ROLE_GRANTS[role].includes(scope));

/**
 * Sends the browser back to the application, by a Refresh header: browsers apply the policy `form-action` to each HTTP
 * redirect after a form, and would block it.
 */
async function goBack(c: ConsoleContext, to: string, headers: Headers, title: string): Promise<Response> {
  keepCookies(c, headers);
  c.header("Refresh", `0;url=${to}`);
  return page(
    c,
    title,
    <p>
      You are being redirected to the app. <a href={to}>Continue</a> if nothing happens.
    </p>,
  );
}

/** Without the application's name, which the application chose: it could look like a text of this service. */
const TITLE = "Connect an app?";

/** Returns the consent page for the request in the URL. `refusal` says what was wrong with a submitted form. */
async function ask(c: ConsoleContext, server: AuthorizationServer, refusal?: DomainError): Promise<Response> {
  const asking = await readAsking(c, server);
  if ("sentBackTo" in asking) return page(c, "The app cannot be connected", <SentBack to={asking.sentBackTo} />, 400);
  const membership = findChosenMembership(c);
  if (membership === undefined) return page(c, TITLE, <NoOrganization c={c} />, 403);
  const scopes = filterGrantable(asking.scopes, membership);
  if (scopes.length === 0) return page(c, TITLE, <NothingToGrant {...{ c, asking, membership }} />, 403);
  const { items: blogs } = await listBlogs(makeMemberWriter(c, membership), { limit: LIMITS.blogs, skip: 0 });
  const { handle, headers } = await server.api.beginConsent(asking.request);
  keepCookies(c, headers);
  const ticked = { scopes: scopes.filter((scope) => asking.ticked.includes(scope)) };
  const state = refusal ? refusedForm({ scopes: [] }, refusal) : newForm(ticked);
  const status: Status = refusal ? 400 : 200;
  return page(c, TITLE, <Consent {...{ c, asking, membership, scopes, blogs, handle, state }} />, status);
}

/**
 * Returns the membership that the query names, else the one that the person acts for, else their first. Undefined if
 * they have none. Throws `role_forbidden` for an organization of others.
 */
function findChosenMembership(c: ConsoleContext): Membership | undefined {
  const asked = c.req.query("organization");
  return asked === undefined ? (c.get("membership") ?? getMemberships(c)[0]) : requireMembership(c, asked);
}

/**
 * Shows why a request was refused, with a link that reports the error to the application. It does not redirect: anybody
 * can register an application whose redirect URI leads to an imitation of this service (RFC 9700, 4.11.2).
 */
const SentBack: FC<{ to: string }> = ({ to }) => {
  const said = new URL(to).searchParams;
  return (
    <>
      <p>
        The app’s request for access is invalid, so nothing was connected. <code>{said.get("error")}</code>:{" "}
        {said.get("error_description")}
      </p>
      <p>
        Go back only if you came from <Target redirectUri={to} />. <a href={to}>Return to the app</a>
      </p>
    </>
  );
};

type Shown = { readonly c: ConsoleContext; readonly asking: Asking; readonly membership: Membership };

type ConsentProps = Shown & {
  readonly scopes: readonly Scope[];
  readonly blogs: Page<BlogRecord>["items"];
  readonly handle: string;
  readonly state: FormState;
};

const Consent: FC<ConsentProps> = ({ c, asking, membership, scopes, blogs, handle, state }) => (
  <>
    <ClientFacts client={asking.client} name={asking.name} />
    <OrganizationChoice c={c} membership={membership} />
    <Form action={`/console/authorize${new URL(c.req.url).search}`} state={state} labels={{ scopes: "Permissions" }}>
      <input type="hidden" name="handle" value={handle} />
      <input type="hidden" name="organization" value={membership.organizationId} />
      <CheckField
        state={state}
        name="scopes"
        label={`In ${membership.name}, it can`}
        hint={`It acts on your behalf, and can never do more than your role (${membership.role}) allows. Clear the permissions that it does not need.`}
        choices={scopes.map((scope) => ({ value: scope, label: SCOPE_TEXTS[scope], hint: scope }))}
      />
      {asking.ticked.includes("articles:draft") && scopes.includes("articles:write") && (
        <p>
          Select <code>articles:write</code> only if it may publish and delete without asking you. Without it, it writes
          drafts, and you publish them.
        </p>
      )}
      {blogs.length > 1 && (
        <SelectField
          state={state}
          name="blogId"
          label="In which blogs"
          choices={[{ value: "", label: "All blogs" }, ...toChoices(blogs.map(({ value }) => value))]}
        />
      )}
      <p>You can disconnect it in your account at any time.</p>
      <div class="actions">
        <button type="submit" name="decision" value="allow">
          Allow
        </button>
        <button type="submit" name="decision" value="deny" class="quiet">
          Deny
        </button>
      </div>
    </Form>
  </>
);

const NoOrganization: FC<{ c: ConsoleContext }> = ({ c }) => {
  const { pathname, search } = new URL(c.req.url);
  return (
    <p>
      You do not belong to an organization yet.{" "}
      <a href={addNext("/console/organizations", pathname + search)}>Create one</a> to continue. You then return here.
    </p>
  );
};

const NothingToGrant: FC<Shown> = ({ c, asking, membership }) => (
  <>
    <ClientFacts client={asking.client} name={asking.name} />
    <OrganizationChoice c={c} membership={membership} />
    <p>
      Your role in {membership.name} ({membership.role}) does not allow what the app asks for. Ask an owner for another
      role.
    </p>
  </>
);
