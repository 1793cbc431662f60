/** The page of a person's own account: name, password, sessions and connected applications. */
import { ACTIONS, Table } from "../table.tsx";
import { getDirectory } from "../../../store/database.ts";
import { Hono } from "hono";
import { APIError } from "better-auth/api";
import type { FC } from "hono/jsx";
import * as z from "zod";
import { DomainError } from "../../../domain/errors.ts";
import { LIMITS } from "../../../domain/limits.ts";
import {
  chooseOrganization,
  endOtherSessions,
  findPassword,
  forgetLinks,
} from "../../../store/people/system-people.ts";
import { refreshPerson } from "../../../store/people/system-shards.ts";
import { listConnections } from "../../../store/access/system-oauth-connections.ts";
import { ConnectedApps, connectedApps } from "../apps/connected.tsx";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { onSubmit, Form, newForm, TextField, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { Section } from "../parts.tsx";
import { getAccounts, getPerson, forwardCookies } from "../session.ts";
import { rememberBrowser } from "../sign-in/browsers.ts";
import { parseInput } from "../sign-in/checked.ts";
import { limitGuesses } from "../sign-in/guesses.ts";
import { password, personName } from "../sign-in/new-account.tsx";
import { accountDeletion } from "./deletion.tsx";
import { InUtc, Time } from "../time.tsx";

export const account = new Hono<ConsoleEnv>();

account.route("/apps", connectedApps);
account.route("/delete", accountDeletion);

account.get("/", (c) => show(c, {}));

onSubmit(account, "/", {
  again: (c, name, status) => show(c, { name }, status),
  async work(c, form) {
    const body = parseInput(z.object({ name: personName }), { name: form.text("name") });
    await getAccounts(c).api.updateUser({ body, headers: c.req.raw.headers });
    await refreshPerson(c.env.arrival.env, getPerson(c).id);
    return goTo(c, "/console/account", "saved");
  },
});

onSubmit(account, "/password", {
  again: (c, password, status) => show(c, { password }, status),
  async work(c, form) {
    const { newPassword } = parseInput(z.object({ newPassword: password }), { newPassword: form.text("newPassword") });
    await limitGuesses(c, getPerson(c).email);
    const body = { currentPassword: form.text("currentPassword"), newPassword, revokeOtherSessions: true };
    try {
      await changePassword(c, body);
    } catch (error) {
      if (!(error instanceof APIError)) throw error;
      const code = error.body?.code;
      if (code === "CREDENTIAL_ACCOUNT_NOT_FOUND") throw new DomainError("invalid_request", NO_PASSWORD);
      if (code !== "INVALID_PASSWORD") throw error;
      const errors = [{ path: "currentPassword", message: "is incorrect" }];
      throw new DomainError("invalid_request", undefined, { errors });
    }
    await rememberBrowser(c, getPerson(c).email);
    return goTo(c, "/console/account", "password-changed");
  },
});

const NO_PASSWORD = "You do not have a password yet. Nothing was changed.";

account.post("/sessions/revoke-others", async (c) => {
  const { id, session } = getPerson(c);
  await endOtherSessions(getDirectory(c.env.arrival.env), id, session.token);
  return goTo(c, "/console/account", "others-revoked");
});

account.post("/sessions/:id/revoke", async (c) => {
  const { headers } = c.req.raw;
  const sessions = await getAccounts(c).api.listSessions({ headers });
  const found = sessions.find(({ id }) => id === c.req.param("id"));
  if (found === undefined) throw new DomainError("not_found", "This session has already ended.");
  await getAccounts(c).api.revokeSession({ body: { token: found.token }, headers });
  return goTo(c, "/console/account", "session-revoked");
});

/**
 * Changes the password and makes earlier links for a new one useless. better-auth replaces the session, so it sets the
 * organization again. Throws `APIError` if the current password is wrong.
 */
async function changePassword(c: ConsoleContext, body: PasswordChange): Promise<void> {
  const { id, session } = getPerson(c);
  const accounts = getAccounts(c);
  const changed = await accounts.api.changePassword({ body, headers: c.req.raw.headers, returnHeaders: true });
  const { token } = forwardCookies(c, changed);
  const db = getDirectory(c.env.arrival.env);
  await forgetLinks(db, id);
  if (token !== null) await chooseOrganization(db, token, session.activeOrganizationId);
}

type PasswordChange = { currentPassword: string; newPassword: string; revokeOtherSessions: boolean };

type Forms = { readonly name?: FormState; readonly password?: FormState };

async function show(c: ConsoleContext, forms: Forms, status?: Status) {
  const person = getPerson(c);
  const db = getDirectory(c.env.arrival.env);
  const [found, apps, stored] = await Promise.all([
    getAccounts(c).api.listSessions({ headers: c.req.raw.headers }),
    listConnections(c.env.arrival.env, person.id),
    findPassword(db, person.email),
  ]);
  const sessions = await Promise.all(
    found.map(async (session) => Object.assign(session, { browser: await describeBrowser(session.userAgent) })),
  );
  const { name = newForm({ name: person.name }), password: passwords = newForm() } = forms;
  return page(
    c,
    "Your account",
    <>
      <Section id="profile" name="Profile" about={person.email}>
        <Form action="/console/account" state={name} submit="Save" labels={{ name: "Your name" }}>
          <TextField state={name} name="name" label="Your name" required autocomplete="name" maxlength={LIMITS.name} />
        </Form>
      </Section>
      <PasswordSection state={passwords} isNew={stored === null} />
      <Section
        id="sessions"
        name="Sessions"
        about={
          <>
            Where you are signed in. <InUtc />
          </>
        }
      >
        <Sessions sessions={sessions} current={person.session.id} />
      </Section>
      <Section id="apps" name="Connected apps" about="Apps that can act on your behalf.">
        <div>
          <ConnectedApps apps={apps} />
        </div>
      </Section>
      <Section id="delete" name="Delete account" about="At once, and for good.">
        <p>
          <a href="/console/account/delete">Delete your account…</a>
        </p>
      </Section>
    </>,
    status,
  );
}

/** People who sign in only with a provider have no password yet. A mailed link can set one. */
const PasswordSection: FC<{ state: FormState; isNew: boolean }> = ({ state, isNew }) => (
  <Section id="password" name="Password" about={!isNew && "Changing your password signs out all other sessions."}>
    {isNew ? (
      <p>
        You sign in with a provider, and have no password yet. <a href="/console/forgot-password">Set one by email</a>
      </p>
    ) : (
      <PasswordForm state={state} />
    )}
  </Section>
);

const PasswordForm: FC<{ state: FormState }> = ({ state }) => (
  <Form action="/console/account/password" state={state} submit="Change password">
    <TextField
      state={state}
      name="currentPassword"
      label="Current password"
      type="password"
      required
      autocomplete="current-password"
    />
    <TextField
      state={state}
      name="newPassword"
      label="New password"
      type="password"
      required
      autocomplete="new-password"
      hint={`At least ${LIMITS.passwordLeast} characters.`}
    />
  </Form>
);

type Session = Awaited<ReturnType<ReturnType<typeof getAccounts>["api"]["listSessions"]>>[number] & {
  readonly browser: string;
};

const Sessions: FC<{ sessions: readonly Session[]; current: string }> = ({ sessions, current }) => (
  <div>
    <Table
      labelledby="sessions"
      rows={sessions}
      columns={[
        { head: "Browser", cell: ({ userAgent, browser }) => <span title={userAgent ?? undefined}>{browser}</span> },
        { head: "IP address", cell: ({ ipAddress }) => ipAddress || "Unknown" },
        { head: "Signed in", cell: ({ createdAt }) => <Time at={createdAt.toISOString()} />, class: "time" },
        { head: "Last active", cell: ({ updatedAt }) => <Time at={updatedAt.toISOString()} />, class: "time" },
        {
          head: ACTIONS,
          cell: ({ id, browser }) =>
            id === current ? (
              <span class="badge good">Current</span>
            ) : (
              <Form
                action={`/console/account/sessions/${id}/revoke`}
                submit="Sign out"
                about={browser}
                tone="quiet"
                inline
              />
            ),
        },
      ]}
    />
    {sessions.length > 1 && (
      <Form action="/console/account/sessions/revoke-others" submit="Sign out other sessions" tone="danger" inline />
    )}
  </div>
);

/**
 * Returns the browser in a `User-Agent`, such as "Chrome on macOS". Returns the whole text if nothing in it is known,
 * and "unknown" for none. The parser is loaded on first use.
 */
async function describeBrowser(userAgent: string | null | undefined): Promise<string> {
  if (!userAgent) return "unknown";
  const { default: bowser } = await import("bowser");
  const { browser, os } = bowser.parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(" on ") || userAgent;
}
